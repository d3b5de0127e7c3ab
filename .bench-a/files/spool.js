// A temporary file that counts and hashes what is written to it; receive.ts pours uploads in.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { diskProblem, UploadProblem } from './upload-problem.js';
/**
 * Writes to a new private file in `directory` (made when missing). More than `limit` bytes end it with
 * `rest_upload_file_too_big`, a failing disk with `rest_upload_file_error`. Whoever makes a spool
 * must listen for its `error` event and call `discard` when the file is not wanted.
 */
export class Spool extends Writable {
    path;
    size = 0;
    #directory;
    #limit;
    #hash = createHash('md5');
    #handle;
    constructor(directory, limit) {
        super();
        this.#directory = directory;
        this.#limit = limit;
        this.path = join(directory, `.${randomUUID()}.upload`);
    }
    /** The MD5 of all bytes in lower-case hex; ask once, after `finish`. */
    md5() {
        return this.#hash.digest('hex');
    }
    /** Stops writing and removes the file; resolves when it is gone. Never rejects: sweep.ts takes what stays. */
    async discard() {
        if (!this.closed) {
            const closed = new Promise((resolve) => this.once('close', resolve));
            this.destroy();
            await closed;
        }
        await rm(this.path, { force: true }).catch(() => undefined);
    }
    _construct(done) {
        this.#open().then(() => done(), failWith(done));
    }
    _write(chunk, _encoding, done) {
        this.size += chunk.length;
        if (this.size > this.#limit) {
            done(new UploadProblem('rest_upload_file_too_big', `The file is larger than the limit of ${this.#limit} bytes.`));
            return;
        }
        this.#hash.update(chunk);
        this.#handle.appendFile(chunk).then(() => done(), failWith(done));
    }
    _destroy(error, done) {
        const closing = this.#handle?.close() ?? Promise.resolve();
        closing.then(() => done(error), (fault) => done(error ?? diskProblem(fault)));
    }
    async #open() {
        await mkdir(this.#directory, { recursive: true });
        this.#handle = await open(this.path, 'wx', 0o600);
    }
}
function failWith(done) {
    return (fault) => done(diskProblem(fault));
}
