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
      return (values, plan) => {
        if (values.length > 0) plan.where.push(condition(field, values));
      };
    },
  };
}

export const inFilter: Filter = {
  ...membership('in', 'Items whose `field` holds any of the values; no value, no restriction.', '', containsAny),
  groups({ name, field = name }, model) {
    const { column, many } = model.fields.get(field) ?? {};
    return column === undefined || many ? undefined : { column };
  },
};
export const notInFilter = membership('notIn', 'Items whose `field` holds none of the values.', '_exclude', holdsNone);
