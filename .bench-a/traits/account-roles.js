// Who may give which roles (decisions 15.15, 15.18, 15.20). Called by the trait `account`.
import { ResourceError } from '../errors/resource-error.js';
import { equals } from '../model/query.js';
import { keepOneHolder } from './account-holders.js';
/**
 * Rights that an update needs besides the policy of the schema: roles need `promote`, everything else the rule `edit`,
 * so that a request with nothing but roles needs `promote` alone. Roles sent back unchanged count as not sent (0.16).
 */
export async function authorizeRoles(model, { roles, promote }, op) {
    const wanted = op.values[roles];
    if (Array.isArray(wanted)) {
        const stored = await rolesOf(model, roles, op.id, op);
        const may = op.actor.capabilities.has(promote);
        const same = wanted.every((role, place) => (may ? stored[place] === role : stored.includes(role)));
        if (same && wanted.length === stored.length)
            delete op.values[roles];
        else if (!may)
            throw new ResourceError('rest_cannot_edit_roles');
    }
    const others = Object.keys(op.values).some((name) => name !== roles);
    if (others && !op.may['edit'])
        throw new ResourceError(model.errors.update, { like: 'rest_cannot_edit' });
}
/** Refuses roles that do not exist, that the caller may not give, or without which nobody could give any. */
export async function checkRoles(model, options, draft, op, current) {
    const wanted = draft.values[options.roles];
    if (!Array.isArray(wanted))
        return;
    const { site, actor } = op;
    const refuse = (status) => new ResourceError('rest_user_invalid_role', { status });
    if (wanted.some((role) => !site.hasRole(role)))
        throw refuse(400);
    const grants = (role, capability) => site.capabilitiesOf([role]).has(capability);
    const me = current !== undefined && current['id'] === actor.id;
    if (me && !(wanted.length > 0 && wanted.every((role) => grants(role, options.keep))))
        throw refuse(403);
    const usual = site.settings.defaultRole;
    if (!actor.capabilities.has(options.promote) && wanted.some((role) => role !== usual))
        throw refuse(403);
    const demoted = current && !wanted.some((role) => grants(role, options.promote));
    if (demoted)
        await keepOneHolder(model, options, current['id'], { code: 'rest_user_invalid_role' }, op);
}
/** New accounts without roles get the site's default one. */
export function grantDefaultRole({ roles }, draft, op) {
    const usual = op.site.settings.defaultRole;
    if (draft.values[roles] === undefined && op.site.hasRole(usual))
        draft.many[roles] = [usual];
}
async function rolesOf(model, roles, id, op) {
    const many = model.fields.get(roles)?.many;
    if (!many)
        return [];
    const rows = await op.store.select({
        table: many.table,
        columns: [many.value],
        where: equals('owner_id', id),
        order: [{ column: 'position', direction: 'asc' }],
    });
    return rows.map((row) => String(row[many.value]));
}
