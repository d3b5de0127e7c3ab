// Decisions that an operator must make before a migration changes anything: about stored values that narrower rules
// refuse, references with other targets, and items that new traits cannot process. What cannot be checked before the
// migration is checked after it.
import type { Config } from '../../config/settings.js';
import { rowsOf } from '../../engine/shared-table.js';
import type { Problem } from '../../errors/problem.js';
import { type Newcomer, newcomers, obstacles } from '../../maintenance/adopt-items.js';
import { outdatedProblems, outdatedValues } from '../../maintenance/check-stored-values.js';
import { LISTS, type Recorded, recorded, RULES, storedModels } from '../../maintenance/recorded-rules.js';
import type { Accepted } from '../../model/accepted.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { TRUE } from '../../model/query.js';
import type { Preflight, PriorState } from '../../storage/migrations/prior-state.js';
import { UnknownName } from '../../storage/sql/predicate-sql.js';
import { retargetedReferences } from './retargeted-references.js';

/** A required decision, and the field or trait of a resource that it is about. */
export interface RequiredDecision {
  problem: Problem;
  model: ResourceModel;
  field?: string;
  trait?: string;
}

/** The checks of a database before a migration. */
export interface Findings {
  /** Decisions that are required, except those that the settings have made. */
  decisions: RequiredDecision[];
  /** New traits of resources with items, which can process these items. */
  adoptable: Newcomer[];
}

/** The check of required decisions for a site, as problems. */
export function preflightOf(models: ModelSet, { schemasDir, database }: Config): Preflight {
  const accepted = new Set(database.accept);
  return async (before) =>
    (await findingsBefore(models, before, accepted, schemasDir)).decisions.map(({ problem }) => problem);
}

/** All required decisions, and the traits that will process items. `file` is named by the problems. */
export async function findingsBefore(
  models: ModelSet,
  before: PriorState,
  accepted: ReadonlySet<Accepted> | undefined,
  file: string,
): Promise<Findings> {
  if (!before.has(RULES.name)) return { decisions: [], adoptable: [] };
  const recordedRules = await recorded(before.reader);
  const decisions: RequiredDecision[] = [];
  if (!accepted?.has('values')) {
    decisions.push(...(await outdatedBefore(models, before, recordedRules, file)));
    decisions.push(...(await retargetedReferences(models, before, recordedRules, file)));
  }
  if (!accepted?.has('leftovers')) decisions.push(...(await listsBefore(models, before, recordedRules, file)));
  const adoptable: Newcomer[] = [];
  for (const newcomer of await newcomersBefore(models, before, recordedRules)) {
    const { model, trait } = newcomer;
    const stuck = await ifThere(() => obstacles([newcomer], before.unconverted, file));
    if (stuck.length === 0) adoptable.push(newcomer);
    decisions.push(...stuck.map((problem) => ({ model, trait, problem })));
  }
  return { decisions, adoptable };
}

/** Values that narrower rules no longer allow, read from where they are before the migration. */
async function outdatedBefore(
  models: ModelSet,
  before: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
  file: string,
): Promise<RequiredDecision[]> {
  const placesOf = (model: ResourceModel) => before.placesOf(model.table!, model.discriminator, rowsOf(model));
  const found = await outdatedValues(models, before.reader, { recordedRules, placesOf });
  const problems = outdatedProblems(found, file);
  return found.map(({ model, field }, at) => ({ model, field, problem: problems[at]! }));
}

/**
 * Lists that become single values while their table still has a column of that name from an earlier schema: its old
 * values would reappear in place of those of the list. Where there is no such column, the plan refuses the change.
 */
async function listsBefore(
  models: ModelSet,
  before: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
  file: string,
): Promise<RequiredDecision[]> {
  const decisions: RequiredDecision[] = [];
  for (const model of storedModels(models))
    for (const { name, column } of model.fields.values()) {
      const isList = LISTS.includes(recordedRules.get(model.name)?.fields[name]?.type ?? '');
      const side = `${model.table!.name}_${column}`;
      if (!isList || !column || !model.table!.columns.has(column) || !before.has(side)) continue;
      const rows = await before.reader.select({ table: side, columns: ['owner_id'], where: TRUE, order: [], limit: 1 });
      if (rows.length === 0) continue;
      const message = `the field was a list, and the table ${side} has its values`;
      const hint = `Keep its type, or give the new field another name or "column". DATABASE_ACCEPT=leftovers leaves them there`;
      decisions.push({ model, field: name, problem: { file, path: `${model.name}.${name}`, message, hint } });
    }
  return decisions;
}

async function newcomersBefore(
  models: ModelSet,
  { unconverted }: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
): Promise<Newcomer[]> {
  const found: Newcomer[] = [];
  for (const model of models.byName.values())
    found.push(...(await ifThere(() => newcomers([model], unconverted, recordedRules))));
  return found;
}

/** The result of a check; empty where it needs tables or columns that the migration has yet to create. */
async function ifThere<T>(look: () => Promise<T[]>): Promise<T[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof UnknownName) return [];
    throw error;
  }
}
