// Finds stored values that the rule of their field no longer allows, where a schema has made the rule narrower since the
// last start. The former rules are stored per resource.
import type { Problem } from '../errors/problem.js';
import { rowsOf } from '../engine/membership.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import { and, type Row } from '../model/query.js';
import type { Reader } from '../model/store.js';
import { keywordsOf, recorded, ruledFields, storedModels, type Keywords } from './recorded-rules.js';
import type { FieldModel } from '../model/field.js';
import type { Draft } from '../model/operation.js';

const AT_LEAST = ['minLength', 'minimum'] as const;
const AT_MOST = ['maxLength', 'maximum'] as const;
/** Types that show an empty text as null. */
const FORMATTED = ['email', 'uri'];
/** Types whose values have a form that other texts lack, although their columns keep any text. */
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

/** Rows per statement; fewer with texts of any length. */
const PAGE = 500;
const PAGE_OF_TEXTS = 50;
const MAX_IDS = 10;

/** Outdated values of every resource; `only` leaves out fields whose columns differ from the models. */
export async function outdatedValues(
  models: ModelSet,
  reader: Reader,
  only: (model: ResourceModel, field: FieldModel) => boolean = () => true,
): Promise<Outdated[]> {
  const before = await recorded(reader);
  const found: Outdated[] = [];
  for (const model of storedModels(models)) {
    const was = before.get(model.name);
    if (!was) continue;
    const fields = ruledFields(model).filter((field) => {
      // One that has another name since was recorded under the former one.
      const before = was.fields[field.name] ?? was.fields[field.schema.renamedFrom ?? ''];
      return before?.type !== undefined && isNarrower(before, keywordsOf(field.schema)) && only(model, field);
    });
    if (fields.length > 0) found.push(...(await scan(model, fields, reader)));
  }
  return found;
}

/** Outdated values as problems that stop a start. */
export function outdatedProblems(found: readonly Outdated[], file: string): Problem[] {
  return found.map(({ model, field, count, ids }) => ({
    file,
    path: `${model.name}.${field}`,
    message: outdatedMessage({ count, ids }),
    hint: 'Change these values first, widen the rule, or start once with DATABASE_ACCEPT=values: they stay as they are',
  }));
}

/** `3 values are not allowed by the rule of the schema any more: ids 17, 20, 31`. */
export function outdatedMessage({ count, ids }: Pick<Outdated, 'count' | 'ids'>): string {
  const named = count > ids.length ? `${ids.join(', ')} and more` : ids.join(', ');
  const [what, where] = count === 1 ? ['1 value is', 'id'] : [`${count} values are`, 'ids'];
  return `${what} not allowed by the rule of the schema any more: ${where} ${named}`;
}

/** Whether a rule may refuse what another one allowed. */
function isNarrower(was: Keywords, now: Keywords): boolean {
  const changed = (key: keyof Keywords) => JSON.stringify(was[key]) !== JSON.stringify(now[key]);
  const allowed = [...(now.enum ?? []), ...(now.allowStored ?? [])];
  if (now.enum && !allowed.includes('*') && !(was.enum ?? [null]).every((value) => allowed.includes(value as string)))
    return true;
  if (FORMS.includes(now.type!) && was.type !== now.type) return true;
  if (AT_LEAST.some((key) => now[key] !== undefined && (was[key] ?? -Infinity) < now[key])) return true;
  if (AT_MOST.some((key) => now[key] !== undefined && (was[key] ?? Infinity) > now[key])) return true;
  return EXACT.some((key) => now[key] !== undefined && changed(key));
}

async function scan(model: ResourceModel, fields: readonly FieldModel[], reader: Reader): Promise<Outdated[]> {
  const found = new Map(fields.map(({ name }) => [name, { model, field: name, count: 0, ids: [] as number[] }]));
  const columns = ['id', ...fields.map(({ column }) => column!)];
  const limit = fields.some(({ columns: [column] }) => column?.kind === 'text') ? PAGE_OF_TEXTS : PAGE;
  for (let last = 0; ;) {
    const rows = await reader.select({
      table: model.table!.name,
      columns,
      where: and(rowsOf(model), { op: 'gt', column: 'id', value: last }),
      order: [{ column: 'id', direction: 'asc' }],
      limit,
    });
    for (const row of rows) for (const field of fields) note(field, row, found.get(field.name)!);
    if (rows.length < limit) return [...found.values()].filter(({ count }) => count > 0);
    last = rows.at(-1)!['id'];
  }
}

/** Whether a slug is stored in the form that it would be stored in today. */
function isKept(field: FieldModel, value: unknown): boolean {
  if (field.type !== 'slug') return true;
  const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
  field.toStore!(value, draft, undefined as never);
  return draft.row[field.column!] === value;
}

function note(field: FieldModel, row: Row, found: Outdated): void {
  const value = row[field.column!];
  if (value === null || value === field.defaultValue) return;
  if (value === '' && field.schema.nullable && FORMATTED.includes(field.type)) return;
  if (!('issue' in field.rule(value, field.name)) && isKept(field, value)) return;
  found.count += 1;
  if (found.ids.length < MAX_IDS) found.ids.push(row['id']);
}
