// The locks of a write while others run concurrently. Traits lock in their hooks what only they know about: a slug, a
// name among siblings.
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import type { LockNeeds } from '../../model/store.js';

/**
 * The locks of a write: exclusive ones on the item that it changes, on its parent and on the key under which its
 * response is stored; shared ones on the items that it refers to. Undefined for a write that runs alone: every
 * deletion, because anything may refer to the deleted item.
 */
export function locksOf(op: Operation): LockNeeds | undefined {
  const { model, kind, id, parentId, idempotency } = op;
  if (!model.sideBySide || kind === 'delete' || op.trusted) return undefined;
  const names = kind === 'update' ? [itemLock(model, id)] : [];
  if (model.parent) names.push(itemLock(model.parent.model, parentId));
  if (idempotency) names.push(`idempotency ${idempotency.key}`);
  return { names, shared: referencesOf(op), kind: `${kind} ${model.name}`, early: true };
}

function referencesOf({ model, values }: Operation): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name);
    const target = field?.targets?.[0] ?? field?.many?.target;
    if (!target?.table) continue;
    for (const id of [value].flat()) if (typeof id === 'number' && id > 0) names.push(itemLock(target, id));
  }
  return names;
}

// Resources of one table share its ids.
function itemLock({ table }: ResourceModel, id: number | string): string {
  return `item ${table!.name} ${String(id).toLowerCase()}`;
}
