import { addressOfRelated, addressRelated } from './permalink.js';
export const anchorLink = {
    name: 'anchor-link',
    description: 'Address of the item that the reference `through` leads to, with `#{anchor}{id}`.',
    returns: { type: 'string', format: 'uri' },
    reads: ({ through }) => ['id', String(through)],
    related: ({ through }, model) => [addressRelated(String(through), target(model, through), model)],
    compile({ through, anchor = '' }, model) {
        const column = String(through);
        const table = target(model, through);
        return (row, { site, op }) => {
            const owner = op.related.get(table)?.get(row[column]);
            const address = owner && addressOfRelated(owner, table, model, site, op.related);
            return `${address ?? `${site.home}/`}#${String(anchor)}${row['id']}`;
        };
    },
};
function target(model, through) {
    return model.fields.get(String(through))?.targets?.[0]?.table?.name ?? '';
}
