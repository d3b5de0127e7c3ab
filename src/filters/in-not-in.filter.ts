// Items whose field holds any, or none, of the values.
import type { Filter } from '../model/registry.js';
import {
  filterableField,
  FILTERABLE_TYPES,
  containsAny,
  holdsNone,
  listFor,
  listKeysFor,
} from '../model/functions/filterable-field.js';
import type { Scalar } from '../model/schema/schema.js';
import { storedMoment } from './stored-moment.js';

function membership(name: string, description: string, ending: string, condition: typeof containsAny): Filter {
  return {
    name,
    compares: true,
    description,
    value: { type: 'array', items: { type: 'integer' } },
    valueFor: listFor,
    ending,
    keysFor: listKeysFor,
    compile(param, model, report) {
      const field = filterableField(param, model, report, 'any', FILTERABLE_TYPES);
      if (!field) return undefined;
      return (values: Scalar[], plan, op) => {
        const stored = values.map((value) => storedMoment(field, value, op));
        if (values.length > 0) plan.where.push(condition(field, stored));
      };
    },
  };
}

export const inFilter: Filter = {
  ...membership('in', 'Items whose `field` holds any of the values; all items if there are none.', '', containsAny),
  groups({ name, field = name }, model) {
    const { column, many, type } = model.fields.get(field) ?? {};
    // A moment is sent in more than one spelling, and the rows hold one.
    return column === undefined || many || type === 'datetime' ? undefined : { column };
  },
};
export const notInFilter = membership('notIn', 'Items whose `field` holds none of the values.', '_exclude', holdsNone);
