// Sends deliveries: for each webhook independently, those of one item in order, each until it gets a 2xx
// status or is given up. One process at a time sends; what was in flight when it died is sent again.
import type { Leases } from '../../maintenance/leases.js';
import { updateDerived } from '../../model/functions/update-derived.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals, NEXT_VERSION, type Row } from '../../model/query.js';
import type { Store, Transaction } from '../../model/store.js';
import { safeRequest } from '../../outgoing/safe-request.js';
import type { AllowedHost } from '../../outgoing/public-address.js';
import { pauseAfter, requestedPause } from './backoff.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { signedHeaders } from './signature.js';
import type { Webhook, WebhookList } from './webhook-list.js';
import { withGrace, withJoinedSignal } from '../../maintenance/joined-signal.js';
import { ReusableLease } from '../../maintenance/reusable-lease.js';
import type { Lease } from '../../maintenance/lease.js';

/** Milliseconds from which a step back of the clock is detected. */
const SET_BACK_MS = 1_000;
/** Requests to one webhook at a time. */
const CONCURRENT = 8;
/**
 * Milliseconds that running requests have to end when the sender stops; the next sender repeats those that take longer.
 */
const GRACE_MS = 1_000;
const LEASE = 'sender';
const MAX_ERROR = 250;

/** Settings of the operator. Times are milliseconds. */
export interface SenderOptions {
  /** Pause after the first failed attempt. */
  retry: number;
  /** Number of attempts after which a delivery is given up. */
  attempts: number;
  /** Longest time of a request. */
  timeout: number;
  /** Hosts without a public IP address that requests may be sent to. */
  allowHosts: readonly AllowedHost[];
}

/** What a sender depends on. */
export interface SenderParts {
  store: Store;
  leases: Leases;
  list: WebhookList;
  deliveries: ResourceModel;
  options: SenderOptions;
  now(): number;
  onError(error: unknown): void;
}

/** The outcome of a request. */
interface Outcome {
  ok: boolean;
  /** Whether the receiver responded with 410: the webhook is switched off. */
  gone: boolean;
  status: number;
  error: string;
  took: number;
  /** The pause that the receiver requests, in milliseconds; 0 for none. */
  retryAfter: number;
}

/** The sender of one process. */
export class WebhookSender {
  private running: Promise<void> | undefined;
  /** During a run: resumes deliveries to webhooks for which the run had none left. */
  private more: (() => void) | undefined;
  /** The difference between the system clock and the monotonic clock; absent before the first comparison. */
  private ahead: number | undefined;
  /** Whether deliveries may wait for a time that the clock had reached before it was set back. */
  private isBehind = true;
  private readonly pending: PendingDeliveries;
  private readonly lease: ReusableLease;

  constructor(private readonly parts: SenderParts) {
    this.lease = new ReusableLease(parts.leases, LEASE);
    this.pending = new PendingDeliveries(parts.deliveries, parts.store, parts.now);
  }

  /** Starts to send due deliveries, except to webhooks for which this is in progress. */
  wake(stopping: AbortSignal): void {
    if (stopping.aborted || this.parts.list.active.length === 0) return;
    this.lookAtClock();
    this.more?.();
    this.running ??= this.run(stopping).finally(() => (this.running = undefined));
  }

  /** Resolves once nothing is being sent, and no lease is held. */
  async end(): Promise<void> {
    await this.running;
    await this.lease.end();
  }

  private lookAtClock(): void {
    const ahead = this.parts.now() - performance.now();
    if (this.ahead !== undefined && ahead < this.ahead - SET_BACK_MS) this.isBehind = true;
    this.ahead = ahead;
  }

  private async run(stopping: AbortSignal): Promise<void> {
    const { onError } = this.parts;
    try {
      if (this.isBehind) {
        await this.pending.hasten(this.parts.options.retry);
        this.isBehind = false;
      }
      if (!(await this.pending.isAnyDue(this.parts.list.active))) return;
      await this.lease.run((lease) =>
        withJoinedSignal([lease.signal, stopping], (signal) => this.lanes(lease, signal)),
      );
    } catch (error) {
      if (!stopping.aborted) onError(error);
    }
  }

  /** Sends due deliveries to each webhook; `more` starts again those that had none left. */
  private async lanes(lease: Lease, signal: AbortSignal): Promise<void> {
    const lanes = new Map<number, Promise<void>>();
    const failures: unknown[] = [];
    const begin = () => {
      // After a failure, the other webhooks are completed first: the next run would repeat their requests in progress.
      if (signal.aborted || failures.length > 0) return;
      for (const webhook of this.parts.list.active.filter(({ id }) => !lanes.has(id))) {
        const lane = this.lane(webhook, lease, signal).catch((error: unknown) => void failures.push(error));
        lanes.set(
          webhook.id,
          lane.finally(() => lanes.delete(webhook.id)),
        );
      }
    };
    begin();
    this.more = begin;
    while (lanes.size > 0) await Promise.race(lanes.values());
    this.more = undefined;
    if (failures.length > 0) throw failures[0];
  }

  /** Sends due deliveries to one webhook until there are none. */
  private async lane(webhook: Webhook, lease: Lease, signal: AbortSignal): Promise<void> {
    let current: Webhook | undefined = webhook;
    while (current && !signal.aborted) {
      const heads = await this.pending.heads(current);
      if (heads.length === 0) return;
      const outcomes = await this.send(current, heads, signal);
      if (outcomes.size > 0 && !(await this.note(current, heads, outcomes, lease))) return;
      current = this.parts.list.active.find(({ id }) => id === webhook.id);
    }
  }

  private async send(webhook: Webhook, heads: readonly Row[], signal: AbortSignal): Promise<Map<number, Outcome>> {
    const outcomes = new Map<number, Outcome>();
    const waiting = [...heads];
    await withGrace(signal, GRACE_MS, async (ended) => {
      const work = async () => {
        for (let row = waiting.shift(); row && !signal.aborted; row = waiting.shift()) {
          const outcome = await this.request(webhook, row, ended);
          // A request that was aborted by the shutdown does not count as a failed attempt.
          if (outcome.ok || !ended.aborted) outcomes.set(row['id'] as number, outcome);
        }
      };
      await Promise.all(Array.from({ length: Math.min(CONCURRENT, heads.length) }, work));
    });
    return outcomes;
  }

  private async request(webhook: Webhook, row: Row, signal: AbortSignal): Promise<Outcome> {
    const { options, now } = this.parts;
    const body = row[this.pending.columns.payload] as string;
    const secrets = [webhook.secret, ...(webhook.former !== '' && webhook.formerUntil > now() ? [webhook.former] : [])];
    const signed = { id: `msg_${row[this.pending.columns.event]}`, seconds: Math.floor(now() / 1000), body };
    const begin = performance.now();
    const took = () => Math.round(performance.now() - begin);
    try {
      const response = await safeRequest(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'Typecase-Webhooks',
          ...signedHeaders(secrets, signed),
        },
        body,
        limit: 0,
        ignoresBody: true,
        allowHosts: options.allowHosts,
        redirects: 0,
        timeout: options.timeout,
        signal,
      });
      response.body.on('error', () => undefined).destroy();
      const { status, headers } = response;
      const ok = status >= 200 && status < 300;
      const retryAfter = requestedPause(headers['retry-after'], now());
      const error = ok ? '' : `the response has the status ${status}`;
      return { ok, gone: status === 410, status, error, took: took(), retryAfter };
    } catch (error) {
      const text =
        error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? '') : String(error);
      return { ok: false, gone: false, status: 0, error: text.slice(0, MAX_ERROR), took: took(), retryAfter: 0 };
    }
  }

  /** Stores the outcomes of a round. False when the lease is lost: another process sends these again. */
  private async note(
    webhook: Webhook,
    heads: readonly Row[],
    outcomes: ReadonlyMap<number, Outcome>,
    lease: Lease,
  ): Promise<boolean> {
    const { store, list, deliveries } = this.parts;
    const refused = [...outcomes.values()].some((outcome) => outcome.gone);
    let gone = false;
    const held = await store.transaction(
      async (tx) => {
        // Switching a webhook off depends on its URL, which is changed under the lock of that item.
        if (refused) tx.alone();
        if (!(await lease.confirm(tx))) return false;
        gone = refused && (await this.isStillAt(webhook, tx));
        for (const row of heads) {
          const outcome = outcomes.get(row['id'] as number);
          if (!outcome) continue;
          const changes = this.changesOf(row, { ...outcome, gone: outcome.gone && gone });
          // Not if the delivery was replayed since: its count of attempts starts again, without this one.
          const same = equals('row_version', row['row_version']);
          const where = and(equals('id', row['id']), same);
          await updateDerived(deliveries, changes, where, tx, NEXT_VERSION, { site: store });
        }
        const { active } = list.model.faces.webhook!.columns;
        const off = { [active]: 0, ...NEXT_VERSION };
        if (gone) await tx.update(list.model.table!.name, off, equals('id', webhook.id));
        return true;
      },
      { names: lease.locks },
    );
    if (gone) await list.read();
    return held;
  }

  /** Whether a webhook still has the requested URL: a 410 of a former URL does not apply to the current one. */
  private async isStillAt({ id, url }: Webhook, tx: Transaction): Promise<boolean> {
    const { model } = this.parts.list;
    const column = model.faces.webhook!.columns.url;
    return (await tx.first(model.table!.name, [column], equals('id', id)))?.[column] === url;
  }

  private changesOf(row: Row, outcome: Outcome): Row {
    const { options, now } = this.parts;
    const { columns } = this.pending;
    const attempts = Number(row[columns.attempts]) + 1;
    const { ok, gone, status, error, took } = outcome;
    const state = ok ? 'delivered' : gone || attempts >= options.attempts ? 'failed' : 'pending';
    const pause = Math.max(pauseAfter(attempts, options.retry), outcome.retryAfter);
    return {
      [columns.state]: state,
      [columns.attempts]: attempts,
      [columns.responseStatus]: status,
      [columns.error]: error,
      [columns.took]: took,
      [columns.due]: state === 'pending' ? now() + pause : 0,
      [columns.done]: state === 'pending' ? null : new Date(now()).toISOString().slice(0, 19),
    };
  }
}
