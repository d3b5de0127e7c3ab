// Parsing of dates sent by clients, and conversion between time zones.
import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import type { Operation } from '../model/operation.js';

/** Default clock of a date-time: a time with its offset is unambiguous. */
export const DEFAULT_CLOCK = 'offset';

const SHAPE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?$/;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Local time as written, `YYYY-MM-DDTHH:MM:SS`, and its offset if it has one. */
export interface ParsedDateTime {
  wall: string;
  offsetMinutes?: number;
}

/** Parses a date: `format` for a syntax error, `calendar` for a date that does not exist. */
export function parseDateTime(text: string): ParsedDateTime | 'format' | 'calendar' {
  const parts = SHAPE.exec(text);
  if (!parts) return 'format';
  const wall = `${parts[1]}T${parts[2]}`;
  const local = instantOf(wall);
  // Date turns February 30 into March 2, and 24:00 into the next day.
  if (Number.isNaN(local) || local < FIRST || new Date(local).getUTCDate() !== Number(wall.slice(8, 10)))
    return 'calendar';
  if (parts[3] === undefined) return text.endsWith('Z') ? { wall, offsetMinutes: 0 } : { wall };
  const [hours, minutes] = [Number(parts[4]), Number(parts[5] ?? 0)];
  if (hours > 23 || minutes > 59) return 'calendar';
  const offsetMinutes = (parts[3] === '-' ? -1 : 1) * (hours * 60 + minutes) + 0;
  const utc = local - offsetMinutes * MINUTE;
  return utc < FIRST || utc > LAST ? 'calendar' : { wall, offsetMinutes };
}

/** Whether a text is a date and time of the calendar as they are stored, `YYYY-MM-DDTHH:MM:SS`. */
export function isDateTime(text: string): boolean {
  const parsed = parseDateTime(text);
  return typeof parsed === 'object' && parsed.wall === text;
}

/** UTC of a local time: by its offset, else by the rules of the time zone at that moment. */
export function toUtc(wall: string, offsetMinutes: number | undefined, zone: string): string {
  if (offsetMinutes === 0) return wall;
  if (offsetMinutes !== undefined) return wallOf(instantOf(wall) - offsetMinutes * MINUTE);
  return zone === 'UTC' ? wall : wallOf(instantIn(instantOf(wall), zoneOf(zone)));
}

/** Local time of the zone at a moment given in UTC. */
export function toWall(utc: string, zone: string): string {
  if (zone === 'UTC') return utc;
  const instant = instantOf(utc);
  return wallOf(instant + zoneOf(zone).offset(instant) * MINUTE);
}

/** Whether a name or an offset such as `+05:30` or `-3.5` is a time zone. */
export function isZone(zone: string): boolean {
  return zone === 'UTC' || fixedZone(zone) !== undefined || IANAZone.isValidZone(zone);
}

// A local time that occurs twice is the second one; one that does not exist is shifted by the skipped hour.
function instantIn(local: number, zone: Zone): number {
  const before = zone.offset(local - DAY);
  const after = zone.offset(local + DAY);
  const afterwards = local - after * MINUTE;
  return zone.offset(afterwards) === after ? afterwards : local - before * MINUTE;
}

const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  let zone = zones.get(name);
  if (!zone) {
    if (!isZone(name))
      throw new Error(`There is no time zone "${name}". Use a name such as Europe/Paris, or an offset such as +02:00.`);
    zone = fixedZone(name) ?? IANAZone.create(name);
    zones.set(name, zone);
  }
  return zone;
}

// Sites may be configured with a fixed offset in hours.
function fixedZone(text: string): Zone | undefined {
  const clock = /^(?:UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(text);
  if (clock) {
    const minutes = Number(clock[2]) * 60 + Number(clock[3] ?? 0);
    return FixedOffsetZone.instance(clock[1] === '-' ? -minutes : minutes);
  }
  return /^[+-]?\d{1,2}(?:\.\d{1,2})?$/.test(text)
    ? FixedOffsetZone.instance(Math.round(Number(text) * 60))
    : undefined;
}

function instantOf(wall: string): number {
  return Date.parse(`${wall}Z`);
}

// Restricts the year to four digits.
function wallOf(instant: number): string {
  return new Date(Math.min(LAST, Math.max(FIRST, instant))).toISOString().slice(0, 19);
}

/** The current time as UTC text, to the second. */
export function utcNow(op: Operation): string {
  return new Date(op.site.now()).toISOString().slice(0, 19);
}

/** A zone of the IANA list as written, an offset as `+05:30`; undefined for anything else. */
export function timezoneOf(text: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text) ?? [];
  if (sign) return Number(hours) <= 14 ? `${sign}${hours.padStart(2, '0')}:${minutes}` : undefined;
  return isZone(text) && !(Math.abs(Number(text)) > 14) ? text : undefined;
}
