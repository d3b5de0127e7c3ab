// Accounts whose roles grant a capability: author lists, and protection of the last account that can assign roles.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, oneOf, type Predicate } from '../../model/query.js';
import type { AccountOptions } from './options.js';

/** Narrows a list to the holders of a capability, whether or not the caller could read them otherwise. */
export function scopeToRoles(
  model: ResourceModel,
  options: AccountOptions,
  capability: string,
  plan: ListPlan,
  op: Operation,
): void {
  plan.where.push(holders(model, options, capability, op));
  plan.readDecided = true;
}

/**
 * Throws `refusal` when no other account could assign roles.
 * @throws ResourceError for the last holder of the capability `promote`
 */
export async function keepOneHolder(
  model: ResourceModel,
  options: AccountOptions,
  id: number,
  refusal: { code: string },
  op: Operation,
): Promise<void> {
  // Two holders who remove each other at the same time would both find the other one.
  op.tx!.alone();
  const table = model.table!.name;
  const all = and(model.rowScope, holders(model, options, options.promote, op));
  if (!(await op.store.first(table, ['id'], and(equals('id', id), all)))) return;
  if ((await op.tx!.count(table, all)) < 2) throw new ResourceError(refusal.code, { status: 403 });
}

function holders(model: ResourceModel, { roles }: AccountOptions, capability: string, op: Operation): Predicate {
  const many = model.fields.get(roles)?.many;
  const names = op.site.roleNames().filter((role) => op.site.capabilitiesOf([role]).has(capability));
  if (!many || names.length === 0) return { op: 'false' };
  return { op: 'exists', table: many.table, outer: 'id', inner: 'owner_id', where: oneOf(many.value, names) };
}
