// The five standard operations, for every resource.
import { itemNotFound } from '../errors/not-found.js';
import { ResourceError } from '../errors/resource-error.js';
import { ruleTimeReads } from '../model/runtime/clock.js';
import type { ResourceModel } from '../model/model.js';
import type { ListPlan } from '../model/list.js';
import type { ActionModel, OwnActionModel } from '../model/hooks.js';
import { followingOperation, newOperation } from '../model/new-operation.js';
import type { Operation, OutputBudget, Result, View } from '../model/operation.js';
import { and, equals, type Predicate, type Query, type Row } from '../model/query.js';
import { itemPath } from '../model/functions/paths.js';
import type { OperationKind } from '../model/schema.js';
import type { Store, Transaction } from '../model/store.js';
import type { TextPoolRunner } from '../model/runtime/texts.js';
import { duplicateError, isDuplicate } from './writes/duplicate.js';
import { failedWrite } from './writes/failed-write.js';
import { alternate } from './item-links.js';
import { asksOthers, isDense, planList, requirePage, totals, whereOf, withoutOthers } from './list-plan.js';
import { evaluate } from './rights/holds.js';
import { predicateFor, type RowChecks } from './rights/predicate-for.js';
import { NO_CHECKS, readChecks, rowChecks } from './rights/row-checks.js';
import { couldEver } from './rights/coarse-policy.js';
import { allowed, authorize, checkParams, rejectAnonymous, stepsHold, virtualRow } from './policy.js';
import { present } from './present.js';
import { checkFieldWrites, refuseFields } from './field-writes.js';
import { neverSeen, seesInPart } from './rights/field-rights.js';
import { checkPrecondition } from './precondition.js';
import { PreparedTexts } from './writes/prepared-texts.js';
import { listStatic, retrieveStatic } from './static-rows.js';
import { CURSOR } from '../model/query-language.js';
import { cursorOf, plainKeys } from './query/cursor.js';
import { removeRows } from './remove-rows.js';
import { keepAnswer, replayed, type Rechecks } from './replays/replay.js';
import { checkTexts } from './writes/text-sizes.js';
import { selectionOf } from './selection.js';
import { answerWithin, rejectWiderFields, rejectWiderSight, sightOf } from './sight.js';
import { changeItem, insertItem } from './write-item.js';
import { versionOf } from './version.js';
import { locksOf } from './writes/write-locks.js';
import { WriteMemory } from './writes/write-memory.js';

export class ResourceService {
  private readonly rechecks: Rechecks = {
    retrieve: (op) => this.retrieve(op),
    permit: (op) => this.permit(op),
  };

  /**
   * `texts`: results of text functions that its writes share, for writes in one transaction.
   * @internal
   */
  constructor(
    private readonly store: Store,
    private readonly texts?: PreparedTexts,
  ) {}

  /**
   * Items of a collection in the order asked for, with exact totals.
   * @throws ResourceError for an invalid parameter, context or page
   */
  async list(op: Operation): Promise<Result> {
    if (op.model.static) return listStatic(op);
    const reads = ruleTimeReads();
    const { plan, where } = await this.plan(op);
    const result = plan.after ? await this.listBehind(op, plan, where) : await this.listPage(op, plan, where);
    if (reads !== ruleTimeReads()) op.state.volatile = true;
    return result;
  }

  /**
   * What a list asks of the database, once its caller has been found to be allowed to ask.
   * @throws ResourceError like the list
   */
  async plan(op: Operation): Promise<{ plan: ListPlan; where: Predicate }> {
    await checkParams(op);
    await this.resolveParent(op);
    await this.check(op);
    const plan = await planList(op);
    return { plan, where: whereOf(plan) };
  }

  private async listPage(op: Operation, plan: ListPlan, where: Predicate): Promise<Result> {
    if (plan.order.some((key) => 'random' in key)) op.state.volatile = true;
    const { total, rows } = await this.page(op, plan, where);
    const body = await present(op, rows);
    return { status: 200, body, ...totals(plan, total, op) };
  }

  /** A page by cursor: one row more says whether there is another one. */
  private async listBehind(op: Operation, plan: ListPlan, where: Predicate): Promise<Result> {
    const limit = plan.limit!;
    const keys = plainKeys(plan.order, op, CURSOR);
    const counting = op.query?.uncounted ? undefined : op.store.count(op.model.table!.name, where);
    const rows: Row[] = [];
    for (const part of plan.after!) {
      const query = this.query(op, { ...plan, limit: limit + 1 - rows.length }, and(where, part));
      const columns = [...new Set([...query.columns, ...keys.map(({ column }) => column)])];
      if (query.limit! > 0) rows.push(...(await op.store.select({ ...query, columns })));
    }
    const total = await counting;
    const shown = rows.slice(0, limit);
    const body = await present(op, shown);
    const next = rows.length > limit ? cursorOf(shown.at(-1)!, keys, op) : null;
    return {
      status: 200,
      body,
      next,
      ...(total === undefined ? {} : { total, totalPages: Math.ceil(total / limit) }),
    };
  }

  /**
   * One item in a context.
   * @throws ResourceError when it does not exist or may not be read
   */
  async retrieve(op: Operation): Promise<Result> {
    if (op.model.static) return retrieveStatic(op);
    const reads = ruleTimeReads();
    await this.resolveParent(op);
    const { model, context, fields, actor } = op;
    const columns = seesInPart(model, actor) ? model.allColumns : selectionOf(model, context, fields, true).columns;
    const row = await this.load(op, columns, ['retrieve', 'update', 'delete']);
    await this.check(op, row);
    const allow = await allowed(op, 'item');
    op.state.allow = allow;
    const [view] = await present(op, [row]);
    const more = alternate(op, row, view!);
    if (reads !== ruleTimeReads()) op.state.volatile = true;
    return { status: 200, body: view, allow, version: await versionOf(op, row), ...more };
  }

  /**
   * Creates an item; returned in the context `edit` to callers who may retrieve it so.
   * @throws ResourceError when it is rejected; nothing is written
   */
  async create(op: Operation): Promise<Result> {
    const first = await replayed(op, op.store, this.rechecks);
    if (first) return first;
    await this.prepared(op);
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      await this.check(op);
      refuseFields(op);
      await insertItem(op, tx);
      const shown = (await this.reload(op))!;
      answerWithin(op, sightOf(op));
      const [view] = await present(op, [shown]);
      const headers = { Location: op.site.base + itemPath(op.model, shown), ...op.state.headers };
      return { status: 201, body: view, headers, version: await versionOf(op, shown) };
    });
  }

  /**
   * Updates the values sent of an item, others unchanged.
   * @throws ResourceError when it is rejected; nothing is changed
   */
  async update(op: Operation): Promise<Result> {
    const first = await replayed(op, op.store, this.rechecks);
    if (first) return first;
    await this.prepared(op);
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
      await this.check(op, current);
      await checkPrecondition(op, current);
      await checkFieldWrites(op, current);
      const before = sightOf(op);
      const seen = { ...op.ruleResults };
      await changeItem(op, tx, current);
      const shown = (await this.reload(op))!;
      const after = sightOf(op);
      rejectWiderSight(op, before, after);
      rejectWiderFields(op, seen);
      answerWithin(op, after);
      const allow = (op.state.allow = await allowed(op, 'item'));
      const [view] = await present(op, [shown]);
      return { status: 200, body: view, allow, version: await versionOf(op, shown) };
    });
  }

  /**
   * Permanently deletes an item, or lets a trait move it to the trash.
   * @throws ResourceError when it is rejected; nothing is changed
   */
  async delete(op: Operation): Promise<Result> {
    return this.write(op, async (tx) => {
      await this.resolveParent(op);
      const current = await this.load(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
      await this.check(op, current);
      await checkPrecondition(op, current);
      for (const hook of op.model.hooks.remove) {
        if (await hook.run(current, op)) return this.shown(op);
      }
      answerWithin(op, sightOf(op));
      const [previous] = await present(op, [current]);
      delete previous!['_links'];
      await removeRows(tx, op.model, [op.id as number], op);
      for (const hook of op.model.hooks.removed) await hook.run(current, op);
      return { status: 200, body: { deleted: true, previous } };
    });
  }

  /**
   * Performs an action of an item that is an update of another one: restoring a revision.
   * @throws ResourceError like that update
   */
  async act(op: Operation, name: string): Promise<Result> {
    await this.resolveParent(op);
    const { target } = op.model.actions.get(name)!;
    const seen = await this.load(op, op.model.lightColumns, ['retrieve']);
    if (sightOf(op) === 'none') await this.rejectAction(updateOf(op, target(seen)), op.model.errors.read);
    const row = await this.load(op, op.model.allColumns, ['retrieve']);
    return this.update(updateOf(op, target(row)));
  }

  /**
   * Loads what an action of an extension is about: the item, or nothing for one on the collection.
   * @throws ResourceError when the caller may not read it, or may not do this
   */
  async admit(op: Operation, { on, needs, error, name }: OwnActionModel): Promise<Row | undefined> {
    await this.resolveParent(op);
    const row = on === 'item' ? await this.load(op, op.model.allColumns, ['retrieve']) : undefined;
    await this.check(op, row);
    if (await evaluate(predicateFor(needs, op.actor), row ?? virtualRow(op), op.store)) return row;
    const wording = `You may not do this: ${name}.`;
    throw new ResourceError(error, { like: 'rest_forbidden', wording });
  }

  /** The item of an operation as it is now, as the caller sees it; undefined when there is none any more. */
  async shownNow(op: Operation): Promise<View | undefined> {
    const row = await this.reload(op);
    if (!row) return undefined;
    answerWithin(op, sightOf(op));
    return (await present(op, [row]))[0];
  }

  /** Rejects a caller who may not read the item of an action, with the error of the update if that is forbidden too. */
  private async rejectAction(update: Operation, code: string): Promise<never> {
    await this.check(update, await this.load(update, update.model.allColumns, ['retrieve', 'update', 'delete']));
    throw new ResourceError(code, { like: 'rest_forbidden', denied: true });
  }

  /** Methods that the caller may use on the route of an operation that was rejected or only described. */
  async allow(op: Operation, route: 'collection' | 'item'): Promise<string[]> {
    if (!op.model.table) return ['GET'];
    const { key, parent } = op.model;
    if (parent?.hides === 'first') await this.resolveParent(op);
    const columns = ['id', key.column!, ...(parent ? [parent.field.column!] : [])];
    const single = op.model.singleton;
    if (route === 'item' || single) await this.load(op, [...new Set(columns)], ['retrieve', 'update', 'delete']);
    return allowed(op, single ? 'item' : route);
  }

  /**
   * Rows of the page, and how many rows there are in all: asked for at the same time, except where the number decides how
   * the page is found.
   */
  private async page(op: Operation, plan: ListPlan, where: Predicate): Promise<{ rows: Row[]; total: number }> {
    const { name } = op.model.table!;
    const counting = op.store.count(name, where);
    if (op.params['search'] || where.op === 'false' || asksOthers(where)) {
      const total = await counting;
      requirePage(op, plan, total);
      const empty = total === 0 || plan.offset >= total;
      if (empty) return { total, rows: [] };
      const all = withoutOthers(where);
      const dense = await isDense(op, plan, total, () =>
        op.store.isCounted(name, all) ? op.store.count(name, all) : undefined,
      );
      return { total, rows: await op.store.select(this.query(op, plan, where, dense)) };
    }
    const [total, rows] = await Promise.all([counting, op.store.select(this.query(op, plan, where))]);
    requirePage(op, plan, total);
    return { total, rows };
  }

  private query(op: Operation, plan: ListPlan, where: Predicate, dense = false): Query {
    const unseen = neverSeen(op.model, op.actor);
    const { columns, virtualColumns: slots } = selectionOf(op.model, op.context, op.fields, false, unseen);
    return {
      table: op.model.table!.name,
      columns,
      adds: slots,
      where,
      order: plan.order,
      ...(op.budget ? { budget: op.budget } : {}),
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      ...(plan.offset > 0 ? { offset: plan.offset } : {}),
      ...(dense && 'column' in (plan.order[0] ?? {}) ? { dense: true } : {}),
    };
  }

  /** The current item, for a caller who has moved it to the trash. */
  private async shown(op: Operation): Promise<Result> {
    const row = await this.reload(op);
    answerWithin(op, sightOf(op));
    const [body] = await present(op, [row!]);
    return { status: 200, body };
  }

  /** Slow non-SQL work runs before the transaction, and only for callers who may write at all. */
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
      // Before the transaction: what cannot be stored must not block other writers.
      checkTexts(op);
      await this.prepare(op);
    } catch (error) {
      for (const undo of op.compensations) await undo();
      throw error;
    }
  }

  private async write(op: Operation, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { values, context, fields, id, state } = op;
    const needs = locksOf(op);
    const texts = this.texts ?? new PreparedTexts(op.site.runText ?? atOnce);
    op.runText = texts.run;
    const memory = op.budget && new WriteMemory(op.budget);
    const attempt = () =>
      this.store.transaction(async (tx) => {
        op.tx = tx;
        op.store = tx;
        if (memory) op.budget = memory;
        memory?.restart();
        op.related.clear();
        op.values = { ...values };
        op.context = context;
        op.fields = fields;
        op.id = id;
        op.state = { ...state };
        const first = await replayed(op, tx, this.rechecks);
        if (first) return first;
        const result = await work(tx);
        await keepAnswer(op, result, tx, this.rechecks);
        return result;
      }, needs);
    try {
      if (!couldEver(op.model, op.kind, op.actor)) await this.permit(op);
      // A duplicate missed by the checks was written in the meantime; on the second attempt they reject it with their
      // specific error.
      const result = await texts.complete(
        () => attempt().catch((error) => (isDuplicate(error) ? attempt() : Promise.reject(error))),
        memory,
      );
      await this.store.noteWrite(op.actor);
      return result;
    } catch (error) {
      for (const undo of op.compensations) await undo();
      const duplicate = isDuplicate(error) ? await duplicateError(error, op, this.store.reader) : undefined;
      throw duplicate ?? failedWrite(error, op) ?? error;
    }
  }

  /** Rejects a write of a caller without permission; leaves the operation as it is. */
  private async permit(write: Operation): Promise<void> {
    const op = followingOperation(write, { values: { ...write.values } });
    await this.resolveParent(op);
    const current = op.kind === 'create' ? undefined : await this.load(op, op.model.allColumns, [op.kind]);
    await this.check(op, current);
  }

  private async check(op: Operation, current?: Row): Promise<void> {
    for (const hook of op.model.hooks.authorize) await denying(() => hook.run(op, current));
    if (op.kind !== 'list') await checkParams(op);
    await authorize(op, current);
    await this.checkParent(op);
  }

  private async resolveParent(op: Operation): Promise<void> {
    const { parent } = op.model;
    if (!parent) return;
    const above = retrievalOf(op, parent.model);
    const checks = parent.hides ? rowChecks(above, ['retrieve']) : NO_CHECKS;
    const row =
      op.parentId > 0 &&
      (await op.store.first(
        parent.model.table!.name,
        parent.model.lightColumns,
        and(equals('id', op.parentId), parent.model.rowScope),
        checks.asked,
      ));
    if (!row) throw itemNotFound({ labels: parent.model.labels, code: parent.notFound }, op.parentId);
    readChecks(above, row, checks);
    op.parent = row;
    op.above = above;
    if (parent.hides === 'first') await this.check(above, row);
  }

  /** Callers who may not retrieve the parent may do nothing below it. */
  private async checkParent(op: Operation): Promise<void> {
    if (op.model.parent?.hides === 'last' && op.above) await this.check(op.above, op.parent);
  }

  /** The row of an item operation, with the results of its row rules in `op.ruleResults`. */
  private async load(op: Operation, columns: readonly string[], kinds: readonly OperationKind[]): Promise<Row> {
    const { model, store } = op;
    const checks = rowChecks(op, kinds);
    const where = and(equals(model.key.column!, op.id), model.rowScope);
    const find = (names: readonly string[], budget?: OutputBudget) =>
      op.id === 0 ? undefined : store.first(model.table!.name, names, where, checks.asked, budget);
    const budget =
      op.budget &&
      beforeTexts(op.budget, async () => {
        const light = await this.found(op, await find(model.lightColumns), checks);
        if (kinds.includes(op.kind) && !stepsHold(op, op.kind)) await this.check(op, light);
      });
    return this.found(op, await find(columns, budget), checks);
  }

  /** The row that was loaded. Throws when there is none, or when it is below another parent. */
  private async found(op: Operation, row: Row | undefined, checks: RowChecks): Promise<Row> {
    const { model } = op;
    const misplaced = row !== undefined && model.parent && row[model.parent.field.column!] !== op.parentId;
    if (!row || misplaced) await rejectAnonymous(op);
    if (!row || misplaced) await this.missing(op);
    if (!row) throw itemNotFound({ labels: model.labels, code: model.errors.notFound }, op.id);
    readChecks(op, row, checks);
    if (misplaced && model.parent) {
      const code = model.parent.mismatch ?? model.errors.notFound;
      if (code === model.errors.notFound) throw itemNotFound({ labels: model.labels, code }, op.id);
      throw new ResourceError(code, { like: 'rest_post_invalid_id' });
    }
    op.id = row['id'] as number;
    return row;
  }

  private async missing(op: Operation): Promise<void> {
    if (op.kind === 'delete') for (const hook of op.model.hooks.missing) await hook.run(op);
  }

  private async reload(op: Operation): Promise<Row | undefined> {
    const checks = rowChecks(op, ['retrieve', 'update', 'delete']);
    const { name } = op.model.table!;
    // Measuring a row before it is loaded costs as much as loading a small one.
    const budget = op.budget instanceof WriteMemory && op.budget.isLarge ? op.budget : undefined;
    const row = await op.store.first(name, op.model.allColumns, equals('id', op.id as number), checks.asked, budget);
    if (row) readChecks(op, row, checks);
    return row;
  }
}

/** The update that an action stands for. */
function updateOf(op: Operation, { model, id, values }: ReturnType<ActionModel['target']>): Operation {
  const request = { model, kind: 'update', id, parentId: 0, values, raw: values, context: 'edit' } as const;
  return followingOperation(op, request);
}

/** A budget that asks first whether the caller may have a row whose texts are about to be loaded. */
function beforeTexts(budget: OutputBudget, ask: () => Promise<void>): OutputBudget {
  return {
    get bytes() {
      return budget.bytes;
    },
    take: (bytes) => ask().then(() => budget.take(bytes)),
  };
}

/** Without a pool, text functions run in process. */
const atOnce: TextPoolRunner = async (work, ...texts) => work(...texts);
/** The operation of retrieving an operation's parent, for permission checks. */
function retrievalOf(op: Operation, model: ResourceModel): Operation {
  const { actor, site, store, headers } = op;
  const params = Object.fromEntries(
    model.openings.filter((name) => op.params[name] !== undefined).map((name) => [name, op.params[name]]),
  );
  return newOperation({ model, kind: 'retrieve', id: op.parentId, params, actor, site, store, headers });
}

/** Marks an error of an authorize hook as a missing permission. */
async function denying(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ResourceError) error.denied = true;
    throw error;
  }
}
