// What has to be decided before a migration changes anything: stored values that narrower rules refuse, and items that new
// traits cannot work on. What cannot be judged yet is asked about afterwards.
import type { Config } from '../../config/settings.js';
import { rowsOf } from '../../engine/membership.js';
import type { Problem } from '../../errors/problem.js';
import { newcomers, obstacles } from '../../maintenance/adopt-items.js';
import { type Outdated, outdatedProblems, outdatedValues } from '../../maintenance/check-stored-values.js';
import { recorded, RULES } from '../../maintenance/recorded-rules.js';
import type { ModelSet } from '../../model/model.js';
import type { Ask, Before } from '../../storage/migrations/before.js';
import { UnknownName } from '../../storage/sql/predicate-sql.js';

/** The questions of a site about its database. */
export function askingFirst(models: ModelSet, { schemasDir, database }: Config): Ask {
  return async (before) => {
    const outdated = database.accept.includes('values') ? [] : await outdatedBefore(models, before);
    return [...outdatedProblems(outdated, schemasDir), ...(await obstaclesBefore(models, before, schemasDir))];
  };
}

/** Values that narrower rules no longer allow, wherever a plan will put them. */
export async function outdatedBefore(models: ModelSet, before: Before): Promise<Outdated[]> {
  if (!before.has(RULES.name)) return [];
  return outdatedValues(models, before.reader, (model) =>
    before.placesOf(model.table!, model.discriminator, rowsOf(model)),
  );
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
