// Creates folders and their parents. Not with the option `recursive` of mkdir, with which Node 20 never returns where
// the file system does not allow folders, as below /proc.
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
    // Another process may have created it since.
    if (!(await isFolder(folder))) throw error;
  }
}

/**
 * Creates a folder in an existing parent; an existing folder is unchanged. For folders of a running server: a missing
 * parent was moved, and a new one in its place would prevent moving it back.
 */
export async function makeFolderInside(path: string, mode?: number): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  await mkdir(folder, mode).catch(async (error: unknown) => {
    if (!(await isFolder(folder))) throw error;
  });
}

/**
 * The reason why no file can be created in a folder (`EROFS`, `EACCES`); undefined where it can. It is tried, because
 * the permissions of a folder do not show a read-only or remote file system.
 */
export async function writeFault(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, '.typecase-')));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** The synchronous form of {@link makeFolder}, for starts and commands, where blocking is harmless. */
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
