// The events of a site in one process: their consumers, and the pump that delivers them.
import type { Consumer } from '../../events/consumers.js';
import { EventPump } from '../../events/event-pump.js';
import { OUTBOX } from '../../events/event.js';
import { listenerConsumer } from '../../events/listener.js';
import { EventRecorder } from '../../events/recorder.js';
import { EventLog } from '../../events/event-log.js';
import { fanOut } from '../../events/webhooks/fan-out.js';
import { WebhookSender } from '../../events/webhooks/sender.js';
import { WebhookList } from '../../events/webhooks/webhook-list.js';
import type { Log } from '../../http/request/logger.js';
import { Leases } from '../../maintenance/leases.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';
import { parseAllowedHost } from '../../outgoing/public-address.js';
import type { ExtensionContext } from '../extensions/define.js';
import type { ExtensionSet } from '../extensions/load-extensions.js';
import type { Config } from '../../config/settings.js';
import { RepeatedErrors } from '../../http/request/repeated-errors.js';

/**
 * Hooks of the webhook resource, so that changes take effect at the commit in this process; others poll once a second.
 */
function withHook(list: WebhookList): ResourceModel['hooks'] {
  const run = (_row: Row, op: Operation) => op.tx!.after(async () => void (await list.read()));
  const { saved, removed } = list.model.hooks;
  const own = { trait: 'events', run };
  return { ...list.model.hooks, saved: [...saved, own], removed: [...removed, own] };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the events of a site depend on. */
export interface EventParts {
  config: Pick<Config, 'events'>;
  models: ModelSet;
  store: Store;
  site: Site;
  extensions: ExtensionSet;
}

/** One per site and process. */
export class SiteEvents {
  readonly recorder = new EventRecorder(() => ({ events: this.isWanted, open: this.parts.config.events.live }));
  readonly log: EventLog;
  private readonly list: WebhookList | undefined;
  private readonly deliveries: ResourceModel | undefined;
  private pump: EventPump | undefined;
  private sender: WebhookSender | undefined;
  private stopping = new AbortController();
  private readonly watchers = new Set<(last: number) => void>();

  constructor(private readonly parts: EventParts) {
    this.log = new EventLog(parts.store);
    this.deliveries = [...parts.models.byName.values()].find(({ faces }) => faces.delivery);
    this.list = this.deliveries && WebhookList.of(parts.models, parts.store);
  }

  /** Whether events have a consumer now. */
  get isWanted(): boolean {
    const { config, extensions } = this.parts;
    return config.events.live || extensions.listeners.length > 0 || (this.list?.active.length ?? 0) > 0;
  }

  /** Starts to record events, unless none can ever have a consumer. */
  async record(): Promise<void> {
    const { models, site } = this.parts;
    const couldBe = this.list !== undefined || this.isWanted;
    if (!couldBe) return;
    await this.list?.follow();
    this.recorder.follow(models, () => site.now());
    if (this.list) this.list.model.hooks = withHook(this.list);
  }

  /** The log, for streams. */
  get live() {
    const { log } = this;
    return {
      // A client that connects now does not receive events committed before.
      last: () => log.sequence().then(() => log.last()),
      first: () => log.first(),
      after: (position: number, limit: number) => log.after(position, limit),
      watch: (watch: (last: number) => void) => this.watch(watch),
    };
  }

  /** Calls `watch` with the id of the last event whenever there are new ones. Returns a function that removes it. */
  watch(watch: (last: number) => void): () => void {
    this.watchers.add(watch);
    return () => this.watchers.delete(watch);
  }

  /** Starts to deliver events to their consumers. */
  start(context: ExtensionContext, log: Pick<Log, 'warn' | 'error'>): void {
    if (this.pump || (!this.list && !this.isWanted)) return;
    const { store } = this.parts;
    this.stopping = new AbortController();
    const leases = new Leases(store);
    const onError = new RepeatedErrors(log, 'events cannot be passed on').note;
    this.sender = this.list && this.senderFor(this.list, leases, onError);
    this.pump = new EventPump({
      store,
      leases,
      log: this.log,
      consumers: this.consumers(context, log),
      isWanted: () => this.isWanted,
      onEvents: (last) => this.watchers.forEach((watch) => watch(last)),
      tick: async () => {
        await this.list?.follow();
        this.sender?.wake(this.stopping.signal);
      },
      onError,
    });
    this.recorder.onCommit = () => this.pump?.wake();
  }

  /**
   * Stops the delivery; resolves once nothing runs. Another process, or the next start, delivers the remaining events.
   */
  async stop(): Promise<void> {
    const { pump, sender } = this;
    this.recorder.onCommit = () => undefined;
    this.pump = this.sender = undefined;
    this.stopping.abort();
    await Promise.all([pump?.stop(), sender?.end()]);
  }

  /** Deletes old events. */
  async trim(): Promise<void> {
    const { store, config, site } = this.parts;
    const before = site.now() - config.events.keepDays * DAY_MS;
    await this.log.trim(before);
    // Events that were recorded while there was no longer a consumer.
    const old = { op: 'lt' as const, column: 'at', value: before };
    if (await store.reader.first(OUTBOX.name, ['id'], old))
      await store.transaction((tx) => tx.delete(OUTBOX.name, old), {});
  }

  private senderFor(list: WebhookList, leases: Leases, onError: (error: unknown) => void): WebhookSender {
    const { store, site, config } = this.parts;
    const { allowHosts, ...options } = config.events.webhooks;
    return new WebhookSender({
      store,
      leases,
      list,
      deliveries: this.deliveries!,
      options: { ...options, allowHosts: allowHosts.flatMap((host) => parseAllowedHost(host) ?? []) },
      now: () => site.now(),
      onError,
    });
  }

  private consumers(context: ExtensionContext, log: Pick<Log, 'warn' | 'error'>): Consumer[] {
    const { models, site, store, extensions } = this.parts;
    const listeners = extensions.listeners.map(({ definition: { name, on, run }, file }) =>
      listenerConsumer(
        {
          name,
          on: [on].flat(),
          run: (event, signal) => run(event, Object.assign(Object.create(context) as ExtensionContext, { signal })),
        },
        (event, error, last) => {
          const what = `the listener "${name}" of ${file.name} failed${last ? ' for the last time: the event is passed over' : ''}`;
          log[last ? 'error' : 'warn']({ event, err: error }, what);
        },
      ),
    );
    if (!this.list) return listeners;
    const onMade = () => this.sender?.wake(this.stopping.signal);
    return [...listeners, fanOut(this.list, this.deliveries!, { models, base: site.base, store }, onMade)];
  }
}
