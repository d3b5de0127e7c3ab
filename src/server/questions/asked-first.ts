// What has to be decided before a migration changes anything: stored values that narrower rules refuse, and items that new
// traits cannot work on. What cannot be judged yet is asked about afterwards.
import type { Config } from '../../config/settings.js';
import { rowsOf } from '../../engine/membership.js';
import type { Problem } from '../../errors/problem.js';
import { newcomers, obstacles } from '../../maintenance/adopt-items.js';
import { type Outdated, outdatedProblems, outdatedValues } from '../../maintenance/check-stored-values.js';
import { LISTS, recorded, RULES, storedModels } from '../../maintenance/recorded-rules.js';
import type { ModelSet } from '../../model/model.js';
import { TRUE } from '../../model/query.js';
import type { Ask, Before } from '../../storage/migrations/before.js';
import { UnknownName } from '../../storage/sql/predicate-sql.js';

/** The questions of a site about its database. */
export function askingFirst(models: ModelSet, { schemasDir, database }: Config): Ask {
  return async (before) => {
    const outdated = database.accept.includes('values') ? [] : await outdatedBefore(models, before);
    const lists = database.accept.includes('leftovers') ? [] : await listsBefore(models, before, schemasDir);
    return [
      ...outdatedProblems(outdated, schemasDir),
      ...lists,
      ...(await obstaclesBefore(models, before, schemasDir)),
    ];
  };
}

/** Values that narrower rules no longer allow, wherever a plan will put them. */
export async function outdatedBefore(models: ModelSet, before: Before): Promise<Outdated[]> {
  if (!before.has(RULES.name)) return [];
  return outdatedValues(models, before.reader, (model) =>
    before.placesOf(model.table!, model.discriminator, rowsOf(model)),
  );
}

/**
 * Lists that become single values while their table still has the column of an earlier time, whose values would come back
 * in place of those of the list. Where the column is missing, the plan refuses it.
 */
async function listsBefore(models: ModelSet, before: Before, file: string): Promise<Problem[]> {
  if (!before.has(RULES.name)) return [];
  const were = await recorded(before.reader);
  const problems: Problem[] = [];
  for (const model of storedModels(models))
    for (const { name, column } of model.fields.values()) {
      const isList = LISTS.includes(were.get(model.name)?.fields[name]?.type ?? '');
      const side = `${model.table!.name}_${column}`;
      if (!isList || !column || !model.table!.columns.has(column) || !before.has(side)) continue;
      const rows = await before.reader.select({ table: side, columns: ['owner_id'], where: TRUE, order: [], limit: 1 });
      if (rows.length === 0) continue;
      const message = `the field was a list, and the table ${side} has its values`;
      const hint = `Keep its type, or give the new field another name or "column". DATABASE_ACCEPT=leftovers leaves them there`;
      problems.push({ file, path: `${model.name}.${name}`, message, hint });
    }
  return problems;
}

async function obstaclesBefore(models: ModelSet, before: Before, file: string): Promise<Problem[]> {
  if (!before.has(RULES.name)) return [];
  const { kept } = before;
  const recordedBefore = await recorded(kept);
  const problems: Problem[] = [];
  for (const model of models.byName.values())
    try {
      problems.push(...(await obstacles(await newcomers([model], kept, recordedBefore), kept, file)));
    } catch (error) {
      // It needs what the migration makes first.
      if (!(error instanceof UnknownName)) throw error;
    }
  return problems;
}
