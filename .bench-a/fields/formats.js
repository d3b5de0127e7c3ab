// String formats of decisions 2.10: each cleans a text or refuses it. Looked up by the text rules; unknown formats pass.
import { isIPv4, isIPv6 } from 'node:net';
import { cleanUri } from './clean-uri.js';
import { parseDateTime } from './date-time.js';
import { refuse } from './value-issue.js';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const MAILBOX = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LONGEST_EMAIL = 320;
/** Whether a text looks like an e-mail address, as loosely as decisions 2.10 want it. */
export function isEmail(text) {
    if (text.length < 6 || text.length > LONGEST_EMAIL)
        return false;
    const at = text.indexOf('@');
    if (at < 1 || at !== text.lastIndexOf('@') || !MAILBOX.test(text.slice(0, at)))
        return false;
    const labels = text.slice(at + 1).split('.');
    return labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label));
}
// A zone such as %eth0 names a network card of the client, which is no address.
const isIp = (text) => isIPv4(text) || (isIPv6(text) && !text.includes('%'));
function checkDate(text, param) {
    switch (parseDateTime(text)) {
        case 'format':
            return refuse('rest_invalid_date', param, 'must be a date and time such as 2024-03-01T14:30:00, with or without Z or +01:00.');
        case 'calendar':
            return refuse('invalid_date', param, 'is not in the calendar. Check month, day, time and offset.');
        default:
            return undefined;
    }
}
function checkDay(text, param) {
    // Without its shape the rest of the text would pass for a time of day.
    switch (DAY.test(text) ? parseDateTime(`${text}T00:00:00`) : 'format') {
        case 'format':
            return refuse('rest_invalid_date', param, 'must be a day such as 2024-03-01.');
        case 'calendar':
            return refuse('invalid_date', param, 'is not in the calendar. Check month and day.');
        default:
            return undefined;
    }
}
const FORMATS = new Map([
    ['date-time', { check: checkDate }],
    ['date', { check: checkDay }],
    ['uri', { clean: cleanUri }],
    [
        'email',
        {
            check: (text, param) => isEmail(text)
                ? undefined
                : refuse('rest_invalid_email', param, 'must be an e-mail address such as ann@example.org.'),
        },
    ],
    [
        'ip',
        {
            check: (text, param) => isIp(text) ? undefined : refuse('rest_invalid_ip', param, 'must be an IPv4 or IPv6 address.'),
        },
    ],
    [
        'uuid',
        {
            check: (text, param) => UUID.test(text)
                ? undefined
                : refuse('rest_invalid_uuid', param, 'must be a UUID of 32 hexadecimal digits in five groups.'),
        },
    ],
    [
        'hex-color',
        {
            check: (text, param) => HEX_COLOR.test(text)
                ? undefined
                : refuse('rest_invalid_hex_color', param, 'must be a colour such as #fa3 or #ffaa33.'),
        },
    ],
]);
/** The format of that name (decisions 2.10). */
export function formatOf(name) {
    return name === undefined ? undefined : FORMATS.get(name);
}
