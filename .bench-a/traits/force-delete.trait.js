// Items that cannot be put into the trash: deletion must be forced (decisions 16.20, 15.25, 17.10).
import { ResourceError } from '../errors/resource-error.js';
export const forceDeleteTrait = {
    name: 'force-delete',
    description: 'Deletion needs force=true, because the resource has no trash.',
    options: {},
    extend(schema) {
        schema.deleteParams = {
            force: { type: 'boolean', description: 'Must be true: these items cannot be put into the trash.', default: false },
            ...schema.deleteParams,
        };
    },
    hooks: () => ({
        remove(_row, op) {
            if (op.params['force'] !== true)
                throw new ResourceError('rest_trash_not_supported');
        },
    }),
};
