import { contextOf } from './request-context.js';
const byServer = new WeakMap();
/** Open responses of one server. */
export class InFlight {
    open = new Set();
    /** Set when the server is shutting down: answers then close their connections. */
    draining = false;
    constructor(server) {
        byServer.set(server, this);
    }
    get size() {
        return this.open.size;
    }
    /** Starts to follow a response. */
    add(response) {
        this.open.add(response);
    }
    /** Ends it; called once the response has closed. */
    delete(response) {
        this.open.delete(response);
    }
    /** Responses that have not begun `ms` after their request was complete; each is seen anew at every call. */
    overdue(ms, now = performance.now()) {
        const late = [];
        for (const response of this.open) {
            if (response.headersSent || !response.req.complete)
                continue;
            const context = contextOf(response.req);
            if (context.waitingSince === 0)
                context.waitingSince = now;
            else if (now - context.waitingSince >= ms)
                late.push(response);
        }
        return late;
    }
}
/** What is open on a server; undefined for one that no adapter made. */
export function inFlightOf(server) {
    return byServer.get(server);
}
//# sourceMappingURL=in-flight.js.map