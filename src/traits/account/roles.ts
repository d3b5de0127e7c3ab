// Permission to assign roles.
import { ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation, Draft } from '../../model/operation.js';
import { equals, type Row } from '../../model/query.js';
import { requireOtherHolder } from './capability-holders.js';
import type { AccountOptions } from './options.js';

/**
 * Rejects what would give a credential with a scope an account without one: passwords of stored accounts, and roles.
 * @throws ResourceError `rest_forbidden_scope`
 */
export function withinScope({ password, roles }: AccountOptions, { actor, kind, values }: Operation): void {
  const names = [...(kind === 'update' ? [password] : []), roles].filter((name) => values[name] !== undefined);
  if (!actor.scope || names.length === 0) return;
  const message = `A password with a scope cannot set ${names.join(' and ')}. Leave that out, or use another password.`;
  throw new ResourceError('rest_forbidden_scope', { message });
}

/**
 * Permissions that an update needs besides the policy of the schema: roles need `promote`, everything else the rule
 * `edit`, so that a request with roles alone needs `promote` alone. Roles sent back unchanged count as not sent.
 */
export async function authorizeRoles(
  model: ResourceModel,
  { roles, promote }: AccountOptions,
  op: Operation,
): Promise<void> {
  const sent = op.values[roles];
  if (sent !== undefined) {
    const wanted = (sent ?? []) as string[];
    const stored = await rolesOf(model, roles, op.id as number, op);
    const may = op.actor.capabilities.has(promote);
    const same = wanted.every((role, place) => (may ? stored[place] === role : stored.includes(role)));
    if (same && wanted.length === stored.length) delete op.values[roles];
    else if (!may) throw new ResourceError('rest_cannot_edit_roles');
  }
  const others = Object.keys(op.values).some((name) => name !== roles);
  if (others && !op.ruleResults['edit']) throw new ResourceError(model.errors.update, { like: 'rest_cannot_edit' });
}

/**
 * Rejects roles that do not exist, that the caller may not assign, or that would leave no account able to assign roles.
 */
export async function checkRoles(
  model: ResourceModel,
  options: AccountOptions,
  draft: Draft,
  op: Operation,
  current?: Row,
): Promise<void> {
  const sent = draft.values[options.roles] as string[] | null | undefined;
  if (sent === undefined) return;
  // `null`, where the field takes it, is none.
  const wanted = sent ?? [];
  const { site, actor } = op;
  const rejection = (status: 400 | 403) => new ResourceError('rest_user_invalid_role', { status });
  if (wanted.some((role) => !site.hasRole(role))) throw rejection(400);
  const grants = (role: string, capability: string) => site.capabilitiesOf([role]).has(capability);
  const me = current !== undefined && current['id'] === actor.id;
  if (me && !(wanted.length > 0 && wanted.every((role) => grants(role, options.keep)))) throw rejection(403);
  const usual = site.settings.defaultRole;
  if (!actor.capabilities.has(options.promote) && wanted.some((role) => role !== usual)) throw rejection(403);
  // Callers who may edit every account can act as any user anyway; others may only grant capabilities they have
  // themselves.
  if (!actor.capabilities.has(options.keep)) {
    const held = current ? [usual, ...(await rolesOf(model, options.roles, current['id'], op))] : [usual];
    const above = (role: string) =>
      [...site.capabilitiesOf([role])].some((capability) => capability !== role && !actor.capabilities.has(capability));
    if (wanted.some((role) => !held.includes(role) && above(role))) throw rejection(403);
  }
  const demoted = current && !wanted.some((role) => grants(role, options.promote));
  if (demoted) await requireOtherHolder(model, options, current['id'], { code: 'rest_user_invalid_role' }, op);
}

/** Gives new accounts without roles the site's default role. */
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
