// Items whose text contains the value, case and accents aside.
import type { Filter } from '../model/registry.js';
import { fold } from '../text/fold.js';
import { fieldOf } from './field-of.js';

const TYPES = ['string', 'text', 'slug', 'rendered'];

export const containsFilter: Filter = {
  name: 'contains',
  description: 'Items whose text `field` contains the value, case and accents aside.',
  value: { type: 'string' },
  compile(param, model, report) {
    const field = fieldOf(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    return (value, plan) => {
      if (value !== '')
        plan.where.push({ op: 'contains', column: field.searchColumn ?? field.column!, value: fold(value) });
    };
  },
};
