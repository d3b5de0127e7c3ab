// Which IP addresses the server may connect to (SSRF protection): public ones, and hosts allowed by the operator.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A host that is allowed regardless of its IP address; without `port`, on every port. Names are spelled as in URLs. */
export interface AllowedHost {
  hostname: string;
  port?: number;
}

/** Resolves a name to all of its IP addresses, as `dns.lookup` with `all` does. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

// "This" network, private, shared (carrier-grade NAT and a cloud's metadata), loopback, link-local (most clouds'
// metadata), protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast; Azure's
// wire server has a public IP address.
const V4 = blocked('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

// Everything but global unicast (2000::/3): unspecified, loopback, IPv4-compatible, unique-local, link-local,
// site-local, multicast; within it protocol assignments with Teredo, documentation, 6to4.
const V6 = blocked('ipv6', ['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Prefixes with an embedded IPv4 address in the last 32 bits: IPv4-mapped, NAT64 (RFC 6052). */
const EMBEDDING = [/^::ffff:(.*)$/, /^64:ff9b::(.*)$/];

/** Whether an IPv4 or IPv6 address, in any spelling, is publicly routable. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !V4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const embedded = embeddedIn(canonical(address));
  return embedded === undefined ? !V6.check(address, 'ipv6') : isPublicAddress(embedded);
}

/** Parses `name`, `name:port`, an IPv4 address or an IPv6 address in brackets; undefined for anything else. */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  const [, name, port] = /^(\[[^\]]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}/`)) return undefined;
  const { hostname } = new URL(`http://${name}/`);
  if (port === undefined) return { hostname };
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? { hostname, port: number } : undefined;
}

/** Whether the operator allowed the host of an http(s) URL. */
export function isAllowedHost({ hostname, port, protocol }: URL, allowed: readonly AllowedHost[]): boolean {
  const requested = port === '' ? { 'http:': 80, 'https:': 443 }[protocol] : Number(port);
  return allowed.some((host) => host.hostname === hostname && (host.port === undefined || host.port === requested));
}

/** The error for hosts whose IP address is not public. */
export function refusedAddress(hostname: string): Error {
  return new Error(`${hostname} has no public IP address, and is not among the allowed hosts`);
}

/**
 * The `lookup` option of a socket: the checked IP addresses are those that are connected to (no DNS rebinding). A name
 * with any non-public IP address is rejected. Sockets skip the lookup when the host is an IP address: the caller checks
 * that.
 */
export function publicLookup(resolve: Resolve = resolveByTheSystem): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, '');
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return done(refusedAddress(hostname), '');
      if (options.all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

const resolveByTheSystem: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

function blocked(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/** The canonical spelling of an IPv6 address in URLs. */
function canonical(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function embeddedIn(address: string): string | undefined {
  const tail = EMBEDDING.map((prefix) => prefix.exec(address)?.[1]).find((found) => found !== undefined);
  // Two groups at most: with more, the prefix was another one.
  if (tail === undefined || !/^[\da-f]{0,4}(:[\da-f]{1,4})?$/.test(tail)) return undefined;
  const [low = 0, high = 0] = tail
    .split(':')
    .map((group) => parseInt(group || '0', 16))
    .reverse();
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
