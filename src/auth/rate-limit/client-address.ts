// The client address of a request: that of the socket, or what trusted proxies forward. Used for actors and as key of
// rate limits.
import { isIP, isIPv6 } from 'node:net';
import type { Requester } from '../../model/store.js';

/** The parts of a request that hold its IP address; `ip` is Express's, which follows `trust proxy`. */
export interface WithClientAddress {
  socket: { remoteAddress?: string | undefined };
  ip?: string | undefined;
}

/** IP address of the client. Forwarded addresses count only where proxies are trusted, and only if they are valid. */
export function clientAddress(request: WithClientAddress, trustProxy: boolean): string {
  const forwarded = trustProxy ? validAddress(request.ip) : undefined;
  return forwarded ?? validAddress(request.socket.remoteAddress) ?? '127.0.0.1';
}

/** The network that counts as one client: an IPv4 address, or an IPv6 /64, which is one customer's. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  // A dotted IPv4 tail stands for two groups; it is never among the first four.
  const length = first.length + last.length + (last.at(-1)?.includes('.') ? 1 : 0);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - length);
  const all = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** The client that takes turns with others: an account, or the network of an anonymous caller. */
export function clientOf({ id, address }: { readonly id: number; readonly address: string }): string {
  return id > 0 ? `#${id}` : networkOf(address);
}

/** A caller of whom only the IP address is known so far. */
export class Visitor implements Requester {
  constructor(private readonly address: string) {}

  get client(): string {
    return networkOf(this.address);
  }
}

// A zone (`fe80::1%eth0`) names a local interface and may have any length: strip it.
function validAddress(address: string | undefined): string | undefined {
  if (address === undefined || isIP(address) === 0) return undefined;
  const text = address.split('%')[0]!;
  return mappedIpv4(text) ?? text;
}

/** The IPv4 address inside `::ffff:192.0.2.1`, however it is written. */
function mappedIpv4(text: string): string | undefined {
  const [, dotted, high = '', low = ''] =
    /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+(?:\.\d+){3})|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(text) ?? [];
  if (dotted !== undefined || high === '') return dotted;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}
