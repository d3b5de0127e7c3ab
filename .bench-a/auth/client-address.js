// Where a request comes from: the socket, or what trusted proxies say (reliability T18). Used for actors and as key of limits.
import { isIP, isIPv6 } from 'node:net';
/** Address of the client. What a proxy sends counts only where proxies are trusted, and only if it is an address. */
export function clientAddress(request, trustProxy) {
    const told = trustProxy ? plain(request.ip) : undefined;
    return told ?? plain(request.socket.remoteAddress) ?? '127.0.0.1';
}
/** What counts as one client: an IPv4 address, or the /64 that every IPv6 customer has to himself. */
export function networkOf(address) {
    if (!isIPv6(address))
        return address;
    const [head = '', tail] = address.split('%')[0].split('::');
    const groups = (text) => (text === '' ? [] : text.split(':'));
    const [first, last] = [groups(head), groups(tail ?? '')];
    // A dotted IPv4 tail stands for two groups; it is never among the first four.
    const length = first.length + last.length + (last.at(-1)?.includes('.') ? 1 : 0);
    const zeros = tail === undefined ? 0 : Math.max(0, 8 - length);
    const all = [...first, ...Array(zeros).fill('0'), ...last];
    return all
        .slice(0, 4)
        .map((group) => Number.parseInt(group, 16).toString(16))
        .join(':');
}
function plain(address) {
    const text = address?.replace(/^::ffff:(?=\d+\.)/i, '');
    return text !== undefined && isIP(text) > 0 ? text : undefined;
}
