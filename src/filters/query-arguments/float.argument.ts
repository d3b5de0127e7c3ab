// Sorts marked items before all others: `ignore_sticky_posts`.
import { toBoolean } from '../../values/coerce.js';
import { fieldNamed } from './argument-fields.js';
import type { ArgumentKind } from './query-argument.js';

export const floatArgument: ArgumentKind = {
  name: 'float',
  keys: ['field', 'when'],
  description:
    'Puts the items whose true-or-false `field` is true before all others, when the value is the one in `when` (default true).',
  compile(model, schema, report) {
    const field = fieldNamed(model, schema['field'], 'field', report);
    if (field && field.columns[0]?.kind !== 'boolean') report('field', `"${field.name}" is not true or false`);
    const when = schema['when'] !== false;
    return (
      field &&
      ((value, { plan }) => {
        if (toBoolean(value) === when) plan.order.push({ column: field.column!, direction: 'desc' });
      })
    );
  },
};
