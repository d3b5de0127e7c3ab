import { beginRequest } from './begin-request.js';
import { preflightAnswer } from './cors-preflight.js';
import { toErrorAnswer } from './error-answer.js';
import { ErrorFilter } from './error.filter.js';
import { limits } from './limits.js';
import { overrideMethod } from './method-override.js';
import { readBody } from './read-body.js';
import { unavailable } from './refusals.js';
import { contextOf } from './request-context.js';
const PLAIN_BODY = { limit: limits.jsonBody, uploads: false };
const TICK = 1_000;
/** Call after NestFactory.create() and before listen() or init(); middleware used later runs after these steps. */
export function configureTransport(app) {
    const adapter = app.getHttpAdapter();
    app.use(stepsBeforeRouting(adapter));
    app.useGlobalFilters(new ErrorFilter(adapter, adapter.transport.log));
    keepDeadline(adapter);
}
// One layer instead of five: each layer of the router costs as much as a step does.
function stepsBeforeRouting(adapter) {
    const ruleFor = adapter.transport.bodyRule ?? (() => PLAIN_BODY);
    const timeout = adapter.transport.bodyTimeout ?? limits.bodyTimeout;
    return function transport(request, response, next) {
        beginRequest(request);
        overrideMethod(request);
        const preflight = preflightAnswer(request);
        if (preflight) {
            adapter.reply(response, preflight);
            return;
        }
        const reading = readBody(request, response, ruleFor, timeout);
        if (reading)
            reading.then(() => next(), next);
        else
            next();
    };
}
// One timer for all requests; a second more or less does not matter.
function keepDeadline(adapter) {
    const ms = adapter.transport.answerTimeout ?? limits.answerTimeout;
    const tick = setInterval(() => {
        for (const response of adapter.inFlight.overdue(ms)) {
            const error = unavailable('The answer took too long. Ask for less, or try again.');
            const answer = toErrorAnswer(error, contextOf(response.req), adapter.transport.log);
            adapter.reply(response, answer);
        }
    }, Math.min(TICK, ms));
    tick.unref();
    adapter.getHttpServer().once('close', () => clearInterval(tick));
}
