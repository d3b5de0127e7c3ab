// Default steps of operations, which stay in force unless the schema declares its own for the same purpose.
import { isReading, type OperationKind, type Scalar } from '../../model/schema/schema.js';
import type { PolicyStepSchema, RuleSchema } from '../../model/schema/permission-schema.js';

/** Conditions on the values for which a step applies. */
interface Conditions {
  param?: string;
  in?: readonly Scalar[];
  notIn?: readonly Scalar[];
}

/** A step with its path in the file; for a default one the path of the steps of its operation. */
export interface PlacedStep {
  step: PolicyStepSchema;
  path: (string | number)[];
}

/** Default steps. */
export interface SafeSteps {
  /** Apply to every request for the operation. */
  base: Partial<Record<OperationKind, PolicyStepSchema>>;
  /** Apply to requests for the context `edit`. */
  context: PolicyStepSchema;
}

/**
 * The steps of an operation: those written, after the base step unless one of them is unconditional, and before
 * the guard of the context `edit` unless one of them guards it.
 */
export function withSafeSteps(
  kind: OperationKind,
  written: readonly PolicyStepSchema[] | undefined,
  safe: SafeSteps,
  rules: Readonly<Record<string, RuleSchema>>,
): PlacedStep[] {
  const own = (written ?? []).map((step, index) => ({ step, path: ['permissions', kind, index] }));
  const base = safe.base[kind];
  const needsBase = base !== undefined && !own.some(({ step }) => isUnconditional(step));
  const steps: PlacedStep[] = needsBase ? [{ step: base, path: ['permissions', kind] }, ...own] : own;
  if (!isReading(kind) || steps.some(({ step }) => guards(step, safe.context, rules))) return steps;
  return [...steps, { step: safe.context, path: ['permissions', kind] }];
}

/** Whether a step applies to every request. */
export function isUnconditional({ field, param, asParameterError }: PolicyStepSchema): boolean {
  return field === undefined && param === undefined && asParameterError !== true;
}

/** Whether a step decides about the context `edit`. */
export function isContextStep({ param, in: values, notIn = [] }: Conditions): boolean {
  return param === 'context' && (values?.includes('edit') ?? !notIn.includes('edit'));
}

function guards(step: PolicyStepSchema, context: PolicyStepSchema, rules: Readonly<Record<string, RuleSchema>>) {
  return isContextStep(step) || (isUnconditional(step) && sameRule(step.needs, context.needs, rules));
}

/** Whether two rules are equal, with names resolved. */
export function sameRule(left: RuleSchema, right: RuleSchema, rules: Readonly<Record<string, RuleSchema>>): boolean {
  return JSON.stringify(resolveNames(left, rules)) === JSON.stringify(resolveNames(right, rules));
}

function resolveNames(rule: RuleSchema, rules: Readonly<Record<string, RuleSchema>>): RuleSchema {
  const seen = new Set<string>();
  let at = rule;
  while (typeof at === 'object' && 'rule' in at && !('through' in at) && !('referencedBy' in at)) {
    const next = rules[at.rule];
    if (next === undefined || seen.has(at.rule)) break;
    seen.add(at.rule);
    at = next;
  }
  return at;
}

/** Whether a rule, or one of the rules it refers to, checks the target of a reference. */
export function checksThrough(
  rule: RuleSchema | undefined,
  field: string,
  rules: Readonly<Record<string, RuleSchema>>,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (typeof rule !== 'object') return false;
  const inner = (part: RuleSchema | undefined) => checksThrough(part, field, rules, seen);
  if ('all' in rule) return rule.all.some(inner);
  if ('any' in rule) return rule.any.some(inner);
  if ('not' in rule) return inner(rule.not);
  if ('through' in rule) return rule.through === field;
  if (!('rule' in rule) || rule.rule === undefined || seen.has(rule.rule)) return false;
  return checksThrough(rules[rule.rule], field, rules, new Set([...seen, rule.rule]));
}
