// Fields that arguments filter by, and the plain parameters they replace.
import type { ResourceModel } from '../../model/model.js';
import type { ArgumentReport, ArgumentSchema, ArgumentContext } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

/** Field named by an option; reports an unknown name. */
export function fieldNamed(
  model: ResourceModel,
  name: unknown,
  option: string,
  report: ArgumentReport,
): FieldModel | undefined {
  const field = typeof name === 'string' ? model.fields.get(name) : undefined;
  if (field && (field.column || field.many)) return field;
  report(option, `must name a field that is stored; "${String(name)}" is none`);
  return undefined;
}

/** Date-time field named by an option; reports an unknown name. */
export function momentField(
  model: ResourceModel,
  name: unknown,
  option: string,
  report: ArgumentReport,
): FieldModel | undefined {
  const field = fieldNamed(model, name, option, report);
  if (!field || field.columns[0]?.kind === 'datetime') return field;
  report(option, `"${field.name}" is not a date-time`);
  return undefined;
}

/** One of several values, the first when none is given; reports any other. */
export function choiceOf<T extends string>(
  schema: ArgumentSchema,
  option: string,
  words: readonly T[],
  report: ArgumentReport,
): T {
  const chosen = words.find((word) => word === (schema[option] ?? words[0]));
  if (!chosen) report(option, `must be one of: ${words.join(', ')}`);
  return chosen ?? words[0]!;
}

/** Members of an object option; reports any other type. */
export function membersOf(value: unknown, option: string, report: ArgumentReport): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  report(option, 'must be an object');
  return [];
}

/** Names of the plain parameters that apply one of the filters to a field. */
export function plainParams(model: ResourceModel, fields: readonly FieldModel[], filters: readonly string[]): string[] {
  const names = new Set(fields.map((field) => field.name));
  return Object.entries(model.schema.params ?? {})
    .filter(([name, { filter, field }]) => filters.includes(filter ?? '') && names.has(field ?? name))
    .map(([name]) => name);
}

/** Removes plain parameters that an argument replaces from the request. */
export function replace(names: readonly string[], { op, replaced }: ArgumentContext): void {
  for (const name of names) {
    replaced.add(name);
    delete op.params[name];
  }
}
