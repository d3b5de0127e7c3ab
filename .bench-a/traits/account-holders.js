// Accounts whose roles grant a capability: who counts as an author, and the last one who can give roles (decisions 15.4, 15.32).
import { ResourceError } from '../errors/resource-error.js';
import { and, equals, oneOf } from '../model/query.js';
/** Narrows a list to the holders of a capability, whether or not the caller could read them otherwise. */
export function scopeToRoles(model, options, capability, plan, op) {
    plan.where.push(holders(model, options, capability, op));
    plan.notes['skip:read'] = true;
}
/**
 * Refuses with `refusal` when nobody but this account could give roles.
 * @throws ResourceError for the last holder of the capability `promote`
 */
export async function keepOneHolder(model, options, id, refusal, op) {
    const table = model.table.name;
    const all = and(...Object.entries(model.discriminator).map(([column, value]) => equals(column, value)), holders(model, options, options.promote, op));
    if (!(await op.store.first(table, ['id'], and(equals('id', id), all))))
        return;
    // Two holders who remove each other at once must wait for each other: the update locks, the count then sees what was committed.
    const locked = await op.tx.update(table, { password_changed: { increment: 0 } }, all);
    if (Math.min(locked, await op.tx.count(table, all)) < 2)
        throw new ResourceError(refusal.code, { status: 403 });
}
function holders(model, { roles }, capability, op) {
    const many = model.fields.get(roles)?.many;
    const names = op.site.roleNames().filter((role) => op.site.capabilitiesOf([role]).has(capability));
    if (!many || names.length === 0)
        return { op: 'false' };
    return { op: 'exists', table: many.table, outer: 'id', inner: 'owner_id', where: oneOf(many.value, names) };
}
