// Uploaded files go into `<dump>/files/` under their storage keys, and back. Called by dump-site and load-writer.
import { createWriteStream } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ResourceModel } from '../model/model.js';
import type { Row } from '../model/query.js';
import type { FileShelf } from '../model/site.js';
import type { Shape } from './dump-shape.js';
import type { StoredItem } from './stored-items.js';

/** Folder of the files in a dump. */
export const FILES = 'files';

/** Copies the files of some items into a dump; one that cannot be read is noted. */
export async function copyFilesOut(
  { model }: Shape,
  items: readonly StoredItem[],
  shelf: FileShelf,
  folder: string,
  summary: { files: number; notes: string[] },
): Promise<void> {
  for (const key of items.flatMap(({ row }) => keysOf(model, row))) {
    try {
      const bytes = await shelf.open!(key);
      const target = join(folder, FILES, key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
      summary.files += 1;
    } catch (error) {
      // Two items may share a file.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        summary.notes.push(`the file ${key} could not be copied (${(error as Error).message})`);
    }
  }
}

/** Puts the files of some rows back where they are missing; returns how many, and what could not be done. */
export async function copyFilesIn(
  { model }: Shape,
  rows: readonly Row[],
  shelf: FileShelf,
  folder: string,
): Promise<{ copied: number; notes: string[] }> {
  const outcome = { copied: 0, notes: [] as string[] };
  for (const key of rows.flatMap((row) => keysOf(model, row))) {
    try {
      if (await shelf.exists!(key)) continue;
      const source = join(folder, FILES, key);
      if (!(await isThere(source))) throw new Error('it is not in the dump');
      await shelf.put(key, source);
      outcome.copied += 1;
    } catch (error) {
      outcome.notes.push(`the file ${key} could not be put in place (${(error as Error).message})`);
    }
  }
  return outcome;
}

function keysOf(model: ResourceModel | undefined, row: Row): string[] {
  try {
    return model?.files?.(row) ?? [];
  } catch {
    // Details that cannot be read name no copies.
    return typeof row['file'] === 'string' && row['file'] !== '' ? [row['file']] : [];
  }
}

/** Whether something stands at a path. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
