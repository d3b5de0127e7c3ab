// Items whose number or date is at least or at most the value.
import { storedDateTime } from '../fields/datetime.field.js';
import type { Filter } from '../model/registry.js';
import type { FieldSchema, ValueSchema } from '../model/schema.js';
import { filterableField } from '../model/filterable-field.js';

const TYPES = ['integer', 'number', 'date', 'datetime', 'id'];

function valueFor({ type }: FieldSchema): ValueSchema {
  if (type === 'date') return { type: 'string', format: 'date' };
  return type === 'datetime' ? { type: 'string', format: 'date-time' } : { type: 'number' };
}

function bound(name: string, op: 'ge' | 'le', words: string): Filter {
  return {
    name,
    description: `Items whose \`field\` is ${words} the value.`,
    value: { type: 'number' },
    valueFor,
    compile(param, model, report) {
      const field = filterableField(param, model, report, 'column', TYPES);
      if (!field) return undefined;
      const column = field.column!;
      if (field.type !== 'datetime') return (value, plan) => void plan.where.push({ op, column, value });
      const clock = field.schema.clock ?? 'utc';
      return (value, plan, { site }) =>
        void plan.where.push({ op, column, value: storedDateTime(value, clock, site.settings.timezone) });
    },
  };
}

export const atLeastFilter = bound('at-least', 'ge', 'at least');
export const atMostFilter = bound('at-most', 'le', 'at most');
