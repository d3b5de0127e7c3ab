// Application passwords (decisions 8.2, 26.2): made, listed, found by what a client sends, revoked. They have more bits than anyone
// can guess, so a fast keyed hash is enough and no throttle stands before them.
import { randomInt, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { and, equals } from '../model/query.js';
const TABLE = 'typecase_application_passwords';
const column = (name, kind, more = {}) => [
    name,
    { name, kind, ...more },
];
/** Where application passwords are kept. Date-times are UTC. */
export const APPLICATION_PASSWORDS = {
    name: TABLE,
    columns: new Map([
        column('id', 'integer', { primary: true }),
        column('uuid', 'varchar', { length: 36, binary: true }),
        column('app_id', 'varchar', { length: 36, default: '' }),
        column('account_id', 'integer'),
        column('name', 'varchar', { length: 255 }),
        column('hash', 'varchar', { length: 43, binary: true }),
        column('created', 'datetime'),
        column('last_used', 'datetime', { nullable: true }),
        column('last_ip', 'varchar', { length: 45, nullable: true }),
    ]),
    indexes: new Map([
        [
            'typecase_application_passwords_hash',
            { name: 'typecase_application_passwords_hash', columns: ['hash'], unique: true },
        ],
        [
            'typecase_application_passwords_account',
            { name: 'typecase_application_passwords_account', columns: ['account_id', 'uuid'] },
        ],
    ]),
    counted: [],
};
const SHOWN = ['uuid', 'app_id', 'account_id', 'name', 'created', 'last_used', 'last_ip'];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 24;
const USE_NOTED_EVERY = 60_000;
/** The application passwords of every account. */
export class ApplicationPasswords {
    store;
    secret;
    now;
    noted = new LRUCache({ max: 10_000 });
    writing = new Set();
    constructor(store, secret, now = Date.now) {
        this.store = store;
        this.secret = secret;
        this.now = now;
    }
    /** A new one; `password` is shown now and never again. */
    async create(accountId, name, appId = '') {
        const password = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
        const row = {
            uuid: randomUUID(),
            app_id: appId,
            account_id: accountId,
            name,
            created: timestamp(this.now()),
            last_used: null,
            last_ip: null,
        };
        await this.store.transaction((tx) => tx.insert(TABLE, { ...row, hash: this.hash(password) }));
        return { ...row, password: password.match(/.{4}/g).join(' ') };
    }
    /** Those of one account, oldest first. */
    async list(accountId) {
        const where = equals('account_id', accountId);
        const order = [{ column: 'id', direction: 'asc' }];
        return (await this.store.reader.select({ table: TABLE, columns: SHOWN, where, order })).map(shown);
    }
    /** One of an account. */
    async get(accountId, uuid) {
        const row = await this.store.reader.first(TABLE, SHOWN, ofAccount(accountId, uuid));
        return row && shown(row);
    }
    /** Gives it another name; false when there is none. */
    async rename(accountId, uuid, name) {
        return (await this.store.transaction((tx) => tx.update(TABLE, { name }, ofAccount(accountId, uuid)))) > 0;
    }
    /** Revokes one at once; false when there is none. */
    async remove(accountId, uuid) {
        return (await this.store.transaction((tx) => tx.delete(TABLE, ofAccount(accountId, uuid)))) > 0;
    }
    /** Revokes all of an account, in `tx` if there is one already; returns how many. */
    async removeAll(accountId, tx) {
        const where = equals('account_id', accountId);
        return tx ? tx.delete(TABLE, where) : this.store.transaction((own) => own.delete(TABLE, where));
    }
    /** The one a client sent, with or without the blanks between its groups. */
    async find(password) {
        const plain = password.replace(/[^A-Za-z0-9]/g, '');
        if (plain.length !== LENGTH)
            return undefined;
        const row = await this.store.reader.first(TABLE, SHOWN, equals('hash', this.hash(plain)));
        return row && shown(row);
    }
    /** Notes when and from where it was used, at most once a minute and after the request went on. */
    used(found, address) {
        const now = this.now();
        if (now - (this.noted.get(found.uuid) ?? 0) < USE_NOTED_EVERY)
            return;
        this.noted.set(found.uuid, now);
        const set = { last_used: timestamp(now), last_ip: address };
        const writing = this.store
            .transaction((tx) => tx.update(TABLE, set, equals('uuid', found.uuid)))
            // A note that is lost harms nobody: the next use writes another one.
            .catch(() => this.noted.delete(found.uuid))
            .finally(() => this.writing.delete(writing));
        this.writing.add(writing);
    }
    /** Resolves when nothing is being noted any more; wait for it before the store closes. */
    async settled() {
        await Promise.all(this.writing);
    }
    hash(password) {
        return this.secret.fingerprint('application-password', password);
    }
}
function ofAccount(accountId, uuid) {
    return and(equals('account_id', accountId), equals('uuid', uuid));
}
function shown(row) {
    return { ...row, account_id: Number(row['account_id']) };
}
function timestamp(ms) {
    return new Date(ms).toISOString().slice(0, 19);
}
