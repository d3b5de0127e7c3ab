// Parsers of URLs of servers and databases, of hosts, proxies and paths.
import { isIP } from 'node:net';
import { type Parse, whole, listOf, matching } from './parsers.js';

/** Description of what `httpUrl` accepts. */
export const HTTP_URL = 'an http:// or https:// URL without query or credentials';

/** An http(s) URL without query, credentials or trailing slash. */
export const httpUrl: Parse<string> = (text) => {
  // Checked in the text, because `search` and `hash` do not show a `?` or `#` with nothing after it.
  const url = /[?#]/.test(text) ? undefined : parsedUrl(text);
  return url?.href.replace(/\/+$/, '');
};

/** An origin (scheme, host and port) as browsers send it. */
export const origin: Parse<string> = (text) => {
  const url = parsedUrl(text);
  // URLs may have a * in their host; browsers send none, so a pattern would match nothing.
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '' && !url.hostname.includes('*');
  return isPlain ? url.origin : undefined;
};

/** A host name or IP address, without brackets. */
export const host: Parse<string> = (text) => {
  const name = text.replace(/^\[(.*)\]$/, '$1');
  return isIP(name) || /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name) ? name : undefined;
};

/** Path segments between single slashes, without leading or trailing slash. */
export const segments: Parse<string> = (text) => {
  const path = text.replace(/^\/+|\/+$/g, '');
  return path === '' || /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/.test(path)
    ? path
    : undefined;
};

/** Hops or IP addresses of reverse proxies, as Express accepts them. */
export const proxies: Parse<false | number | string[]> = (text) => {
  if (['off', 'false', 'no'].includes(text.toLowerCase())) return false;
  const hops = whole(0, 100)(text);
  if (hops !== undefined) return hops === 0 ? false : hops;
  return listOf((part) =>
    ['loopback', 'linklocal', 'uniquelocal'].includes(part) || isNetwork(part) ? part : undefined,
  )(text);
};

/** `sqlite:<path>`, or a server URL with one or several hosts. */
export const databaseUrl: Parse<string> = (text) => {
  if (text.startsWith('sqlite:')) return /^sqlite:[^?]+(\?synchronous=(normal|full))?$/.test(text) ? text : undefined;
  const server = '(?:\\[[0-9a-fA-F:]+\\]|[\\w.-]+)(?::\\d{1,5})?';
  const [, account = '', hosts, name] =
    new RegExp(
      `^(?:mysql|mariadb|postgres|postgresql)://(?:([^@/]*)@)?(${server}(?:,${server})*)/([^/?\\s]+)(?:\\?\\S*)?$`,
    ).exec(text) ?? [];
  const ports = [...(hosts ?? '').matchAll(/:(\d+)(?=,|$)/g)].map(([, port]) => Number(port));
  const isSound =
    hosts !== undefined && isEncoded(`${account}/${name}`) && ports.every((port) => port > 0 && port < 65536);
  return isSound ? text : undefined;
};

/** Whether every percent sign begins an encoded character. */
function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Comma-separated database URLs; one URL may itself list hosts with commas. */
export const databaseUrls: Parse<string[]> = (text) => {
  const urls = text.split(/,\s*(?=[a-z]+:\/\/)/).map((part) => databaseUrl(part.trim()));
  return urls.every((url) => url !== undefined && !url.startsWith('sqlite:')) ? (urls as string[]) : undefined;
};

/** `file:<path>` or `s3://bucket/prefix?endpoint=…&region=…`. */
export const mediaUrl = matching(/^(file:[^?]+|s3:\/\/[a-z0-9][a-z0-9.-]+(\/[^?\s]*)?(\?\S*)?)$/);

/** `redis://` or `rediss://`, with credentials, host, port, and at most a database number. */
export const redisUrl: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname);
  return usable && !/\s/.test(text) ? text : undefined;
};

/** A URL with its credentials and secret parameters hidden, however malformed it is. */
export function masked(text: string): string {
  return text
    .replace(/^(\w+:)?.*@/s, '$1//***@')
    .replace(/(\/\/[^/]*?:)(?!\d+([,/?]|$))[^,/?@]+/g, '$1***')
    .replace(/([?&][^=&]*(?:secret|password|key|token)[^=&]*=)[^&,]*/gi, '$1***');
}

function parsedUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const size = isIP(address) === 6 ? 128 : 32;
  return isIP(address) > 0 && more.length === 0 && (bits === undefined || whole(0, size)(bits) !== undefined);
}
