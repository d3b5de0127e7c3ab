import { setTimeout as delay } from 'node:timers/promises';
import { inFlightOf } from './in-flight.js';
const POLL = 50;
/** Whether a server is being drained; readiness fails then. */
export function isDraining(server) {
    return inFlightOf(server)?.draining ?? false;
}
/**
 * Stops accepting, lets the requests in flight end with `Connection: close`, then closes what is left.
 * Resolves true when nothing had to be cut off.
 */
export async function drain(server, options) {
    const inFlight = inFlightOf(server);
    if (inFlight)
        inFlight.draining = true;
    const end = new Promise((resolve) => server.close(() => resolve(true)));
    const clean = await waitUntilQuiet(server, end, performance.now() + options.timeoutMs);
    server.closeAllConnections();
    await end;
    return clean;
}
async function waitUntilQuiet(server, end, deadline) {
    let quiet = 0;
    while (performance.now() < deadline) {
        // A connection that was opened and never used is not idle to Node: it goes once nothing has been asked for a while.
        quiet = inFlightOf(server)?.size === 0 ? quiet + 1 : 0;
        if (quiet > 2)
            return true;
        server.closeIdleConnections();
        if (await Promise.race([end, delay(POLL, false)]))
            return true;
    }
    return false;
}
//# sourceMappingURL=shutdown.js.map