// Starts a site that serves requests: opens it (open-site.ts) and builds its application, with the tasks that run
// outside of requests.
import { DataSource } from 'typeorm';
import type { Provider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { buildApp } from './build-app.js';
import { CountedItemPasswords } from '../auth/rate-limit/item-password-limits.js';
import { MemoryCounters } from '../auth/rate-limit/memory-counters.js';
import { RequestLimits } from '../auth/rate-limit/request-limits.js';
import { IDEMPOTENCY } from '../engine/replays/idempotency.js';
import { incomingFolder, mediaFolders } from '../config/folders.js';
import { imageQueue } from '../files/image-queue.js';
import { passwordRoutes } from '../http/endpoints/application-passwords-document.js';
import { finishInTurn } from '../concurrency/finish-all.js';
import { withTimeout } from '../concurrency/with-timeout.js';
import { StartupError, type Problem } from '../errors/problem.js';
import type { Log } from '../http/request/logger.js';
import { ResponseCache } from '../http/resource/response-cache.js';
import { FALSE } from '../model/query.js';
import { fileHandlers } from './served-files.js';
import { SiteContext } from './extensions/site-context.js';
import { Observers } from './observers.js';
import { siteCounters, type SiteCounters } from './rate-limit-store.js';
import { makePrivateFolder } from '../disk/private-file.js';
import { authentication, isLimited } from './authentication.js';
import { SiteTasks } from './site-tasks.js';
import { completeSite, type OpenSite } from './open-site.js';
import type { AppParts } from './app-parts.js';
import type { Config } from '../config/settings.js';
import { openParts, type SiteParts, type StartOptions } from './open-parts.js';

/** Provider that closes the parts of the application after its server is closed. */
const SITE_END = Symbol('site end');

/** A site that serves requests once its application listens. */
export interface RunningSite extends OpenSite {
  app: NestExpressApplication;
  /** Whether the shutdown has begun, so that `/readyz` fails. */
  stopping: boolean;
  /** Counters of rate limits in memory; a later application of the same process continues them. */
  counters: MemoryCounters;
  /** Starts the periodic tasks, if this process runs them; to be called once the application serves. */
  startTasks(): void;
  /** Ends the streams of events: their clients connect again, here or elsewhere. */
  endStreams(): void;
  /** Stops the periodic tasks; resolves once the running ones have ended. */
  stopTasks(): Promise<void>;
}

/** Options of the start of an application, beyond those of opening a site. */
export interface ApplicationOptions extends StartOptions {
  /** Further providers of the application. `running.app` is set only after the build. */
  providers?: (running: RunningSite) => Provider[];
  /** The result of an earlier `openParts`; absent: opened here. */
  parts?: SiteParts;
  /** Counters of rate limits to continue. */
  counters?: MemoryCounters;
  /** The observers of the process; absent: started here, and ended with the application. */
  observers?: Observers;
  /** Whether the periodic tasks start with `startTasks()` instead of at once. */
  idle?: boolean;
  /** Why the schemas that were saved last are not served; empty when they are. */
  refused?: () => readonly Problem[];
  /** Milliseconds that the creation of extension modules may take, during which requests wait; absent: unlimited. */
  startTimeout?: number;
}

/** Opens a site and builds its application. */
export async function startSite(config: Config, log: Log, options: ApplicationOptions = {}): Promise<RunningSite> {
  const observers = options.observers ?? (await Observers.start(config, log));
  const { onStatement } = observers;
  let { parts } = options;
  let open: OpenSite | undefined;
  try {
    parts ??= await openParts(config, log, { ...options, serving: true, onStatement });
    open = await completeSite(config, log, parts, { ...options, serving: true });
    return await makeApplication({ config, log, observers, options }, open);
  } catch (error) {
    await (open ?? parts?.store)?.close();
    if (!options.observers) await observers.end();
    throw error;
  }
}

/** What an application is built from besides the open site. */
interface Start {
  config: Config;
  log: Log;
  observers: Observers;
  options: ApplicationOptions;
}

/** The counters of rate limits of an application: those in memory, and where the limits are counted. */
interface Counting {
  memory: MemoryCounters;
  counters: SiteCounters;
}

async function makeApplication(start: Start, open: OpenSite): Promise<RunningSite> {
  const { config, log, options } = start;
  const memory = options.counters ?? new MemoryCounters();
  const counters = await siteCounters(config, open, log, memory);
  try {
    return await buildRunning(start, open, { memory, counters });
  } catch (error) {
    // A provider of an extension may be missing. Everything is closed, because the server may continue with its former
    // files.
    counters.close();
    throw error;
  }
}

async function buildRunning(start: Start, open: OpenSite, { memory, counters }: Counting): Promise<RunningSite> {
  const { config, log, options } = start;
  if (config.rateLimit.mode !== 'none') open.site.itemPasswords = new CountedItemPasswords(counters.exact);
  const { dataSource } = open.store;
  const context = new SiteContext(() => ({ app: running.app, accounts: open.accounts, dataSource }), log);
  const tasks = tasksOf(start, open, context);
  const responseCache = new ResponseCache(open.store, open.site, config.responseCache);
  const running = runningSite(start, open, { tasks, memory, responseCache });
  const end = once(() => endSite(start, open, { running, counters }));
  imageQueue.share(config.workers);
  const { actors, controllers, providers } = authentication(config, log, open, counters);
  const building = buildApp({
    ...appParts(start, running, tasks),
    actors,
    ...(isLimited(config) ? { counter: new RequestLimits(counters.gathered, config.rateLimit) } : {}),
    responseCache,
    controllers,
    providers: [
      { provide: DataSource, useValue: dataSource },
      { provide: SiteContext, useValue: context },
      ...providers,
      ...(options.providers?.(running) ?? []),
      // The host application may close this one directly.
      { provide: SITE_END, useValue: { onApplicationShutdown: () => end() } },
    ],
  });
  running.app = await inTime(building, options.startTimeout);
  for (const handler of fileHandlers(running, config, actors, incomingFolder(config)))
    running.app.use('/uploads', handler);
  if (!options.idle) running.startTasks();
  running.close = async () => {
    try {
      await running.stopTasks();
    } finally {
      await running.app.close().finally(end);
    }
  };
  return running;
}

/** @throws StartupError when the build takes longer than `ms`; an application that is completed later is closed */
async function inTime(
  building: Promise<NestExpressApplication>,
  ms: number | undefined,
): Promise<NestExpressApplication> {
  if (ms === undefined) return building;
  let given = false;
  const app = building.then(async (made) => {
    if (given) await made.close();
    return made;
  });
  return withTimeout(ms, app, () => {
    given = true;
    return modulesTooSlow(ms);
  });
}

/** The error of an application whose modules take longer than `ms` to start. */
export function modulesTooSlow(ms: number): StartupError {
  const message = `a module has not started within ${ms / 1_000} seconds`;
  const hint = 'Requests wait for it: let its providers and onModuleInit return, and do slow work afterwards';
  return new StartupError([{ file: 'extensions', message, hint }]);
}

/** The tasks of the site outside of requests. Creates the folder of incoming uploads, which they sweep. */
function tasksOf({ config, log, options }: Start, open: OpenSite, context: SiteContext): SiteTasks {
  const incoming = incomingFolder(config);
  try {
    makePrivateFolder(incoming);
  } catch (cause) {
    const message = `the folder of incoming uploads cannot be made: ${(cause as Error).message}`;
    const hint = 'Remove what is in its place, or give the server the right to write in the folder above.';
    throw new StartupError([{ file: incoming, message, hint }]);
  }
  const folders = [incoming, ...Object.values(mediaFolders(config) ?? {})];
  return new SiteTasks(open, { singletons: options.first !== false, folders, context, log });
}

/** The site whose application is not built yet. */
function runningSite(
  { observers }: Start,
  open: OpenSite,
  { tasks, memory, responseCache }: { tasks: SiteTasks; memory: MemoryCounters; responseCache: ResponseCache },
): RunningSite {
  const running: RunningSite = {
    ...open,
    app: undefined as never,
    stopping: false,
    counters: memory,
    startTasks() {
      observers.serve({ app: running.app, store: open.store, cache: responseCache });
      tasks.start();
    },
    endStreams: () => tasks.endStreams(),
    stopTasks: () => tasks.stop(),
  };
  return running;
}

/** The parts of the application, from the site and the options of its start. */
function appParts(
  { config, log, observers, options: { refused } }: Start,
  running: RunningSite,
  tasks: SiteTasks,
): Omit<AppParts, 'actors'> {
  const { models, site, store, settings, extensions, accounts, roles, events, secret } = running;
  return {
    models,
    config,
    site,
    store,
    log,
    uploadDirectory: incomingFolder(config),
    follow: () => settings?.follow(),
    isOpen: () => store.dataSource.isInitialized,
    readiness: () => readiness(running),
    counts: observers.requests,
    trace: observers.trace,
    ...(refused && { refused: { problems: refused, isFor: (actor) => actor.roles.includes(roles.firstAccount) } }),
    modules: extensions.modules,
    ...(config.events.live && {
      live: {
        log: events.live,
        key: secret.key('positions'),
        most: config.events.connections,
        onStreams: (made) => (tasks.streams = made),
      },
    }),
    undocumented: observers.controllers(),
    ...(accounts ? { routes: passwordRoutes(accounts.model, site) } : {}),
  };
}

/** Closes the parts of the application, except observers that belong to the process. */
async function endSite(
  { observers, options }: Start,
  open: OpenSite,
  { running, counters }: { running: RunningSite; counters: SiteCounters },
): Promise<void> {
  await finishInTurn([
    () => running.stopTasks(),
    () => counters.close(),
    () => open.close(),
    () => (options.observers ? undefined : observers.end()),
  ]);
}

/** Calls `act` the first time only, and gives its promise to every caller. */
function once(act: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => (begun ??= act());
}

async function readiness({ stopping, store }: RunningSite): Promise<{ ready: boolean; reason?: string }> {
  if (stopping) return { ready: false, reason: 'The server is stopping.' };
  const lost = store.lossReason?.();
  if (lost !== undefined) return { ready: false, reason: lost };
  const responds = store.reader.first(IDEMPOTENCY.name, ['id'], FALSE).then(
    () => true,
    () => false,
  );
  if (!(await responds)) return { ready: false, reason: 'The database does not respond.' };
  const changed = await store.tableChanges();
  return changed === undefined
    ? { ready: true }
    : { ready: false, reason: 'The tables of the database were changed for other schemas.' };
}
