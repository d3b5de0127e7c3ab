// The file store on a local (or network-mounted) directory; app.ts makes one from the configuration.
// Half-written files and reservations are dot files beside their target: serve.ts never shows them, sweep.ts clears them.
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { claim, erase, isThere, writeOnce } from './exclusive-file.js';
import { candidates, checkKey, publicUrl } from './file-store.js';
import { diskProblem } from './upload-problem.js';
/** Keeps files under `directory` and names them under `publicBase`, the URL where that directory is served. */
export class LocalFileStore {
    #directory;
    #publicBase;
    constructor(directory, publicBase) {
        this.#directory = resolve(directory);
        this.#publicBase = publicBase;
    }
    async put(key, path) {
        const target = this.#locate(key);
        try {
            await mkdir(dirname(target), { recursive: true });
            await writeOnce(path, target);
        }
        catch (error) {
            throw diskProblem(error);
        }
    }
    async exists(key) {
        return isThere(this.#locate(key));
    }
    async remove(keys) {
        const targets = keys.map((key) => this.#locate(key));
        const outcomes = await Promise.allSettled(targets.map(erase));
        const failed = outcomes.find((outcome) => outcome.status === 'rejected');
        if (failed)
            throw diskProblem(failed.reason);
    }
    url(key) {
        checkKey(key);
        return publicUrl(this.#publicBase, key);
    }
    async reserve(folder, name) {
        const directory = dirname(this.#locate(`${folder}/${name}`));
        try {
            await mkdir(directory, { recursive: true });
            const taken = new Set((await readdir(directory)).map((entry) => entry.toLowerCase()));
            for (const candidate of candidates(name)) {
                // compared without case: two names that differ in case are one file on some disks
                if (taken.has(candidate.toLowerCase()))
                    continue;
                if (await claim(join(directory, candidate)))
                    return `${folder}/${candidate}`;
            }
        }
        catch (error) {
            throw diskProblem(error);
        }
        throw new Error('candidates never end');
    }
    async open(key) {
        const handle = await open(this.#locate(key), 'r').catch((error) => Promise.reject(diskProblem(error)));
        return handle.createReadStream();
    }
    #locate(key) {
        checkKey(key);
        return join(this.#directory, key);
    }
}
