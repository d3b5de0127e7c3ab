// File storage in a local (or network-mounted) directory.
// Partial files and reservations are dot files beside their target: serve.ts never serves them, sweep.ts removes them.
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { claim, claimedBefore, erase, isThere, mark, release, writeOnce } from './exclusive-file.js';
import { candidates, checkKey, publicUrl, type LocalFiles } from './file-store.js';
import { diskProblem } from './upload-problem.js';

/** Stores files under `directory`; their URLs begin with `publicBase`, the URL where that directory is served. */
export class LocalFileStore implements LocalFiles {
  readonly #directory: string;
  readonly #publicBase: string;

  constructor(directory: string, publicBase: string) {
    this.#directory = resolve(directory);
    this.#publicBase = publicBase;
  }

  async put(key: string, source: string | Readable): Promise<void> {
    const target = this.#locate(key);
    try {
      await mkdir(dirname(target), { recursive: true });
      await writeOnce(source, target);
    } catch (error) {
      if (typeof source !== 'string') source.destroy();
      throw diskProblem(error);
    }
  }

  async exists(key: string): Promise<boolean> {
    return isThere(this.#locate(key));
  }

  async remove(keys: string[]): Promise<void> {
    await this.#each(keys, erase);
  }

  async commit(keys: string[]): Promise<void> {
    await this.#each(keys, release);
  }

  async mark(keys: string[]): Promise<void> {
    await this.#each(keys, async (target) => void ((await isThere(target)) && (await mark(target))));
  }

  async claimed(before: Date): Promise<string[]> {
    const paths = await claimedBefore(this.#directory, before);
    return paths.map((path) => path.split(sep).join('/'));
  }

  url(key: string): string {
    checkKey(key);
    return publicUrl(this.#publicBase, key);
  }

  async reserve(folder: string, name: string): Promise<string> {
    const directory = dirname(this.#locate(`${folder}/${name}`));
    try {
      await mkdir(directory, { recursive: true });
      const taken = new Set((await readdir(directory)).map((entry) => entry.toLowerCase()));
      for (const candidate of candidates(name)) {
        // Compared without case, because some file systems ignore it.
        if (taken.has(candidate.toLowerCase())) continue;
        if (await claim(join(directory, candidate))) return `${folder}/${candidate}`;
      }
    } catch (error) {
      throw diskProblem(error);
    }
    throw new Error('candidates never end');
  }

  async open(key: string): Promise<Readable> {
    const handle = await open(this.#locate(key), 'r').catch((error: unknown) => Promise.reject(diskProblem(error)));
    return handle.createReadStream();
  }

  async #each(keys: string[], work: (target: string) => Promise<void>): Promise<void> {
    const targets = keys.map((key) => this.#locate(key));
    const outcomes = await Promise.allSettled(targets.map(work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw diskProblem(failed.reason);
  }

  #locate(key: string): string {
    checkKey(key);
    return join(this.#directory, key);
  }
}
