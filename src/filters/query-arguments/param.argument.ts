// Alias that replaces a plain parameter: `offset`, `paged`, `order`, `post_status`.
import { FALSE } from '../../model/query.js';
import type { Rule } from '../../model/value.js';
import { valuesOf } from './argument-values.js';
import type { ArgumentKind } from './query-argument.js';

export const paramArgument: ArgumentKind = {
  name: 'param',
  keys: ['param'],
  description:
    'The value of the plain parameter `param`, by its own rules but without refusals: what they refuse is dropped, and a list of which nothing remains finds nothing.',
  compile(_model, schema, report) {
    const name = schema['param'];
    if (typeof name !== 'string') {
      report('param', 'must name a parameter of the list');
      return undefined;
    }
    return (value, { op, plan, replaced }) => {
      const param = op.model.listParams.get(name);
      if (!param) return;
      const list = param.schema.type === 'array';
      const valid = list ? members(value, name, param.rule) : accept(value, name, param.rule);
      if (valid === undefined) return;
      replaced.add(name);
      if (list && (valid as unknown[]).length === 0) plan.where.push(FALSE);
      else op.params[name] = valid;
    };
  },
};

function members(value: unknown, name: string, rule: Rule): unknown[] {
  return [
    ...new Set(valuesOf(value).flatMap((member) => (accept([member], name, rule) as unknown[] | undefined) ?? [])),
  ];
}

function accept(value: unknown, name: string, rule: Rule): unknown {
  const readings = typeof value === 'string' ? [value, value.toLowerCase()] : [value];
  for (const reading of readings) {
    const checked = rule(reading, name);
    if ('value' in checked) return checked.value;
  }
  return undefined;
}
