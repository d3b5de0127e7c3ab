// Items whose own text equals the value: `name`, `title`.
import type { ResourceModel } from '../../model/model.js';
import { and, equals, FALSE, type Predicate } from '../../model/query.js';
import { fold } from '../../text/fold.js';
import { slugify } from '../../text/slug.js';
import { fieldNamed, plainParams, replace } from './argument-fields.js';
import { textOf } from './argument-values.js';
import type { ArgumentKind } from './query-argument.js';
import type { FieldModel } from '../../model/field.js';

export const textArgument: ArgumentKind = {
  name: 'text',
  keys: ['field'],
  description: 'The whole text of `field`; case and accents do not matter where a folded copy of it is kept.',
  compile(model, schema, report) {
    const field = fieldNamed(model, schema['field'], 'field', report);
    if (!field) return undefined;
    if (!['varchar', 'text'].includes(field.columns[0]?.kind ?? '')) {
      report('field', `"${field.name}" holds no text`);
      return undefined;
    }
    const plain = plainParams(model, [field], ['in', 'equals']);
    return (value, context) => {
      const text = textOf(value);
      if (text === undefined) return;
      replace(plain, context);
      context.plan.where.push(isExactly(model, field, text));
    };
  },
};

/** Rows whose text field equals a text, compared folded where a folded copy exists. */
export function isExactly(model: ResourceModel, field: FieldModel, text: string): Predicate {
  const column = field.column!;
  if (field.type === 'slug') {
    const slug = slugify(text);
    return slug === '' ? FALSE : equals(column, slug);
  }
  const folded = [field.sortColumn, field.searchColumn].find((name) => name !== undefined && name !== column);
  if (!folded) return equals(column, text);
  const room = model.table?.columns.get(folded)?.length ?? Infinity;
  const characters = [...fold(text)];
  if (characters.length < room) return equals(folded, characters.join(''));
  // The folded copy is truncated; longer texts can only be compared with the original.
  return and(equals(folded, characters.slice(0, room).join('')), equals(column, text));
}
