// Items whose field equals the value.
import { equals } from '../model/query.js';
import type { Filter } from '../model/registry.js';
import { filterableField, FILTERABLE_TYPES, containsAny } from '../model/filterable-field.js';

const TYPES = [...FILTERABLE_TYPES, 'rendered'];

export const equalsFilter: Filter = {
  name: 'equals',
  description: 'Items whose `field` equals the value.',
  value: {},
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'any', TYPES);
    if (!field) return undefined;
    return (value, plan) => {
      const stored = typeof value === 'boolean' ? (value ? 1 : 0) : value;
      plan.where.push(field.many ? containsAny(field, [stored]) : equals(field.column!, stored));
    };
  },
};
