// Items whose number is above zero, when asked for: `hide_empty` (decisions 16.4).
import type { Filter } from '../model/registry.js';
import { fieldOf } from './field-of.js';

const TYPES = ['integer', 'number', 'boolean'];

export const presentFilter: Filter = {
  name: 'present',
  description: 'With true: items whose number `field` is above zero.',
  value: { type: 'boolean', default: false },
  compile(param, model, report) {
    const field = fieldOf(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    return (value, plan) => {
      if (value) plan.where.push({ op: 'gt', column: field.column!, value: 0 });
    };
  },
};
