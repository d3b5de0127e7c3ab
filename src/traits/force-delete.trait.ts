// Items without a trash: deletion must be forced.
import { ResourceError } from '../errors/resource-error.js';
import type { Operation } from '../model/operation.js';
import { isForced } from './trashable/forced.js';
import type { Trait } from '../model/trait.js';

interface Options {
  /** Check before the item is loaded. */
  first?: boolean;
}

export const forceDeleteTrait: Trait<Options> = {
  name: 'force-delete',
  description: 'Deletion needs force=true, because the resource has no trash.',
  // The deletion of protected accounts is rejected with or without force.
  after: ['account'],
  options: {
    first: { type: 'boolean', description: 'force is checked before the item is looked up (default false).' },
  },
  check(check) {
    if (check.schema.traits?.['trashable'])
      check.fail([], 'items that go to the trash need no other deletion', 'leave out "force-delete" or "trashable"');
  },
  extend(schema) {
    schema.deleteParams = {
      force: {
        type: 'boolean',
        description: 'Must be true: these items cannot be put into the trash.',
        default: false,
      },
      ...schema.deleteParams,
    };
  },
  sideBySide: true,
  hooks: (_model, { first = false }) => ({
    missing(op) {
      if (first) demandForce(op);
    },
    remove(_row, op) {
      demandForce(op);
    },
  }),
};

function demandForce(op: Operation): void {
  if (!isForced(op)) throw new ResourceError('rest_trash_not_supported');
}
