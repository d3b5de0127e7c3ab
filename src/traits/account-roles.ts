// Who may give which roles (decisions 15.15, 15.18, 15.20). Called by the trait `account`.
import { ResourceError } from '../errors/resource-error.js';
import type { Draft, ResourceModel } from '../model/model.js';
import type { Operation } from '../model/operation.js';
import { equals, type Row } from '../model/query.js';
import type { AccountOptions } from './account.trait.js';
import { keepOneHolder } from './account-holders.js';

/**
 * Rights that an update needs besides the policy of the schema: roles need `promote`, everything else the rule `edit`,
 * so that a request with nothing but roles needs `promote` alone. Roles sent back unchanged count as not sent (0.16).
 */
export async function authorizeRoles(
  model: ResourceModel,
  { roles, promote }: AccountOptions,
  op: Operation,
): Promise<void> {
  const wanted = op.values[roles];
  if (Array.isArray(wanted)) {
    const stored = await rolesOf(model, roles, op.id as number, op);
    const may = op.actor.capabilities.has(promote);
    const same = wanted.every((role, place) => (may ? stored[place] === role : stored.includes(role)));
    if (same && wanted.length === stored.length) delete op.values[roles];
    else if (!may) throw new ResourceError('rest_cannot_edit_roles');
  }
  const others = Object.keys(op.values).some((name) => name !== roles);
  if (others && !op.may['edit']) throw new ResourceError(model.errors.update, { like: 'rest_cannot_edit' });
}

/** Refuses roles that do not exist, that the caller may not give, or without which nobody could give any. */
export async function checkRoles(
  model: ResourceModel,
  options: AccountOptions,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const wanted = draft.values[options.roles] as string[] | undefined;
  if (!Array.isArray(wanted)) return;
  const { site, actor } = op;
  const refuse = (status: 400 | 403) => new ResourceError('rest_user_invalid_role', { status });
  if (wanted.some((role) => !site.hasRole(role))) throw refuse(400);
  const grants = (role: string, capability: string) => site.capabilitiesOf([role]).has(capability);
  const me = current !== undefined && current['id'] === actor.id;
  if (me && !(wanted.length > 0 && wanted.every((role) => grants(role, options.keep)))) throw refuse(403);
  const usual = site.settings.defaultRole;
  if (!actor.capabilities.has(options.promote) && wanted.some((role) => role !== usual)) throw refuse(403);
  // Whoever may change every account can act as anybody anyway; others give nothing that they do not have themselves.
  if (!actor.capabilities.has(options.keep)) {
    const held = current ? [usual, ...(await rolesOf(model, options.roles, current['id'], op))] : [usual];
    const above = (role: string) =>
      [...site.capabilitiesOf([role])].some((capability) => capability !== role && !actor.capabilities.has(capability));
    if (wanted.some((role) => !held.includes(role) && above(role))) throw refuse(403);
  }
  const demoted = current && !wanted.some((role) => grants(role, options.promote));
  if (demoted) await keepOneHolder(model, options, current['id'], { code: 'rest_user_invalid_role' }, op);
}

/** New accounts without roles get the site's default one. */
export function grantDefaultRole({ roles }: AccountOptions, draft: Draft, op: Operation): void {
  const usual = op.site.settings.defaultRole;
  if (draft.values[roles] === undefined && op.site.hasRole(usual)) draft.many[roles] = [usual];
}

async function rolesOf(model: ResourceModel, roles: string, id: number, op: Operation): Promise<string[]> {
  const many = model.fields.get(roles)?.many;
  if (!many) return [];
  const rows = await op.store.select({
    table: many.table,
    columns: [many.value],
    where: equals('owner_id', id),
    order: [{ column: 'position', direction: 'asc' }],
  });
  return rows.map((row) => String(row[many.value]));
}
