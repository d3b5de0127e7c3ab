// Ownership: an item belongs to its creator unless another author is sent.
import type { Trait } from '../model/trait.js';

interface Options {
  field?: string;
}

export const authoredTrait: Trait<Options> = {
  name: 'authored',
  description: 'The reference `field` (default author) is the caller when none is given.',
  options: { field: { type: 'string', description: 'Reference field with the owner.' } },
  check: (check, { field = 'author' }) => check.referenceToAccounts(['field'], field),
  sideBySide: true,
  hooks: (model, { field = 'author' }) => {
    const column = model.fields.get(field)?.column ?? field;
    return {
      input(draft, op, current) {
        if (draft.row[column]) return;
        if (current) delete draft.row[column];
        else if (!op.trusted) draft.row[column] = op.actor.id;
      },
    };
  },
};
