// Whether a step of a policy applies to an operation, and the row that its rule is evaluated on.
import { isSameValue } from '../../model/functions/same-value.js';
import type { FieldModel } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import type { PolicyStep } from '../../model/permissions.js';
import type { Draft, Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';

/** Whether a step is about a reference in the body. */
export function refers(step: PolicyStep, model: ResourceModel): boolean {
  return step.field?.some((name) => model.fields.get(name)?.type === 'reference') ?? false;
}

/**
 * The row of an operation as it would become: stored values, discriminator, parent, and the references that were sent.
 */
export function virtualRow(op: Operation, current?: Row): Row {
  const row: Row = { ...current, ...op.model.discriminator };
  for (const field of op.model.fields.values()) {
    if (field.column && field.type === 'reference')
      row[field.column] = idOf(sentValue(field, op) ?? current?.[field.column]);
  }
  if (op.model.parent) row[op.model.parent.field.column!] = op.parentId;
  return row;
}

// An id that failed validation may have any type.
function idOf(value: unknown): number {
  return Number.isSafeInteger(Number(value ?? 0)) ? Number(value ?? 0) : 0;
}

/** Whether a step is about what was sent. `current`: the stored row, for steps about values that change. */
export function stepApplies(step: PolicyStep, op: Operation, current?: Row): boolean {
  if (step.field) return step.field.some((name) => isGiven(step, name, op, current));
  if (step.param === undefined) return true;
  const value = op.params[step.param];
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false;
  return stepMatches(step, [value].flat(), op.actor.id);
}

function isGiven(step: PolicyStep, name: string, op: Operation, current?: Row): boolean {
  const field = op.model.fields.get(name);
  const value = field && !field.readOnly ? sentValue(field, op) : (op.raw[name] ?? undefined);
  if (value === undefined) return false;
  // Callers who may not see the stored value must not learn whether it equals the one sent.
  const unseen = op.ruleResults[`read:${name}`] === false;
  if (step.changed && current && !unseen && !isChanged(name, value, op, current)) return false;
  return stepMatches(step, [value].flat() as any[], op.actor.id);
}

/** The value sent; null empties a field, a reference is 0 then. Undefined where nothing was sent. */
function sentValue(field: FieldModel, op: Operation): unknown {
  const value = op.values[field.name];
  if (value !== null) return value;
  // A new field that nothing fills is empty anyway.
  const filled = field.schema.default ?? field.defaultSetting ?? field.generates?.create;
  if (op.kind === 'create' && filled === undefined) return undefined;
  return field.type === 'reference' ? 0 : null;
}

function isChanged(name: string, value: unknown, op: Operation, current: Row): boolean {
  const field = op.model.fields.get(name);
  if (field?.column && field.toStore && !field.readOnly) {
    const draft: Draft = { values: {}, row: {}, many: {}, meta: {} };
    field.toStore(value, draft, op, current);
    const stored = draft.row[field.column];
    return !isSameValue(field, typeof stored === 'boolean' ? Number(stored) : stored, current[field.column]);
  }
  const before = field?.column ? current[field.column] : current[`#${name}`];
  if (Array.isArray(value)) return JSON.stringify([...value].sort()) !== JSON.stringify([...(before ?? [])].sort());
  return (typeof value === 'boolean' ? Number(value) : value) !== before;
}

/** Whether one of the values sent meets the conditions of a step. */
function stepMatches(step: PolicyStep, values: readonly Scalar[], actorId: number): boolean {
  if (step.in && !values.some((value) => step.in!.includes(value))) return false;
  if (step.notIn && values.every((value) => step.notIn!.includes(value))) return false;
  if (step.notSelf && values.every((value) => value === actorId || value === 0)) return false;
  return true;
}
