// Atomic, exclusive creation of files: a file appears completely or not at all and never replaces another one, on any
// file system. Errors are those of the system; the store wraps them.
import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, chmod, copyFile, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A reservation: `.name.reserved` beside the reserved file, with the name in its original case as content. */
const CLAIM = /^((?:.*[\\/])?)\.([^\\/]+)\.reserved$/;
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/**
 * Copies `source`, a path or a stream, to a temporary name in the folder of `target`, flushes it to the disk, then
 * links it as `target`. Rejects with EEXIST when `target` exists. A reservation of the name is kept.
 */
export async function writeOnce(source: string | Readable, target: string): Promise<void> {
  const draft = join(dirname(target), `.${randomUUID()}.part`);
  try {
    if (typeof source === 'string') await copyFile(source, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else await pipeline(source, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    await commitFile(draft);
    await publish(draft, target);
    await syncDirectory(dirname(target));
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Reserves the name of `target` against every other process; false when it is reserved or stored already. */
export async function claim(target: string): Promise<boolean> {
  if (!(await mark(target))) return false;
  // Checked after the reservation: another process that stores the file removes its own reservation only afterwards.
  if (!(await isThere(target))) return true;
  await release(target);
  return false;
}

/** Reserves a name, whether or not the file exists; false when it is reserved already. */
async function mark(target: string): Promise<boolean> {
  const path = reservation(target);
  const handle = await open(path, 'wx').catch((error: unknown) => {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  });
  if (!handle) return false;
  try {
    await handle.writeFile(basename(target));
    return true;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Reserves the name of an existing file that is about to be removed, so that the sweep finds the file after a crash. A
 * full disk is ignored, because the removal frees space.
 */
export async function markLeaving(target: string): Promise<void> {
  if (!(await isThere(target))) return;
  await mark(target).catch((error: unknown) => {
    if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
  });
}

/** Removes a reservation. */
export async function release(target: string): Promise<void> {
  await rm(reservation(target), { force: true });
}

/** Removes the file, the folder of the copies that were made of it, and any reservation of its name. */
export async function erase(target: string, copies: string): Promise<void> {
  // Reserved until everything is removed: no other process takes the name, and the sweep finds the rest after a crash.
  // The file is removed first, because copies are made as long as it exists.
  await markLeaving(target);
  await rm(target, { force: true });
  await rm(copies, { recursive: true, force: true });
  await release(target);
}

/** Paths below `directory` that were reserved before a time; none for a missing directory. */
export async function claimedBefore(directory: string, before: Date): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries) {
    const [, folder = '', name] = CLAIM.exec(entry) ?? [];
    const path = join(directory, entry);
    const claimed = name === undefined ? undefined : await stat(path).catch(() => undefined);
    if (!claimed?.isFile() || claimed.mtime >= before) continue;
    // The content, which alone has the original case of the name, may be missing after a crash.
    const written = await readFile(path, 'utf8').catch(() => '');
    paths.push(folder + (written.toLowerCase() === name ? written : name));
  }
  return paths;
}

/**
 * Paths below `directory` of the files last written before a time, with `/` between folders; dot files are left out.
 */
export async function* filesBefore(directory: string, before: Date): AsyncGenerator<string> {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
      const path = folder + entry.name;
      if (entry.isDirectory()) folders.push(`${path}/`);
      const written = entry.isFile() ? await stat(join(directory, path)).catch(() => undefined) : undefined;
      if (written && written.mtime < before) yield path;
    }
  }
}

/** Whether a file or folder exists at `path`. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A version of the file at `path`, which differs for each file that is stored there; undefined without a file. */
export async function versionOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.ino}-${found.mtimeNs}-${found.size}`;
}

function reservation(target: string): string {
  return join(dirname(target), `.${basename(target).toLowerCase()}.reserved`);
}

// The copy has the mode of a private temporary file; a web server in front must be able to read it.
async function commitFile(path: string): Promise<void> {
  await chmod(path, 0o644);
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function publish(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    // Some file systems have no hard links: an empty file takes the name exclusively, then the complete one replaces
    // it.
    await (await open(target, 'wx')).close();
    await rename(draft, target).catch(async (fault: unknown) => {
      await rm(target, { force: true });
      throw fault;
    });
  }
}

// Flushes the folder: otherwise a power failure may lose the name although the row is committed. Not supported on every
// platform.
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
