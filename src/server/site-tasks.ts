// The work of a site outside of requests: periodic tasks, jobs of extensions, delivery of events. They start and stop
// together.
import type { LiveStreams } from '../http/live/live-streams.js';
import type { Log } from '../http/request/logger.js';
import { finishAll } from '../concurrency/finish-all.js';
import { sweepLeftovers } from '../files/sweep.js';
import { Leases } from '../maintenance/leases.js';
import { startSchedule, type Schedule } from '../maintenance/scheduler.js';
import { Jobs } from './extensions/jobs.js';
import type { SiteContext } from './extensions/site-context.js';
import type { OpenSite } from './open-site.js';
import { RepeatedErrors } from '../http/request/repeated-errors.js';

/** Age in milliseconds from which partial files are removed: longer than any upload takes. */
const MAX_UPLOAD_MS = 24 * 60 * 60 * 1000;

/** How the tasks of a site run. */
export interface TaskOptions {
  /** Whether this process runs the tasks that only one process of a server runs. */
  singletons: boolean;
  /** Folders of partial files that a crashed process may have left. */
  folders: readonly string[];
  context: SiteContext;
  log: Log;
}

/** The tasks of one application. */
export class SiteTasks {
  /** Streams of events to clients, where there are any. */
  streams: LiveStreams | undefined;
  private schedule: Schedule | undefined;
  private jobs: Jobs | undefined;

  constructor(
    private readonly site: OpenSite,
    private readonly options: TaskOptions,
  ) {}

  /** Starts the tasks that are not running. */
  start(): void {
    const { writer, events, extensions, store } = this.site;
    const { context, log, singletons } = this.options;
    events.start(context, log);
    this.streams?.begin();
    if (!singletons) return;
    this.schedule ??= startSchedule(writer, () => this.sweep(), new RepeatedErrors(log, 'a periodic task failed').note);
    if (extensions.jobs.length > 0)
      this.jobs ??= new Jobs(extensions.jobs, { leases: new Leases(store), context, log });
  }

  /** Ends the streams: their clients connect again, here or elsewhere. */
  endStreams(): void {
    this.streams?.close();
  }

  /** Stops the tasks; resolves once the running ones have ended. */
  async stop(): Promise<void> {
    this.endStreams();
    const stopped = [this.schedule?.stop(), this.jobs?.stop(), this.site.events.stop()];
    this.schedule = undefined;
    this.jobs = undefined;
    await finishAll(stopped);
  }

  private async sweep(): Promise<void> {
    await this.site.events.trim();
    for (const folder of this.options.folders) await sweepLeftovers(folder, new Date(Date.now() - MAX_UPLOAD_MS));
  }
}
