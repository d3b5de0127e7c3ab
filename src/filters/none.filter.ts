// Items whose field holds none of the values.
import type { Filter } from '../model/registry.js';
import { filterableField, FILTERABLE_TYPES, holdsNone, listFor } from '../model/filterable-field.js';

export const noneFilter: Filter = {
  name: 'none',
  description: 'Items whose `field` holds none of the values.',
  value: { type: 'array', items: { type: 'integer' } },
  valueFor: listFor,
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'any', FILTERABLE_TYPES);
    if (!field) return undefined;
    return (values, plan) => {
      if (values.length > 0) plan.where.push(holdsNone(field, values));
    };
  },
};
