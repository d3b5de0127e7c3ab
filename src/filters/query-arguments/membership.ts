// Narrows a list by the ids in a field, replacing the corresponding plain parameters.
import { and, FALSE } from '../../model/query.js';
import type { ResourceModel } from '../../model/model.js';
import { holdsAll, containsAny, holdsNone } from '../../model/functions/filterable-field.js';
import { plainParams, replace } from './argument-fields.js';
import type { ArgumentContext } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

/** Ways to narrow by a field. Each group is one requested id with its descendants. */
export interface Membership {
  any(groups: number[][], context: ArgumentContext): void;
  all(groups: number[][], context: ArgumentContext): void;
  none(groups: number[][], context: ArgumentContext): void;
}

/** Membership in a field of a resource. Without any group nothing that was requested exists, and the list is empty. */
export function membershipOf(model: ResourceModel, field: FieldModel): Membership {
  if (field === model.key && model.integerKey) return ownIds(field);
  const within = plainParams(model, [field], ['in', 'equals']);
  const without = plainParams(model, [field], ['notIn']);
  return {
    any(groups, context) {
      replace(within, context);
      context.plan.where.push(containsAny(field, groups.flat()));
    },
    all(groups, context) {
      replace(within, context);
      const single = groups.every((group) => group.length === 1);
      const all = single ? holdsAll(field, groups.flat()) : and(...groups.map((group) => containsAny(field, group)));
      context.plan.where.push(groups.length === 0 ? FALSE : all);
    },
    none(groups, context) {
      replace(without, context);
      context.plan.where.push(holdsNone(field, groups.flat()));
    },
  };
}

/** The standard parameter receives the requested ids first, because `orderby=include` reads them there. */
function ownIds(field: FieldModel): Membership {
  const any: Membership['any'] = (groups, context) => {
    const ids = groups.flat();
    if (ids.length === 0 || context.replaced.has('include')) context.plan.where.push(containsAny(field, ids));
    else context.op.params['include'] = ids;
    context.replaced.add('include');
  };
  return {
    any,
    all: any,
    none(groups, context) {
      replace(['exclude'], context);
      context.plan.where.push(holdsNone(field, groups.flat()));
    },
  };
}
