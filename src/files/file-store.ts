// Storage of uploaded files: one interface, one implementation per kind of storage.
// Keys are `YYYY/MM/name.ext`, of private files `private/YYYY/MM/…`; the row of an upload has the key, never a path or
// URL.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * A file storage. All methods reject with UploadProblem `rest_upload_file_error` (fault `server`) when the
 * storage fails, and throw RangeError for an invalid key, which is a programming error.
 *
 * The order of calls that never leaves a row without its file: reserve, put, then insert the row in its transaction,
 * then commit; after a rollback remove the keys. To delete: mark, delete the row in its transaction, remove after the
 * commit. A process that dies in between leaves a reservation, for which the sweep checks the rows.
 */
export interface FileStore {
  /**
   * Copies the file at a path, or the content of a stream, to `key`, completely or not at all, and never over an
   * existing file. The source file and a reservation remain; a stream is consumed or destroyed.
   */
  put(key: string, source: string | Readable): Promise<void>;

  /** Whether a complete file is stored under `key`; a reservation is not a file. */
  exists(key: string): Promise<boolean>;

  /** A version of the file under `key`, which differs for each file that is stored there; undefined without a file. */
  version(key: string): Promise<string | undefined>;

  /**
   * Removes the files and reservations of these keys, and the copies made of them on demand; a missing one is no error.
   * All are tried before it rejects.
   */
  remove(keys: string[]): Promise<void>;

  /** The public URL of `key`: the `source_url` of an upload. */
  url(key: string): string;

  /**
   * Reserves a free key in `folder` (`YYYY/MM`) for a sanitized `name`, adding `-1`, `-2` … before the
   * extension. Safe against other processes. The reservation lasts until `commit` or `remove`. `isCopy`: the file is a
   * resized copy, whose name no other upload may begin with.
   */
  reserve(folder: string, name: string, isCopy?: boolean): Promise<string>;

  /**
   * Ends the reservations of these keys, once the row that references them is committed, or its deletion was rolled
   * back.
   */
  commit(keys: string[]): Promise<void>;

  /** Reserves keys of stored files, whose row is about to be deleted. */
  mark(keys: string[]): Promise<void>;

  /** Keys that were reserved before a time and not released since, because the processes that reserved them died. */
  claimed(before: Date): Promise<string[]>;

  /** Keys of the files that were last written before a time; without reservations and unfinished files. */
  list(before: Date): AsyncIterable<string>;

  /** Reads the file stored under `key`, for dumps and for creating resized copies. */
  open(key: string): Promise<Readable>;

  /** The key of the original of a copy that was made on demand; `key` itself for other files. */
  originOf(key: string): string;

  /** Responds to GET and HEAD with the file stored under `key`, ranges and conditions included. */
  deliver(delivery: Delivery): void;

  /** Closes the connections of the storage. */
  close(): void;
}

/** A request for a stored file. */
export interface Delivery {
  request: IncomingMessage;
  response: ServerResponse;
  key: string;
  /** Value of `Cache-Control`; default: public, for a year. */
  cacheControl?: string;
  /** Called with errors of the storage. */
  fail(error: unknown): void;
}

/** Prefix of the keys of private files, which only readers of their item may fetch. */
export const PRIVATE = 'private/';

/** Prefix of the keys of copies that are made on demand, after `private/` if the file is private. */
const RESIZED = 'resized/';

/** Prefix of the keys of the copies of a file that are made on demand. */
export function resizedFolder(key: string): string {
  return isPrivate(key) ? `${PRIVATE}${RESIZED}${key.slice(PRIVATE.length)}/` : `${RESIZED}${key}/`;
}

/** The key of the original of a copy that was made on demand; `key` itself for other files. */
export function originOf(key: string): string {
  const prefix = isPrivate(key) ? PRIVATE : '';
  const below = key.slice(prefix.length);
  const end = below.lastIndexOf('/');
  return below.startsWith(RESIZED) && end > RESIZED.length ? prefix + below.slice(RESIZED.length, end) : key;
}

/** Whether the file of a key is private. */
export function isPrivate(key: string): boolean {
  return key.startsWith(PRIVATE);
}

/**
 * Throws RangeError unless `key` is a relative path of plain segments: no `..`, no leading dot, no backslash,
 * no control character. A second check behind the sanitizing of names.
 */
export function checkKey(key: string): void {
  const harmless = (segment: string) => segment !== '' && !segment.startsWith('.') && !/[\\\p{Cc}]/u.test(segment);
  if (!key.split('/').every(harmless)) throw new RangeError(`not a storage key: ${JSON.stringify(key)}`);
}

/** `base` and the key with each segment percent-encoded, joined by one slash. */
export function publicUrl(base: string, key: string): string {
  return `${base.replace(/\/+$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * `name`, then `name-1`, `name-2` … before the extension, without end: the order in which keys are tried.
 * A name that ends like a resized copy (`-150x150`) starts at `-1`, because copies of other uploads have such names,
 * unless `isCopy`.
 */
export function* candidates(name: string, isCopy = false): Generator<string, never> {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  if (isCopy || !/-(\d+x\d+|scaled|rotated)$/i.test(stem)) yield name;
  for (let count = 1; ; count += 1) yield `${stem}-${count}${extension}`;
}
