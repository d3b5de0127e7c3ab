// Finds stored values that the rule of their field no longer allows, where a schema has made the rule narrower since the
// last start. The former rules are stored per resource.
import type { Problem } from '../errors/problem.js';
import { rowsOf } from '../engine/shared-table.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, type Predicate, type Row } from '../model/query.js';
import type { Reader } from '../model/store.js';
import { type Keywords, keywordsOf, type Recorded, recorded, ruledFields, storedModels } from './recorded-rules.js';
import type { FieldModel } from '../model/field.js';
import type { Draft } from '../model/operation.js';

const AT_LEAST = ['minLength', 'minimum'] as const;
const AT_MOST = ['maxLength', 'maximum'] as const;
/** Types that present an empty text as null. */
const FORMATTED = ['email', 'uri'];
/** Types with a format of their own: texts that were stored under another type may not have it. */
const FORMS = ['slug', ...FORMATTED];
const EXACT = ['format', 'pattern', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** Values of a field that its rule no longer allows. */
export interface Outdated {
  model: ResourceModel;
  field: string;
  count: number;
  /** Some of the ids. */
  ids: number[];
}

/** Rows per statement; fewer where the rows include texts of unlimited length. */
const PAGE = 500;
const PAGE_OF_TEXTS = 50;
const MAX_IDS = 10;

/** Rows of a resource. `columnsOf`: the columns that may hold the value of a field there; the first non-empty one applies. */
export interface Place {
  table: string;
  where: Predicate;
  columnsOf(column: string): readonly string[] | undefined;
}

/** What is known about a database before a migration. */
interface BeforeMigration {
  /** What was recorded at the last start. */
  recordedRules: ReadonlyMap<string, Recorded>;
  placesOf(model: ResourceModel): readonly Place[];
}

/** Outdated values of all resources. `known`: where their rows are before a migration; by default each is in its own table. */
export async function outdatedValues(models: ModelSet, reader: Reader, known?: BeforeMigration): Promise<Outdated[]> {
  const { recordedRules, placesOf } = known ?? { recordedRules: await recorded(reader), placesOf: ownPlaces };
  const found: Outdated[] = [];
  for (const model of storedModels(models)) {
    const previous = recordedRules.get(model.name);
    if (!previous) continue;
    const fields = ruledFields(model).filter((field) => {
      // A field that has been renamed was recorded under its former name.
      const before = previous.fields[field.name] ?? previous.fields[field.schema.renamedFrom ?? ''];
      return before?.type !== undefined && isNarrower(before, keywordsOf(field.schema));
    });
    if (fields.length > 0) found.push(...(await scan(model, fields, placesOf(model), reader)));
  }
  return found;
}

function ownPlaces(model: ResourceModel): Place[] {
  return [{ table: model.table!.name, where: rowsOf(model), columnsOf: (column) => [column] }];
}

/** Outdated values as problems that stop a start. */
export function outdatedProblems(found: readonly Outdated[], file: string): Problem[] {
  return found.map(({ model, field, count, ids }) => ({
    file,
    path: `${model.name}.${field}`,
    message: outdatedMessage({ count, ids }),
    hint: 'Change these values first, widen the rule, or start once with DATABASE_ACCEPT=values, which leaves them unchanged',
  }));
}

/** `3 values are not allowed by the rule of the schema any more: ids 17, 20, 31`. */
export function outdatedMessage({ count, ids }: Pick<Outdated, 'count' | 'ids'>): string {
  const named = count > ids.length ? `${ids.join(', ')} and more` : ids.join(', ');
  const [what, where] = count === 1 ? ['1 value is', 'id'] : [`${count} values are`, 'ids'];
  return `${what} not allowed by the rule of the schema any more: ${where} ${named}`;
}

/** Whether the rule `now` may refuse values that the rule `before` allowed. */
function isNarrower(before: Keywords, now: Keywords): boolean {
  const changed = (key: keyof Keywords) => JSON.stringify(before[key]) !== JSON.stringify(now[key]);
  const allowed = [...(now.enum ?? []), ...(now.allowStored ?? [])];
  if (
    now.enum &&
    !allowed.includes('*') &&
    !(before.enum ?? [null]).every((value) => allowed.includes(value as string))
  )
    return true;
  if (FORMS.includes(now.type!) && before.type !== now.type) return true;
  if (AT_LEAST.some((key) => now[key] !== undefined && (before[key] ?? -Infinity) < now[key])) return true;
  if (AT_MOST.some((key) => now[key] !== undefined && (before[key] ?? Infinity) > now[key])) return true;
  return EXACT.some((key) => now[key] !== undefined && changed(key));
}

async function scan(
  model: ResourceModel,
  fields: readonly FieldModel[],
  places: readonly Place[],
  reader: Reader,
): Promise<Outdated[]> {
  const found = new Map(fields.map(({ name }) => [name, { model, field: name, count: 0, ids: [] as number[] }]));
  for (const place of places) {
    const sources = fields.flatMap((field) => {
      const columns = place.columnsOf(field.column!);
      return columns ? [{ field, columns, found: found.get(field.name)! }] : [];
    });
    if (sources.length > 0) await scanPlace(place, sources, reader);
  }
  return [...found.values()].filter(({ count }) => count > 0);
}

/** A field, the columns that hold its values, and its outdated values so far. */
interface Source {
  field: FieldModel;
  columns: readonly string[];
  found: Outdated;
}

async function scanPlace({ table, where }: Place, sources: readonly Source[], reader: Reader): Promise<void> {
  const columns = [...new Set(['id', ...sources.flatMap((source) => source.columns)])];
  const limit = sources.some(({ field }) => field.columns[0]?.kind === 'text') ? PAGE_OF_TEXTS : PAGE;
  for (let last = 0; ;) {
    const rows = await reader.select({
      table,
      columns,
      where: and(where, { op: 'gt', column: 'id', value: last }),
      order: [{ column: 'id', direction: 'asc' }],
      limit,
    });
    for (const row of rows) for (const source of sources) note(source, row);
    if (rows.length < limit) return;
    last = rows.at(-1)!['id'];
  }
}

/** The value of a field in a row, in the type of its column: a migration may be about to convert it. */
function valueIn(row: Row, { field, columns }: Source): unknown {
  const filled = columns.find((name) => row[name] !== null && row[name] !== '' && row[name] !== 0);
  const value: unknown = row[filled ?? columns[0]!];
  if (value === null) return null;
  const kind = field.columns[0]!.kind;
  if (kind === 'varchar' || kind === 'text') return String(value);
  return typeof value === 'string' && value !== '' ? Number(value) : value;
}

/** Whether a slug is stored as it would be stored today; true for other types. */
function isNormalized(field: FieldModel, value: unknown): boolean {
  if (field.type !== 'slug') return true;
  const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
  field.toStore!(value, draft, undefined as never);
  return draft.row[field.column!] === value;
}

function note(source: Source, row: Row): void {
  const { field, found } = source;
  const value = valueIn(row, source);
  if (value === null || value === field.defaultValue) return;
  if (value === '' && field.schema.nullable && FORMATTED.includes(field.type)) return;
  if (!('issue' in field.rule(value, field.name)) && isNormalized(field, value)) return;
  found.count += 1;
  if (found.ids.length < MAX_IDS) found.ids.push(row['id']);
}
