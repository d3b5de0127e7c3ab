// Creates folders and their parents. Not with `recursive` of mkdir: with that Node 20 never returns where the file system
// makes no folders, as below /proc.
import { mkdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Mode of folders that only their owner may open. */
export const OWNER_FOLDER = 0o700;

/** Creates a folder and its parents, by default with the mode that the process gives to new ones; existing ones are unchanged. */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  try {
    await mkdir(folder, mode).catch(async (error: unknown) => {
      if (!isWithoutParent(error, folder)) throw error;
      await makeFolder(dirname(folder), mode);
      await mkdir(folder, mode);
    });
  } catch (error) {
    // Another process may have made it since.
    if (!(await isFolder(folder))) throw error;
  }
}

/**
 * Creates a folder whose parents are there; an existing one is unchanged. For folders of a running server: a parent that is gone was
 * moved, and a new one in its place would keep it from being moved back.
 */
export async function makeFolderInside(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  await mkdir(folder, mode).catch(async (error: unknown) => {
    if (!(await isFolder(folder))) throw error;
  });
}

/**
 * Why nothing can be made in a folder (`EROFS`, `EACCES`); undefined where it can. Tried, because permissions alone do not say it of
 * file systems that are read-only or belong to another machine.
 */
export async function writeFault(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, '.typecase-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** The same as {@link makeFolder}, before it returns: for starts and commands, where nobody else waits. */
export function makeFolderAtOnce(path: string, mode?: number): void {
  const folder = resolve(path);
  if (isFolderNow(folder)) return;
  try {
    try {
      mkdirSync(folder, mode);
    } catch (error) {
      if (!isWithoutParent(error, folder)) throw error;
      makeFolderAtOnce(dirname(folder), mode);
      mkdirSync(folder, mode);
    }
  } catch (error) {
    if (!isFolderNow(folder)) throw error;
  }
}

function isWithoutParent(error: unknown, folder: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isFolderNow(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
