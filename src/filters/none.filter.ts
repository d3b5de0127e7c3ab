// Items whose field holds none of the values.
import type { Filter } from '../model/registry.js';
import { fieldOf, HELD, holdsNone, listFor } from './field-of.js';

export const noneFilter: Filter = {
  name: 'none',
  description: 'Items whose `field` holds none of the values.',
  value: { type: 'array', items: { type: 'integer' } },
  valueFor: listFor,
  compile(param, model, report) {
    const field = fieldOf(param, model, report, 'any', HELD);
    if (!field) return undefined;
    return (values, plan) => {
      if (values.length > 0) plan.where.push(holdsNone(field, values));
    };
  },
};
