// The five operations of every resource. Called by ResourceController and the importers; knows neither HTTP nor SQL nor any trait.
import { ResourceError } from '../errors/resource-error.js';
import type { ListPlan } from '../model/model.js';
import type { Operation, Result, View } from '../model/operation.js';
import { and, equals, type Predicate, type Row } from '../model/query.js';
import { itemPath } from '../model/paths.js';
import type { OperationKind } from '../model/schema.js';
import type { Store, Transaction } from '../model/store.js';
import { duplicateRefusal, isDuplicate } from './duplicate.js';
import { failedWrite } from './failed-write.js';
import { planList, whereOf } from './list-plan.js';
import { allowed, authorize, checkParams, readChecks, refuseStrangers, rowChecks } from './policy.js';
import { present } from './present.js';
import { checkPrecondition } from './precondition.js';
import { remember, replay } from './idempotency.js';
import { listRegistry, retrieveRegistry } from './registry-rows.js';
import { removeRows } from './relations.js';
import { addressField, selectionOf } from './selection.js';
import { changeItem, insertItem } from './write-item.js';

/** So many matches of a search that every few hundredth row of a large table is one. */
const DENSE = 2000;

export class ResourceService {
  constructor(private readonly store: Store) {}

  /**
   * Items of a collection in the order asked for, with exact totals (decisions 6).
   * @throws ResourceError for a refused parameter, context or page
   */
  async list(op: Operation): Promise<Result> {
    if (op.model.registry) return listRegistry(op);
    await checkParams(op);
    await this.resolveParent(op);
    await this.check(op);
    const plan = await planList(op);
    const where = whereOf(plan);
    if (plan.order.some((key) => 'random' in key)) op.notes['volatile'] = true;
    const total = await op.store.count(op.model.table!.name, where);
    const rows = await this.page(op, plan, where, total);
    const body = await present(op, rows);
    return { status: 200, body, ...totals(plan, total, op) };
  }

  /**
   * One item in a context.
   * @throws ResourceError when it does not exist or may not be read
   */
  async retrieve(op: Operation): Promise<Result> {
    if (op.model.registry) return retrieveRegistry(op);
    await this.resolveParent(op);
    const columns = selectionOf(op.model, op.context, op.fields, true).columns;
    const row = await this.load(op, columns, ['retrieve', 'update', 'delete']);
    await this.check(op, row);
    const allow = await allowed(op, 'item');
    op.notes['allow'] = allow;
    const [view] = await present(op, [row]);
    return { status: 200, body: view, allow, version: row['row_version'], ...alternate(op, row, view!) };
  }

  /**
   * A new item, shown in edit context (decisions 1, table of status codes).
   * @throws ResourceError when it is refused; nothing is left behind
   */
  async create(op: Operation): Promise<Result> {
    const first = await replay(op, op.store);
    if (first) return first;
    await this.prepared(op);
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      await this.check(op);
      await insertItem(op, tx);
      const shown = await this.reload(op);
      const [view] = await present(op, [shown]);
      const headers = { Location: op.site.base + itemPath(op.model, shown), ...op.notes['headers'] };
      return { status: 201, body: view, headers, version: shown['row_version'] };
    });
  }

  /**
   * The item with the values sent, others unchanged (decisions 1.19).
   * @throws ResourceError when it is refused; nothing is changed
   */
  async update(op: Operation): Promise<Result> {
    const first = await replay(op, op.store);
    if (first) return first;
    await this.prepared(op);
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
      await this.check(op, current);
      checkPrecondition(op, current);
      await changeItem(op, tx, current);
      const shown = await this.reload(op);
      const allow = (op.notes['allow'] = await allowed(op, 'item'));
      const [view] = await present(op, [shown]);
      return { status: 200, body: view, allow, version: shown['row_version'] };
    });
  }

  /**
   * Deletes an item, or lets a trait put it away (trash).
   * @throws ResourceError when it is refused; nothing is changed
   */
  async delete(op: Operation): Promise<Result> {
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
      await this.check(op, current);
      checkPrecondition(op, current);
      for (const hook of op.model.hooks.remove) {
        if (await hook.run(current, op)) return { status: 200, body: (await present(op, [await this.reload(op)]))[0] };
      }
      const [previous] = await present(op, [current]);
      delete previous!['_links'];
      await removeRows(tx, op.model, [op.id as number]);
      for (const hook of op.model.hooks.removed) await hook.run(current, op);
      return { status: 200, body: { deleted: true, previous } };
    });
  }

  /**
   * Does something with an item that comes down to an update of another one: restoring a revision (decisions 18.18).
   * @throws ResourceError like that update
   */
  async act(op: Operation, name: string): Promise<Result> {
    await this.resolveParent(op);
    const row = await this.load(op, op.model.allColumns, []);
    const { model, id, values } = op.model.actions.get(name)!.target(row);
    return this.update({
      ...op,
      model,
      id,
      values,
      raw: values,
      parentId: 0,
      kind: 'update',
      context: 'edit',
      may: {},
      notes: {},
      related: new Map(),
    });
  }

  /** Methods the caller may use on the route of an operation that was refused or only described (decisions 4.3). */
  async allow(op: Operation, route: 'collection' | 'item'): Promise<string[]> {
    if (op.model.registry) return ['GET'];
    const { key, parent } = op.model;
    const columns = ['id', key.column!, ...(parent ? [parent.field.column!] : [])];
    if (route === 'item') await this.load(op, [...new Set(columns)], ['retrieve', 'update', 'delete']);
    return allowed(op, route);
  }

  private async page(op: Operation, plan: ListPlan, where: Predicate, total: number): Promise<Row[]> {
    const beyond = op.model.list.beyondLastPage;
    const last = plan.limit ? Math.ceil(total / plan.limit) : 1;
    if (beyond && total > 0 && plan.page > last && op.params['offset'] === undefined)
      throw new ResourceError(beyond, { like: 'rest_post_invalid_page_number' });
    if (total === 0 || plan.offset >= total) return [];
    const { columns, slots } = selectionOf(op.model, op.context, op.fields);
    return op.store.select({
      table: op.model.table!.name,
      columns,
      adds: slots,
      where,
      order: plan.order,
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      ...(plan.offset > 0 ? { offset: plan.offset } : {}),
      ...(op.params['search'] && total > DENSE && 'column' in (plan.order[0] ?? {}) ? { dense: true } : {}),
    });
  }

  /** Slow work that is not SQL happens before the transaction, and only for callers who may write at all. */
  private async prepare(op: Operation): Promise<void> {
    const slow = [...op.model.fields.values()].filter(
      (field) => field.prepare && typeof op.values[field.name] === 'string',
    );
    const hooks = op.model.hooks.prepare;
    if (slow.length === 0 && hooks.length === 0) return;
    if (op.kind === 'update') await this.load(op, op.model.allColumns, ['update']).then((row) => this.check(op, row));
    else await this.check(op);
    for (const field of slow) op.values[field.name] = await field.prepare!(op.values[field.name], op);
    for (const hook of hooks) await hook.run(op);
  }

  private async prepared(op: Operation): Promise<void> {
    try {
      await this.prepare(op);
    } catch (error) {
      for (const undo of op.undo) await undo();
      throw error;
    }
  }

  private async write(op: Operation, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { values, context } = op;
    const attempt = () =>
      this.store.transaction(async (tx) => {
        op.tx = tx;
        op.store = tx;
        op.related.clear();
        op.values = { ...values };
        op.context = context;
        const first = await replay(op, tx);
        if (first) return first;
        const result = await work(tx);
        await remember(op, result, tx);
        return result;
      });
    try {
      // A duplicate that the checks did not see was written since they looked; the second time they refuse it in their own words.
      const result = await attempt().catch((error) => (isDuplicate(error) ? attempt() : Promise.reject(error)));
      await this.store.noteWrite(op.actor);
      return result;
    } catch (error) {
      for (const undo of op.undo) await undo();
      throw (isDuplicate(error) && duplicateRefusal(error, op.model)) || failedWrite(error, op) || error;
    }
  }

  private async check(op: Operation, current?: Row): Promise<void> {
    for (const hook of op.model.hooks.authorize) await denying(() => hook.run(op, current));
    if (op.kind !== 'list') await checkParams(op);
    await authorize(op, current);
  }

  private async resolveParent(op: Operation): Promise<void> {
    const { parent } = op.model;
    if (!parent) return;
    const mine = Object.entries(parent.model.discriminator).map(([column, value]) => equals(column, value));
    const row =
      op.parentId > 0 &&
      (await op.store.first(
        parent.model.table!.name,
        parent.model.allColumns,
        and(equals('id', op.parentId), ...mine),
      ));
    if (!row) throw new ResourceError(parent.notFound, { status: 404, like: 'rest_post_invalid_id' });
    op.parent = row;
  }

  /** The row of an item operation with the answers of its row rules in `op.may`. */
  private async load(op: Operation, columns: readonly string[], kinds: readonly OperationKind[]): Promise<Row> {
    const { model } = op;
    const mine = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
    const checks = rowChecks(op, kinds);
    const row =
      op.id === 0
        ? undefined
        : await op.store.first(model.table!.name, columns, and(equals(model.key.column!, op.id), ...mine), checks);
    const misplaced = row !== undefined && model.parent && row[model.parent.field.column!] !== op.parentId;
    if (!row || misplaced) await refuseStrangers(op);
    if (!row || misplaced) await this.missing(op);
    if (!row) throw new ResourceError(model.errors.notFound, { status: 404, like: 'rest_post_invalid_id' });
    readChecks(op, row, checks);
    if (misplaced && model.parent) {
      const code = model.parent.mismatch ?? model.errors.notFound;
      throw new ResourceError(code, {
        like: 'rest_post_invalid_id',
        ...(code === model.errors.notFound ? { status: 404 as const } : {}),
      });
    }
    op.id = row['id'] as number;
    return row;
  }

  private async missing(op: Operation): Promise<void> {
    if (op.kind === 'delete') for (const hook of op.model.hooks.missing) await hook.run(op);
  }

  private async reload(op: Operation): Promise<Row> {
    const checks = rowChecks(op, ['retrieve', 'update', 'delete']);
    const row = await op.store.first(op.model.table!.name, op.model.allColumns, equals('id', op.id as number), checks);
    readChecks(op, row!, checks);
    return row!;
  }
}

/** What an authorize hook refuses is no right of the caller's. */
async function denying(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ResourceError) error.denied = true;
    throw error;
  }
}

function totals(plan: ListPlan, total: number, op: Operation): Partial<Result> {
  if (plan.limit === undefined) return { total, totalPages: total > 0 ? 1 : 0, page: 1 };
  const page =
    op.params['offset'] !== undefined && !op.model.list.beyondLastPage
      ? Math.floor(plan.offset / plan.limit) + 1
      : plan.page;
  return { total, totalPages: Math.ceil(total / plan.limit), page };
}

function alternate(op: Operation, row: Row, view: View): Partial<Result> {
  const link = addressField(op.model);
  if (!link) return {};
  const href = (view['link'] as string | undefined) ?? link.toView!(row, { op, context: op.context, site: op.site });
  return { headers: { Link: `<${String(href)}>; rel="alternate"; type=text/html` } };
}
