import { sentFields } from './asked.js';
import { fieldSelection } from './field-selection.js';
import { itemKey, parentKey } from './item-key.js';
import { kindOfRoute } from './resource-route.js';
import { validateParams } from './validate-params.js';
/** Stateless; one per application. */
export class OperationFactory {
    site;
    store;
    constructor(site, store) {
        this.site = site;
        this.store = store;
    }
    /** An operation as far as the path and the caller decide it; nothing is validated. */
    bare(route, kind, asked) {
        return {
            model: route.model,
            kind,
            id: kindOfRoute(kind) === 'item' ? itemKey(route, asked) : 0,
            parentId: parentKey(route, asked),
            params: {},
            values: {},
            raw: asked.query,
            context: contextFor(route, kind),
            actor: asked.actor,
            site: this.site,
            store: this.store.reader,
            may: {},
            headers: asked.headers,
            undo: [],
            notes: {},
            related: new Map(),
        };
    }
    /** A list or one item. */
    read(route, kind, asked) {
        const op = this.bare(route, kind, asked);
        op.params = validateParams(kind === 'list' ? route.model.listParams : route.model.itemParams, asked.query);
        op.context = op.params['context'] ?? route.model.defaultContext;
        selectFields(op);
        return op;
    }
    /** A create or update with a body that the pipe has checked. */
    write(route, kind, asked, body) {
        const op = this.bare(route, kind, asked);
        op.values = body.values;
        op.raw = body.raw;
        if (body.file)
            op.file = body.file;
        selectFields(op);
        return op;
    }
    /** A deletion; its parameters may stand in the body (decisions 2.3). `_fields` is about its answer, not about the item. */
    remove(route, asked) {
        const op = this.bare(route, 'delete', asked);
        op.raw = sentFields(asked.query, asked.body);
        op.params = validateParams(route.model.deleteParams, op.raw);
        return op;
    }
}
function contextFor({ model }, kind) {
    if (kind === 'list' || kind === 'retrieve')
        return model.defaultContext;
    return kind === 'delete' ? (model.schema.deleteContext ?? 'edit') : 'edit';
}
function selectFields(op) {
    const fields = fieldSelection(op.raw['_fields']);
    if (fields)
        op.fields = fields;
}
