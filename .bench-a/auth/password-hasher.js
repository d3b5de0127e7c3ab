// Slow hashes of account passwords, off the event loop and few at a time (reliability T19). Asked at login and before writes.
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { ResourceError } from '../errors/resource-error.js';
const LONGEST = 4096;
// Files, names and databases use the same four threads of libuv.
const MOST_AT_ONCE = 3;
/** argon2id with the parameters OWASP recommends, kept in the hash itself. */
export class PasswordHasher {
    cores;
    queue;
    running = 0;
    waiting = [];
    dummy;
    constructor(options = {}) {
        this.cores = options.cores ?? Math.min(availableParallelism(), MOST_AT_ONCE);
        this.queue = options.queue ?? 64;
    }
    /** The hash to store. Throws for passwords over 4,096 bytes, and 503 when too many wait. */
    async hash(password) {
        if (isTooLong(password))
            throw new ResourceError('rest_user_invalid_password', { status: 400 });
        return this.inTurn(() => hash(password));
    }
    /** Whether the password is right. Without a usable hash the same time is spent, and the answer is no. */
    async verify(stored, password) {
        // Depends on what was sent alone, so that it tells nothing about accounts.
        if (isTooLong(password))
            return false;
        const usable = stored?.startsWith('$argon2id$') ? stored : undefined;
        const against = usable ?? (await this.dummyHash());
        return this.inTurn(async () => (await verify(against, password).catch(() => false)) && usable !== undefined);
    }
    dummyHash() {
        this.dummy ??= hash('nobody');
        return this.dummy;
    }
    async inTurn(work) {
        if (this.running < this.cores)
            this.running++;
        else
            await this.place();
        try {
            return await work();
        }
        finally {
            const next = this.waiting.shift();
            if (next)
                next();
            else
                this.running--;
        }
    }
    place() {
        if (this.waiting.length >= this.queue) {
            throw new ResourceError('rest_unavailable', {
                message: 'Too many passwords are being checked. Try again in a second.',
                headers: { 'Retry-After': '1' },
            });
        }
        return new Promise((resolve) => this.waiting.push(resolve));
    }
}
function isTooLong(password) {
    return Buffer.byteLength(password) > LONGEST;
}
