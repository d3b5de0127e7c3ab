// Only items on which the caller has a permission: `perm`.
import { membersOf } from './argument-fields.js';
import { textOf } from './argument-values.js';
import type { ArgumentKind } from './query-argument.js';

export const ruleArgument: ArgumentKind = {
  name: 'rule',
  keys: ['rules'],
  description: 'Items for which the caller satisfies the permission rule that `rules` gives for the value.',
  compile(model, schema, report) {
    const rules = new Map<string, string>();
    for (const [name, rule] of membersOf(schema['rules'], 'rules', report)) {
      if (typeof rule === 'string' && model.rules.has(rule)) rules.set(name, rule);
      else report(`rules.${name}`, `there is no rule "${String(rule)}"`);
    }
    return (value, { op, plan }) => {
      const rule = rules.get(textOf(value) ?? '');
      if (rule !== undefined) plan.where.push(op.model.rules.get(rule)!(op.actor));
    };
  },
};
