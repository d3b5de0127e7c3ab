// Rejects items in which all of some texts are empty.
import { valueAfter } from '../model/query.js';
import { ResourceError } from '../errors/resource-error.js';
import type { Trait } from '../model/trait.js';

interface Options {
  fields: string[];
}

export const filledTrait: Trait<Options> = {
  name: 'filled',
  description: 'At least one of the text `fields` must not be empty.',
  // These may fill a text that was not sent.
  after: ['uploaded', 'account', 'sluggable'],
  options: {
    fields: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Text fields of which one must not be empty.',
      required: true,
    },
  },
  check(check, { fields }) {
    for (const [index, name] of fields.entries())
      check.field(['fields', index], name, ['string', 'text', 'rendered', 'slug']);
  },
  sideBySide: true,
  codes: { create: ['empty_content'], update: ['empty_content'] },
  hooks: (model, { fields }) => {
    const columns = fields.map((name) => model.fields.get(name)?.column ?? name);
    return {
      input(draft, op, current) {
        if (op.trusted) return;
        const empty = columns.every((column) => String(valueAfter(draft.row, current, column) ?? '').trim() === '');
        if (empty) throw new ResourceError('empty_content', { message: emptyMessage(fields) });
      },
    };
  },
};

function emptyMessage(fields: string[]): string {
  const [last, ...others] = [...fields].reverse();
  if (others.length === 0) return `${last} is empty. Fill it.`;
  return `${others.reverse().join(', ')} and ${last} are all empty. Fill at least one of them.`;
}
