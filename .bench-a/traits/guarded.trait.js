// Items as visible as what they refer to: the comments of a post that is private, protected or gone (decisions 14.9, 14.10, 14.14).
import { ResourceError } from '../errors/resource-error.js';
import { and, equals, not, oneOf, or, TRUE } from '../model/query.js';
import { Target } from './guarded/target.js';
const PASSWORD = { type: 'string', description: 'Password of the item it belongs to, if that is protected.' };
export const guardedTrait = {
    name: 'guarded',
    description: 'Rows are read through the reference `through`; the password of a protected target opens them. Rules are yours to write.',
    options: {
        through: { type: 'string', description: 'Reference to the item that decides.', required: true },
        shown: { type: 'string', description: 'Rule of the rows that whoever sees the item sees.' },
        orphans: { type: 'string', description: 'Capability to list rows that belong to none (id 0).' },
    },
    extend(schema) {
        for (const params of ['params', 'itemParams', 'deleteParams']) {
            schema[params] = { password: PASSWORD, ...schema[params] };
        }
    },
    reads: (model, { through }) => [model.fields.get(through).column],
    hooks(model, options) {
        const target = new Target(model, options.through);
        return {
            async authorize(op, current) {
                if (op.kind === 'list')
                    await authorizeList(target, options, op);
                if (op.kind === 'retrieve' && current)
                    await authorizeItem(target, options, op, current);
            },
            scope(plan, op) {
                const opened = op.notes['opened'];
                if (opened === undefined)
                    return;
                const shown = ruleOf(model, options.shown, op);
                plan.notes['skip:read'] = true;
                plan.where.push(or(model.rules.get('read')(op.actor), and(equals(target.column, opened), shown)));
            },
        };
    },
};
function ruleOf(model, name, op) {
    return name === undefined ? TRUE : (model.rules.get(name)?.(op.actor) ?? TRUE);
}
/** Refuses lists of items that the caller may not see; ids that name nothing are no secret and no error. */
async function authorizeList(target, { through, orphans }, op) {
    const ids = (op.params[through] ?? []);
    if (orphans !== undefined && ids.includes(0) && !op.actor.capabilities.has(orphans))
        throw new ResourceError('rest_cannot_read');
    if (ids.every((id) => id <= 0))
        return;
    const where = and(oneOf('id', ids), target.kinds, not(target.visible(op.actor)));
    if (where.op === 'false' || !(await op.store.first(target.table, ['id'], where)))
        return;
    const [only, ...more] = ids;
    if (more.length > 0 || !(await target.opens(only, op.params['password'], op)))
        throw new ResourceError('rest_cannot_read_post');
    op.notes['opened'] = only;
    op.notes['confidential'] = true;
}
/** One row: what it belongs to must exist, and be visible or opened. Rows that belong to none are left to the rules. */
async function authorizeItem(target, { shown }, op, current) {
    const id = current[target.column];
    if (!id)
        return;
    const item = await target.load(id, [], op, { visible: target.visible(op.actor) });
    if (!item)
        throw new ResourceError('rest_post_invalid_id', { status: 404 });
    if (item['visible'])
        return;
    if ((shown === undefined || op.may[shown]) && (await target.opens(id, op.params['password'], op))) {
        passRead(op);
        op.notes['confidential'] = true;
    }
    else if (op.may['read'])
        throw new ResourceError('rest_cannot_read_post');
}
/** Lets the steps hold that ask for the right to read. */
function passRead(op) {
    op.may['read'] = true;
    op.model.policy.retrieve.forEach((step, index) => {
        if (step.error === op.model.errors.read)
            op.may[`retrieve:${index}`] = true;
    });
}
