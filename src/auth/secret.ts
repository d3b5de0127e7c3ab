// The site's secret: TOKEN_SECRET, or generated once and stored beside the data. All other keys are derived from it.
// Losing it invalidates all tokens and application passwords, so back it up.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, OWNER_FOLDER } from '../disk/folders.js';
import { StartupError } from '../errors/problem.js';

const BYTES = 32;
const WRITTEN = /^[0-9a-f]{64}\n$/;
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];
const MIN_CHARACTERS = 16;

/** Keeps the secret private, even from logs: only derived keys are exposed. */
export class Secret {
  readonly #material: Buffer;
  readonly #keys = new Map<string, Buffer>();

  constructor(material: string | Buffer) {
    this.#material = Buffer.from(material);
  }

  /** Derives a key of 256 bits for one purpose; the keys are independent of each other. */
  key(purpose: string): Buffer {
    let key = this.#keys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#material, 'typecase', purpose, BYTES));
      this.#keys.set(purpose, key);
    }
    return key;
  }

  /** Keyed fingerprint of a text, 43 characters. */
  fingerprint(purpose: string, text: string): string {
    return createHmac('sha256', this.key(purpose)).update(text).digest('base64url');
  }
}

/** The given secret, else that of `file`, which is created when missing. Processes that start together agree on one. */
export async function loadSecret(given: string | undefined, file: string): Promise<Secret> {
  if (given !== undefined) {
    if (given.length >= MIN_CHARACTERS) return new Secret(given);
    throw new StartupError([
      { file: 'environment', path: 'TOKEN_SECRET', message: `must have at least ${MIN_CHARACTERS} characters` },
    ]);
  }
  return (await readSecret(file)) ?? (await makeSecret(file));
}

async function makeSecret(file: string): Promise<Secret> {
  try {
    await store(file, `${randomBytes(BYTES).toString('hex')}\n`);
  } catch (error) {
    throw notStored(file, (error as NodeJS.ErrnoException).code);
  }
  const secret = await readSecret(file);
  // Another process made the file, could not write it, and removed it.
  if (!secret) throw notStored(file, 'ENOENT');
  return secret;
}

/** Writes a secret unless there is one. */
async function store(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file), OWNER_FOLDER);
  const draft = join(dirname(file), `.${randomBytes(8).toString('hex')}.secret`);
  try {
    await write(draft, text);
    await link(draft, file);
  } catch (error) {
    if (hasCode(error, ...NO_HARD_LINKS)) await write(file, text).catch(unlessThere);
    else unlessThere(error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a new file; when it cannot be written whole, nothing of it stays: it would be taken for a broken secret. */
async function write(path: string, text: string): Promise<void> {
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

function notStored(file: string, code = 'unknown error'): StartupError {
  const hint = 'Free disk space, make the folder writable for the server, or set TOKEN_SECRET.';
  return new StartupError([{ file, message: `the secret cannot be stored (${code})`, hint }]);
}

// Without hard links another process may have created the file and not written it yet.
async function readSecret(file: string): Promise<Secret | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw new StartupError([{ file, message: 'the secret cannot be read', hint: 'Check the rights of the file.' }]);
    });
    if (text === undefined) return undefined;
    if (WRITTEN.test(text)) return new Secret(Buffer.from(text.trim(), 'hex'));
    await sleep(50);
  }
  const hint = 'Restore it from a backup, or delete it: all tokens and application passwords end then.';
  throw new StartupError([{ file, message: 'the file does not hold a secret of 64 hexadecimal digits', hint }]);
}

function unlessThere(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
