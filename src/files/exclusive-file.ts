// Files that appear whole or not at all and never replace another one, by means every file system offers.
// Called by local-store.ts. Errors are the system's own; the store wraps them.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, link, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A claim: `.name.reserved` beside the file it is about; it holds the name as it is written. */
const CLAIM = /^((?:.*[\\/])?)\.([^\\/]+)\.reserved$/;
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

/**
 * Copies `source` to `target` under a temporary name in the same folder, flushes it to the disk, then publishes it.
 * Rejects with EEXIST when `target` is there. A claim on the name stays.
 */
export async function writeOnce(source: string, target: string): Promise<void> {
  const draft = join(dirname(target), `.${randomUUID()}.part`);
  try {
    await copyFile(source, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await settle(draft);
    await publish(draft, target);
    await syncDirectory(dirname(target));
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Claims the name of `target` against every other process; false when it is claimed or stored already. */
export async function claim(target: string): Promise<boolean> {
  if (!(await mark(target))) return false;
  // looked for after the claim: whoever published the file meanwhile gave up its own claim only afterwards
  if (!(await isThere(target))) return true;
  await release(target);
  return false;
}

/** Puts a claim on a name, whatever stands there; false when there is one already. */
export async function mark(target: string): Promise<boolean> {
  try {
    await writeFile(reservation(target), basename(target), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Ends a claim. */
export async function release(target: string): Promise<void> {
  await rm(reservation(target), { force: true });
}

/** Removes the file and any claim on its name. */
export async function erase(target: string): Promise<void> {
  // with a claim until the file is gone: a crash between leaves what the sweep knows, and nobody else takes the name meanwhile
  if (await isThere(target)) await mark(target);
  await rm(target, { force: true });
  await release(target);
}

/** Paths below `directory` that were claimed before a moment; a missing directory has none. */
export async function claimedBefore(directory: string, before: Date): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries) {
    const [, folder = '', name] = CLAIM.exec(entry) ?? [];
    const path = join(directory, entry);
    const claimed = name === undefined ? undefined : await stat(path).catch(() => undefined);
    if (!claimed?.isFile() || claimed.mtime >= before) continue;
    // A crash may have come before the name, whose case only the content tells.
    const written = await readFile(path, 'utf8').catch(() => '');
    paths.push(folder + (written.toLowerCase() === name ? written : name));
  }
  return paths;
}

/** Whether anything stands at `path`. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function reservation(target: string): string {
  return join(dirname(target), `.${basename(target).toLowerCase()}.reserved`);
}

// the copy took over the mode of a private temporary file; a web server in front must be able to read it
async function settle(path: string): Promise<void> {
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
    // some mounts know no hard links: an empty file takes the name exclusively, then the whole one replaces it
    await (await open(target, 'wx')).close();
    await rename(draft, target).catch(async (fault: unknown) => {
      await rm(target, { force: true });
      throw fault;
    });
  }
}

// without it a power failure may forget the name although the row was committed; not every platform can do it
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
