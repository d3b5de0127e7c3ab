// Items whose field holds any of the values.
import type { Filter } from '../model/registry.js';
import { filterableField, FILTERABLE_TYPES, containsAny, listFor } from '../model/filterable-field.js';

export const anyFilter: Filter = {
  name: 'any',
  description: 'Items whose `field` holds any of the values; no value, no restriction.',
  value: { type: 'array', items: { type: 'integer' } },
  valueFor: listFor,
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'any', FILTERABLE_TYPES);
    if (!field) return undefined;
    return (values, plan) => {
      if (values.length > 0) plan.where.push(containsAny(field, values));
    };
  },
};
