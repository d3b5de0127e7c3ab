// Classifies changes of a column's type, with the data checks that decide their risk.
import type { ColumnType, LiveField } from '../sql/migration-dialect.js';
import {
  type DataCheck,
  dataCheck,
  type Risk,
  type Step,
  type StepKind,
  stepOf,
  type TablePlan,
  wording,
} from './step.js';
import type { ColumnModel } from '../../model/table.js';

const FREE = 1_000_000_000;
const SIGN_AND_POINT = 2;
const EXACT = '9007199254740991';

function widens({ from, to }: { from: ColumnType; to: ColumnType }): boolean {
  const [before, after] = [from.scale ?? 0, to.scale ?? 0];
  return after >= before && to.capacity - after >= from.capacity - before;
}

const SHORT_FOR_INDEX =
  'Change these values first, or take the field out of "index", "unique", "filterable" and "orderby", which need the shorter column.';

function isIndexed({ indexes }: TablePlan['table'], { name }: ColumnModel): boolean {
  return [...indexes.values()].some(({ columns, fulltext }) => !fulltext && columns.includes(name));
}

/** Data check for values of a column that do not satisfy a condition and cannot be converted; `what` they are says why. */
function valuesOutside(plan: TablePlan, name: string, condition: string, what: string): DataCheck {
  return dataCheck(plan, `${name} IS NOT NULL AND NOT (${condition})`, {
    risk: 'refused',
    why: wording('value is', 'values are', what),
    hint: 'Change these values first, or keep the old type and use another column.',
  });
}

/** The step from one type to another: its risk follows from what the types can hold and from what the rows contain. */
export function typeChangeStep(
  plan: TablePlan,
  column: ColumnModel,
  live: LiveField,
  form: { from: ColumnType; to: ColumnType },
  name: string,
): Step {
  const { from, to } = form;
  const { migration } = plan;
  const conversion = `from ${live.type || 'no type'} to ${migration.typeText(plan.withLeftovers ?? plan.table, column)}`;
  const step = (kind: StepKind, risk: Risk, checks?: DataCheck[]): Step => ({
    ...stepOf(plan, kind, column.name, risk, conversion),
    ...(checks ? { checks: checks } : {}),
  });
  const refused = (why: string, hint: string): Step => ({
    ...step('convert column', 'refused'),
    why: `${conversion}: ${why}`,
    hint,
  });
  const unless = (condition: string, what: string) => [valuesOutside(plan, name, condition, what)];
  const shortOf = (text: string) =>
    unless(`${migration.characters(text)} <= ${to.capacity}`, `longer than ${to.capacity} characters`);
  const short = shortOf(name);
  const foreign = `not of type ${to.family === 'double' ? 'number' : to.family}`;
  const decimals =
    to.family === 'decimal'
      ? unless(
          migration.fitsDecimal(name, form),
          `not of type decimal with ${to.capacity} digits, ${to.scale} after the decimal point`,
        )
      : [];
  switch (`${from.family} ${to.family}`) {
    case 'text text': {
      if (to.capacity >= from.capacity) return step('widen column', 'safe');
      // An index of the model has no prefix, which one over a text needs.
      const needed = from.loose && isIndexed(plan.table, column);
      const checks = needed ? short.map((look) => ({ ...look, hint: SHORT_FOR_INDEX })) : short;
      // A column wider than the schema requires is harmless.
      return { ...step('narrow column', from.loose ? 'safe' : 'risky', checks), optional: !needed };
    }
    case 'integer integer':
    case 'boolean integer':
      return step(from.family === 'integer' ? 'widen column' : 'convert column', 'safe');
    case 'integer double':
      return step('convert column', 'safe', unless(`ABS(${name}) <= ${EXACT}`, 'too large'));
    case 'integer text':
    case 'boolean text':
      return step('convert column', 'safe', to.capacity < FREE && to.capacity < 20 ? short : undefined);
    case 'double text':
      return step('convert column', 'risky', to.capacity < 24 ? shortOf(migration.textOf(name, 'double')) : undefined);
    case 'text integer':
      return step('convert column', 'risky', unless(migration.isInteger(name), foreign));
    case 'text double':
      return step('convert column', 'risky', unless(migration.numeric(name), foreign));
    case 'text boolean':
      return step('convert column', 'risky', unless(`${name} IN ('0', '1')`, foreign));
    case 'integer boolean':
    case 'double boolean':
      return step('convert column', 'risky', unless(`${name} IN (0, 1)`, foreign));
    case 'double integer':
      return step('convert column', 'risky', unless(`ROUND(${name}) = ${name} AND ABS(${name}) <= ${EXACT}`, foreign));
    case 'decimal decimal':
      return widens(form) ? step('widen column', 'safe') : step('narrow column', 'risky', decimals);
    case 'integer decimal':
    case 'boolean decimal':
      return step('convert column', 'safe', decimals);
    case 'text decimal':
    case 'double decimal':
      return step('convert column', 'risky', decimals);
    case 'decimal text':
      if (to.capacity >= from.capacity + SIGN_AND_POINT) return step('convert column', 'safe');
      return refused('too short for every value', 'Make it longer.');
    case 'decimal double':
      return step('convert column', from.capacity <= 15 ? 'safe' : 'refused');
    case 'decimal integer':
      return step(
        'convert column',
        'risky',
        unless(migration.fitsDecimal(name, { from, to: { ...to, capacity: 15, scale: 0 } }), foreign),
      );
    case 'boolean double':
      return step('convert column', 'safe');
    default:
      return refused('not known how', 'Use a column of another name.');
  }
}
