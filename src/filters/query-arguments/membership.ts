// Narrows a list by the ids in a field, replacing the corresponding plain parameters.
import { and, FALSE } from '../../model/query.js';
import type { ResourceModel } from '../../model/model.js';
import { holdsAll, containsAny, holdsNone } from '../../model/functions/filterable-field.js';
import { plainParams, replace } from './argument-fields.js';
import type { ArgumentContext } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

/** Ways to narrow by a field. Each group is one requested id with its descendants. */
export interface Membership {
  any(groups: number[][], asked: ArgumentContext): void;
  all(groups: number[][], asked: ArgumentContext): void;
  none(groups: number[][], asked: ArgumentContext): void;
}

/** Membership in a field of a resource. Without any group nothing that was requested exists, and the list is empty. */
export function membershipOf(model: ResourceModel, field: FieldModel): Membership {
  if (field === model.key && model.integerKey) return ownIds(field);
  const within = plainParams(model, [field], ['in', 'equals']);
  const without = plainParams(model, [field], ['notIn']);
  return {
    any(groups, asked) {
      replace(within, asked);
      asked.plan.where.push(containsAny(field, groups.flat()));
    },
    all(groups, asked) {
      replace(within, asked);
      const single = groups.every((group) => group.length === 1);
      const whole = single ? holdsAll(field, groups.flat()) : and(...groups.map((group) => containsAny(field, group)));
      asked.plan.where.push(groups.length === 0 ? FALSE : whole);
    },
    none(groups, asked) {
      replace(without, asked);
      asked.plan.where.push(holdsNone(field, groups.flat()));
    },
  };
}

/** The standard parameter receives the requested ids first, because `orderby=include` reads them there. */
function ownIds(field: FieldModel): Membership {
  const any: Membership['any'] = (groups, asked) => {
    const ids = groups.flat();
    if (ids.length === 0 || asked.replaced.has('include')) asked.plan.where.push(containsAny(field, ids));
    else asked.op.params['include'] = ids;
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
