// The measurements of a process for `/metrics`: counters of requests and statements, and the controller of the
// endpoint. Loaded only with METRICS.
import type { Server } from 'node:http';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { metricsController } from '../http/metrics/metrics.controller.js';
import { RequestCounts } from '../http/metrics/request-counts.js';
import type { ResponseCache } from '../http/resource/response-cache.js';
import { inFlightOf } from '../http/transport/in-flight.js';
import type { AdministeredStore } from '../storage/sql/administered-store.js';
import { allMetrics } from './processes/metrics-exchange.js';
import { StatementCounts } from './statement-counts.js';

/** The parts of a running site that are measured. */
export interface MeasuredSite {
  app: NestExpressApplication;
  store: AdministeredStore;
  cache: ResponseCache;
}

/** The counters of a process. They outlive the application that is replaced (docs/operations.md, "Live schemas"). */
export interface Measures {
  requests: RequestCounts;
  statements: StatementCounts;
  /** Measures `site`, which serves requests from now on. */
  serve(site: MeasuredSite): void;
  /** A controller of `/metrics`; `access` is the token that it requires, or true. */
  controller(access: boolean | string): Type;
}

/** Starts to measure. Loads prom-client, which a site without metrics does not need. */
export async function startMeasures(): Promise<Measures> {
  const { metricsText, SiteMetrics } = await import('./metrics.js');
  const requests = new RequestCounts();
  const statements = new StatementCounts();
  let current: MeasuredSite | undefined;
  const metrics = new SiteMetrics({
    requests,
    statements,
    inFlight: () => (current && inFlightOf(current.app.getHttpServer() as Server)?.size) ?? 0,
    cache: () => current?.cache ?? { hits: 0, misses: 0 },
    store: () => current?.store.load() ?? { pools: [], writersWaiting: 0 },
  });
  const all = allMetrics(() => metrics.read());
  return {
    requests,
    statements,
    serve(site) {
      current = site;
    },
    controller: (access) =>
      metricsController(async () => metricsText(await all()), access === true ? undefined : String(access)),
  };
}
