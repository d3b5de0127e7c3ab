// Copies uploaded files into `<dump>/files/` under their storage keys, and back.
import { access, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { Shape } from './dump-shape.js';
import { makeFolder, OWNER_FOLDER } from '../../disk/folders.js';
import { contentOf, openBelow, type PlainFile, UnsafeFile } from '../plain-file.js';
import type { StoredItem } from './stored-items.js';
import type { FileStorage } from '../../model/site/file-storage.js';

/** Folder of the files in a dump. */
export const FILES = 'files';

/** Numbers of files that were copied, and that could not be, with the reasons. */
interface CopiedFiles {
  files: number;
  missing: number;
  notes: string[];
}

/** Copies the files of some items into a dump; unreadable ones are reported. */
export async function copyFilesOut(
  { model }: Shape,
  items: readonly StoredItem[],
  storage: FileStorage,
  folder: string,
  summary: CopiedFiles,
): Promise<void> {
  for (const key of items.flatMap(({ row }) => keysOf(model, row))) {
    try {
      const target = join(folder, FILES, key);
      await makeFolder(dirname(target), OWNER_FOLDER);
      await writeNew(target, () => storage.open!(key));
      summary.files += 1;
    } catch (error) {
      // Two items may share a file.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      summary.missing += 1;
      summary.notes.push(`the file ${key} could not be copied (${reasonOf(error)})`);
    }
  }
}

/** Writes a new file; a partial file is removed, because a load would take it for a complete one. */
async function writeNew(path: string, read: () => Promise<Readable>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(await read(), file.createWriteStream());
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** Restores the missing files of some rows; returns their number and the problems. */
export async function copyFilesIn(
  { model }: Shape,
  rows: readonly Row[],
  storage: FileStorage,
  folder: string,
): Promise<CopiedFiles> {
  const outcome: CopiedFiles = { files: 0, missing: 0, notes: [] };
  for (const key of rows.flatMap((row) => keysOf(model, row))) {
    try {
      if (await storage.exists!(key)) continue;
      await storage.put(key, contentOf(await openedIn(folder, key)));
      outcome.files += 1;
    } catch (error) {
      outcome.missing += 1;
      outcome.notes.push(`the file ${key} could not be put in place (${reasonOf(error)})`);
    }
  }
  return outcome;
}

async function openedIn(folder: string, key: string): Promise<PlainFile> {
  try {
    return await openBelow(folder, `${FILES}/${key}`);
  } catch (error) {
    if (error instanceof UnsafeFile) throw new Error(`it ${error.message}`, { cause: error });
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error('it is not in the dump') : error;
  }
}

/** The error of the system, in place of the message that the storage of uploads has for clients. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  const said = cause instanceof Error && 'code' in cause ? cause : (error as NodeJS.ErrnoException);
  return said.code === 'ENOENT' ? 'there is no such file' : said.message;
}

function keysOf(model: ResourceModel | undefined, row: Row): string[] {
  return model?.faces.upload?.keysOf(row) ?? [];
}

/** Whether a path exists. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
