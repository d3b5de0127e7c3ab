// Refuses values of fields and members that the caller may not set; keeps members that they can neither see nor set.
import { isDeepStrictEqual } from 'node:util';
import { ResourceError } from '../errors/resource-error.js';
import { isSameValue } from '../model/functions/same-value.js';
import type { RightModel } from '../model/permissions.js';
import type { Operation, Draft } from '../model/operation.js';
import type { Row } from '../model/query.js';
import { changedColumns } from './writes/draft.js';
import { restrictionsOf } from './rights/field-rights.js';
import { evaluate } from './rights/evaluate.js';
import { mergeProtected, type MemberAccess } from './rights/protected-members.js';
import { changesMeta } from './write-meta.js';
import { loadValues } from './write-relations.js';
import type { FieldModel } from '../model/field.js';

/**
 * Refuses fields that the caller may set in no row.
 * @throws ResourceError `rest_forbidden_field`
 */
export function refuseFields(op: Operation): void {
  const { never } = restrictionsOf('write', op.model, op.actor);
  refuse(never.filter(({ path, name }) => path.length === 1 && isSent(op, name)).map(({ name }) => name));
}

/**
 * Refuses fields and members of a new item that the caller may not set in it.
 * @throws ResourceError `rest_forbidden_field`
 */
export async function checkNewFields(op: Operation, row: Row): Promise<void> {
  const sent = sentRights(op);
  if (sent.length === 0) return;
  const { never, some } = restrictionsOf('write', op.model, op.actor);
  const refused = new Set(never.map(({ name }) => name));
  for (const { right, rows } of some) if (!(await evaluate(rows, row, op.store))) refused.add(right.name);
  if (refused.size === 0) return;
  refuse(sent.filter(({ name }) => refused.has(name)).map(({ name }) => name));
  const access: MemberAccess = { sees: () => true, sets: ({ name }) => !refused.has(name), refuse: refuseOne };
  for (const right of sent) if (right.members) mergeProtected(right, op.values[right.name], undefined, access);
}

/**
 * Refuses changes of fields and members that the caller may not set in a stored item, and copies the members that they
 * can neither see nor set into the values sent, which would replace them. Sending back a value that the caller may see
 * is no change; one that they may not see is always refused, since the response would reveal whether they guessed it.
 * @throws ResourceError `rest_forbidden_field`
 */
export async function checkFieldWrites(op: Operation, current: Row): Promise<void> {
  const refused: string[] = [];
  for (const right of sentRights(op)) {
    const field = op.model.fields.get(right.name)!;
    if (!holds(op, 'write', right)) {
      if (!holds(op, 'read', right) || (await isChanged(field, op, current))) refused.push(right.name);
    } else if (right.members) copyProtectedMembers(right, field, op, current);
  }
  refuse(refused);
}

function sentRights(op: Operation): RightModel[] {
  return [...(op.model.rights?.fields.values() ?? [])].filter(({ name }) => isSent(op, name));
}

function isSent(op: Operation, name: string): boolean {
  return op.values[name] !== undefined;
}

/** Whether a right holds in the loaded row. */
function holds(op: Operation, kind: 'read' | 'write', right: RightModel): boolean {
  return right[kind] === undefined || op.ruleResults[`${kind}:${right.name}`] === true;
}

function copyProtectedMembers(right: RightModel, field: FieldModel, op: Operation, current: Row): void {
  const stored = storedValue(field, current);
  const access: MemberAccess = {
    sees: (member) => holds(op, 'read', member),
    sets: (member) => holds(op, 'write', member),
    refuse: refuseOne,
  };
  op.values[field.name] = mergeProtected(right, op.values[field.name], stored, access);
}

function storedValue({ column }: FieldModel, current: Row): unknown {
  const text = column === undefined ? undefined : current[column];
  if (typeof text !== 'string') return text ?? undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether storing the value sent would change the item. */
async function isChanged(field: FieldModel, op: Operation, current: Row): Promise<boolean> {
  if (field.meta) return changesMeta(field, op, current);
  if (!field.toStore) return true;
  const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
  field.toStore(op.values[field.name], draft, op, current);
  const changes = Object.entries(changedColumns(draft, current, op.model));
  if (changes.some(([column, value]) => !isSameValue(field, value, current[column]))) return true;
  const wanted = draft.many[field.name];
  if (!wanted || !field.many) return false;
  const stored = await loadValues(op.tx!, field.many, current['id']);
  // Only lists of strings are ordered.
  const comparable = (values: readonly unknown[]) => (field.many!.value === 'value' ? [...values] : [...values].sort());
  return !isDeepStrictEqual(comparable(wanted), comparable(stored));
}

function refuse(names: readonly string[]): void {
  if (names.length > 0) throw forbidden(names);
}

function refuseOne(name: string): never {
  throw forbidden([name]);
}

function forbidden(names: readonly string[]): ResourceError {
  return new ResourceError('rest_forbidden_field', {
    message: `You may not set ${names.join(', ')}. Leave it out.`,
    data: { params: [...names] },
  });
}
