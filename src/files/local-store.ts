// File storage in a local (or network-mounted) directory.
// Partial files and reservations are dot files beside their target: serve.ts never serves them, sweep.ts removes them.
import { open, readdir } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, OWNER_FOLDER } from '../disk/folders.js';
import {
  claim,
  claimedBefore,
  erase,
  filesBefore,
  isThere,
  markLeaving,
  release,
  versionOf,
  writeOnce,
} from './exclusive-file.js';
import {
  candidates,
  checkKey,
  type Delivery,
  type FileStore,
  isPrivate,
  originOf,
  PRIVATE,
  publicUrl,
  resizedFolder,
} from './file-store.js';
import { missingFile, sendFile } from './serve.js';
import { diskProblem } from './upload-problem.js';

/**
 * Stores files under `directory`; their URLs begin with `publicBase`, the URL where that directory is served. Private files go
 * to `privateDirectory`, which is not served. Files of these directories whose full paths begin with one of `reserved` are no
 * uploads: they are neither sent nor listed.
 */
export class LocalFileStore implements FileStore {
  readonly #directory: string;
  readonly #privateDirectory: string;
  readonly #publicBase: string;
  readonly #reserved: readonly string[];

  constructor(
    directory: string,
    publicBase: string,
    privateDirectory = `${resolve(directory)}-private`,
    reserved: readonly string[] = [],
  ) {
    this.#directory = resolve(directory);
    this.#privateDirectory = resolve(privateDirectory);
    this.#publicBase = publicBase;
    this.#reserved = reserved.map((path) => path.toLowerCase());
  }

  async put(key: string, source: string | Readable): Promise<void> {
    const target = this.#locate(key);
    try {
      await this.#makeFolder(key, dirname(target));
      await writeOnce(source, target);
    } catch (error) {
      if (typeof source !== 'string') source.destroy();
      throw diskProblem(error);
    }
  }

  async exists(key: string): Promise<boolean> {
    return isThere(this.#locate(key));
  }

  version(key: string): Promise<string | undefined> {
    return versionOf(this.#locate(key));
  }

  async remove(keys: string[]): Promise<void> {
    const copies = new Map(keys.map((key) => [this.#locate(key), this.#locate(resizedFolder(key).slice(0, -1))]));
    await this.#each(keys, (target) => erase(target, copies.get(target)!));
  }

  async commit(keys: string[]): Promise<void> {
    await this.#each(keys, release);
  }

  async mark(keys: string[]): Promise<void> {
    await this.#each(keys, markLeaving);
  }

  async claimed(before: Date): Promise<string[]> {
    const keysOf = (paths: string[], prefix = '') => paths.map((path) => prefix + path.split(sep).join('/'));
    return [
      ...keysOf(await claimedBefore(this.#directory, before)),
      ...keysOf(await claimedBefore(this.#privateDirectory, before), PRIVATE),
    ];
  }

  async *list(before: Date): AsyncGenerator<string> {
    for await (const path of filesBefore(this.#directory, before))
      if (!this.#isReserved(this.#directory, path)) yield path;
    for await (const path of filesBefore(this.#privateDirectory, before))
      if (!this.#isReserved(this.#privateDirectory, path)) yield PRIVATE + path;
  }

  url(key: string): string {
    checkKey(key);
    return publicUrl(this.#publicBase, key);
  }

  async reserve(folder: string, name: string, isCopy = false): Promise<string> {
    const directory = dirname(this.#locate(`${folder}/${name}`));
    try {
      await this.#makeFolder(folder, directory);
      const taken = new Set((await readdir(directory)).map((entry) => entry.toLowerCase()));
      for (const candidate of candidates(name, isCopy)) {
        // Compared in lower case, because some file systems ignore case.
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

  originOf(key: string): string {
    return originOf(key);
  }

  deliver({ request, response, key, cacheControl, fail }: Delivery): void {
    const [directory, below] = isPrivate(key)
      ? [this.#privateDirectory, key.slice(PRIVATE.length)]
      : [this.#directory, key];
    if (this.#isReserved(directory, below)) return missingFile(request, response);
    const path = `/${below.split('/').map(encodeURIComponent).join('/')}`;
    sendFile(request, response, fail, { directory, path, ...(cacheControl === undefined ? {} : { cacheControl }) });
  }

  close(): void {
    // A local storage has no connections.
  }

  async #each(keys: string[], work: (target: string) => Promise<void>): Promise<void> {
    const targets = keys.map((key) => this.#locate(key));
    const outcomes = await Promise.allSettled(targets.map(work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw diskProblem(failed.reason);
  }

  #isReserved(directory: string, path: string): boolean {
    if (this.#reserved.length === 0) return false;
    // Some file systems ignore case.
    const full = resolve(directory, path).toLowerCase();
    return this.#reserved.some((each) => full.startsWith(each));
  }

  #locate(key: string): string {
    checkKey(key);
    return isPrivate(key) ? join(this.#privateDirectory, key.slice(PRIVATE.length)) : join(this.#directory, key);
  }

  // Files below the private folder have ordinary permissions: the mode of the folder itself denies access to other
  // users.
  async #makeFolder(key: string, directory: string): Promise<void> {
    if (isPrivate(`${key}/`)) await makeFolder(this.#privateDirectory, OWNER_FOLDER);
    await makeFolder(directory);
  }
}
