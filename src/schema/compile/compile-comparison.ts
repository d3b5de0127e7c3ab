// Compiles comparisons of a rule: a field with a constant, with the time, or with another field.
import { hasDate, holdsTimes } from '../../model/functions/missing-date.js';
import { canonicalDecimal } from '../../model/functions/decimal.js';
import { ruleTime } from '../../model/runtime/clock.js';
import type { ResourceModel } from '../../model/model.js';
import { and, type Predicate } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Comparison, Operand } from '../../model/schema/permission-schema.js';
import { toWall } from '../../values/date-time.js';
import type { FieldModel } from '../../model/field.js';
import type { Report } from '../../model/option-check.js';

const TYPES = ['integer', 'number', 'decimal', 'date', 'datetime', 'time'];
const OPERATORS = { gt: 'gt', gte: 'ge', lt: 'lt', lte: 'le' } as const;
const MINUTE = 60_000;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const OFFSET = /^([+-]?)(\d{1,6})([mhd])$/;

/** Whether the wanted value of a field is a comparison. */
export function isComparison(wanted: unknown): wanted is Comparison {
  return typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
}

/** The condition of a comparison, built at each evaluation: the current time may be part of it. */
export function compileComparison(
  name: string,
  wanted: Comparison,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): () => Predicate {
  const field = model.fields.get(name);
  if (!model.table || !field?.column || !TYPES.includes(field.type)) {
    report(path, `"${name}" cannot be compared, only fields of the types ${TYPES.join(', ')}`);
    return () => ({ op: 'false' });
  }
  const parts = (Object.entries(wanted) as [keyof typeof OPERATORS, Operand][]).map(([word, operand]) =>
    compileOperand({ field, op: OPERATORS[word] }, operand, model, [...path, word], report),
  );
  const given = hasDate(field);
  return () => and(given, ...parts.map((part) => part()));
}

/** The side of a comparison that is known: a field, and how it is compared. */
interface Compared {
  field: FieldModel;
  op: (typeof OPERATORS)[keyof typeof OPERATORS];
}

function compileOperand(
  compared: Compared,
  operand: Operand,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): () => Predicate {
  const { field, op } = compared;
  const column = field.column!;
  const timed = operand === '$now' || (typeof operand === 'object' && operand !== null && 'now' in operand);
  if (timed && !holdsTimes(field)) report(path, `the time cannot be compared with the type ${field.type}`);
  if (operand === '$now') return () => ({ op, column, value: timeOf(field, ruleTime(), model) });
  if (typeof operand === 'object' && operand !== null) {
    if ('field' in operand) return compareFields(compared, operand.field, model, path, report);
    const shift = offsetOf(operand.now);
    if (shift === undefined) report([...path, 'now'], `"${operand.now}" is not an interval such as -30d, +12h or 15m`);
    return () => ({ op, column, value: timeOf(field, ruleTime() + (shift ?? 0), model) });
  }
  const value = constantOf(field, operand);
  if (value === undefined) report(path, `${JSON.stringify(operand)} is not a value of "${field.name}"`);
  return () => ({ op, column, value: value ?? null });
}

function constantOf(field: FieldModel, operand: Scalar): Scalar | undefined {
  if (operand === null) return undefined;
  const { kind, precision = 0, scale = 0 } = field.columns[0]!;
  if (kind === 'decimal') return canonicalDecimal(operand, { precision, scale });
  const wanted = holdsTimes(field) ? 'string' : 'number';
  if (typeof operand !== wanted) return undefined;
  const checked = field.rule(operand, field.name);
  if ('issue' in checked && checked.issue.code !== 'rest_out_of_bounds') return undefined;
  return field.compared ? field.compared(operand) : operand;
}

function compareFields(
  { field, op }: Compared,
  name: string,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): () => Predicate {
  const other = model.fields.get(name);
  const alike = (one: FieldModel): string => `${one.type} ${one.schema.clock ?? ''} ${one.columns[0]?.scale ?? ''}`;
  if (!other?.column || alike(other) !== alike(field)) {
    report([...path, 'field'], `"${name}" is not a field of the same type as "${field.name}"`);
    return () => ({ op: 'false' });
  }
  const [left, right] = op === 'lt' || op === 'le' ? [field.column!, other.column] : [other.column, field.column!];
  const given = hasDate(other);
  return () => and(given, { op: 'columns', left, compare: op === 'lt' || op === 'gt' ? 'lt' : 'le', right });
}

function offsetOf(text: string): number | undefined {
  const [, sign, amount, unit] = OFFSET.exec(text) ?? [];
  return unit === undefined ? undefined : (sign === '-' ? -1 : 1) * Number(amount) * UNITS[unit]!;
}

/** A moment as the column of a field has it. */
function timeOf({ type, schema }: FieldModel, moment: number, { site }: ResourceModel): string {
  const utc = new Date(moment).toISOString().slice(0, 19);
  if (type === 'datetime' && schema.clock !== 'site') return utc;
  const wall = toWall(utc, site.timezone ?? 'UTC');
  return type === 'date' ? wall.slice(0, 10) : type === 'time' ? wall.slice(11, 19) : wall;
}
