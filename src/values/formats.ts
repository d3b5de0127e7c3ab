// String formats: each sanitizes a text or rejects it. Unknown formats accept everything.
import { isIPv4, isIPv6 } from 'node:net';
import { cleanUri } from './clean-uri.js';
import { parseDateTime, timezoneOf } from './date-time.js';
import { parseDecimal } from '../model/functions/decimal.js';
import type { Constraint } from '../model/value.js';
import { constraint } from './rule.js';

/** A format: `clean` changes the text, `constraints` reject it. */
export interface Format {
  clean?(text: string): string;
  constraints?: readonly Constraint[];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const MAILBOX = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_EMAIL_CHARACTERS = 320;

/** Whether a text resembles an e-mail address; deliberately permissive. */
function isEmail(text: string): boolean {
  if (text.length < 6 || text.length > MAX_EMAIL_CHARACTERS) return false;
  const at = text.indexOf('@');
  if (at < 1 || at !== text.lastIndexOf('@') || !MAILBOX.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label));
}

// A zone such as %eth0 names a network interface of the client and is not part of the IP address.
const isIp = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'));

const isDecimal = (text: string): boolean => parseDecimal(text) !== undefined;

/** Texts that a date parser understands, then those that are in the calendar. */
function dateConstraints(parse: (text: string) => unknown, format: string, calendar: string): Constraint[] {
  return [
    constraint('rest_invalid_date', (text: string) => (parse(text) === 'format' ? format : undefined)),
    constraint('invalid_date', (text: string) => (parse(text) === 'calendar' ? calendar : undefined)),
  ];
}

const dateTimes = dateConstraints(
  parseDateTime,
  'must be a date and time such as 2024-03-01T14:30:00, with or without Z or +01:00.',
  'is not in the calendar. Check month, day, time and offset.',
);

const days = dateConstraints(
  // Without the first check the rest of the text could be taken for a time of day.
  (text) => (DAY.test(text) ? parseDateTime(`${text}T00:00:00`) : 'format'),
  'must be a day such as 2024-03-01.',
  'is not in the calendar. Check month and day.',
);

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;

/** A time of day with its seconds: `08:30` as `08:30:00`. */
export function completeTime(text: string): string {
  return text.length === 5 ? `${text}:00` : text;
}

const rejecting = (code: string, fits: (text: string) => boolean, must: string): Format => ({
  constraints: [constraint(code, (text: string) => (fits(text) ? undefined : must))],
});

const FORMATS = new Map<string, Format>([
  ['date-time', { constraints: dateTimes }],
  ['date', { constraints: days }],
  [
    'time',
    rejecting('rest_invalid_time', (text) => TIME.test(text), 'must be a time of day such as 08:30 or 08:30:15.'),
  ],
  ['decimal', rejecting('rest_invalid_type', isDecimal, 'must be a decimal number such as 12.50.')],
  ['uri', { clean: cleanUri }],
  ['email', rejecting('rest_invalid_email', isEmail, 'must be an e-mail address such as ann@example.org.')],
  ['ip', rejecting('rest_invalid_ip', isIp, 'must be an IPv4 or IPv6 address.')],
  [
    'uuid',
    rejecting(
      'rest_invalid_uuid',
      (text) => UUID.test(text),
      'must be a UUID of 32 hexadecimal digits in five groups.',
    ),
  ],
  [
    'timezone',
    {
      clean: (text) => timezoneOf(text) ?? text,
      constraints: [
        constraint('rest_invalid_param', (text: string) =>
          timezoneOf(text) === undefined
            ? 'must be a time zone such as Europe/Paris, or an offset such as +02:00.'
            : undefined,
        ),
      ],
    },
  ],
  [
    'hex-color',
    rejecting('rest_invalid_hex_color', (text) => HEX_COLOR.test(text), 'must be a colour such as #fa3 or #ffaa33.'),
  ],
]);

/** Formats that values of clients have; `decimal` is that of a field type. */
export const CHECKED_FORMATS: readonly string[] = [...FORMATS.keys()].filter((name) => name !== 'decimal');

/** The format of that name. */
export function formatOf(name: string | undefined): Format | undefined {
  return name === undefined ? undefined : FORMATS.get(name);
}
