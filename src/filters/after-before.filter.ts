// Items later or earlier than a date-time, both bounds exclusive.
import { storedDateTime } from '../fields/datetime.field.js';
import { DEFAULT_CLOCK } from '../values/date-time.js';
import type { Filter } from '../model/registry.js';
import { filterableField } from '../model/functions/filterable-field.js';
import { hasDate } from '../model/functions/missing-date.js';
import { TRUE } from '../model/query.js';

const TYPES = ['date', 'datetime', 'time'];

function bound(name: 'after' | 'before', op: 'gt' | 'lt'): Filter {
  return {
    name,
    description: `Items whose date \`field\` lies ${name} the value (exclusive).`,
    value: { type: 'string', format: 'date-time' },
    valueFor: ({ type }) => ({ type: 'string', format: type === 'datetime' ? 'date-time' : type }),
    compile(param, model, report) {
      const field = filterableField(param, model, report, 'column', TYPES);
      if (!field) return undefined;
      const clock = field.schema.clock ?? DEFAULT_CLOCK;
      const { compared } = field;
      const given = op === 'lt' ? hasDate(field) : TRUE;
      if (compared)
        return (value, plan) => void plan.where.push(given, { op, column: field.column!, value: compared(value) });
      const day = field.type === 'date';
      return (value, plan, request) => {
        const stored = day ? value.slice(0, 10) : storedDateTime(value, clock, request.site.settings.timezone);
        plan.where.push(given, { op, column: field.column!, value: stored });
      };
    },
  };
}

export const afterFilter = bound('after', 'gt');
export const beforeFilter = bound('before', 'lt');
