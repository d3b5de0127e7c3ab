// Runs the actions of extensions: each is one transaction, with the checks of reading its item and of its own rule.
import { atomically, type TransactionScope } from '../../engine/batch/atomic.js';
import { findStoredResponse, idempotencyOf, storeResponse } from '../../engine/replays/idempotency.js';
import { stillVisible } from '../../engine/replays/replay.js';
import type { ResourceService } from '../../engine/resource.service.js';
import type { OwnActionModel } from '../../model/hooks.js';
import type { Operation, OutputBudget, Result } from '../../model/operation.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';
import { requireEncodableInSlices } from '../response/large-body.js';
import { validateParams } from '../validation/validate-params.js';
import { BegunWrites } from './begun-writes.js';
import type { InProcess } from './in-process.js';

/** What actions are run with. */
export interface OwnActionParts {
  store: Store;
  site: Site;
  service: ResourceService;
  inProcess: InProcess;
}

/** One per application. */
export class OwnActions {
  constructor(private readonly parts: OwnActionParts) {}

  /**
   * Runs an action; `op` reads its item, or lists its collection. `sent` is the body, `key` the header `Idempotency-Key`.
   * @throws ResourceError when it is refused; nothing is changed
   */
  async run(op: Operation, action: OwnActionModel, sent: Record<string, unknown>, key?: string): Promise<Result> {
    const { store, site, service } = this.parts;
    // Before the body is validated: callers without permission get no errors about it.
    const { id } = op;
    await service.admit(op, action);
    op.values = validateParams(action.params, sent);
    op.raw = sent;
    op.id = id;
    const budget: OutputBudget = op.budget ?? { bytes: 0, take: () => undefined };
    if (key !== undefined) op.idempotency = idempotencyOf({ ...op, kind: 'update', action: action.name }, key);
    const result = await atomically({ store, runText: site.textsOf?.(op.actor), budget }, (scope) => {
      const begun: Operation = { ...op, id, tx: scope.tx, store: scope.tx, ruleResults: {}, related: new Map() };
      return this.once(begun, action, scope).finally(() => Object.assign(op, { id: begun.id, tx: scope.tx }));
    });
    await store.noteWrite(op.actor);
    return result;
  }

  private async once(op: Operation, action: OwnActionModel, scope: TransactionScope): Promise<Result> {
    const { tx, service } = scope;
    const row = await service.admit(op, action);
    const stored = await findStoredResponse(op, tx);
    if (stored) {
      const { result, shown } = stored;
      const body = shown ? stillVisible(op, result.body, await service.shownNow(op)) : result.body;
      return { ...result, body, headers: { ...result.headers, 'Idempotency-Replayed': 'true' } };
    }
    const { body, isItem } = await this.runAction(op, action, row, scope);
    // Afterwards it could only be a 500 for an action that was done.
    await requireEncodableInSlices(body);
    const result: Result = { status: 200, body: body ?? null };
    const shown = isItem && body ? { id: Number(op.id), context: op.context, readable: true } : undefined;
    await storeResponse(op, result, shown, tx);
    return result;
  }

  private async runAction(
    op: Operation,
    action: OwnActionModel,
    row: OwnCall['row'],
    scope: TransactionScope,
  ): Promise<{ body: unknown; isItem: boolean }> {
    const writes = new BegunWrites();
    const inside = this.parts.inProcess.inside(scope, (write) => writes.add(write));
    const call: OwnCall = {
      id: row ? (op.id as number) : 0,
      row,
      values: op.values,
      actor: op.actor,
      op,
      tx: scope.tx,
      resource: (name: string) => inside.resource(name),
      after: (work: () => void | Promise<void>) => scope.tx.after(work),
    };
    const returned = await writes.around(() => action.run(call));
    const isItem = returned === undefined && row !== undefined;
    return { body: isItem ? await scope.service.shownNow(op) : returned, isItem };
  }
}

type OwnCall = Parameters<OwnActionModel['run']>[0] & Record<string, unknown>;
