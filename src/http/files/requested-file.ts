// The target of the URL of an uploaded file: the file, or a resized copy of it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkKey, type FileStore, originOf } from '../../files/file-store.js';
import type { SizesOnDemand } from '../../files/images/sizes-on-demand.js';
import { missingFile } from '../../files/serve.js';
import { UploadProblem } from '../../files/upload-problem.js';
import { uploadError } from '../resource/upload-error.js';

/** What serving files needs. */
export interface FileServing {
  files: FileStore;
  sizes: SizesOnDemand;
  /** Writes an error response. */
  fail(error: unknown, request: IncomingMessage, response: ServerResponse): void;
}

/** A handler with the signature of Express; the mount path is already removed from `request.url`. */
export type FileMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Storage key that a path is for; undefined for paths that lead to no file. */
export function keyOf({ url = '/' }: IncomingMessage): string | undefined {
  try {
    const path = url.split('?', 1)[0]!;
    const key = decodeURIComponent(path.slice(1));
    if (!path.startsWith('/')) return undefined;
    checkKey(key);
    return key;
  } catch {
    return undefined;
  }
}

/** The query of a request. */
export function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Whether a request reads a file; all others are left to other handlers. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Sends the file of a key, or the copy that the query requests. Rejects with UploadProblem as `SizesOnDemand` does. */
export async function deliverFile(
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
  { files, sizes, fail, cacheControl }: FileServing & { cacheControl?: string },
): Promise<void> {
  const wanted = sizes.wanted(queryOf(request));
  // Copies are requested by the URL of the original only.
  const found = originOf(key) === key ? (wanted ? await sizes.keyOf(key, wanted) : key) : undefined;
  if (found === undefined) return missingFile(request, response);
  files.deliver({
    request,
    response,
    key: found,
    fail: (error) => fail(servedError(error), request, response),
    ...(cacheControl === undefined ? {} : { cacheControl }),
  });
}

/** The error of the response for what was thrown while a file was served. */
export function servedError(error: unknown): unknown {
  return error instanceof UploadProblem ? uploadError(error) : error;
}
