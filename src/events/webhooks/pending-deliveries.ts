// The deliveries that are still to be sent.
import type { DeliveryColumn } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, NEXT_VERSION, not, oneOf, or, type Predicate, type Query, type Row } from '../../model/query.js';
import type { Store } from '../../model/store.js';
import { attemptsWithShortPauses, MAX_RETRY_AFTER_MS, MAX_BACKOFF_MS } from './backoff.js';
import type { Webhook } from './webhook-list.js';

/** Due deliveries of one webhook that are read at a time. */
const WINDOW = 500;
/** Deliveries of one webhook that are sent before the next ones are read. */
const ROUND = 64;

/** Reads the pending deliveries of webhooks; `now` is in milliseconds. */
export class PendingDeliveries {
  readonly table: string;
  readonly columns: Readonly<Record<DeliveryColumn, string>>;

  constructor(
    deliveries: ResourceModel,
    private readonly store: Store,
    private readonly now: () => number,
  ) {
    this.table = deliveries.table!.name;
    this.columns = deliveries.faces.delivery!.columns;
  }

  /** Whether a delivery to any of these webhooks is due. */
  async isAnyDue(webhooks: readonly Webhook[]): Promise<boolean> {
    const { state, target } = this.columns;
    const ids = webhooks.map(({ id }) => id);
    const where = and(equals(state, 'pending'), oneOf(target, ids), this.due());
    return (await this.store.reader.first(this.table, ['id'], where)) !== undefined;
  }

  /**
   * Makes deliveries due whose remaining wait exceeds the longest pause after their attempts, because the clock was set
   * back. `first`: the pause after the first attempt.
   */
  async hasten(first: number): Promise<void> {
    const { state, due, attempts } = this.columns;
    const now = this.now();
    const after = (ms: number): Predicate => ({ op: 'gt', column: due, value: now + ms });
    const few: Predicate = { op: 'le', column: attempts, value: attemptsWithShortPauses(first) };
    const late = and(equals(state, 'pending'), or(and(few, after(MAX_RETRY_AFTER_MS)), after(MAX_BACKOFF_MS)));
    if (!(await this.store.reader.first(this.table, ['id'], late))) return;
    await this.store.transaction((tx) => tx.update(this.table, { [due]: now, ...NEXT_VERSION }, late), {});
  }

  /** The first pending delivery of each item, where it is due; at most a round of them. */
  async heads(webhook: Webhook): Promise<Row[]> {
    const due = this.due();
    const heads = new Map<string, Row>();
    let window: Row[];
    let last = 0;
    do {
      window = await this.of(webhook, and(due, { op: 'gt', column: 'id', value: last }), WINDOW);
      const blocked = await this.blocked(webhook, window, due);
      for (const row of window) {
        const item = this.itemOf(row);
        const first = blocked.get(item);
        const isHead = !heads.has(item) && (first === undefined || first > row['id']);
        if (isHead && heads.size < ROUND) heads.set(item, row);
      }
      last = window.at(-1)?.['id'] as number;
    } while (window.length === WINDOW && heads.size < ROUND);
    return this.withPayloads([...heads.values()]);
  }

  /** The deliveries with their payloads, without those that have been deleted since they were read. */
  private async withPayloads(heads: readonly Row[]): Promise<Row[]> {
    if (heads.length === 0) return [];
    const { payload } = this.columns;
    const ids = heads.map(({ id }) => id as number);
    const query: Query = { table: this.table, columns: ['id', payload], where: oneOf('id', ids), order: [] };
    const rows = await this.store.reader.select(query);
    const texts = new Map(rows.map((row) => [row['id'], row[payload] ?? '']));
    return heads.filter(({ id }) => texts.has(id)).map((row) => ({ ...row, [payload]: texts.get(row['id']) }));
  }

  /**
   * The items of these deliveries that have a delivery waiting for its next attempt, with the id of the first such
   * delivery.
   */
  private async blocked(webhook: Webhook, window: readonly Row[], due: Predicate): Promise<Map<string, number>> {
    const blocked = new Map<string, number>();
    if (window.length === 0) return blocked;
    const items = new Set(window.map((row) => row[this.columns.item] as number));
    for (const row of await this.of(webhook, and(not(due), oneOf(this.columns.item, [...items])))) {
      const item = this.itemOf(row);
      if (!blocked.has(item)) blocked.set(item, row['id'] as number);
    }
    return blocked;
  }

  /** Pending deliveries of a webhook in their order, without payloads. */
  private of(webhook: Webhook, where: Predicate, limit?: number): Promise<Row[]> {
    const { columns } = this;
    return this.store.reader.select({
      table: this.table,
      columns: ['id', 'row_version', columns.resource, columns.item, columns.attempts, columns.event],
      where: and(equals(columns.state, 'pending'), equals(columns.target, webhook.id), where),
      order: [{ column: 'id', direction: 'asc' }],
      ...(limit === undefined ? {} : { limit }),
    });
  }

  private due(): Predicate {
    return { op: 'le', column: this.columns.due, value: this.now() };
  }

  private itemOf(row: Row): string {
    return `${row[this.columns.resource]} ${row[this.columns.item]}`;
  }
}
