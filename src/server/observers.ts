// The observers of a process: counters for `/metrics`, and traces. They outlive the application, which may be replaced
// while the server runs.
import type { Type } from '@nestjs/common';
import type { Log } from '../http/request/logger.js';
import type { OnStatement } from '../storage/sql/connection.js';
import { startMeasures, type MeasuredSite, type Measures } from './measures.js';
import type { Tracing } from './tracing.js';
import type { Config } from '../config/settings.js';

/** Names of databases in traces, where they differ from the schemes of their URLs. */
const DATABASE_SYSTEMS: Readonly<Record<string, string>> = { postgres: 'postgresql' };

/** The observers that the configuration enables (docs/operations.md, "Metrics" and "Traces"). */
export class Observers {
  /** Called for every statement; undefined: statements are not observed. */
  readonly onStatement: OnStatement | undefined;

  private constructor(
    private readonly access: boolean | string,
    private readonly measures: Measures | undefined,
    private readonly tracing: Tracing | undefined,
  ) {
    this.onStatement = bothOf(measures?.statements.count, tracing?.statement);
  }

  /** Loads the observers that the configuration enables. */
  static async start(config: Config, log: Log): Promise<Observers> {
    const measures = config.metrics === false ? undefined : await startMeasures();
    return new Observers(config.metrics, measures, config.tracing && (await traced(config, config.tracing, log)));
  }

  /** Counts every completed request. */
  get requests() {
    return this.measures?.requests;
  }

  /** Traces requests from their beginning. */
  get trace() {
    return this.tracing?.requests;
  }

  /** The controllers of the observers. */
  controllers(): Type[] {
    return this.measures ? [this.measures.controller(this.access)] : [];
  }

  /** Observes `site`, which serves requests from now on. */
  serve(site: MeasuredSite): void {
    this.measures?.serve(site);
  }

  /** Exports the remaining spans. */
  async end(): Promise<void> {
    await this.tracing?.end();
  }
}

/** Loaded on demand: OpenTelemetry takes longer to load than the rest of the server. */
async function traced(config: Config, to: NonNullable<Config['tracing']>, log: Log): Promise<Tracing> {
  const { startTracing } = await import('./tracing.js');
  const scheme = config.database.url.slice(0, config.database.url.indexOf(':'));
  return startTracing(to, DATABASE_SYSTEMS[scheme] ?? scheme, log);
}

function bothOf(one: OnStatement | undefined, other: OnStatement | undefined): OnStatement | undefined {
  if (!one || !other) return one ?? other;
  return (sql, ms, role) => {
    one(sql, ms, role);
    other(sql, ms, role);
  };
}
