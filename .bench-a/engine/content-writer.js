import { and, equals } from '../model/query.js';
import { changeItem, insertItem } from './write-item.js';
export class ContentWriter {
    models;
    store;
    site;
    constructor(models, store, site) {
        this.models = models;
        this.store = store;
        this.site = site;
    }
    /** Rows outside a transaction. */
    find(resource, where) {
        return findRow(this.model(resource), this.store.reader, where);
    }
    /** Runs `work` in one transaction: all of it is written, or nothing. */
    batch(work) {
        return this.store.transaction((tx) => work({
            tx,
            find: (resource, where) => findRow(this.model(resource), tx, where),
            create: async (resource, values, options = {}) => {
                const op = this.operation(resource, 'create', tx, values, options);
                await insertItem(op, tx);
                return op.id;
            },
            update: async (resource, id, values, options = {}) => {
                const op = this.operation(resource, 'update', tx, values, options);
                op.id = id;
                const current = await tx.first(op.model.table.name, op.model.allColumns, equals('id', id));
                if (current)
                    await changeItem(op, tx, current);
            },
        }));
    }
    model(resource) {
        const model = this.models.byName.get(resource);
        if (!model?.table)
            throw new Error(`The site has no stored resource "${resource}".`);
        return model;
    }
    operation(resource, kind, tx, values, options) {
        const trusted = {};
        if (options.id !== undefined)
            trusted.id = options.id;
        if (options.columns)
            trusted.columns = options.columns;
        return {
            model: this.model(resource),
            kind,
            id: 0,
            parentId: options.parentId ?? 0,
            params: {},
            values,
            raw: values,
            context: 'edit',
            actor: importer(options.as ?? 0),
            site: this.site,
            store: tx,
            tx,
            may: {},
            headers: {},
            undo: [],
            notes: {},
            related: new Map(),
            trusted,
        };
    }
}
function importer(id) {
    return { id, roles: [], capabilities: ALL, address: '127.0.0.1', agent: '' };
}
const ALL = new Proxy(new Set(), {
    get: (target, name) => (name === 'has' ? () => true : Reflect.get(target, name)),
});
function findRow(model, reader, where) {
    const all = { ...model.discriminator, ...where };
    return reader.first(model.table.name, model.allColumns, and(...Object.entries(all).map(([column, value]) => equals(column, value))));
}
