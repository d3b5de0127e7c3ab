// Downloads one file over http or https, up to a size limit. The default fetcher of imports with files.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AllowedHost } from '../../outgoing/public-address.js';
import { safeRequest } from '../../outgoing/safe-request.js';

/** Downloads `url` to `path`; rejects on failure, or when the file is larger than `limit` bytes. */
export type FetchFile = (url: string, path: string, limit: number) => Promise<void>;

/** A fetcher that connects to public addresses, and to these hosts whatever their address. */
export function fileFetcher(allowHosts: readonly AllowedHost[] = []): FetchFile {
  return async (url, path, limit) => {
    const { status, body } = await safeRequest(url, { limit, allowHosts });
    if (status < 200 || status > 299) {
      body.destroy();
      throw new Error(`the server answered ${status}`);
    }
    await pipeline(body, createWriteStream(path));
  };
}
