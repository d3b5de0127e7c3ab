// Files whose writer died between the file and its row: kept when a row names them, else removed (reliability D17). Called by the schedule.
import { and, equals } from '../model/query.js';
import type { ModelSet } from '../model/model.js';
import type { Reader } from '../model/store.js';
import type { ContentWriter } from './content-writer.js';

/** No request takes as long. */
const AGE = 24 * 60 * 60 * 1000;

/** Ends old claims; returns how many files went with theirs. Files nobody claimed are somebody else's and stay. */
export async function sweepFiles({ models, store, site }: ContentWriter): Promise<number> {
  let removed = 0;
  for (const key of await site.files.claimed(new Date(site.now() - AGE))) {
    const named = await isNamed(models, store.reader, key);
    if (named) await site.files.settle([key]);
    else await site.files.remove([key]);
    removed += named ? 0 : 1;
  }
  return removed;
}

/** Whether some row names a file. */
export async function isNamed(models: ModelSet, reader: Reader, key: string): Promise<boolean> {
  for (const model of models.byName.values()) {
    if (!model.namesFile || !model.files) continue;
    const own = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
    const query = { table: model.table!.name, columns: model.allColumns, order: [] };
    const rows = await reader.select({ ...query, where: and(...own, model.namesFile(key)) });
    if (rows.some((row) => model.files!(row).includes(key))) return true;
  }
  return false;
}
