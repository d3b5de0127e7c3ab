// The five operations of every resource. Called by ResourceController and the importers; knows neither HTTP nor SQL nor any trait.
import { ResourceError } from '../errors/resource-error.js';
import { and, equals } from '../model/query.js';
import { itemPath } from '../model/paths.js';
import { duplicateRefusal, isDuplicate } from './duplicate.js';
import { planList, whereOf } from './list-plan.js';
import { allowed, authorize, checkParams, readChecks, rowChecks } from './policy.js';
import { present } from './present.js';
import { listRegistry, retrieveRegistry } from './registry-rows.js';
import { removeRows } from './relations.js';
import { selectionOf } from './selection.js';
import { changeItem, insertItem } from './write-item.js';
export class ResourceService {
    store;
    constructor(store) {
        this.store = store;
    }
    /**
     * Items of a collection in the order asked for, with exact totals (decisions 6).
     * @throws ResourceError for a refused parameter, context or page
     */
    async list(op) {
        if (op.model.registry)
            return listRegistry(op);
        await checkParams(op);
        await this.resolveParent(op);
        await this.check(op);
        const plan = await planList(op);
        const where = whereOf(plan);
        const total = await op.store.count(op.model.table.name, where);
        const rows = await this.page(op, plan, where, total);
        const body = await present(op, rows);
        return { status: 200, body, ...totals(plan, total, op) };
    }
    /**
     * One item in a context.
     * @throws ResourceError when it does not exist or may not be read
     */
    async retrieve(op) {
        if (op.model.registry)
            return retrieveRegistry(op);
        await this.resolveParent(op);
        const columns = selectionOf(op.model, op.context, op.fields).columns;
        const row = await this.load(op, columns, ['retrieve', 'update', 'delete']);
        await this.check(op, row);
        const allow = await allowed(op, 'item');
        op.notes['allow'] = allow;
        const [view] = await present(op, [row]);
        return { status: 200, body: view, allow, ...alternate(op, row, view) };
    }
    /**
     * A new item, shown in edit context (decisions 1, table of status codes).
     * @throws ResourceError when it is refused; nothing is left behind
     */
    async create(op) {
        await this.prepared(op);
        return this.write(op, async (tx) => {
            await this.resolveParent(op);
            await this.check(op);
            await insertItem(op, tx);
            const shown = await this.reload(op);
            const [view] = await present(op, [shown]);
            return { status: 201, body: view, headers: { Location: op.site.base + itemPath(op.model, shown) } };
        });
    }
    /**
     * The item with the values sent, others unchanged (decisions 1.19).
     * @throws ResourceError when it is refused; nothing is changed
     */
    async update(op) {
        await this.prepared(op);
        return this.write(op, async (tx) => {
            await this.resolveParent(op);
            const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
            await this.check(op, current);
            await changeItem(op, tx, current);
            const [view] = await present(op, [await this.reload(op)]);
            return { status: 200, body: view, allow: await allowed(op, 'item') };
        });
    }
    /**
     * Deletes an item, or lets a trait put it away (trash).
     * @throws ResourceError when it is refused; nothing is changed
     */
    async delete(op) {
        return this.write(op, async (tx) => {
            await this.resolveParent(op);
            const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
            await this.check(op, current);
            for (const hook of op.model.hooks.remove) {
                if (await hook.run(current, op))
                    return { status: 200, body: (await present(op, [await this.reload(op)]))[0] };
            }
            const [previous] = await present(op, [current]);
            delete previous['_links'];
            await removeRows(tx, op.model, [op.id]);
            for (const hook of op.model.hooks.removed)
                await hook.run(current, op);
            return { status: 200, body: { deleted: true, previous } };
        });
    }
    /** Methods the caller may use on the route of an operation that was refused or only described (decisions 4.3). */
    async allow(op, route) {
        if (op.model.registry)
            return ['GET'];
        if (route === 'item')
            await this.load(op, ['id'], ['retrieve', 'update', 'delete']);
        return allowed(op, route);
    }
    async page(op, plan, where, total) {
        const beyond = op.model.list.beyondLastPage;
        const last = plan.limit ? Math.ceil(total / plan.limit) : 1;
        if (beyond && total > 0 && plan.page > last && op.params['offset'] === undefined)
            throw new ResourceError(beyond);
        if (total === 0 || plan.offset >= total)
            return [];
        return op.store.select({
            table: op.model.table.name,
            columns: selectionOf(op.model, op.context, op.fields).columns,
            where,
            order: plan.order,
            ...(plan.limit === undefined ? {} : { limit: plan.limit }),
            ...(plan.offset > 0 ? { offset: plan.offset } : {}),
        });
    }
    /** Slow work that is not SQL happens before the transaction, and only for callers who may write at all. */
    async prepare(op) {
        const slow = [...op.model.fields.values()].filter((field) => field.prepare && typeof op.values[field.name] === 'string');
        const hooks = op.model.hooks.prepare;
        if (slow.length === 0 && hooks.length === 0)
            return;
        if (op.kind === 'update')
            await this.load(op, op.model.allColumns, ['update']).then((row) => this.check(op, row));
        else
            await this.check(op);
        for (const field of slow)
            op.values[field.name] = await field.prepare(op.values[field.name], op);
        for (const hook of hooks)
            await hook.run(op);
    }
    async prepared(op) {
        try {
            await this.prepare(op);
        }
        catch (error) {
            for (const undo of op.undo)
                await undo();
            throw error;
        }
    }
    async write(op, work) {
        const { values, context } = op;
        const attempt = () => this.store.transaction((tx) => {
            op.tx = tx;
            op.store = tx;
            op.related.clear();
            op.values = { ...values };
            op.context = context;
            return work(tx);
        });
        try {
            // A duplicate that the checks did not see was written since they looked; the second time they refuse it in their own words.
            return await attempt().catch((error) => (isDuplicate(error) ? attempt() : Promise.reject(error)));
        }
        catch (error) {
            for (const undo of op.undo)
                await undo();
            throw (isDuplicate(error) && duplicateRefusal(error, op.model)) || error;
        }
    }
    async check(op, current) {
        for (const hook of op.model.hooks.authorize)
            await hook.run(op, current);
        if (op.kind !== 'list')
            await checkParams(op);
        await authorize(op, current);
    }
    async resolveParent(op) {
        const { parent } = op.model;
        if (!parent)
            return;
        const mine = Object.entries(parent.model.discriminator).map(([column, value]) => equals(column, value));
        const row = op.parentId > 0 && (await op.store.first(parent.model.table.name, parent.model.allColumns, and(equals('id', op.parentId), ...mine)));
        if (!row)
            throw new ResourceError(parent.notFound, { status: 404, like: 'rest_post_invalid_id' });
        op.parent = row;
    }
    /** The row of an item operation with the answers of its row rules in `op.may`. */
    async load(op, columns, kinds) {
        const { model } = op;
        const mine = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
        const checks = rowChecks(op, kinds);
        const row = op.id === 0 ? undefined : await op.store.first(model.table.name, columns, and(equals(model.key.column, op.id), ...mine), checks);
        if (!row)
            throw new ResourceError(model.errors.notFound, { status: 404, like: 'rest_post_invalid_id' });
        readChecks(op, row, checks);
        if (model.parent && row[model.parent.field.column] !== op.parentId) {
            const code = model.parent.mismatch ?? model.errors.notFound;
            throw new ResourceError(code, { like: 'rest_post_invalid_id', ...(code === model.errors.notFound ? { status: 404 } : {}) });
        }
        op.id = row['id'];
        return row;
    }
    async reload(op) {
        const checks = rowChecks(op, ['retrieve', 'update', 'delete']);
        const row = await op.store.first(op.model.table.name, op.model.allColumns, equals('id', op.id), checks);
        readChecks(op, row, checks);
        return row;
    }
}
function totals(plan, total, op) {
    if (plan.limit === undefined)
        return { total, totalPages: total > 0 ? 1 : 0, page: 1 };
    const page = op.params['offset'] !== undefined && !op.model.list.beyondLastPage ? Math.floor(plan.offset / plan.limit) + 1 : plan.page;
    return { total, totalPages: Math.ceil(total / plan.limit), page };
}
function alternate(op, row, view) {
    const link = op.model.fields.get('link');
    if (link?.schema.function !== 'permalink')
        return {};
    const href = view['link'] ?? link.toView(row, { op, context: op.context, site: op.site });
    return { headers: { Link: `<${String(href)}>; rel="alternate"; type=text/html` } };
}
