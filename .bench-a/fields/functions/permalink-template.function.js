import { addressColumns, addressOf, addressOfRelated, addressRelated } from './permalink.js';
const style = (options) => ({ style: 'dated', query: 'p', ...options });
export const permalinkTemplate = {
    name: 'permalink-template',
    description: 'The public address with `placeholder` in place of the slug.',
    returns: { type: 'string' },
    reads: (options) => addressColumns(style(options)),
    related: (options, model) => style(options).style === 'attached' ? [addressRelated('parent', model.table.name, model)] : [],
    compile(options, model) {
        const own = style(options);
        const placeholder = String(options['placeholder'] ?? '%postname%');
        const table = model.table?.name ?? '';
        return (row, { site, op }) => addressOf(row, own, site, (child) => {
            const parent = op.related.get(table)?.get(child['parent']);
            return parent && addressOfRelated(parent, table, model, site, op.related);
        }, placeholder, true);
    },
};
