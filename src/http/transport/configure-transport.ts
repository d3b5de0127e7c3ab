// Installs the transport in a Nest application made with ApiAdapter: the steps before routing, the error filter, log
// and deadline.
import type { INestApplication } from '@nestjs/common';
import type { Identify } from './authenticate.middleware.js';
import type { ApiAdapter } from './api-adapter.js';
import { beginRequest } from '../request/check-bounds.js';
import { BodyBudget, sharesOf } from '../memory/body-budget.js';
import type { ResponseMemory } from '../memory/response-memory.js';
import { preflightResponse } from './cors-preflight.js';
import { toErrorResponse } from '../response/error-response.js';
import { ErrorFilter } from './error.filter.js';
import { limits } from '../limits.js';
import { overrideMethod } from '../request/method-override.js';
import { letSmallBodyEnd, readBody, type BodyReading, type BodyLimit } from '../request/read-body.js';
import { responseTimeout } from '../http-errors.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';
import type { TransportOptions } from './transport-options.js';
import type { ApiResponse } from '../response/write-response.js';

type Next = (error?: unknown) => void;

const PLAIN_BODY: BodyLimit = { limit: limits.body, uploads: false };
const TICK = 1_000;

/** Finds out which requests are handled without routing, and how. */
export interface DirectReads {
  find(request: ApiRequest): ((request: ApiRequest, response: ApiResponse) => void) | undefined;
}

/**
 * Call after NestFactory.create() and before listen() or init(); middleware added later runs after these steps.
 * `identify` authenticates; without it every caller is anonymous. `reads` are handled without Express and Nest.
 */
export function configureTransport(app: INestApplication, identify?: Identify, reads?: DirectReads): void {
  const adapter = app.getHttpAdapter() as unknown as ApiAdapter;
  const steps = stepsBeforeRouting(adapter, identify);
  app.use((request: ApiRequest, response: ApiResponse, next: Next) => {
    const { prepared } = contextOf(request);
    if (prepared) next(prepared.error);
    else steps(request, response, next);
  });
  if (reads) adapter.direct = directly(adapter, steps, reads);
  app.useGlobalFilters(new ErrorFilter(adapter));
  enforceDeadline(adapter);
}

function bodyReading(options: TransportOptions, memory: ResponseMemory): BodyReading {
  return {
    limitFor: (request) => (options.bodyLimit ?? (() => PLAIN_BODY))(request),
    timeout: options.bodyTimeout ?? limits.bodyTimeout,
    untrusted: options.untrustedBody ?? limits.untrustedBody,
    budget: options.bodyBudget ?? new BodyBudget(sharesOf(limits.bodyMemory, limits.contentBody, limits.untrustedBody)),
    memory,
  };
}

// One layer instead of six: each layer of the router costs as much as a step.
function stepsBeforeRouting(adapter: ApiAdapter, identify: Identify | undefined) {
  const reading = bodyReading(adapter.transport, adapter.memory);
  const read = (request: ApiRequest, response: ApiResponse, next: Next) => {
    const body = readBody(request, response, reading);
    if (body) body.then(() => next(), next);
    else next();
  };
  return function transport(request: ApiRequest, response: ApiResponse, next: Next): void {
    beginRequest(request);
    overrideMethod(request);
    const preflight = preflightResponse(request);
    const early = preflight ?? adapter.transport.page?.(request);
    if (early) {
      contextOf(request).handledBy = preflight ? 'preflight' : 'browser';
      adapter.reply(response, early);
      return;
    }
    if (!identify) return read(request, response, next);
    identify(request, response, (error) => {
      if (error === undefined) read(request, response, next);
      else void letSmallBodyEnd(request, contextOf(request).awaitsContinue).then(() => next(error));
    });
  };
}

// What fails before the read is reported by the filters, as for every other request; no step runs twice.
function directly(adapter: ApiAdapter, steps: ReturnType<typeof stepsBeforeRouting>, reads: DirectReads) {
  return function direct(request: ApiRequest, response: ApiResponse): boolean {
    const read = reads.find(request);
    if (!read) return false;
    const proceed = (error?: unknown): void => {
      if (error === undefined) return read(request, response);
      contextOf(request).prepared = { error };
      adapter.route(request, response);
    };
    try {
      steps(request, response, proceed);
    } catch (error) {
      proceed(error);
    }
    return true;
  };
}

// One timer for all requests; it is accurate to about a second.
function enforceDeadline(adapter: ApiAdapter): void {
  const ms = adapter.transport.responseTimeout ?? limits.responseTimeout;
  const tick = setInterval(
    () => {
      for (const response of adapter.inFlight.overdue(ms)) {
        const context = contextOf(response.req);
        const timeout = toErrorResponse(responseTimeout(context.method), context, adapter.transport.log);
        adapter.reply(response as ApiResponse, timeout);
      }
      adapter.slowReaders.sweep();
    },
    Math.min(TICK, ms),
  );
  tick.unref();
  adapter.getHttpServer().once('close', () => clearInterval(tick));
}
