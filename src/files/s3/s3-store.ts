// File storage in a bucket of an S3-compatible service.
//
// Each key is one object. A reservation of the key `a/B.jpg` is an object below `.reserved/a/b.jpg/`, one for each
// process that tries to reserve it; one listing returns all of them without the files. A process that finds only its
// own reservation there, and no file, has reserved the key: listings are consistent with writes, so that of two
// concurrent processes at most one finds only its own. This needs no conditional writes, which not every service
// supports.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder, OWNER_FOLDER } from '../../disk/folders.js';
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
} from '../file-store.js';
import { allowedType } from '../media-types.js';
import { FOR_A_YEAR, isShownInPlace } from '../serve.js';
import { diskProblem } from '../upload-problem.js';
import { deliverObject } from './deliver-object.js';
import { type NewObject, type ObjectStore, statusOf, storageProblem } from './object-store.js';

/** Prefix of the names of reservations, after the prefix of the storage. */
const CLAIMS = '.reserved/';
const CLAIM = /^(.*\/)?[^/]+\/([^/]+)$/;

/** Options of a storage. */
export interface S3StoreOptions {
  /** Prefix of the names of objects: empty, or ending with a slash. */
  prefix: string;
  /** Base URL of public files. */
  publicBase: string;
  /** Folder for temporary copies of streams, whose length must be known before they are sent. */
  incoming: string;
}

/**
 * Stores files in a bucket. Private files have their own prefix, so that policies of the bucket can distinguish them.
 */
export class S3FileStore implements FileStore {
  readonly #objects: ObjectStore;
  readonly #options: S3StoreOptions;
  readonly #privatePrefix: string;
  /** Keys that this process has reserved, or is about to. */
  readonly #reserved = new Set<string>();

  constructor(objects: ObjectStore, options: S3StoreOptions) {
    this.#objects = objects;
    this.#options = options;
    this.#privatePrefix = options.prefix === '' ? PRIVATE : `${options.prefix.slice(0, -1)}-private/`;
  }

  async put(key: string, source: string | Readable): Promise<void> {
    const name = this.#nameOf(key);
    if (typeof source === 'string') return this.#putFile(key, name, source);
    const path = join(this.#options.incoming, `.${randomUUID()}.part`);
    try {
      await makeFolder(this.#options.incoming, OWNER_FOLDER);
      await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      await this.#putFile(key, name, path);
    } catch (error) {
      source.destroy();
      throw diskProblem(error);
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  async exists(key: string): Promise<boolean> {
    const name = this.#nameOf(key);
    return reaching(() => this.#objects.exists(name));
  }

  async version(key: string): Promise<string | undefined> {
    const name = this.#nameOf(key);
    return reaching(() => this.#objects.version(name));
  }

  async remove(keys: string[]): Promise<void> {
    await this.#each(keys, async (key) => {
      // The file is removed first, because copies are made as long as it exists.
      await this.#objects.remove([this.#nameOf(key)]);
      await this.#objects.remove(await this.#namesBelow(this.#nameOf(resizedFolder(key).slice(0, -1)) + '/'));
      await this.#release(key);
    });
  }

  async commit(keys: string[]): Promise<void> {
    await this.#each(keys, (key) => this.#release(key));
  }

  async mark(keys: string[]): Promise<void> {
    await this.#each(keys, async (key) => {
      if (await this.#objects.exists(this.#nameOf(key))) await this.#claim(key);
    });
  }

  url(key: string): string {
    checkKey(key);
    return publicUrl(this.#options.publicBase, key);
  }

  originOf(key: string): string {
    return originOf(key);
  }

  async reserve(folder: string, name: string, isCopy = false): Promise<string> {
    this.#nameOf(`${folder}/${name}`);
    return reaching(async () => {
      const taken = await this.#namesLike(folder, name);
      for (const candidate of candidates(name, isCopy)) {
        const key = `${folder}/${candidate}`;
        if (taken.has(candidate.toLowerCase()) || this.#reserved.has(key)) continue;
        if (await this.#take(key)) return key;
      }
      throw new Error('candidates never end');
    });
  }

  async claimed(before: Date): Promise<string[]> {
    const keys = new Map<string, boolean>();
    for await (const { key, modified } of this.#all(CLAIMS)) {
      const isOwn = isPrivate(key) ? PRIVATE : '';
      const [, folder = '', written = ''] = CLAIM.exec(key.slice(isOwn.length + CLAIMS.length)) ?? [];
      const claimed = isOwn + folder + written.slice(0, -CLAIM_ID_LENGTH);
      keys.set(claimed, (keys.get(claimed) ?? true) && modified < before);
    }
    return [...keys].flatMap(([key, isOld]) => (isOld ? [key] : []));
  }

  async *list(before: Date): AsyncGenerator<string> {
    for await (const { key, modified } of this.#all())
      if (modified < before && !key.split('/').some((segment) => segment.startsWith('.'))) yield key;
  }

  async open(key: string): Promise<Readable> {
    const name = this.#nameOf(key);
    return reaching(async () => (await this.#objects.read(name)).body!);
  }

  deliver(delivery: Delivery): void {
    deliverObject(this.#objects, this.#nameOf(delivery.key), delivery);
  }

  close(): void {
    this.#objects.close();
  }

  async #putFile(key: string, name: string, path: string): Promise<void> {
    const { size } = await stat(path).catch((error: unknown) => Promise.reject(diskProblem(error)));
    await reaching(async () => {
      // Not every service honours the condition of the write.
      if (await this.#objects.exists(name)) throw Object.assign(new Error(`${name} is there`), TAKEN);
      // A small file is sent as a buffer, which the client can send again when the service does not respond.
      const buffer = size <= BUFFERED_BYTES ? await readFile(path) : undefined;
      const put = async (isNew: boolean): Promise<void> => {
        const stream = buffer ? undefined : createReadStream(path);
        try {
          await this.#objects.put(name, objectOf(key, buffer ?? stream!, size), isNew);
        } finally {
          // The client leaves it open where the service refuses before it has read everything.
          stream?.destroy();
        }
      };
      await put(true).catch((error: unknown) => (statusOf(error) === 501 ? put(false) : Promise.reject(error)));
    });
  }

  /** Reserves a key; false when it is reserved or stored already. */
  async #take(key: string): Promise<boolean> {
    this.#reserved.add(key);
    let isOurs = false;
    try {
      const own = await this.#claim(key);
      const others = (await this.#claimsOf(key)).filter((name) => name !== own);
      // Checked after the reservation: another process that stores the file removes its own reservation only
      // afterwards.
      isOurs = others.length === 0 && !(await this.#objects.exists(this.#nameOf(key)));
      if (!isOurs) await this.#objects.remove([own]);
      return isOurs;
    } finally {
      if (!isOurs) this.#reserved.delete(key);
    }
  }

  /** Writes a reservation; returns its name. */
  async #claim(key: string): Promise<string> {
    const slash = key.lastIndexOf('/') + 1;
    const name = `${this.#folderOfClaims(key)}${key.slice(slash)}-${randomUUID()}`;
    await this.#objects.put(name, { body: Buffer.alloc(0), length: 0 }, false);
    return name;
  }

  /** Names in a folder that begin like `name`, in lower case: one listing instead of a request per candidate. */
  async #namesLike(folder: string, name: string): Promise<Set<string>> {
    const dot = name.lastIndexOf('.');
    const prefix = this.#nameOf(`${folder}/${dot > 0 ? name.slice(0, dot) : name}`);
    const names = await this.#namesBelow(prefix);
    return new Set(names.map((each) => each.slice(each.lastIndexOf('/') + 1).toLowerCase()));
  }

  async #release(key: string): Promise<void> {
    this.#reserved.delete(key);
    await this.#objects.remove(await this.#claimsOf(key));
  }

  #claimsOf(key: string): Promise<string[]> {
    return this.#namesBelow(this.#folderOfClaims(key));
  }

  // In lower case, so that the files of a bucket can be moved to a disk that ignores case.
  #folderOfClaims(key: string): string {
    const prefix = this.#prefixOf(key);
    const below = this.#nameOf(key).slice(prefix.length);
    const slash = below.lastIndexOf('/') + 1;
    return `${prefix}${CLAIMS}${below.slice(0, slash)}${below.slice(slash).toLowerCase()}/`;
  }

  async #namesBelow(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of this.#objects.list(prefix)) names.push(name);
    return names;
  }

  /** Keys of all objects that begin with `beginning`, reservations included. */
  async *#all(beginning = ''): AsyncGenerator<{ key: string; modified: Date }> {
    const { prefix } = this.#options;
    try {
      for await (const { name, modified } of this.#objects.list(prefix + beginning)) {
        const key = name.slice(prefix.length);
        if (!isPrivate(key)) yield { key, modified };
      }
      for await (const { name, modified } of this.#objects.list(this.#privatePrefix + beginning))
        yield { key: PRIVATE + name.slice(this.#privatePrefix.length), modified };
    } catch (error) {
      throw storageProblem(error);
    }
  }

  async #each(keys: string[], work: (key: string) => Promise<void>): Promise<void> {
    for (const key of keys) this.#nameOf(key);
    const outcomes = await Promise.allSettled(keys.map(work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw storageProblem(failed.reason);
  }

  #nameOf(key: string): string {
    checkKey(key);
    return this.#prefixOf(key) + (isPrivate(key) ? key.slice(PRIVATE.length) : key);
  }

  #prefixOf(key: string): string {
    return isPrivate(key) ? this.#privatePrefix : this.#options.prefix;
  }
}

/** Number of characters after the reserved name in the name of a reservation. */
const CLAIM_ID_LENGTH = 37;
/** Bytes up to which a file is held in memory while it is sent. */
const BUFFERED_BYTES = 4 * 1024 * 1024;
const TAKEN = { $metadata: { httpStatusCode: 412 } };

/** The object, with the headers for browsers that fetch it from the service directly. */
function objectOf(key: string, body: Readable | Buffer, length: number): NewObject {
  const type = allowedType(key, true)?.mime ?? 'application/octet-stream';
  return {
    body,
    length,
    type,
    ...(isShownInPlace(type) ? {} : { disposition: 'attachment' }),
    ...(isPrivate(key) ? {} : { cacheControl: FOR_A_YEAR }),
  };
}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageProblem(error);
  }
}
