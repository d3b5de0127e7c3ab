// Items whose number is positive, when the parameter is true: `hide_empty`.
import type { Filter } from '../model/registry.js';
import { filterableField } from '../model/functions/filterable-field.js';

const TYPES = ['integer', 'number', 'boolean'];

export const positiveFilter: Filter = {
  name: 'positive',
  description: 'With true: items whose number `field` is above zero.',
  value: { type: 'boolean', default: false },
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    return (value, plan) => {
      if (value) plan.where.push({ op: 'gt', column: field.column!, value: 0 });
    };
  },
};
