// Compiles the conditions of rules on fields: `is` of a row itself, `where` of the items that refer to it.
import { parseDecimal } from '../../model/functions/decimal.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { and, oneOf } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Comparison } from '../../model/schema/permission-schema.js';
import { compileComparison, isComparison } from './compile-comparison.js';
import type { Report } from '../../model/option-check.js';

/** Values that fields must have, or how they must compare. */
export type Wanted = Record<string, Scalar | Scalar[] | Comparison>;

/** The column of a field, or a column itself. */
export function columnOf(name: string, model: ResourceModel): string | undefined {
  return model.fields.get(name)?.column ?? (model.static || model.table?.columns.has(name) ? name : undefined);
}

/** A predicate on rows of `model` in which all conditions hold; `path` is their place in the file. */
export function compileValues(
  conditions: Wanted,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const parts = Object.entries(conditions).map(([name, wanted]) =>
    isComparison(wanted)
      ? compileComparison(name, wanted, model, [...path, name], report)
      : compileValue(name, [wanted].flat(), model, [...path, name], report),
  );
  return (actor) => and(...parts.map((part) => part(actor)));
}

function compileValue(
  name: string,
  wanted: readonly Scalar[],
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const column = columnOf(name, model);
  if (!column) report(path, `"${name}" is not a field with a column`);
  const { kind } = model.table?.columns.get(column ?? '') ?? {};
  for (const value of kind === 'decimal' ? wanted : []) {
    if (value !== null && parseDecimal(String(value)) === undefined)
      report(path, `${JSON.stringify(value)} is not a decimal number`);
  }
  const fixed = wanted
    .filter((value) => value !== '$me')
    .map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const always = oneOf(column ?? 'id', fixed);
  if (fixed.length === wanted.length) return () => always;
  // Anonymous callers have no id, and 0 means no account in references.
  return (actor) => (actor.id > 0 ? oneOf(column ?? 'id', [...fixed, actor.id]) : always);
}
