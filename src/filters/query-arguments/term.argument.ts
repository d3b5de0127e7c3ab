// A slug with a second argument that names the taxonomy: `taxonomy` and `term`.
import { FALSE } from '../../model/query.js';
import { membersOf } from './argument-fields.js';
import { textOf } from './argument-values.js';
import type { ArgumentKind, ArgumentRunner, ArgumentSchema } from './query-argument.js';
import { compileSlugs, slugsArgument } from './slugs.argument.js';

export const termArgument: ArgumentKind = {
  name: 'term',
  keys: ['by', 'of'],
  description:
    'Slugs looked up in the set that the argument `by` names: `of` says for each name which `field` refers to it, with the options of `slugs`. Without `by` it is ignored.',
  compile(model, schema, report) {
    const by = schema['by'];
    if (typeof by !== 'string') {
      report('by', 'must name the argument that says where to look');
      return undefined;
    }
    const runners = new Map<string, ArgumentRunner>();
    for (const [name, set] of membersOf(schema['of'], 'of', report)) {
      for (const option of Object.keys(set ?? {})) {
        if (!slugsArgument.keys.includes(option))
          report(`of.${name}.${option}`, `unknown key "${option}"; a set takes: ${slugsArgument.keys.join(', ')}`);
      }
      const run = compileSlugs(model, (set ?? {}) as ArgumentSchema, (option, message) =>
        report(`of.${name}.${option}`, message),
      );
      if (run) runners.set(name, run);
    }
    return (value, context) => {
      const set = context.sent(by);
      if (set === undefined) return;
      const run = runners.get(textOf(set) ?? '');
      if (run) return run(value, context);
      context.plan.where.push(FALSE);
    };
  },
};
