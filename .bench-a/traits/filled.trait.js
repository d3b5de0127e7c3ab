// Items must not be empty in all of some texts (decisions 11.4).
import { ResourceError } from '../errors/resource-error.js';
export const filledTrait = {
    name: 'filled',
    description: 'At least one of the text `fields` must hold something.',
    options: { fields: { type: 'array', items: { type: 'string' }, description: 'Text fields of which one must hold something.' } },
    hooks: (model, { fields }) => {
        const columns = fields.map((name) => model.fields.get(name)?.column ?? name);
        return {
            input(draft, op, current) {
                if (op.trusted)
                    return;
                const empty = columns.every((column) => String(draft.row[column] ?? current?.[column] ?? '').trim() === '');
                if (empty)
                    throw new ResourceError('empty_content');
            },
        };
    },
};
