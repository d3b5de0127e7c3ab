// Accounts whose roles grant a capability: author lists, and protection of the last account that can assign roles.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { ListPlan } from '../../model/list.js';
import type { Operation } from '../../model/operation.js';
import { and, equals, not, oneOf, type Predicate } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { Reader } from '../../model/store.js';
import type { AccountOptions } from './options.js';

type Roles = Pick<Site, 'roleNames' | 'capabilitiesOf'>;

/** Narrows a list to the holders of a capability, whether or not the caller could read them otherwise. */
export function scopeToRoles(
  model: ResourceModel,
  options: AccountOptions,
  capability: string,
  plan: ListPlan,
  op: Operation,
): void {
  plan.where.push(holders(model, options, capability, op.site));
  plan.readDecided = true;
}

/**
 * Throws `refusal` when no other account could assign roles.
 * @throws ResourceError for the last holder of the capability `promote`
 */
export async function requireOtherHolder(
  model: ResourceModel,
  options: AccountOptions,
  id: number,
  refusal: { code: string },
  op: Operation,
): Promise<void> {
  // Two holders who remove each other at the same time would both find the other one.
  op.tx!.alone();
  const table = model.table!.name;
  const all = and(model.rowScope, holders(model, options, options.promote, op.site));
  if (!(await op.store.first(table, ['id'], and(equals('id', id), all)))) return;
  if ((await op.tx!.count(table, all)) < 2) throw new ResourceError(refusal.code, { status: 403 });
}

/** Whether all accounts that can assign roles are among those with these ids. */
export async function holdAll(
  model: ResourceModel,
  options: AccountOptions,
  ids: readonly number[],
  reader: Reader,
  site: Roles,
): Promise<boolean> {
  const all = and(model.rowScope, holders(model, options, options.promote, site));
  const [own, others] = [and(all, oneOf('id', ids)), and(all, not(oneOf('id', ids)))];
  const table = model.table!.name;
  return (await reader.first(table, ['id'], own)) !== undefined && !(await reader.first(table, ['id'], others));
}

function holders(model: ResourceModel, { roles }: AccountOptions, capability: string, site: Roles): Predicate {
  const many = model.fields.get(roles)?.many;
  const names = site.roleNames().filter((role) => site.capabilitiesOf([role]).has(capability));
  if (!many || names.length === 0) return { op: 'false' };
  return { op: 'exists', table: many.table, outer: 'id', inner: 'owner_id', where: oneOf(many.value, names) };
}
