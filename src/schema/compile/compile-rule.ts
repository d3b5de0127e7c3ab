// Compiles permission rules of a schema file into functions that return a predicate per caller.
import { isSignedIn, isTrusted } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { RuleModel } from '../../model/permissions.js';
import { and, equals, FALSE, not, oneOf, or, TRUE, type Predicate } from '../../model/query.js';
import type { RuleSchema } from '../../model/schema/permission-schema.js';
import { bounded, compileReferencedBy, negating } from './compile-referenced-by.js';
import { columnOf, compileValues } from './compile-values.js';
import type { Report } from '../../model/option-check.js';

/** Rules may refer to each other and to those of other resources; a greater depth means a cycle. */
const MAX_DEPTH = 12;

/**
 * Compiles a rule about what clients may write: `false` leaves it to trusted code, which could not be given the right
 * otherwise.
 */
export function compileWriters(
  rule: RuleSchema,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  if (rule !== false) return compileRuleSchema(rule, model, path, report);
  return (actor) => (isTrusted(actor) ? TRUE : FALSE);
}

/** Compiles a rule of `model`. Named rules are looked up when evaluated, so their order does not matter. */
export function compileRuleSchema(
  rule: RuleSchema,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  if (rule === true) return () => TRUE;
  if (rule === false) return () => FALSE;
  if (typeof rule === 'string') return (actor) => (actor.capabilities.has(rule) ? TRUE : FALSE);
  if ('can' in rule) return (actor) => (actor.capabilities.has(rule.can) ? TRUE : FALSE);
  if ('role' in rule) return (actor) => (actor.roles.includes(rule.role) ? TRUE : FALSE);
  if ('signedIn' in rule) return (actor) => (isSignedIn(actor) === rule.signedIn ? TRUE : FALSE);
  if ('all' in rule) return combine(rule.all, and, model, [...path, 'all'], report);
  if ('any' in rule) return combine(rule.any, or, model, [...path, 'any'], report);
  if ('not' in rule) {
    const inner = compileRuleSchema(rule.not, model, [...path, 'not'], report);
    return (actor) => not(negating(() => inner(actor)));
  }
  if ('is' in rule) return compileValues(rule.is, model, [...path, 'is'], report);
  if ('capabilityIn' in rule) {
    const column = columnOf(rule.capabilityIn, model) ?? rule.capabilityIn;
    return (actor) => oneOf(column, [...actor.capabilities]);
  }
  if ('referencedBy' in rule) return compileReferencedBy(rule, model, path, report);
  if ('through' in rule) return compileThrough(rule.through, rule.rule, model, path, report);
  if ('orphaned' in rule) return compileOrphaned(rule.orphaned, model, path, report);
  return compileNamed(rule.rule, model, path, report);
}

function combine(
  rules: RuleSchema[],
  join: (...parts: Predicate[]) => Predicate,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const parts = rules.map((rule, index) => compileRuleSchema(rule, model, [...path, index], report));
  return (actor) => join(...parts.map((part) => part(actor)));
}

function compileNamed(name: string, model: ResourceModel, path: (string | number)[], report: Report): RuleModel {
  let depth = 0;
  return (actor) => {
    const rule = model.rules.get(name);
    if (!rule || depth > MAX_DEPTH) {
      report([...path, 'rule'], rule ? `the rule "${name}" refers to itself` : `there is no rule "${name}"`);
      return FALSE;
    }
    depth += 1;
    try {
      return rule(actor);
    } finally {
      depth -= 1;
    }
  };
}

function compileThrough(
  name: string,
  rule: string,
  model: ResourceModel,
  path: (string | number)[],
  report: Report,
): RuleModel {
  const field = model.fields.get(name);
  const table = field?.targets?.[0]?.table?.name;
  if (!field?.column || !table) {
    report([...path, 'through'], `"${name}" is not a reference field`);
    return () => FALSE;
  }
  const outer = field.column;
  const targets = field.targets!;
  return bounded(
    (actor) => {
      const where = or(...targets.map((target) => and(target.rowScope, target.rules.get(rule)?.(actor) ?? FALSE)));
      return where.op === 'false' ? FALSE : { op: 'exists', table, outer, inner: 'id', where };
    },
    not(equals(outer, 0)),
  );
}

function compileOrphaned(name: string, model: ResourceModel, path: (string | number)[], report: Report): RuleModel {
  const field = model.fields.get(name);
  const table = field?.targets?.[0]?.table?.name;
  if (!field?.column || !table) {
    report([...path, 'orphaned'], `"${name}" is not a reference field`);
    return () => FALSE;
  }
  const outer = field.column;
  const kinds = or(...field.targets!.map((target) => target.rowScope));
  return () => or(equals(outer, 0), not({ op: 'exists', table, outer, inner: 'id', where: kinds }));
}
