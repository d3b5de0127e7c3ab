// A search in place of the plain one: `s` with `exact` and `sentence` (decisions 32.4).
import { toBoolean } from '../../fields/coerce.js';
import type { FieldModel } from '../../model/model.js';
import { or } from '../../model/query.js';
import { textOf } from './argument-values.js';
import type { ArgumentKind, Asked } from './query-argument.js';
import { isExactly } from './text.argument.js';

export const searchArgument: ArgumentKind = {
  name: 'search',
  keys: ['exact', 'sentence'],
  description:
    'Takes the place of `search`. With the argument that `sentence` names the text is not split into words; with the one that `exact` names it must be the whole of a searched field.',
  compile(model, schema, report) {
    if (!model.schema.search) report('kind', 'the resource has no "search"');
    const fields = (model.schema.search?.fields ?? [])
      .map((name) => model.fields.get(name))
      .filter((field): field is FieldModel => field?.column !== undefined);
    const phrases = model.schema.search?.mode === 'phrase';
    return (value, asked) => {
      const text = textOf(value)?.trim();
      if (!text) return;
      const exact = isOn(schema['exact'], asked);
      // Even an exact search goes through the parameter: behaviours that guard searches look there.
      asked.op.params['search'] = (exact || isOn(schema['sentence'], asked)) && !phrases ? quoted(text) : text;
      if (exact) asked.plan.where.push(or(...fields.map((field) => isExactly(model, field, text))));
    };
  },
};

function isOn(name: unknown, asked: Asked): boolean {
  return typeof name === 'string' && toBoolean(asked.sent(name)) === true;
}

/** A search that takes the text as one term; a quotation mark inside ends one term and begins another. */
function quoted(text: string): string {
  const pieces = text.split('"').filter((piece) => piece.trim() !== '');
  return pieces.length === 0 ? text : pieces.map((piece) => `"${piece}"`).join(' ');
}
