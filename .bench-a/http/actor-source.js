import { contextOf } from './request-context.js';
/** Addresses that probes ask: they answer whoever asks, and when the database is away. */
const OPEN = /^\/(?:livez|readyz|metrics|docs|docs-json|uploads)(?:[/?]|$)/;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Sets the actor of each request and counts it. Call after configureTransport().
 * The token endpoints below `tokens` are left alone: who renews an expired token still sends it along.
 */
export function authenticate(app, source, counter, tokens) {
    app.use(function actor(request, response, next) {
        const url = request.url ?? '';
        if (OPEN.test(url) || url.startsWith(tokens))
            return next();
        let found;
        try {
            found = source.actorOf(request);
        }
        catch (error) {
            return next(error);
        }
        const proceed = (caller) => {
            contextOf(request).actor = caller;
            if (!counter)
                return next();
            void counter.admit(caller, !READS.has(request.method ?? 'GET')).then((headers) => {
                for (const name in headers)
                    response.setHeader(name, headers[name]);
                next();
            }, next);
        };
        if (found instanceof Promise)
            found.then(proceed, next);
        else
            proceed(found);
    });
}
