// What has to be decided before a migration changes anything: stored values that narrower rules refuse, references that lead
// elsewhere, and items that new traits cannot work on. What cannot be judged yet is asked about afterwards.
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

/** Something to decide, and what it is about: a field or a trait of a resource. */
export interface Question {
  problem: Problem;
  model: ResourceModel;
  field?: string;
  trait?: string;
}

/** What a migration meets in a database. */
export interface Findings {
  /** What has to be decided first, apart from what is answered. */
  questions: Question[];
  /** Traits that are new for resources whose items are there already, and that can work on them. */
  adoptable: Newcomer[];
}

/** The questions of a site about its database. */
export function preflightOf(models: ModelSet, { schemasDir, database }: Config): Preflight {
  const accepted = new Set(database.accept);
  return async (before) =>
    (await findingsBefore(models, before, accepted, schemasDir)).questions.map(({ problem }) => problem);
}

/** All of them. `file` is named by the problems. */
export async function findingsBefore(
  models: ModelSet,
  before: PriorState,
  accepted: ReadonlySet<Accepted> | undefined,
  file: string,
): Promise<Findings> {
  if (!before.has(RULES.name)) return { questions: [], adoptable: [] };
  const recordedRules = await recorded(before.reader);
  const questions: Question[] = [];
  if (!accepted?.has('values')) {
    questions.push(...(await outdatedBefore(models, before, recordedRules, file)));
    questions.push(...(await retargetedReferences(models, before, recordedRules, file)));
  }
  if (!accepted?.has('leftovers')) questions.push(...(await listsBefore(models, before, recordedRules, file)));
  const adoptable: Newcomer[] = [];
  for (const newcomer of await newcomersBefore(models, before, recordedRules)) {
    const { model, trait } = newcomer;
    const stuck = await ifThere(() => obstacles([newcomer], before.unconverted, file));
    if (stuck.length === 0) adoptable.push(newcomer);
    questions.push(...stuck.map((problem) => ({ model, trait, problem })));
  }
  return { questions, adoptable };
}

/** Values that narrower rules no longer allow, wherever a plan will put them. */
async function outdatedBefore(
  models: ModelSet,
  before: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
  file: string,
): Promise<Question[]> {
  const placesOf = (model: ResourceModel) => before.placesOf(model.table!, model.discriminator, rowsOf(model));
  const found = await outdatedValues(models, before.reader, { recordedRules, placesOf });
  const problems = outdatedProblems(found, file);
  return found.map(({ model, field }, at) => ({ model, field, problem: problems[at]! }));
}

/**
 * Lists that become single values while their table still has the column of an earlier time, whose values would come back
 * in place of those of the list. Where the column is missing, the plan refuses it.
 */
async function listsBefore(
  models: ModelSet,
  before: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
  file: string,
): Promise<Question[]> {
  const questions: Question[] = [];
  for (const model of storedModels(models))
    for (const { name, column } of model.fields.values()) {
      const isList = LISTS.includes(recordedRules.get(model.name)?.fields[name]?.type ?? '');
      const side = `${model.table!.name}_${column}`;
      if (!isList || !column || !model.table!.columns.has(column) || !before.has(side)) continue;
      const rows = await before.reader.select({ table: side, columns: ['owner_id'], where: TRUE, order: [], limit: 1 });
      if (rows.length === 0) continue;
      const message = `the field was a list, and the table ${side} has its values`;
      const hint = `Keep its type, or give the new field another name or "column". DATABASE_ACCEPT=leftovers leaves them there`;
      questions.push({ model, field: name, problem: { file, path: `${model.name}.${name}`, message, hint } });
    }
  return questions;
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

/** Nothing where it needs what the migration makes first. */
async function ifThere<T>(look: () => Promise<T[]>): Promise<T[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof UnknownName) return [];
    throw error;
  }
}
