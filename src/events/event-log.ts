// Puts events in the order of commits. Ids of the outbox are not in that order: a transaction that inserted first may
// commit last, and a reader that has passed its ids would miss it. So one transaction at a time, serialized by a lock,
// moves what is visible from the outbox to the log. A row that becomes visible later gets a greater id there: readers
// of the log by id miss nothing.
import type { Store } from '../model/store.js';
import { oneOf, TRUE, type Query } from '../model/query.js';
import { EVENT_COLUMNS, EVENTS, eventOf, OUTBOX } from './event.js';
import type { SiteEvent } from '../model/audit.js';

/** Events moved by one transaction. */
const BATCH = 500;
const LOCK = 'events';

/** The order of events of one database. */
export class EventLog {
  constructor(private readonly store: Store) {}

  /** Moves the events in the outbox to the log; returns their number. */
  async sequence(): Promise<number> {
    let moved = 0;
    for (;;) {
      if (!(await this.store.reader.first(OUTBOX.name, ['id'], TRUE))) return moved;
      const count = await this.moveSome();
      moved += count;
      if (count < BATCH) return moved;
    }
  }

  /** The id of the last event; 0 before the first. */
  async last(): Promise<number> {
    const order = [{ column: 'id', direction: 'desc' as const }];
    const [row] = await this.store.reader.select({ table: EVENTS.name, columns: ['id'], where: TRUE, order, limit: 1 });
    return Number(row?.['id'] ?? 0);
  }

  /** The id of the first event that has not been deleted; 0 without any. */
  async first(): Promise<number> {
    const order = [{ column: 'id', direction: 'asc' as const }];
    const [row] = await this.store.reader.select({ table: EVENTS.name, columns: ['id'], where: TRUE, order, limit: 1 });
    return Number(row?.['id'] ?? 0);
  }

  /** Events after a position, in their order. */
  async after(position: number, limit: number): Promise<SiteEvent[]> {
    const where = { op: 'gt' as const, column: 'id', value: position };
    return (await this.store.reader.select({ ...orderly(EVENTS.name), where, limit })).map(eventOf);
  }

  /** Deletes the events before a time in milliseconds, except the last one, so that no id is reused. */
  async trim(before: number): Promise<void> {
    for (;;) {
      const last = await this.last();
      const old = { op: 'lt' as const, column: 'at', value: before };
      const where = { op: 'and' as const, of: [old, { op: 'lt' as const, column: 'id', value: last }] };
      const rows = await this.store.reader.select({ ...orderly(EVENTS.name), columns: ['id'], where, limit: BATCH });
      if (rows.length === 0) return;
      const ids = rows.map(({ id }) => id as number);
      await this.store.transaction((tx) => tx.delete(EVENTS.name, oneOf('id', ids)), { names: [LOCK] });
    }
  }

  private moveSome(): Promise<number> {
    return this.store.transaction(
      async (tx) => {
        await tx.lock([LOCK]);
        const rows = await tx.select({ ...orderly(OUTBOX.name), where: TRUE, limit: BATCH });
        if (rows.length === 0) return 0;
        await tx.delete(
          OUTBOX.name,
          oneOf(
            'id',
            rows.map(({ id }) => id as number),
          ),
        );
        await tx.insertMany(
          EVENTS.name,
          rows.map(({ id: _id, ...event }) => event),
        );
        return rows.length;
      },
      { names: [LOCK] },
    );
  }
}

function orderly(table: string): Omit<Query, 'where'> {
  return { table, columns: EVENT_COLUMNS, order: [{ column: 'id', direction: 'asc' }] };
}
