// Pending changes: values sent by the client become columns, relations and meta, validated before the first write.
import { nounOf } from '../../errors/not-found.js';
import { invalidParams, ResourceError } from '../../errors/resource-error.js';
import { ownMessage } from '../../model/functions/messages.js';
import { isSameValue } from '../../model/functions/same-value.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import { and, equals, or, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import { mustBe } from '../../text/choices.js';
import { readsIn } from '../rights/policy-results.js';
import { eachText } from './prepared-texts.js';
import { targetsQuery } from '../presentation/load-relations.js';
import type { FieldSchema } from '../../model/schema/field-schema.js';
import type { FieldModel } from '../../model/field.js';

/** Runs the text functions of a new item that follow from what was sent alone, without any hooks. */
export function runTexts(op: Operation): void {
  const draft = newDraft(op);
  for (const [name, value] of Object.entries(draft.values))
    if (value !== undefined) op.model.fields.get(name)?.toStore?.(value, draft, op);
  applyImportedValues(draft, op);
  completeDraft(draft, op);
}

/** Applies the columns and relations of an import to the draft. */
export function applyImportedValues(draft: Draft, { trusted }: Operation): void {
  Object.assign(draft.row, trusted?.columns);
  Object.assign(draft.many, trusted?.sets);
}

/** A new draft: empty, or with every default for a create. */
export function newDraft(op: Operation): Draft {
  const draft: Draft = { values: op.values, row: {}, many: {}, meta: {} };
  if (op.kind !== 'create') return draft;
  for (const column of defaultColumns(op.model)) draft.row[column.name] = column.value;
  for (const field of op.model.fields.values()) {
    const { defaultSetting: name } = field;
    const fallback = name === undefined ? field.defaultValue : op.site.settings[name];
    const initial = field.generates?.create?.(op) ?? fallback;
    if (initial !== undefined && field.toStore) field.toStore(initial, draft, op);
  }
  Object.assign(draft.row, op.model.discriminator);
  if (op.model.parent) draft.row[op.model.parent.field.column!] = op.parentId;
  return draft;
}

const defaults = new WeakMap<ResourceModel, readonly { name: string; value: Scalar }[]>();

function defaultColumns(model: ResourceModel): readonly { name: string; value: Scalar }[] {
  const known = defaults.get(model) ?? columnsWithDefaults(model);
  defaults.set(model, known);
  return known;
}

function columnsWithDefaults(model: ResourceModel): { name: string; value: Scalar }[] {
  return [...model.fields.values()].flatMap((field) =>
    field.columns
      .filter((column) => !column.primary)
      .map((column) => ({ name: column.name, value: column.default ?? null })),
  );
}

/** Puts the values sent by the client into the draft. */
export async function applyValues(draft: Draft, op: Operation, current?: Row): Promise<void> {
  eachText(Object.entries(draft.values), ([name, value]) => {
    const field = op.model.fields.get(name);
    if (!field?.toStore || value === undefined) return;
    if (isOnlyStored(field.schema, value as Scalar) && !op.trusted) checkOnlyStored(field, value, op, current);
    field.toStore(value, draft, op, current);
  });
  if (!op.trusted) placeBelowParent(draft, op, current);
  if (current && !op.trusted) {
    checkWrittenOnce(draft, op, current);
    fillAtUpdate(draft, op, current);
  }
  await checkReferences(draft, op, current);
}

/** Completes the draft after the input hooks. */
export function completeDraft(draft: Draft, op: Operation, current?: Row): void {
  eachText(op.model.derive, (derive) => derive(draft, op, current));
}

/**
 * Rejects texts of which sanitizing has left what their rule refuses: an empty one, or a key that no URL can contain.
 * @throws ResourceError 400 with all of them
 */
export function checkSanitized({ values, row }: Draft, op: Operation): void {
  if (op.trusted) return;
  const issues = Object.entries(values).flatMap(([name, sent]) => {
    const field = op.model.fields.get(name);
    const stored = field?.schema.sanitize === undefined ? undefined : row[field.column!];
    if (!field || typeof stored !== 'string' || stored === sent) return [];
    if (stored !== '' && field !== op.model.key) return [];
    const checked = field.rule(stored, name);
    if (!('issue' in checked)) return [];
    const message = `${checked.issue.message} Of the text that was sent, ${JSON.stringify(stored)} is left without markup.`;
    return [{ ...checked.issue, message: ownMessage(field.schema, checked.issue.code) ?? message }];
  });
  if (issues.length > 0) throw invalidParams(issues);
}

/** A new item lies below the parent in its path, whatever was sent; one without a parent would have no path. */
function placeBelowParent({ row }: Draft, { model: { parent }, parentId }: Operation, current?: Row): void {
  if (!parent) return;
  const { column, name } = parent.field;
  if (!current) row[column!] = parentId;
  else if (row[column!] !== undefined && !row[column!]) rejectValue(parent.field, `${name} must be the id of an item.`);
}

/** Whether a value is only accepted when it is the stored one; `*` stands for any that `enum` does not contain. */
function isOnlyStored({ allowStored, enum: allowed = [] }: FieldSchema, value: Scalar): boolean {
  return (
    allowStored !== undefined &&
    value !== null &&
    (allowStored.includes(value) || (allowStored.includes('*') && !allowed.includes(value)))
  );
}

function checkOnlyStored(field: FieldModel, value: unknown, op: Operation, current: Row | undefined): void {
  if (current && current[field.column!] === value && isSeen(field, op)) return;
  const reason = field.schema.enum ? mustBe(field.schema.enum) : `cannot be set to ${String(value)}`;
  const code = field.schema.allowStored?.includes('*') ? 'rest_invalid_param' : 'rest_not_in_enum';
  const message = ownMessage(field.schema, code) ?? `${field.name} ${reason}.`;
  throw invalidParams([{ param: field.name, code, message }]);
}

/** Rejects changes of `writeOnce` values that are set. */
function checkWrittenOnce(draft: Draft, op: Operation, current: Row): void {
  const issues = Object.keys(draft.values).flatMap((name) => {
    const field = op.model.fields.get(name)!;
    const { schema, column = '' } = field;
    if (!schema.writeOnce) return [];
    const stored = current[column];
    const isEmpty = stored === null || stored === '' || stored === emptyOf(field, op);
    // Otherwise the response would reveal whether a guess is right.
    const isSame = isSameValue(field, plain(draft.row[column]), stored) && isSeen(field, op);
    if (isEmpty || isSame) return [];
    const message =
      ownMessage(schema, 'rest_write_once') ?? `${name} is set already and cannot be changed. Leave it out.`;
    return [{ param: name, code: 'rest_write_once', message }];
  });
  if (issues.length > 0) throw invalidParams(issues);
}

/** Whether the caller could read the stored value. */
function isSeen({ name, contexts }: FieldModel, op: Operation): boolean {
  return op.ruleResults[`read:${name}`] !== false && [...contexts].some((context) => readsIn(op, context));
}

/** What is stored while nothing was sent; undefined where a default was. A reference can lose its item: 0 is always empty. */
function emptyOf({ schema, column, defaultValue, generates, targets, toStore }: FieldModel, op: Operation): unknown {
  if (targets) return 0;
  if (schema.default !== undefined || generates?.create || defaultValue === undefined) return undefined;
  const unsent: Draft = { values: {}, row: {}, many: {}, meta: {} };
  toStore!(defaultValue, unsent, op);
  return plain(unsent.row[column!]);
}

function fillAtUpdate(draft: Draft, op: Operation, current: Row): void {
  for (const { generates, toStore } of op.model.fields.values())
    if (generates?.update) toStore!(generates.update(op), draft, op, current);
}

async function checkReferences(draft: Draft, op: Operation, current?: Row): Promise<void> {
  for (const field of op.model.fields.values()) {
    if (field.schema.onMissing === 'keep' || !(field.targets ?? field.many?.target)) continue;
    if (!(field.name in draft.values)) await dropDeletedDefault(field, draft, op);
    else if (field.targets) await checkReference(field, draft, op, current);
    else await checkMany(field, draft, op);
  }
}

/** The item that the default of a field names may be deleted, and this process may not know yet which one it names now. */
async function dropDeletedDefault(field: FieldModel, { row }: Draft, op: Operation): Promise<void> {
  const { targets, column, generates } = field;
  // The parent in the path has been looked up.
  if (!targets || generates || field === op.model.parent?.field) return;
  if (op.kind !== 'create' || op.trusted || !row[column!]) return;
  if (!(await leads(field, row[column!] as number, op))) row[column!] = 0;
}

/** Whether an item that a field may refer to has this id. */
async function leads({ targets }: FieldModel, id: number, op: Operation): Promise<boolean> {
  const kinds = or(...targets!.map((target) => target.rowScope));
  const where = and(equals('id', id), kinds);
  return id > 0 && (await op.store.first(targets![0]!.table!.name, ['id'], where)) !== undefined;
}

async function checkReference(field: FieldModel, draft: Draft, op: Operation, current?: Row): Promise<void> {
  const id = draft.row[field.column!] as number;
  if (!id) return field.required ? rejectValue(field, `${field.name} must be the id of an item.`) : undefined;
  // The item may have been deleted since: what is stored can be sent back.
  if (id === current?.[field.column!] || (await leads(field, id, op))) return;
  if (field.schema.onMissing === 'drop') draft.row[field.column!] = 0;
  else rejectValue(field, missingText(field.targets!, [id]));
}

async function checkMany(field: FieldModel, draft: Draft, op: Operation): Promise<void> {
  const ids = draft.many[field.name] ?? [];
  const target = field.many!.target!;
  if (ids.length === 0) return;
  const found = await op.store.select(targetsQuery(op, field, ids));
  const known = new Set(found.map((row) => row['id'] as number));
  const missing = ids.filter((id) => !known.has(id as number));
  if (missing.length > 0 && field.schema.onMissing !== 'drop') rejectValue(field, missingText([target], missing));
  draft.many[field.name] = ids.filter((id) => known.has(id as number));
  (draft.shown ??= {})[field.name] = [...known];
}

function missingText(targets: readonly ResourceModel[], ids: readonly unknown[]): string {
  const nouns = [...new Set(targets.map(({ labels }) => nounOf(labels)))].join(' or ');
  return `There is no ${nouns} with ID ${ids.join(', ')}.`;
}

function rejectValue(field: FieldModel, reason: string): never {
  if (field.schema.error) throw new ResourceError(field.schema.error, { status: 400, message: reason });
  const message = ownMessage(field.schema, 'rest_invalid_param') ?? reason;
  throw invalidParams([{ param: field.name, code: 'rest_invalid_param', message }]);
}

/** Booleans as they are stored. */
function plain(value: unknown): any {
  return typeof value === 'boolean' ? Number(value) : value;
}

/**
 * Columns of the draft that differ from the stored ones. Derived columns are not read before a write: they count as
 * changed only where another column changes.
 */
export function changedColumns({ row }: Draft, current: Row, { table }: ResourceModel): Row {
  const changes: Row = {};
  let isChange = false;
  for (const [column, value] of Object.entries(row)) {
    const stored = plain(value);
    if (stored === undefined || stored === current[column]) continue;
    changes[column] = stored;
    isChange ||= column in current || !table!.columns.get(column)?.derived;
  }
  return isChange ? changes : {};
}
