// Dates from clients and between clocks (decisions 2.10, 7). Called by the datetime fields, date filters and the formats.
import { FixedOffsetZone, IANAZone } from 'luxon';
const SHAPE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?$/;
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Reads a client's date (decisions 2.10, 7.5): `format` when it is written wrongly, `calendar` when no such moment exists. */
export function parseDateTime(text) {
    const parts = SHAPE.exec(text);
    if (!parts)
        return 'format';
    const wall = `${parts[1]}T${parts[2]}`;
    const local = instantOf(wall);
    // The engine turns February 30 into March 2; a real date survives the way back.
    if (Number.isNaN(local) || local < FIRST || wallOf(local) !== wall)
        return 'calendar';
    if (parts[3] === undefined)
        return text.endsWith('Z') ? { wall, offsetMinutes: 0 } : { wall };
    const [hours, minutes] = [Number(parts[4]), Number(parts[5] ?? 0)];
    if (hours > 23 || minutes > 59)
        return 'calendar';
    const offsetMinutes = (parts[3] === '-' ? -1 : 1) * (hours * 60 + minutes) + 0;
    const utc = local - offsetMinutes * MINUTE;
    return utc < FIRST || utc > LAST ? 'calendar' : { wall, offsetMinutes };
}
/** UTC of a wall time: by its offset, else by the rules of the zone at that moment (decisions 7.3, 7.10). */
export function toUtc(wall, offsetMinutes, zone) {
    if (offsetMinutes !== undefined)
        return wallOf(instantOf(wall) - offsetMinutes * MINUTE);
    return zone === 'UTC' ? wall : wallOf(instantIn(instantOf(wall), zoneOf(zone)));
}
/** Wall time of the zone at a moment given in UTC. */
export function toWall(utc, zone) {
    if (zone === 'UTC')
        return utc;
    const instant = instantOf(utc);
    return wallOf(instant + zoneOf(zone).offset(instant) * MINUTE);
}
/** Whether a name or an offset such as `+05:30` or `-3.5` is a zone. Asked once by the configuration. */
export function isZone(zone) {
    return zone === 'UTC' || fixedZone(zone) !== undefined || IANAZone.isValidZone(zone);
}
// A wall time that occurs twice means the first time; one that clocks skip moves on by the skipped hour.
function instantIn(local, zone) {
    const before = zone.offset(local - DAY);
    const early = local - before * MINUTE;
    if (zone.offset(early) === before)
        return early;
    const after = zone.offset(local + DAY);
    const late = local - after * MINUTE;
    return zone.offset(late) === after ? late : early;
}
const zones = new Map();
function zoneOf(name) {
    let zone = zones.get(name);
    if (!zone) {
        if (!isZone(name))
            throw new Error(`There is no time zone "${name}". Use a name such as Europe/Paris, or an offset such as +02:00.`);
        zone = fixedZone(name) ?? IANAZone.create(name);
        zones.set(name, zone);
    }
    return zone;
}
// Sites may know their offset in hours only (decisions 7.10).
function fixedZone(text) {
    const clock = /^(?:UTC)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
    if (clock) {
        const minutes = Number(clock[2]) * 60 + Number(clock[3] ?? 0);
        return FixedOffsetZone.instance(clock[1] === '-' ? -minutes : minutes);
    }
    return /^[+-]?\d{1,2}(?:\.\d{1,2})?$/.test(text)
        ? FixedOffsetZone.instance(Math.round(Number(text) * 60))
        : undefined;
}
function instantOf(wall) {
    return Date.parse(`${wall}Z`);
}
// Stays within the years that four digits can write.
function wallOf(instant) {
    return new Date(Math.min(LAST, Math.max(FIRST, instant))).toISOString().slice(0, 19);
}
