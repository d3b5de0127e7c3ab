// Compiles rules about items that refer to this one: users who have published something, books that are lent.
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { and, FALSE, oneOf, or, TRUE, type Predicate } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Operand, RuleSchema } from '../../model/schema/permission-schema.js';
import { addIndex } from './compile-tables.js';
import { isComparison } from './compile-comparison.js';
import { columnOf, compileValues, type Wanted } from './compile-values.js';
import type { Report } from '../../model/option-check.js';

type ReferencedBy = Extract<RuleSchema, { referencedBy: unknown }>;

/** A reference field of another resource whose target is this one. */
interface Referrer {
  model: ResourceModel;
  column: string;
}

/** How often a rule is followed through references to the resources that it has come from, such as up a tree. */
const MAX_ROUNDS = 3;
/** Whether what is evaluated is negated by a rule around it. */
let negated = false;

/** Evaluates a rule whose result will be negated. */
export function negating<T>(evaluate: () => T): T {
  negated = !negated;
  try {
    return evaluate();
  } finally {
    negated = !negated;
  }
}

/**
 * A rule that may come back to itself through references. Whether it holds beyond the last round is unknown: whatever
 * rules are around it, they give no right for it. `there`: rows for which there is something beyond.
 */
export function bounded(rule: RuleModel, there: Predicate = TRUE): RuleModel {
  let rounds = 0;
  return (actor) => {
    if (rounds >= MAX_ROUNDS) return negated ? there : FALSE;
    rounds += 1;
    try {
      return rule(actor);
    } finally {
      rounds -= 1;
    }
  };
}

/** One EXISTS per table, as far as the same columns are compared in the same way, with an index on the reference. */
export function compileReferencedBy(
  rule: ReferencedBy,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const tables = new Map<string, Referrer[]>();
  for (const written of [rule.referencedBy].flat()) {
    const referrer = referrerOf(written, model);
    if (!referrer) {
      report([...path, 'referencedBy'], `"${written}" is not a reference to this resource; write resource.field`);
      continue;
    }
    const key = [referrer.model.table!.name, referrer.column, ...comparedIn(rule.where, referrer.model)].join(' ');
    tables.set(key, [...(tables.get(key) ?? []), referrer]);
  }
  const parts = [...tables.values()].map((referrers) => compileTable(referrers, rule, path, report));
  // The rules of two resources can refer to each other.
  return bounded((actor) => or(...parts.map((part) => part(actor))));
}

/** What the fields are that conditions compare: those of two resources of one table may have columns of their own. */
function comparedIn(where: Wanted = {}, model: ResourceModel): string[] {
  const names = Object.entries(where).flatMap(([name, wanted]) => [
    name,
    ...(isComparison(wanted) ? Object.values(wanted).flatMap((operand) => fieldOf(operand) ?? []) : []),
  ]);
  return names.map((name) => {
    const { type, schema, columns } = model.fields.get(name) ?? {};
    return `${columnOf(name, model)} ${type} ${schema?.clock} ${columns?.[0]?.scale}`;
  });
}

function fieldOf(operand: Operand): string | undefined {
  return typeof operand === 'object' && operand !== null && 'field' in operand ? operand.field : undefined;
}

function referrerOf(written: string, model: ResourceModel): Referrer | undefined {
  const dot = written.lastIndexOf('.');
  const other = model.site.byName.get(written.slice(0, dot));
  const field = other?.fields.get(written.slice(dot + 1));
  if (!other?.table || !field?.column || !field.targets?.includes(model)) return undefined;
  return { model: other, column: field.column };
}

function compileTable(
  referrers: Referrer[],
  { where = {}, rule }: ReferencedBy,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const { model: first, column: inner } = referrers[0]!;
  const table = first.table!;
  const narrowed = compileValues(where, first, [...path, 'where'], report);
  addIndex(table, [
    inner,
    ...Object.keys(first.discriminator),
    ...Object.keys(where).map((name) => first.fields.get(name)?.column ?? name),
  ]);
  const exists = (condition: Predicate): Predicate =>
    condition.op === 'false' ? condition : { op: 'exists', table: table.name, outer: 'id', inner, where: condition };
  if (rule === undefined) {
    const kinds = kindsOf(referrers.map((each) => each.model));
    return (actor) => exists(and(kinds, narrowed(actor)));
  }
  return (actor) => {
    const kinds = referrers.map(({ model }) =>
      and(kindsOf([model]), model.rules.get(rule)?.(actor) ?? { op: 'false' }),
    );
    return exists(and(narrowed(actor), or(...kinds)));
  };
}

/**
 * Rows of these resources; a list of values instead of alternatives where one column distinguishes them, so that the
 * index applies.
 */
function kindsOf(models: ResourceModel[]): Predicate {
  const [only = ''] = Object.keys(models[0]!.discriminator);
  if (models.every(({ discriminator }) => Object.keys(discriminator).join() === only && only !== '')) {
    return oneOf(
      only,
      models.map(({ discriminator }) => discriminator[only] as Scalar),
    );
  }
  return or(...models.map((model) => model.rowScope));
}
