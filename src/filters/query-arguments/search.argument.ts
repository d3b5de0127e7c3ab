// A search that replaces the plain one: `s` with `exact` and `sentence`.
import { toBoolean } from '../../values/coerce.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import { or, type Predicate } from '../../model/query.js';
import { guardOf, withGuard } from '../../model/functions/readers.js';
import { textOf } from './argument-values.js';
import type { ArgumentKind, ArgumentContext } from './query-argument.js';
import { isExactly } from './text.argument.js';
import type { FieldModel } from '../../model/field.js';

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
    return (value, context) => {
      const text = textOf(value)?.trim();
      if (!text) return;
      const exact = isOn(schema['exact'], context);
      // An exact search sets the parameter too: traits that restrict searches read it.
      context.op.params['search'] = (exact || isOn(schema['sentence'], context)) && !phrases ? quote(text) : text;
      if (exact)
        context.plan.where.push(or(...fields.map((field) => isExactlyFor(context.op.actor, model, field, text))));
    };
  },
};

function isExactlyFor(actor: Actor, model: ResourceModel, field: FieldModel, text: string): Predicate {
  return withGuard(guardOf([field], model), actor, isExactly(model, field, text));
}

function isOn(name: unknown, context: ArgumentContext): boolean {
  return typeof name === 'string' && toBoolean(context.sent(name)) === true;
}

/** Quotes the text as one search term; a quotation mark inside separates terms. */
function quote(text: string): string {
  const pieces = text.split('"').filter((piece) => piece.trim() !== '');
  return pieces.length === 0 ? text : pieces.map((piece) => `"${piece}"`).join(' ');
}
