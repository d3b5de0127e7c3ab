// Items whose field equals the value.
import { equals } from '../model/query.js';
import type { Filter } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import {
  containsAny,
  filterableField,
  FILTERABLE_TYPES,
  listFor,
  valueKeysFor,
} from '../model/functions/filterable-field.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import { storedMoment } from './stored-moment.js';

const TYPES = [...FILTERABLE_TYPES, 'rendered'];

export const equalsFilter: Filter = {
  name: 'equals',
  compares: true,
  description: 'Items whose `field` equals the value.',
  value: { type: 'string' },
  ending: '',
  valueFor: (field) => listFor(field).items as ValueSchema,
  keysFor: valueKeysFor,
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'any', TYPES);
    if (!field) return undefined;
    const { compared = (value: Scalar) => value } = field;
    return (value, plan, op) => {
      const stored = typeof value === 'boolean' ? (value ? 1 : 0) : compared(storedMoment(field, value, op));
      plan.where.push(field.many ? containsAny(field, [stored]) : equals(field.column!, stored));
    };
  },
};
