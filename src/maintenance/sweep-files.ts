// Files that were written by a process that ended before it could confirm them: they stay where a row names them, otherwise
// they are removed.
import { and } from '../model/query.js';
import type { ModelSet } from '../model/model.js';
import type { Reader } from '../model/store.js';
import type { ContentWriter } from '../engine/content-writer.js';

/** Milliseconds after which a reservation is stale: longer than any request takes. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Ends stale reservations; returns how many files were removed with them. Files without a reservation are not touched.
 */
export async function sweepFiles({ models, store, site }: ContentWriter): Promise<number> {
  let removed = 0;
  for (const key of await site.files.claimed(new Date(site.now() - MAX_AGE_MS))) {
    const named = await isNamed(models, store.reader, key);
    if (named) await site.files.commit([key]);
    else await site.files.remove([key]);
    removed += named ? 0 : 1;
  }
  return removed;
}

/** Whether a row references a file. */
export async function isNamed(models: ModelSet, reader: Reader, key: string): Promise<boolean> {
  for (const model of models.byName.values()) {
    const { upload } = model.faces;
    if (!upload) continue;
    const query = { table: model.table!.name, columns: model.allColumns, order: [] };
    const rows = await reader.select({ ...query, where: and(model.rowScope, upload.candidates(key)) });
    if (rows.some((row) => upload.keysOf(row).includes(key))) return true;
  }
  return false;
}
