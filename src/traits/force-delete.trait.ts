// Items that cannot be put into the trash: deletion must be forced (decisions 16.20, 15.25, 17.10).
import { ResourceError } from '../errors/resource-error.js';
import type { Trait } from '../model/registry.js';

export const forceDeleteTrait: Trait = {
  name: 'force-delete',
  description: 'Deletion needs force=true, because the resource has no trash.',
  options: {},
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
  hooks: () => ({
    remove(_row, op) {
      if (op.params['force'] !== true) throw new ResourceError('rest_trash_not_supported');
    },
  }),
};
