import { networkOf } from './client-address.js';
import { limitHeaders, tooMany } from './too-many.js';
const WRITES = { name: 'write', most: 6000, seconds: 60, writesOnly: true };
/** Counts the requests of each caller: an account, or the address of an anonymous one. */
export class RequestLimits {
    counters;
    limits;
    constructor(counters, rule) {
        this.counters = counters;
        const all = rule.mode === 'custom' && {
            name: 'any',
            most: rule.requests,
            seconds: rule.seconds,
            writesOnly: false,
        };
        this.limits = [...(all ? [all] : []), ...(all || rule.mode === 'on' ? [WRITES] : [])];
    }
    /** Counts a request; returns the `RateLimit-*` headers of its answer, if a limit applies. Throws 429 with them. */
    async admit(actor, isWrite) {
        let headers;
        for (const limit of this.limits) {
            if (limit.writesOnly && !isWrite)
                continue;
            const caller = actor.id > 0 ? actor.id : networkOf(actor.address);
            const tally = await this.counters.add(`${limit.name} ${caller}`, 1, limit.seconds);
            if (tally.count > limit.most)
                throw tooMany(limit.most, tally);
            headers ??= limitHeaders(limit.most, tally);
        }
        return headers;
    }
}
