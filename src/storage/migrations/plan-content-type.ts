// Plans changes of the content type of a column, beyond its SQL type.
import { sameColumnType } from './column-type.js';
import type { ColumnType, LiveField } from '../sql/migration-dialect.js';
import { dataCheck, type Step, stepOf, type TablePlan, wording } from './step.js';
import type { ColumnModel } from '../../model/table.js';

/**
 * Content types that must not be reinterpreted: a JSON field could not show arbitrary texts, hashes would be exposed.
 */
const INCONVERTIBLE: readonly (string | undefined)[] = ['object', 'array', 'json', 'hash'];

/**
 * The step for a column that keeps its SQL type but changes its content type, or the data checks that accompany a type
 * change: for example, texts that are not dates must not end up in a date field.
 */
export function semanticChangeStep(
  plan: TablePlan,
  column: ColumnModel,
  live: LiveField,
  { from, to }: { from: ColumnType; to: ColumnType },
  name: string,
): Step | undefined {
  const before = plan.previousTypes?.get(`${plan.table.name}.${live.origin}`);
  const after = column.contentType;
  const known = plan.previousTypes !== undefined;
  const changed = known ? before !== after : after !== undefined && !sameColumnType(from, to);
  if (!changed || (after === undefined && !INCONVERTIBLE.includes(before))) return undefined;
  // Every object and array is JSON.
  if (after === 'json' && (before === 'object' || before === 'array')) return undefined;
  // The JSON text of an object or array is a valid text.
  if (after === undefined && before !== 'hash' && to.family === 'text') return undefined;
  const conversion = `from ${before ?? 'text'} to ${after ?? 'text'}`;
  const text = from.family === 'text';
  const form = formOf(plan, after, name);
  const fits = form ? `(${name} = '' OR ${form.holds})` : `${name} = ''`;
  const fine = text ? fits : '1 = 0';
  const check = dataCheck(plan, `${name} IS NOT NULL AND NOT (${fine})`, {
    risk: 'refused',
    why:
      form && text
        ? wording('value does not have', 'values do not have', `the form of ${form.noun}`)
        : wording('value would change its', 'values would change their', `meaning, ${conversion}`),
    hint: 'Change these values first, or keep the old type and use another column ("column" of the field).',
  });
  return { ...stepOf(plan, 'convert column', column.name, 'safe', conversion), checks: [check] };
}

const FORMS: Partial<Record<string, string>> = {
  date: 'dates (YYYY-MM-DD)',
  datetime: 'dates and times (YYYY-MM-DDTHH:MM:SS)',
  time: 'times of day (HH:MM:SS)',
  uuid: 'UUIDs in lower case',
};

/** The text format of a content type, and its SQL condition; undefined for types without one. */
function formOf(
  { migration }: TablePlan,
  type: string | undefined,
  name: string,
): { noun: string; holds: string } | undefined {
  const noun = FORMS[type ?? ''];
  if (!noun) return undefined;
  if (type === 'date' || type === 'datetime') return { noun, holds: migration.isDate(name, type) };
  return { noun, holds: migration.hasFormat(name, type === 'time' ? 'time' : 'uuid') };
}
