// Writes the meta of a draft: its texts are checked first, with the right to change them.
import { ResourceError } from '../errors/resource-error.js';
import { metaText } from '../values/meta-value.js';
import type { MetaKeyModel } from '../model/shown.js';
import type { Operation, Draft } from '../model/operation.js';
import { and, equals, oneOf, type Row } from '../model/query.js';
import type { Reader, Transaction } from '../model/store.js';
import { evaluate } from './rights/evaluate.js';
import type { FieldModel } from '../model/field.js';

/** The new texts of one meta key. */
interface MetaChange {
  key: MetaKeyModel;
  texts: string[];
  /** The error where a value is stored: what was sent is the default, which the schema of the key refuses. */
  refusal?: ResourceError;
}

/** Validates the meta of a draft before anything is written. */
export async function planMeta(
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<{ field: FieldModel; changes: MetaChange[] }[]> {
  const plans = [];
  for (const [name, values] of Object.entries(draft.meta)) {
    const field = op.model.fields.get(name)!;
    const errors: ResourceError[] = [];
    const changes = sentChanges(field, values, errors, current);
    if (errors.length > 0) throw withOthers(errors);
    plans.push({ field, changes: await permittedChanges(field, changes, op, draft, current) });
  }
  return plans;
}

/** Whether writing the values of a field would change what an item has stored; values that are refused count as changes. */
export async function changesMeta(field: FieldModel, op: Operation, current: Row): Promise<boolean> {
  const sent = op.values[field.name];
  if (typeof sent !== 'object' || sent === null) return true;
  const errors: ResourceError[] = [];
  const changes = sentChanges(field, sent as Record<string, unknown>, errors, current);
  if (errors.length > 0) return true;
  const stored = await loadTexts(op.store, field.meta!.table, current['id'], changes);
  return realChanges(changes, stored).length > 0;
}

/**
 * The stored row; with the meta that was sent and that a step compares, where it would change nothing: sending it back
 * needs no permission.
 */
export async function withUnchangedMeta(op: Operation, current: Row): Promise<Row> {
  const steps = op.model.policy[op.kind].filter((step) => step.changed);
  const compared = new Set(steps.flatMap(({ field = [] }) => field).filter((name) => sendsMeta(op, name)));
  if (compared.size === 0) return current;
  const row = { ...current };
  for (const name of compared)
    if (!(await changesMeta(op.model.fields.get(name)!, op, current))) row[`#${name}`] = op.values[name];
  return row;
}

function sendsMeta({ model, values }: Operation, name: string): boolean {
  return values[name] !== undefined && model.fields.get(name)?.meta !== undefined;
}

function sentChanges(
  { name, meta }: FieldModel,
  values: Readonly<Record<string, unknown>>,
  errors: ResourceError[],
  current?: Row,
): MetaChange[] {
  const changes: MetaChange[] = [];
  for (const key of meta!.keys) {
    if (key.hidden || !Object.hasOwn(values, key.name) || values[key.name] === undefined) continue;
    const change = textsOf(key, values[key.name], `${name}.${key.name}`, errors);
    if (change?.refusal && !current) errors.push(change.refusal);
    else if (change) changes.push(change);
  }
  return changes;
}

// As with every list, the error names the first wrong item by its index.
function textsOf(key: MetaKeyModel, value: unknown, param: string, errors: ResourceError[]): MetaChange | undefined {
  const items = value === null ? [] : key.single ? [value] : listOf(value);
  if (!items) {
    errors.push(typeError('rest_invalid_type', param, `${param} must be a list.`));
    return undefined;
  }
  const texts: string[] = [];
  for (const [at, item] of items.entries()) {
    const checked = key.rule(item, key.single ? param : `${param}[${at}]`);
    if ('issue' in checked) {
      const refusal = typeError(checked.issue.code, checked.issue.param, checked.issue.message);
      // Shown while nothing is stored, the default may be sent back, and stores nothing.
      if (key.single && JSON.stringify(item) === JSON.stringify(key.default)) return { key, texts: [], refusal };
      errors.push(refusal);
      return undefined;
    }
    texts.push(metaText(checked.value));
  }
  return { key, texts };
}

// A list, or a text with commas or spaces between its items.
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return typeof value === 'object'
    ? undefined
    : String(value)
        .split(/[\s,]+/)
        .filter((item) => item !== '');
}

function typeError(code: string, param: string, message: string): ResourceError {
  // Clients of the reference know the parameter from `additional_data`, which it has for wrong types alone.
  const additionalData = code === 'rest_invalid_type' ? { additionalData: [{ param }] } : {};
  return new ResourceError(code, { status: 400, message, ...additionalData });
}

function withOthers([first, ...rest]: ResourceError[]): ResourceError {
  first!.additional.push(...rest);
  return first!;
}

/** Removes changes without effect; rejects others that the caller may not make in the stored item, or in the new one. */
async function permittedChanges(
  field: FieldModel,
  changes: MetaChange[],
  op: Operation,
  draft: Draft,
  current?: Row,
): Promise<MetaChange[]> {
  const stored = current
    ? await loadTexts(op.tx!, field.meta!.table, current['id'], changes)
    : new Map<string, string[]>();
  const refused = changes.flatMap(({ key, refusal }) => (refusal && stored.has(key.key) ? [refusal] : []));
  if (refused.length > 0) throw withOthers(refused);
  if (op.trusted) return differences(changes, stored);
  const real = realChanges(changes, stored);
  // Callers who do not see the stored values must not learn whether one equals what they sent.
  const judged = op.ruleResults[`read:${field.name}`] === false ? changes : real;
  for (const { key, texts } of judged) {
    const rule = key.needs ? key.needs(op.actor) : undefined;
    const may = rule ? await evaluate(rule, current ?? draft.row, op.store) : !key.key.startsWith('_');
    if (!may)
      throw new ResourceError(texts.length === 0 ? 'rest_cannot_delete' : 'rest_cannot_update', {
        data: { key: key.name },
      });
  }
  return real;
}

function differences(changes: readonly MetaChange[], stored: ReadonlyMap<string, string[]>): MetaChange[] {
  return changes.filter(({ key, texts }) => !isSame(texts, stored.get(key.key) ?? []));
}

/** An item that is sent back has the default of every key without a value: that is no requested change. */
function realChanges(changes: readonly MetaChange[], stored: ReadonlyMap<string, string[]>): MetaChange[] {
  return differences(changes, stored).filter(
    ({ key, texts }) => stored.has(key.key) || !isSame(texts, defaultTexts(key)),
  );
}

function isSame(one: string[], other: string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function defaultTexts(key: MetaKeyModel): string[] {
  const items = key.single ? [key.default] : (key.default as unknown[]);
  return items.map(metaText);
}

async function loadTexts(
  reader: Reader,
  table: string,
  id: number,
  changes: MetaChange[],
): Promise<Map<string, string[]>> {
  const rows = await reader.select({
    table,
    columns: ['key', 'value'],
    where: and(
      equals('owner_id', id),
      oneOf(
        'key',
        changes.map(({ key }) => key.key),
      ),
    ),
    order: [{ column: 'id', direction: 'asc' }],
  });
  const texts = new Map<string, string[]>();
  for (const row of rows) {
    const list = texts.get(row['key']);
    if (list) list.push(row['value']);
    else texts.set(row['key'], [row['value']]);
  }
  return texts;
}

/** Writes planned meta; returns whether anything changed. A new item has no stored meta to delete. */
export async function writeMeta(
  id: number,
  plans: { field: FieldModel; changes: MetaChange[] }[],
  tx: Transaction,
  isNew = false,
): Promise<boolean> {
  let touched = false;
  for (const { field, changes } of plans) {
    if (changes.length === 0) continue;
    const { table } = field.meta!;
    const names = changes.map(({ key }) => key.key);
    if (!isNew) await tx.delete(table, and(equals('owner_id', id), oneOf('key', names)));
    await tx.insertMany(
      table,
      changes.flatMap(({ key, texts }) =>
        texts.map((value) => ({ owner_id: id, key: key.key, value, structured: key.structured ? 1 : 0 })),
      ),
    );
    touched = true;
  }
  return touched;
}
