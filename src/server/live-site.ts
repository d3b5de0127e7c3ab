// The site that a process serves, and its replacement after changes of schemas, roles or extensions.
import { finishAll, finishInTurn } from '../concurrency/finish-all.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { StartupError, type Problem } from '../errors/problem.js';
import { operatorReason } from '../errors/resource-error.js';
import type { Log } from '../http/request/logger.js';
import type { ApiAdapter } from '../http/transport/api-adapter.js';
import { drain } from '../http/transport/drain.js';
import { Gateway } from '../http/transport/gateway.js';
import { newcomers } from '../maintenance/adopt-items.js';
import { staleModels } from '../maintenance/backfill-derived.js';
import { migrateOnline, planStore } from '../storage/migrate-store.js';
import { problemOf, stepsThatAbort } from '../storage/migrations/run.js';
import { allTables } from './engine-tables.js';
import { Observers } from './observers.js';
import type { Member, Prepared } from './processes/reload.js';
import { modulesTooSlow, startSite, type RunningSite } from './start-site.js';
import { preflightOf } from './decisions/required-decisions.js';
import type { Config } from '../config/settings.js';
import { openParts, type SiteParts, type StartOptions } from './open-parts.js';

/** Milliseconds that new requests wait for those in progress. */
const HOLD_MS = 1_000;
/** Milliseconds that requests wait for modules of extensions to start. */
const MODULES_MS = 10_000;
/** Milliseconds that the next change waits for a discarded application to close. */
const DISCARD_MS = 5_000;

/**
 * A listening server whose application can be replaced. Each request is completed by the application that received it.
 */
export class LiveSite implements Member {
  private readonly gateway: Gateway;
  private parts: SiteParts | undefined;
  private next: RunningSite | undefined;
  private problems: readonly Problem[] = [];
  private stopping = false;
  private readonly retiring = new Set<Promise<void>>();

  private constructor(
    private readonly config: Config,
    private readonly log: Log,
    private readonly options: StartOptions & { observers: Observers },
    private current: RunningSite,
  ) {
    this.gateway = new Gateway(adapterOf(current));
  }

  /** Starts the first application; it listens after `listen()`. Throws StartupError. */
  static async start(config: Config, log: Log, options: StartOptions): Promise<LiveSite> {
    const known: { live?: LiveSite } = {};
    const observed = { ...options, observers: await Observers.start(config, log) };
    const site = await startSite(config, log, { ...observed, refused: () => known.live?.problems ?? [] });
    await site.app.init();
    return (known.live = new LiveSite(config, log, observed, site));
  }

  /** The site that handles requests now. */
  get site(): RunningSite {
    return this.current;
  }

  /** Rejects with the error of the system when the host and port cannot be listened on. */
  async listen(port: number, host: string): Promise<void> {
    await this.gateway.listen(port, host);
  }

  /** Completes the requests in progress, then closes every application. */
  async close(): Promise<void> {
    this.stopping = true;
    this.current.stopping = true;
    this.gateway.release();
    this.current.endStreams();
    await finishInTurn([
      () => drain(this.gateway.server, { timeoutMs: this.config.timeouts.shutdown }),
      () => finishAll([this.current.close(), this.discard(), ...this.retiring]),
      () => this.options.observers.end(),
    ]);
  }

  async prepare(): Promise<Prepared> {
    let changes = false;
    const problems = await this.attempt(async () => {
      await this.discard();
      // Another store would begin a new database in place of the one that is in use.
      const lost = this.current.store.lossReason?.(0);
      if (lost !== undefined) throw new StartupError([{ file: PLACE, message: lost, hint: LOST_HINT }]);
      const { database } = this.config;
      const unmigrated: Config = { ...this.config, database: { ...database, migrate: 'off' } };
      this.parts = await openParts(unmigrated, this.log, {
        ...this.options,
        serving: true,
        waiting: giveUp,
        onStatement: this.options.observers.onStatement,
      });
      changes = await this.findChanges(this.parts);
    });
    return { problems, changes };
  }

  async stopTasks(): Promise<void> {
    await this.current.stopTasks();
  }

  async hold(): Promise<boolean> {
    return this.gateway.hold(HOLD_MS);
  }

  async resume(): Promise<void> {
    this.gateway.release();
    if (!this.stopping) this.current.startTasks();
  }

  async migrate(): Promise<readonly Problem[]> {
    const { migrate: mode, accept } = this.config.database;
    if (mode !== 'auto') return [];
    return this.attempt(async () => {
      const { models, store } = this.parts!;
      await migrateOnline(store, allTables(models), { mode, file: PLACE, accepted: new Set(accept), live: true });
    });
  }

  async build(): Promise<readonly Problem[]> {
    return this.attempt(async () => {
      const parts = this.parts!;
      // The leader may have migrated after this store was opened: the word index may have new columns.
      const { admin } = parts.store;
      if (admin.texts) await admin.read((db) => admin.texts!.load(db));
      // `startSite` owns the parts from here on: when it fails, it closes their store.
      this.parts = undefined;
      const next = await startSite(this.config, this.log, {
        ...this.options,
        parts,
        counters: this.current.counters,
        idle: true,
        refused: () => this.problems,
        startTimeout: MODULES_MS,
      });
      this.next = next;
      await withTimeout(MODULES_MS, next.app.init(), () => modulesTooSlow(MODULES_MS));
    });
  }

  async activate(): Promise<void> {
    const { current: former, next } = this;
    if (!next || this.stopping) return;
    this.next = undefined;
    this.current = next;
    this.problems = [];
    this.gateway.replace(adapterOf(next));
    this.gateway.release();
    next.startTasks();
    const retired = this.retire(former);
    this.retiring.add(retired);
    void retired.finally(() => this.retiring.delete(retired));
  }

  async abandon(problems: readonly Problem[]): Promise<void> {
    this.problems = problems;
    await this.resume();
    await this.discard();
  }

  private async findChanges({ models, store }: SiteParts): Promise<boolean> {
    const { migrate: mode, accept } = this.config.database;
    if (mode === 'off') return false;
    const problems: Problem[] = [];
    const plan = await planStore(store, allTables(models), new Set(accept), async (before) => {
      const bad = stepsThatAbort(before.plan, { mode, live: true });
      problems.push(...bad.map((step) => problemOf(step, PLACE)), ...(await preflightOf(models, this.config)(before)));
    });
    if (problems.length > 0) throw new StartupError(problems);
    if (plan.steps.some(({ risk }) => risk === 'safe')) return true;
    return (
      (await newcomers(models.byName.values(), store.reader)).length > 0 ||
      (await staleModels(models, store.reader)).length > 0
    );
  }

  private async retire(former: RunningSite): Promise<void> {
    try {
      await this.gateway.retired(adapterOf(former));
      await former.close();
    } catch (error) {
      this.log.error(error);
    }
  }

  /** Closes the parts and the application that were prepared but are not served. */
  private async discard(): Promise<void> {
    const { next, parts } = this;
    this.next = this.parts = undefined;
    // A module of an extension may never finish closing, and the next change of the files waits for this.
    if (next) await withTimeout(DISCARD_MS, next.close(), tooSlow).catch((error: unknown) => this.log.error(error));
    await parts?.store.close();
  }

  private async attempt(work: () => Promise<void>): Promise<readonly Problem[]> {
    try {
      await work();
      if (!this.stopping) return [];
      // `close()` was called during the attempt, before the new parts existed.
      await this.discard();
      return STOPPING;
    } catch (error) {
      if (this.stopping) return STOPPING;
      if (error instanceof StartupError) return error.problems;
      this.log.error(error);
      return [{ file: 'server', message: operatorReason(error) }];
    }
  }
}

const STOPPING: readonly Problem[] = [{ file: 'server', message: 'it is stopping' }];

function tooSlow(): Error {
  return new Error(`an application that is not served has not been closed within ${DISCARD_MS / 1_000} seconds`);
}

const LOST_HINT = 'Put it back, then save again or send SIGHUP';

/** Prefix of the lines about tables, as `migrate` prints them. */
const PLACE = 'database';

// The current application continues to serve, and may respond from its cache: fail instead of waiting for the database.
function giveUp(): never {
  throw new StartupError([
    { file: PLACE, message: 'it does not respond', hint: 'Save again, or send SIGHUP, once it does' },
  ]);
}

function adapterOf({ app }: RunningSite): ApiAdapter {
  return app.getHttpAdapter() as unknown as ApiAdapter;
}
