// Read access of a caller to an item: determines the context of the response to a write, and which updates are
// rejected.
import { ResourceError } from '../errors/resource-error.js';
import type { Operation, ReadAccess } from '../model/operation.js';
import { readsIn } from './rights/policy-results.js';
import type { FieldSelection } from '../model/shown.js';

const RANK: Record<ReadAccess, number> = { none: 0, view: 1, edit: 2 };

/** The access of the caller to the item whose checks are in `op.ruleResults`. */
export function readAccessOf(op: Operation): ReadAccess {
  if (readsIn(op, 'edit')) return 'edit';
  return readsIn(op, 'view') ? 'view' : 'none';
}

/** Whether `access` is less access than `other`. */
function isLess(access: ReadAccess, other: ReadAccess): boolean {
  return RANK[access] < RANK[other];
}

/**
 * Sets the context of an operation's response: `edit` for callers who could retrieve the item so, where a field is shown
 * in it, otherwise at most `view`. For a stored item that the caller could not retrieve at all, the response has its key alone.
 */
export function limitResponse(op: Operation, access: ReadAccess): void {
  if (op.context === 'edit' && (access !== 'edit' || !op.model.contexts.includes('edit'))) op.context = 'view';
  if (access === 'none' && op.kind !== 'create') op.fields = keyOf(op);
}

function keyOf({ model, fields }: Operation): FieldSelection {
  const names = ['id', model.key.name].filter((name) => !fields || fields.has(name));
  return {
    key: `key:${names.join(',')}`,
    has: (name) => names.includes(name),
    reaches: ([name]) => names.includes(name!),
    pick: (view) => Object.fromEntries(Object.entries(view).filter(([name]) => names.includes(name))),
  };
}

/**
 * Rejects an update after which the caller sees a field that was hidden from them. Steps of the schema and rules
 * `write` about the fields sent take precedence. `before`: results of the rules before the update.
 * @throws ResourceError with the resource's code for rejected updates
 */
export function rejectWiderFields(op: Operation, before: Readonly<Record<string, boolean>>): void {
  const { rights, policy, errors } = op.model;
  const wider = (rights?.read ?? []).filter(
    ({ name }) => before[`read:${name}`] === false && op.ruleResults[`read:${name}`] === true,
  );
  if (wider.length === 0) return;
  const sent = Object.keys(op.values);
  const decided =
    policy.update.some((step) => step.field?.some((name) => sent.includes(name))) ||
    sent.some((name) => rights!.fields.get(name)?.write !== undefined);
  if (decided) return;
  const names = wider.map(({ name }) => name).join(', ');
  throw new ResourceError(errors.update, {
    like: 'rest_cannot_edit',
    message: `You may not change an item so that you may read its ${names}. Leave out what changes that.`,
  });
}

/**
 * Rejects an update that would give the caller more read access to the item than before. A step of the schema that
 * names one of the fields sent takes precedence.
 * @throws ResourceError with the resource's code for rejected updates
 */
export function rejectWiderAccess(op: Operation, before: ReadAccess, after: ReadAccess): void {
  if (!isLess(before, after)) return;
  const decided = op.model.policy.update.some((step) => step.field?.some((name) => op.values[name] !== undefined));
  if (decided) return;
  throw new ResourceError(op.model.errors.update, {
    like: 'rest_cannot_edit',
    wording: 'You may not change an item so that you may read more of it than before. Leave out what changes that.',
  });
}
