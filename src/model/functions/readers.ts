// Who may read a field, and therefore filter, sort and search by it.
import type { Actor } from '../actor.js';
import type { ResourceModel } from '../model.js';
import type { RuleModel } from '../permissions.js';
import { and, FALSE, type Predicate } from '../query.js';
import type { FieldModel } from '../field.js';

const denyAll: RuleModel = () => FALSE;

/**
 * Rows in which a caller may read every one of the fields; undefined when everyone who reads the row may. Filtering by
 * a field outside these rows would reveal values that the caller may not read. `decided`: a step of the schema decides
 * who may query, in place of the contexts; rules of the fields still apply.
 */
export function guardOf(fields: readonly FieldModel[], model: ResourceModel, decided = false): RuleModel | undefined {
  const rules = [...new Set(fields.flatMap((field) => field.readRules ?? []))];
  const contexts = decided ? undefined : contextGuard(fields, model);
  if (rules.length === 0) return contexts;
  const all = contexts ? [contexts, ...rules] : rules;
  return (actor) => and(...all.map((rule) => rule(actor)));
}

function contextGuard(fields: readonly FieldModel[], model: ResourceModel): RuleModel | undefined {
  if (fields.some((field) => field.readers === 'nobody')) return denyAll;
  return fields.some((field) => field.readers === 'editors') ? (actor) => model.editors(actor) : undefined;
}

/**
 * Fields whose values a column stores or is computed from. A column that belongs to no field of the resource is
 * maintained by traits and holds no value of the resource.
 */
export function fieldsOfColumn(name: string, model: ResourceModel): FieldModel[] {
  const own = [...model.fields.values()].filter(
    (field) =>
      field.name === name ||
      [field.column, field.sortColumn, field.searchColumn].includes(name) ||
      field.columns.some((column) => column.name === name),
  );
  const searched = model.search?.sources.get(name) ?? [];
  return [...own, ...searched];
}

/** Restricts a predicate to the rows in which the guard permits the caller; unchanged without a guard. */
export function withGuard(guard: RuleModel | undefined, actor: Actor, rows: Predicate): Predicate {
  return guard ? and(guard(actor), rows) : rows;
}
