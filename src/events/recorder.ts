// Writes the events of changes into the outbox, in the transaction of the change; nothing while there is no consumer.
import { evaluate } from '../engine/rights/evaluate.js';
import { ANONYMOUS, type Actor } from '../model/actor.js';
import { changedFields, sentFields, type EventAction } from '../model/audit.js';
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { Hooks } from '../model/hooks.js';
import type { Operation } from '../model/operation.js';
import { and, TRUE, type Predicate, type Row } from '../model/query.js';
import type { Transaction } from '../model/store.js';
import { AFTER, BEFORE, OUTBOX, storedNames } from './event.js';

/** Whether events are wanted now. */
export interface Wanted {
  /** Whether events have a consumer. */
  readonly events: boolean;
  /** Whether events record that anonymous callers could read the item. */
  readonly open: boolean;
}

/** One per site. */
export class EventRecorder {
  /** Called after the commit of a transaction with events. */
  onCommit: () => void = () => undefined;

  constructor(private readonly wanted: () => Wanted) {}

  /** Whether events have a consumer now. */
  get isWanted(): boolean {
    return this.wanted().events;
  }

  /**
   * Adds its hooks to every resource with a table, after those of traits and extensions. To be called once, at the
   * start.
   */
  follow({ byName }: ModelSet, now: () => number): void {
    for (const model of byName.values()) {
      // Audit entries and deliveries record events: they have none of their own.
      if (!model.table || model.faces.audit || model.faces.delivery) continue;
      const own = this.hooksOf(model, now);
      for (const phase of ['saved', 'removed'] as const)
        (model.hooks[phase] as { trait: string; run: unknown }[]).push({ trait: 'events', run: own[phase] });
    }
  }

  /** Records an action that is not a write of an item. */
  async record(
    event: { resource: string; item: number; action: EventAction },
    actor: Actor,
    tx: Transaction,
    at: number,
  ) {
    if (this.wanted().events) await this.write({ ...event, fields: [], open: 0 }, actor, tx, at);
  }

  private hooksOf(model: ResourceModel, now: () => number): Pick<Hooks, 'saved' | 'removed'> {
    return {
      saved: async (row, op, previous) => {
        const { events, open } = this.wanted();
        if (!events || isImport(op)) return;
        const fields = previous ? changedFields(model, row, previous, op) : sentFields(model, op);
        const item = row['id'] as number;
        const bits = open ? await openBits(model, op, previous, row) : 0;
        for (const action of actionsOf(model, row, op, previous, fields.length > 0))
          await this.write({ resource: model.name, item, action, fields, open: bits }, op.actor, op.tx!, now());
      },
      removed: async (row, op) => {
        const { events, open } = this.wanted();
        if (!events || isImport(op)) return;
        const bits = open ? await openBits(model, op, row) : 0;
        const event = { resource: model.name, item: row['id'] as number, action: 'deleted' as const, fields: [] };
        await this.write({ ...event, open: bits }, op.actor, op.tx!, now());
      },
    };
  }

  private async write(
    event: { resource: string; item: number; action: EventAction; fields: readonly string[]; open: number },
    actor: Actor,
    tx: Transaction,
    at: number,
  ): Promise<void> {
    // The actor of a trusted write has the id of the item's author, who is not the one who writes.
    const account = actor.via === 'system' || actor.via === 'command' ? 0 : actor.id;
    await tx.append(OUTBOX.name, { ...event, fields: storedNames(event.fields), actor: account, at });
    tx.after(() => this.onCommit());
  }
}

/** Imports and loads restore data: they record no events. */
function isImport({ actor }: Operation): boolean {
  return actor.via === 'command';
}

function actionsOf(
  model: ResourceModel,
  row: Row,
  { state }: Operation,
  previous: Row | undefined,
  changed: boolean,
): EventAction[] {
  if (state.trash === 'entered') return ['trashed'];
  const published = model.faces.publication?.isPublished;
  const isNew = published?.(row) === true && (!previous || !published(previous));
  if (!previous) return isNew ? ['created', 'published'] : ['created'];
  const action = state.trash === 'left' ? 'restored' : 'updated';
  if (!changed && !isNew && action === 'updated') return [];
  return isNew ? [action, 'published'] : [action];
}

async function openBits(model: ResourceModel, op: Operation, before?: Row, after?: Row): Promise<number> {
  const [wasOpen, isOpenNow] = [before && (await isOpen(model, before, op)), after && (await isOpen(model, after, op))];
  return (wasOpen ? BEFORE : 0) + (isOpenNow ? AFTER : 0);
}

/**
 * Whether the rules let anonymous callers read a row: its own, those of the conditions of traits, and those of its
 * parent. Hooks of extensions are evaluated when the event is sent.
 */
async function isOpen(model: ResourceModel, row: Row, op: Operation): Promise<boolean> {
  if (!model.operations.has('retrieve')) return false;
  return evaluate(and(readableByAll(model), parentReadableByAll(model)), row, op.tx);
}

/** Rows that anonymous callers may retrieve. */
function readableByAll({ policy, rowScope, faces }: ResourceModel): Predicate {
  const steps = policy.retrieve.filter(({ field, param }) => !field && param === undefined);
  const asked = Object.values(faces.asked?.(ANONYMOUS) ?? {});
  return and(rowScope, ...steps.map(({ needs }) => needs(ANONYMOUS)), ...asked);
}

/** Rows below a parent that anonymous callers may retrieve. */
function parentReadableByAll({ parent }: ResourceModel): Predicate {
  if (!parent?.hides) return TRUE;
  const { field, model } = parent;
  const where = readableByAll(model);
  return { op: 'exists', table: model.table!.name, outer: field.column!, inner: 'id', where };
}
