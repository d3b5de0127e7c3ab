// References with other target resources than at the last start, numbers that have become references, and references
// that a schema has again after a time without them: their stored ids would identify other items, or none.
import { rowsOf } from '../../engine/shared-table.js';
import { type Recorded, type RecordedField, storedModels } from '../../maintenance/recorded-rules.js';
import type { FieldModel } from '../../model/field.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { and, equals, not, or, type Predicate } from '../../model/query.js';
import type { PriorState, FormerPlace } from '../../storage/migrations/prior-state.js';
import { idsOf } from '../../storage/migrations/assess.js';
import { MAX_IDS } from '../../storage/migrations/step.js';
import { UnknownName } from '../../storage/sql/predicate-sql.js';
import { counted } from '../../values/value-issue.js';
import type { RequiredDecision } from './required-decisions.js';

const REFERENCES = ['reference', 'references'];
/** Types whose stored values can be compared with ids before the migration. */
const NUMBERS = ['integer', 'number'];
const CHANGE = 'Change these values first, keep what the field leads to, or give';
const OTHERWISE = 'the new field another name or "column". DATABASE_ACCEPT=values leaves them unchanged';
/**
 * Stands for a field that the schema lacked at the last start: its column may have old values, whose items no longer
 * exist.
 */
const LEFT_OVER: RecordedField = {};

/** Rows of a table with an id in the column `value`, and the column with the id of the item that has the reference. */
interface Source {
  table: string;
  owner: string;
  value: string;
  where: Predicate;
}

/** Decisions about stored ids that would identify other items than before. */
export async function retargetedReferences(
  models: ModelSet,
  before: PriorState,
  recordedRules: ReadonlyMap<string, Recorded>,
  file: string,
): Promise<RequiredDecision[]> {
  const decisions: RequiredDecision[] = [];
  for (const model of storedModels(models)) {
    const previous = recordedRules.get(model.name);
    // Records of earlier releases do not have all fields.
    if (previous?.table === undefined) continue;
    for (const field of model.fields.values()) {
      const former = previous.fields[field.name] ?? previous.fields[field.schema.renamedFrom ?? ''] ?? LEFT_OVER;
      const targets = targetsOf(field);
      if (targets.length === 0 || !leadsElsewhere(field, former)) continue;
      const places = targets.flatMap((target) => placesOf(target, before));
      const sameIds = sharesIds(former, places, recordedRules);
      if (former.to === undefined && field.schema.onMissing === 'keep') continue;
      const { count, ids } = await strayIds(model, field, sameIds ? places : [], before);
      if (count === 0) continue;
      const to = targets.map(({ name }) => name).join(', ');
      const what = sameIds
        ? `of no item of ${to}`
        : `of items of ${former.to!.join(', ')}, and the field leads to ${to} now`;
      const message = `${counted(count, 'stored value')} ${count === 1 ? 'is the id' : 'are ids'} ${what}${idsOf(ids)}`;
      const hint = `${former === LEFT_OVER ? 'Give' : CHANGE} ${OTHERWISE}${sameIds ? ', and check --data --fix removes them then' : ''}`;
      decisions.push({
        model,
        field: field.name,
        problem: { file, path: `${model.name}.${field.name}`, message, hint },
      });
    }
  }
  return decisions;
}

function targetsOf({ targets, many }: FieldModel): ResourceModel[] {
  return [...(targets ?? []), ...(many?.target ? [many.target] : [])].filter(({ table }) => table);
}

function placesOf(model: ResourceModel, before: PriorState): FormerPlace[] {
  return before.placesOf(model.table!, model.discriminator, rowsOf(model));
}

/** Whether a field has other targets than before. Records of earlier releases lack the targets. */
function leadsElsewhere({ schema }: FieldModel, former: RecordedField): boolean {
  const { type, to } = former;
  const now = [schema.to ?? []].flat();
  if (former === LEFT_OVER) return true;
  if (to !== undefined) return !to.every((name) => now.includes(name));
  return NUMBERS.includes(type ?? '') && !REFERENCES.includes(type ?? '');
}

/** Whether ids identify the same rows as before: the target has its former table, or its rows have been moved from there. */
function sharesIds(
  { to }: RecordedField,
  places: readonly FormerPlace[],
  recordedRules: ReadonlyMap<string, Recorded>,
): boolean {
  if (to === undefined) return true;
  const tables = to.map((name) => recordedRules.get(name)?.table);
  return places.some(({ table }) => tables.includes(table));
}

/** Stored ids that no row of `places` has: their number, and the ids of the first items with such a reference. */
async function strayIds(
  model: ResourceModel,
  field: FieldModel,
  places: readonly FormerPlace[],
  before: PriorState,
): Promise<{ count: number; ids: number[] }> {
  const found = { count: 0, ids: [] as number[] };
  for (const { table, owner, value, where } of sourcesOf(model, field, before)) {
    const known = places.map((place) =>
      not({ op: 'exists', table: place.table, outer: value, inner: 'id', where: place.where }),
    );
    const stray = and(where, { op: 'gt', column: value, value: 0 }, ...known);
    try {
      const count = await before.reader.count(table, stray);
      if (count === 0) continue;
      found.count += count;
      // Grouped by item, because a list can have several such ids.
      const owners = { table, by: [owner], of: [], where: stray, limit: MAX_IDS };
      for (const { by } of await before.reader.summarize(owners)) found.ids.push(Number(by[0]));
    } catch (error) {
      // There are no such values yet, or a step of the migration creates the columns that the condition needs.
      if (!(error instanceof UnknownName)) throw error;
    }
  }
  return found;
}

/**
 * Where the ids are before the migration: in a column, or in the table of a list, under the current or the former name.
 */
function sourcesOf(model: ResourceModel, field: FieldModel, before: PriorState): Source[] {
  const { renamedFrom } = field.schema;
  return placesOf(model, before).flatMap(({ table, where, columnsOf }): Source[] => {
    if (field.column !== undefined) {
      const columns = columnsOf(field.column) ?? [];
      return columns.map((value, at) => ({
        table,
        owner: 'id',
        value,
        where: and(where, ...columns.slice(0, at).map(isEmpty)),
      }));
    }
    const names = [field.schema.column ?? field.name, ...(renamedFrom ? [renamedFrom] : [])];
    const side = names.map((name) => `${table}_${name}`).find((name) => before.has(name));
    const owned: Predicate = { op: 'exists', table, outer: 'owner_id', inner: 'id', where };
    if (side !== undefined) return [{ table: side, owner: 'owner_id', value: 'target_id', where: owned }];
    return names.map((value) => ({ table, owner: 'id', value, where }));
  });
}

function isEmpty(column: string): Predicate {
  return or(equals(column, 0), { op: 'null', column });
}
