// Where uploaded files are kept: one interface, one implementation per kind of storage (decision 0.5).
// Keys are `YYYY/MM/name.ext`; the row of an upload holds the key, never a path or a URL.
import type { Readable } from 'node:stream';

/**
 * A place for files. All methods reject with UploadProblem `rest_upload_file_error` (fault `server`) when the
 * storage fails, and throw RangeError for a malformed key, which is a fault of the program.
 *
 * The order that leaves no row without a file (reliability D17): reserve, put, then the row in its transaction, then settle;
 * after a rollback remove the keys. On delete: mark, the row in its transaction, remove after the commit. Whoever dies on the
 * way leaves a claim, from which the sweep knows that the rows have to be asked.
 */
export interface FileStore {
  /** Copies the file at `path` to `key`, whole or not at all, and never over an existing file. `path` and a claim stay. */
  put(key: string, path: string): Promise<void>;

  /** Whether a whole file is stored under `key`; a reservation is not yet a file. */
  exists(key: string): Promise<boolean>;

  /** Removes the files and reservations of these keys; a missing one is no error. All are tried before it rejects. */
  remove(keys: string[]): Promise<void>;

  /** The public address of `key`: the `source_url` of an upload. */
  url(key: string): string;

  /**
   * Claims a key nobody else holds in `folder` (`YYYY/MM`) for a sanitized `name`, adding `-1`, `-2` … before the
   * extension (decision 13.19). Safe against other processes. The claim lasts until `settle` or `remove`.
   */
  reserve(folder: string, name: string): Promise<string>;

  /** Ends the claims on these keys: the row that names them is committed, or stays after all. */
  settle(keys: string[]): Promise<void>;

  /** Claims keys of stored files, whose row is about to go. */
  mark(keys: string[]): Promise<void>;

  /** Keys claimed before a moment, whose owners have died since. */
  claimed(before: Date): Promise<string[]>;

  /** The bytes stored under `key`, for dumps and for making copies in other sizes. */
  open?(key: string): Promise<Readable>;
}

/**
 * Throws RangeError unless `key` is a relative path of plain segments: no `..`, no leading dot, no backslash,
 * no control character. The last line of defence under the sanitized names (reliability T22).
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
 * A name that ends like a generated copy (`-150x150`) starts at `-1`, for the copies of another upload have such names.
 */
export function* candidates(name: string): Generator<string, never> {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  if (!/-(\d+x\d+|scaled|rotated)$/i.test(stem)) yield name;
  for (let count = 1; ; count += 1) yield `${stem}-${count}${extension}`;
}
