// Downloads one file over http or https, up to a size limit. The default fetcher of imports with files.
import { createWriteStream } from 'node:fs';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { AllowedHost } from '../../outgoing/public-address.js';
import { safeRequest } from '../../outgoing/safe-request.js';

/** Downloads `url` to `path`; rejects on failure, or when the file is larger than `limit` bytes. */
export type FetchFile = (url: string, path: string, limit: number) => Promise<void>;

/**
 * A fetcher that requests files from these hosts only. They must have public IP addresses, except those given as an IP
 * address or as `localhost`; with `mayBePrivate` names may resolve to any IP address.
 */
export function fileFetcher(hosts: readonly AllowedHost[] = [], mayBePrivate = false): FetchFile {
  const allowHosts = mayBePrivate ? hosts : hosts.filter(({ hostname }) => isPlain(hostname));
  return async (url, path, limit) => {
    const { status, body } = await safeRequest(url, { limit, onlyHosts: hosts, allowHosts });
    if (status < 200 || status > 299) {
      body.destroy();
      throw new Error(`the server responded with ${status}`);
    }
    await pipeline(body, createWriteStream(path));
  };
}

/** Whether a host is an IP address or `localhost`, so that it does not depend on DNS. */
function isPlain(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
