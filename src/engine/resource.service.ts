// The five standard operations, for every resource.
import { ResourceError } from '../errors/resource-error.js';
import { ruleTimeReads } from '../model/runtime/clock.js';
import type { ListPlan } from '../model/list.js';
import type { ActionModel, OwnActionModel } from '../model/hooks.js';
import { followingOperation } from '../model/new-operation.js';
import type { Operation, Result, View } from '../model/operation.js';
import type { Predicate, Row } from '../model/query.js';
import { itemPath } from '../model/functions/paths.js';
import type { Store } from '../model/store.js';
import { checkMove, checkOperation, mayReadParent, resolveParent } from './check-operation.js';
import { checkFieldWrites, refuseFields } from './field-writes.js';
import { pageBehindCursor, pageByNumber } from './list-page.js';
import { planList, whereOf } from './list-plan.js';
import { loadItem, reloadItem } from './load-item.js';
import { checkPrecondition } from './precondition.js';
import { alternate } from './presentation/item-links.js';
import { prefetchMany, prefetchStoredRelated } from './presentation/load-relations.js';
import { present } from './presentation/present.js';
import { selectionOf } from './presentation/selection.js';
import { removeRows } from './remove-rows.js';
import { findStoredResponse } from './replays/idempotency.js';
import { replay } from './replays/replay.js';
import { allowedMethods } from './rights/policy-results.js';
import { seesInPart } from './rights/field-rights.js';
import { evaluate } from './rights/evaluate.js';
import { checkParams, rejectHidden, requireScope } from './rights/policy.js';
import { virtualRow } from './rights/policy-steps.js';
import { predicateFor } from './rights/predicate-for.js';
import { limitResponse, rejectWiderFields, rejectWiderAccess, readAccessOf } from './read-access.js';
import { listStatic, retrieveStatic } from './static-rows.js';
import { versionOf } from './version.js';
import { changeItem, insertItem } from './write-item.js';
import { permitWrite, prepareWrite, writeInTransaction, type WriteParts } from './write-transaction.js';
import { columnsToUpdate } from './writes/columns-to-update.js';
import type { PreparedTexts } from './writes/prepared-texts.js';

/** Runs the operations of every resource: each method is one operation, from its checks to what its caller sees. */
export class ResourceService {
  private readonly parts: WriteParts;

  /**
   * `texts`: results of text functions that its writes share, for writes in one transaction.
   * @internal
   */
  constructor(store: Store, texts?: PreparedTexts) {
    this.parts = { store, texts, rechecks: { retrieve: (op) => this.retrieve(op), permit: permitWrite } };
  }

  /**
   * Items of a collection in the requested order, with exact totals.
   * @throws ResourceError for an invalid parameter, context or page
   */
  async list(op: Operation): Promise<Result> {
    if (op.model.static) return listStatic(op);
    const reads = ruleTimeReads();
    const { plan, where } = await this.plan(op);
    const result = plan.after ? await pageBehindCursor(op, plan, where) : await pageByNumber(op, plan, where);
    if (reads !== ruleTimeReads()) op.state.volatile = true;
    return result;
  }

  /**
   * The query of a list, after its permission checks.
   * @throws ResourceError like the list
   */
  async plan(op: Operation): Promise<{ plan: ListPlan; where: Predicate }> {
    await checkParams(op);
    await resolveParent(op);
    await checkOperation(op);
    const plan = await planList(op);
    return { plan, where: whereOf(plan) };
  }

  /**
   * One item in a context.
   * @throws ResourceError when it does not exist or may not be read
   */
  async retrieve(op: Operation): Promise<Result> {
    if (op.model.static) return retrieveStatic(op);
    const reads = ruleTimeReads();
    await resolveParent(op);
    const { model, context, fields, actor } = op;
    const columns = seesInPart(model, actor) ? model.allColumns : selectionOf(model, context, fields, true).columns;
    const row = await loadItem(op, columns, ['retrieve', 'update', 'delete']);
    await checkOperation(op, row);
    const allow = await allowedMethods(op, 'item');
    op.state.allow = allow;
    const [view] = await present(op, [row]);
    const more = alternate(op, row, view!);
    if (reads !== ruleTimeReads()) op.state.volatile = true;
    return { status: 200, body: view, allow, version: await versionOf(op, row), ...more };
  }

  /**
   * Creates an item; returned in the context `edit` to callers who may retrieve it in that context.
   * @throws ResourceError when it is rejected; nothing is written
   */
  async create(op: Operation): Promise<Result> {
    const first = await replay(op, op.store, this.parts.rechecks);
    if (first) return first;
    await prepareWrite(op);
    return writeInTransaction(op, this.parts, async (tx) => {
      await resolveParent(op);
      await checkOperation(op);
      refuseFields(op);
      await insertItem(op, tx);
      const stored = (await reloadItem(op))!;
      limitResponse(op, readAccessOf(op));
      const [view] = await present(op, [stored]);
      const headers = { Location: op.site.base + itemPath(op.model, stored), ...op.state.headers };
      const allow = await allowedMethods(op, 'collection');
      return { status: 201, body: view, headers, allow, version: await versionOf(op, stored) };
    });
  }

  /**
   * Updates the fields sent of an item; others stay unchanged.
   * @throws ResourceError when it is rejected; nothing is changed
   */
  async update(op: Operation): Promise<Result> {
    const first = await replay(op, op.store, this.parts.rechecks);
    if (first) return first;
    await prepareWrite(op);
    return writeInTransaction(op, this.parts, async (tx) => {
      // Where the path names the item by its id, what belongs to it is read together with it.
      const isKnown = typeof op.id === 'number' && op.model.key.column === 'id';
      if (isKnown) {
        prefetchForUpdate(op);
        prefetchStoredRelated(op);
      }
      await resolveParent(op);
      const current = await loadItem(op, columnsToUpdate(op), ['retrieve', 'update', 'delete']);
      if (!isKnown) prefetchForUpdate(op);
      await checkOperation(op, current);
      await checkPrecondition(op, current);
      await checkFieldWrites(op, current);
      const before = readAccessOf(op);
      const seen = { ...op.ruleResults };
      await changeItem(op, tx, current);
      const stored = (await reloadItem(op))!;
      const above = op.model.parent?.field.column;
      if (above && stored[above] !== current[above]) await checkMove(op, stored[above]);
      const after = readAccessOf(op);
      rejectWiderAccess(op, before, after);
      rejectWiderFields(op, seen);
      limitResponse(op, after);
      const allow = (op.state.allow = await allowedMethods(op, 'item'));
      const [view] = await present(op, [stored]);
      return { status: 200, body: view, allow, version: await versionOf(op, stored) };
    });
  }

  /**
   * Permanently deletes an item, or lets a trait move it to the trash.
   * @throws ResourceError when it is rejected; nothing is changed
   */
  async delete(op: Operation): Promise<Result> {
    return writeInTransaction(op, this.parts, async (tx) => {
      await resolveParent(op);
      const current = await loadItem(op, op.model.allColumns, ['retrieve', 'update', 'delete']);
      await checkOperation(op, current);
      await checkPrecondition(op, current);
      for (const hook of op.model.hooks.remove) {
        if (await hook.run(current, op)) return this.presentTrashed(op);
      }
      limitResponse(op, readAccessOf(op));
      const [previous] = await present(op, [current]);
      delete previous!['_links'];
      await removeRows(tx, op.model, [op.id as number], op);
      for (const hook of op.model.hooks.removed) await hook.run(current, op);
      return { status: 200, body: { deleted: true, previous } };
    });
  }

  /**
   * Performs an action of an item that is an update of it, or of another one: restoring a revision.
   * @throws ResourceError like that update
   */
  async act(op: Operation, name: string): Promise<Result> {
    await resolveParent(op);
    const first = await this.replayedAction(op);
    if (first) return first;
    const { id } = op;
    const { changes, target } = op.model.actions.get(name)!;
    const seen = await loadItem(op, op.model.lightColumns, ['retrieve']);
    if (readAccessOf(op) === 'none') await this.rejectAction(updateOf(op, changes, target(seen)), op.model.errors.read);
    op.id = id;
    const row = await loadItem(op, op.model.allColumns, ['retrieve']);
    return this.update(updateOf(op, changes, target(row)));
  }

  /**
   * The response to the first request with this key for the action, if there was one. The item of the action may have
   * been deleted since: a restored revision is the first one to be deleted when there are too many.
   */
  private async replayedAction(op: Operation): Promise<Result | undefined> {
    const shown = (await findStoredResponse(op, op.store))?.shown;
    const model = shown && op.model.site.byName.get(shown.resource ?? '');
    if (!model) return undefined;
    const update = updateOf(op, model, { id: shown.id, values: {} });
    const first = await replay(update, op.store, this.parts.rechecks);
    return first && { ...first, allow: await this.allow(update, 'item') };
  }

  /**
   * Rejects callers who may not use an action of a trait on its item.
   * @throws ResourceError like the action
   */
  async permitAction(op: Operation, name: string): Promise<void> {
    await resolveParent(op);
    const { changes, target } = op.model.actions.get(name)!;
    const row = await loadItem(op, op.model.allColumns, ['retrieve']);
    await this.permitUpdate(updateOf(op, changes, target(row)));
  }

  /**
   * Loads what an action of an extension is about: the item, or nothing for one on the collection.
   * @throws ResourceError when the caller may not read it, or may not do this
   */
  async admit(op: Operation, { on, needs, error, name }: OwnActionModel): Promise<Row | undefined> {
    // What an action does is not known: it counts as a write.
    requireScope({ ...op, kind: 'update' });
    await resolveParent(op);
    const row = on === 'item' ? await loadItem(op, op.model.allColumns, ['retrieve']) : undefined;
    await checkOperation(op, row);
    if (await evaluate(predicateFor(needs, op.actor), row ?? virtualRow(op), op.store)) return row;
    const wording = `You may not do this: ${name}.`;
    throw new ResourceError(error, { like: 'rest_forbidden', wording, denied: true });
  }

  /** The item of an operation as it is now, as the caller sees it; undefined when it no longer exists. */
  async shownNow(op: Operation): Promise<View | undefined> {
    const row = await reloadItem(op);
    if (!row) return undefined;
    limitResponse(op, readAccessOf(op));
    return (await present(op, [row]))[0];
  }

  /** Rejects a caller who may not read the item of an action, with the error of the update if that is forbidden too. */
  private async rejectAction(update: Operation, code: string): Promise<never> {
    await this.permitUpdate(update);
    throw new ResourceError(code, { like: 'rest_forbidden', denied: true });
  }

  private async permitUpdate(update: Operation): Promise<void> {
    await checkOperation(update, await loadItem(update, update.model.allColumns, ['retrieve', 'update', 'delete']));
  }

  /** Methods that the caller may use on the route of an operation that was rejected or only described. */
  async allow(op: Operation, route: 'collection' | 'item'): Promise<string[]> {
    if (!op.model.table) return ['GET'];
    const { key, parent } = op.model;
    if (parent?.hides === 'first') await resolveParent(op);
    const columns = ['id', key.column!, ...(parent ? [parent.field.column!] : [])];
    const single = op.model.singleton;
    if (route !== 'item' && !single) return allowedMethods(op, route);
    await loadItem(op, [...new Set(columns)], ['retrieve', 'update', 'delete']);
    const methods = await allowedMethods(op, 'item');
    if (methods.length === 0) rejectHidden(op);
    else if (parent?.hides !== 'last') return methods;
    if (!op.above) await resolveParent(op);
    return (await mayReadParent(op)) ? methods : [];
  }

  /** The current item, for a caller who has moved it to the trash. */
  private async presentTrashed(op: Operation): Promise<Result> {
    const row = await reloadItem(op);
    limitResponse(op, readAccessOf(op));
    const [body] = await present(op, [row!]);
    return { status: 200, body, allow: await allowedMethods(op, 'item') };
  }
}

/** Requests what an update will read of its item besides the row. */
function prefetchForUpdate(op: Operation): void {
  prefetchMany(op);
  op.model.faces.ahead?.(op);
}

/** The update that an action stands for. */
function updateOf(
  op: Operation,
  model: Operation['model'],
  { id, values }: ReturnType<ActionModel['target']>,
): Operation {
  const parentId = model === op.model ? op.parentId : 0;
  const request = { model, kind: 'update', id, parentId, values, raw: values, context: 'edit' } as const;
  return followingOperation(op, request);
}
