import { lacksSelf } from './item-key.js';
import { kindOfRoute } from './resource-route.js';
/** Asks the service; what it cannot say is left out, for a header must never hide an answer. */
export class Allowance {
    service;
    operations;
    constructor(service, operations) {
        this.service = service;
        this.operations = operations;
    }
    /** For a caller who has only named the route. */
    async of(route, kind, asked) {
        if (lacksSelf(route, asked))
            return ['GET'];
        try {
            const op = this.operations.bare(route, kind === 'item' ? 'retrieve' : 'list', asked);
            return await this.service.allow(op, kind);
        }
        catch {
            return [];
        }
    }
    /** Once an operation has succeeded; its own transaction, if it had one, is over. */
    async after(op, route, asked) {
        if (op.tx)
            return this.of(route, kindOfRoute(op.kind), asked);
        return this.service.allow(op, kindOfRoute(op.kind));
    }
}
