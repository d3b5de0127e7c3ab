// Items whose number or date is at least or at most the value.
import { isGiven } from './given-date.js';
import { TRUE } from '../model/query.js';
import { storedDateTime } from '../fields/datetime.field.js';
import { DEFAULT_CLOCK } from '../values/date-time.js';
import type { Filter } from '../model/registry.js';
import type { Scalar } from '../model/schema/schema.js';
import { filterableField } from '../model/functions/filterable-field.js';
import type { ValueSchema } from '../model/schema/value-schema.js';
import type { FieldSchema } from '../model/schema/field-schema.js';

const TIMES: ReadonlySet<string> = new Set(['date', 'datetime', 'time']);
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
      const given = op === 'le' && TIMES.has(field.type) ? isGiven(field) : () => TRUE;
      if (field.type !== 'datetime')
        return (value, plan, request) => void plan.where.push(given(request), { op, column, value: compared(value) });
      const clock = field.schema.clock ?? DEFAULT_CLOCK;
      return (value, plan, request) => {
        const stored = storedDateTime(value, clock, request.site.settings.timezone);
        plan.where.push(given(request), { op, column, value: stored });
      };
    },
  };
}

export const gteFilter = bound('gte', 'ge', 'at least');
export const lteFilter = bound('lte', 'le', 'at most');
