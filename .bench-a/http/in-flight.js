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
    /** How many clients are still waiting. */
    get size() {
        this.dropOrphans();
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
        this.dropOrphans();
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
    // A response that was queued behind others when its connection died never closes.
    dropOrphans() {
        for (const response of this.open)
            if (response.req.socket.destroyed)
                this.open.delete(response);
    }
}
/** What is open on a server; undefined for one that no adapter made. */
export function inFlightOf(server) {
    return byServer.get(server);
}
