// String formats: each sanitizes a text or rejects it. Unknown formats accept everything.
import { isIPv4, isIPv6 } from 'node:net';
import { cleanUri } from './clean-uri.js';
import { parseDateTime } from './date-time.js';
import { issue, type Issue } from './value-issue.js';

/** A format: `clean` changes the text, `check` rejects it. */
export interface Format {
  clean?(text: string): string;
  check?(text: string, param: string): Issue | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const MAILBOX = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_EMAIL_CHARACTERS = 320;

/** Whether a text resembles an e-mail address; deliberately permissive. */
export function isEmail(text: string): boolean {
  if (text.length < 6 || text.length > MAX_EMAIL_CHARACTERS) return false;
  const at = text.indexOf('@');
  if (at < 1 || at !== text.lastIndexOf('@') || !MAILBOX.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label));
}

// A zone such as %eth0 names a network interface of the client and is not part of the address.
const isIp = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'));

function checkDate(text: string, param: string): Issue | undefined {
  switch (parseDateTime(text)) {
    case 'format':
      return issue(
        'rest_invalid_date',
        param,
        'must be a date and time such as 2024-03-01T14:30:00, with or without Z or +01:00.',
      );
    case 'calendar':
      return issue('invalid_date', param, 'is not in the calendar. Check month, day, time and offset.');
    default:
      return undefined;
  }
}

function checkDay(text: string, param: string): Issue | undefined {
  // Without this check the rest of the text could be taken for a time of day.
  switch (DAY.test(text) ? parseDateTime(`${text}T00:00:00`) : 'format') {
    case 'format':
      return issue('rest_invalid_date', param, 'must be a day such as 2024-03-01.');
    case 'calendar':
      return issue('invalid_date', param, 'is not in the calendar. Check month and day.');
    default:
      return undefined;
  }
}

const FORMATS = new Map<string, Format>([
  ['date-time', { check: checkDate }],
  ['date', { check: checkDay }],
  ['uri', { clean: cleanUri }],
  [
    'email',
    {
      check: (text, param) =>
        isEmail(text)
          ? undefined
          : issue('rest_invalid_email', param, 'must be an e-mail address such as ann@example.org.'),
    },
  ],
  [
    'ip',
    {
      check: (text, param) =>
        isIp(text) ? undefined : issue('rest_invalid_ip', param, 'must be an IPv4 or IPv6 address.'),
    },
  ],
  [
    'uuid',
    {
      check: (text, param) =>
        UUID.test(text)
          ? undefined
          : issue('rest_invalid_uuid', param, 'must be a UUID of 32 hexadecimal digits in five groups.'),
    },
  ],
  [
    'hex-color',
    {
      check: (text, param) =>
        HEX_COLOR.test(text)
          ? undefined
          : issue('rest_invalid_hex_color', param, 'must be a colour such as #fa3 or #ffaa33.'),
    },
  ],
]);

/** The format of that name. */
export function formatOf(name: string | undefined): Format | undefined {
  return name === undefined ? undefined : FORMATS.get(name);
}
