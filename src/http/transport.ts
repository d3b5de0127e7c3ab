// Wires the transport into a Nest application made with ApiAdapter: the steps before routing, the error filter, log and deadline.
import type { INestApplication } from '@nestjs/common';
import type { ApiAdapter } from './api-adapter.js';
import { beginRequest } from './begin-request.js';
import { preflightAnswer } from './cors-preflight.js';
import { toErrorAnswer } from './error-answer.js';
import { ErrorFilter } from './error.filter.js';
import { limits } from './limits.js';
import { overrideMethod } from './method-override.js';
import type { BodyRule } from './read-body.js';
import { readBody } from './read-body.js';
import { unavailable } from './refusals.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';
import type { ApiResponse } from './write-answer.js';

type Next = (error?: unknown) => void;

const PLAIN_BODY: BodyRule = { limit: limits.jsonBody, uploads: false };
const TICK = 1_000;

/** Call after NestFactory.create() and before listen() or init(); middleware used later runs after these steps. */
export function configureTransport(app: INestApplication): void {
  const adapter = app.getHttpAdapter() as unknown as ApiAdapter;
  app.use(stepsBeforeRouting(adapter));
  app.useGlobalFilters(new ErrorFilter(adapter, adapter.transport.log));
  keepDeadline(adapter);
}

// One layer instead of five: each layer of the router costs as much as a step does.
function stepsBeforeRouting(adapter: ApiAdapter) {
  const ruleFor = adapter.transport.bodyRule ?? (() => PLAIN_BODY);
  const timeout = adapter.transport.bodyTimeout ?? limits.bodyTimeout;
  return function transport(request: ApiRequest, response: ApiResponse, next: Next): void {
    beginRequest(request);
    overrideMethod(request);
    const preflight = preflightAnswer(request);
    if (preflight) {
      adapter.reply(response, preflight);
      return;
    }
    const reading = readBody(request, response, ruleFor, timeout);
    if (reading) reading.then(() => next(), next);
    else next();
  };
}

// One timer for all requests; a second more or less does not matter.
function keepDeadline(adapter: ApiAdapter): void {
  const ms = adapter.transport.answerTimeout ?? limits.answerTimeout;
  const tick = setInterval(
    () => {
      for (const response of adapter.inFlight.overdue(ms)) {
        const error = unavailable('The answer took too long. Ask for less, or try again.');
        const answer = toErrorAnswer(error, contextOf(response.req), adapter.transport.log);
        adapter.reply(response as ApiResponse, answer);
      }
    },
    Math.min(TICK, ms),
  );
  tick.unref();
  adapter.getHttpServer().once('close', () => clearInterval(tick));
}
