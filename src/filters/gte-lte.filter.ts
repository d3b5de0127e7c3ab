// Items whose number or date is at least or at most the value.
import { storedDateTime } from '../fields/datetime.field.js';
import { DEFAULT_CLOCK } from '../values/date-time.js';
import type { Filter } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import { filterableField } from '../model/functions/filterable-field.js';
import { hasDate } from '../model/functions/missing-date.js';
import { TRUE } from '../model/query.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';

const TYPES = ['integer', 'number', 'decimal', 'date', 'datetime', 'time', 'id'];

function valueFor({ type }: FieldSchema): ValueSchema {
  if (type === 'date' || type === 'time' || type === 'decimal') return { type: 'string', format: type };
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
      const { compared = (value: Scalar) => value } = field;
      const given = op === 'le' ? hasDate(field) : TRUE;
      if (field.type !== 'datetime')
        return (value, plan) => void plan.where.push(given, { op, column, value: compared(value) });
      const clock = field.schema.clock ?? DEFAULT_CLOCK;
      return (value, plan, { site }) =>
        void plan.where.push(given, { op, column, value: storedDateTime(value, clock, site.settings.timezone) });
    },
  };
}

export const gteFilter = bound('gte', 'ge', 'at least');
export const lteFilter = bound('lte', 'le', 'at most');
