// Narrows a list by the ids a field holds, in place of the plain parameters that would. Called by the kinds about ids and slugs.
import { and, FALSE } from '../../model/query.js';
import { holdsAll, holdsAny, holdsNone } from '../field-of.js';
import { plainParams, replace } from './argument-fields.js';
/** Membership in a field of a resource. No group at all is a question about nothing that exists: the list is empty. */
export function membershipOf(model, field) {
    if (field === model.key && model.integerKey)
        return ownIds(field);
    const within = plainParams(model, [field], ['any', 'equals']);
    const without = plainParams(model, [field], ['none']);
    return {
        any(groups, asked) {
            replace(within, asked);
            asked.plan.where.push(holdsAny(field, groups.flat()));
        },
        all(groups, asked) {
            replace(within, asked);
            const single = groups.every((group) => group.length === 1);
            const whole = single ? holdsAll(field, groups.flat()) : and(...groups.map((group) => holdsAny(field, group)));
            asked.plan.where.push(groups.length === 0 ? FALSE : whole);
        },
        none(groups, asked) {
            replace(without, asked);
            asked.plan.where.push(holdsNone(field, groups.flat()));
        },
    };
}
/** The standard parameter keeps the ids that are asked for first, because `orderby=include` reads them there. */
function ownIds(field) {
    const any = (groups, asked) => {
        const ids = groups.flat();
        if (ids.length === 0 || asked.replaced.has('include'))
            asked.plan.where.push(holdsAny(field, ids));
        else
            asked.op.params['include'] = ids;
        asked.replaced.add('include');
    };
    return {
        any,
        all: any,
        none(groups, asked) {
            replace(['exclude'], asked);
            asked.plan.where.push(holdsNone(field, groups.flat()));
        },
    };
}
