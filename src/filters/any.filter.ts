// Items whose field holds any of the values.
import type { Filter } from '../model/registry.js';
import { fieldOf, HELD, holdsAny, listFor } from './field-of.js';

export const anyFilter: Filter = {
  name: 'any',
  description: 'Items whose `field` holds any of the values; no value, no restriction.',
  value: { type: 'array', items: { type: 'integer' } },
  valueFor: listFor,
  compile(param, model, report) {
    const field = fieldOf(param, model, report, 'any', HELD);
    if (!field) return undefined;
    return (values, plan) => {
      if (values.length > 0) plan.where.push(holdsAny(field, values));
    };
  },
};
