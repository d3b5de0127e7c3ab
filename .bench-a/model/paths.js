/** Path of an item; nested resources take the parent's id from the row. */
export function itemPath(model, row) {
    return `${collectionPath(model, row)}/${row[model.key.column ?? model.key.name]}`;
}
/** Path of the collection an item belongs to. */
export function collectionPath(model, row) {
    if (!model.parent)
        return `/${model.path}`;
    return `/${model.parent.model.path}/${row[model.parent.field.column]}/${model.path}`;
}
