// A permission rule as words, for the descriptions that clients read.
import type { Scalar } from '../../model/schema/schema.js';
import type { Comparison, Operand, RuleSchema } from '../../model/schema/permission-schema.js';

/** The requirement of a rule as text: `the capability "see_prices" or author = the caller`. */
export function ruleText(rule: RuleSchema): string {
  if (typeof rule === 'boolean') return rule ? 'everybody' : 'nobody';
  if (typeof rule === 'string') return `the capability "${rule}"`;
  if ('can' in rule) return `the capability "${rule.can}"`;
  if ('signedIn' in rule) return rule.signedIn ? 'signed in' : 'not signed in';
  if ('all' in rule) return rule.all.map(grouped).join(' and ');
  if ('any' in rule) return rule.any.map(grouped).join(' or ');
  if ('not' in rule) return `not ${grouped(rule.not)}`;
  if ('role' in rule) return `the role "${rule.role}"`;
  if ('is' in rule) return valuesText(rule.is);
  if ('capabilityIn' in rule) return `the capability named in ${rule.capabilityIn}`;
  if ('referencedBy' in rule) return referencedText(rule);
  if ('through' in rule) return `the rule "${rule.rule}" of ${rule.through}`;
  if ('orphaned' in rule) return `no ${rule.orphaned}`;
  return `the rule "${rule.rule}"`;
}

function grouped(rule: RuleSchema): string {
  const isList = typeof rule === 'object' && ('all' in rule || 'any' in rule);
  return isList ? `(${ruleText(rule)})` : ruleText(rule);
}

type Values = Record<string, Scalar | Scalar[] | Comparison>;

function valuesText(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => conditionText(name, value))
    .join(' and ');
}

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function conditionText(name: string, value: Values[string]): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `${name} = ${[value]
      .flat()
      .map((one) => valueText(one as Scalar))
      .join(' or ')}`;
  }
  const bounds = Object.entries(value) as [keyof typeof SIGNS, Operand][];
  return bounds.map(([sign, bound]) => `${name} ${SIGNS[sign]} ${boundText(bound)}`).join(' and ');
}

function boundText(bound: Operand): string {
  if (typeof bound !== 'object' || bound === null) return bound === '$now' ? 'now' : valueText(bound);
  return 'field' in bound ? bound.field : `now ${bound.now}`;
}

function valueText(value: Scalar): string {
  return value === '$me' ? 'the caller' : JSON.stringify(value);
}

function referencedText({ referencedBy, where, rule }: Extract<RuleSchema, { referencedBy: unknown }>): string {
  const narrowed = where ? ` where ${valuesText(where)}` : '';
  const suffix = rule === undefined ? '' : ` with its rule "${rule}"`;
  return `named by ${[referencedBy].flat().join(' or ')}${narrowed}${suffix}`;
}
