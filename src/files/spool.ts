// A temporary file that counts and hashes the bytes written to it.
import { createHash, randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { makeFolderInside, OWNER_FOLDER } from '../disk/folders.js';
import { diskProblem, UploadProblem } from './upload-problem.js';

/**
 * Writes to a new private file in `directory`, which is created when missing, but not its parent. More than `limit`
 * bytes end it with `rest_upload_file_too_big`, a failing disk with `rest_upload_file_error`. The creator of a spool
 * must listen for its `error` event and call `discard` when the file is not needed.
 */
export class Spool extends Writable {
  readonly path: string;
  size = 0;
  readonly #directory: string;
  readonly #limit: number;
  readonly #hash = createHash('md5');
  #handle: FileHandle | undefined;

  constructor(directory: string, limit: number) {
    super();
    this.#directory = directory;
    this.#limit = limit;
    this.path = join(directory, `.${randomUUID()}.upload`);
  }

  /** The MD5 of all bytes in lower-case hex; call once, after `finish`. */
  md5(): string {
    return this.#hash.digest('hex');
  }

  /**
   * Stops writing and removes the file; resolves when it is removed. Never rejects: sweep.ts removes files that remain.
   */
  async discard(): Promise<void> {
    if (!this.closed) {
      const closed = new Promise((resolve) => this.once('close', resolve));
      this.destroy();
      await closed;
    }
    await rm(this.path, { force: true }).catch(() => undefined);
  }

  override _construct(done: (error?: Error) => void): void {
    this.#open().then(() => done(), failWith(done));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.size += chunk.length;
    if (this.size > this.#limit) {
      done(new UploadProblem('rest_upload_file_too_big', `The file is larger than the limit of ${this.#limit} bytes.`));
      return;
    }
    this.#hash.update(chunk);
    this.#handle!.appendFile(chunk).then(() => done(), failWith(done));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const closing = this.#handle?.close() ?? Promise.resolve();
    closing.then(
      () => done(error),
      (fault: unknown) => done(error ?? diskProblem(fault)),
    );
  }

  async #open(): Promise<void> {
    await makeFolderInside(this.#directory, OWNER_FOLDER);
    this.#handle = await open(this.path, 'wx', 0o600);
  }
}

function failWith(done: (error?: Error) => void): (fault: unknown) => void {
  return (fault) => done(diskProblem(fault));
}
