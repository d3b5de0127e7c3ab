import { and, equals } from '../model/query.js';
const TABLE = 'typecase_refresh_tokens';
const COLUMNS = ['family', 'account_id', 'hash', 'version', 'expires'];
/** Where families are kept. `expires` is in seconds since 1970. */
export const REFRESH_TOKENS = {
    name: TABLE,
    columns: new Map([
        ['id', { name: 'id', kind: 'integer', primary: true }],
        ['family', { name: 'family', kind: 'varchar', length: 22, binary: true }],
        ['account_id', { name: 'account_id', kind: 'integer' }],
        ['hash', { name: 'hash', kind: 'varchar', length: 43, binary: true }],
        ['version', { name: 'version', kind: 'varchar', length: 43, binary: true }],
        ['expires', { name: 'expires', kind: 'integer' }],
    ]),
    indexes: new Map([
        ['typecase_refresh_tokens_family', { name: 'typecase_refresh_tokens_family', columns: ['family'], unique: true }],
        ['typecase_refresh_tokens_account', { name: 'typecase_refresh_tokens_account', columns: ['account_id'] }],
        ['typecase_refresh_tokens_expires', { name: 'typecase_refresh_tokens_expires', columns: ['expires'] }],
    ]),
    counted: [],
};
/** The families of a site. */
export class TokenFamilies {
    store;
    seconds;
    constructor(store, seconds) {
        this.store = store;
        this.seconds = seconds;
    }
    /** Begins a family, and forgets those that are over. */
    async begin(family) {
        await this.store.transaction(async (tx) => {
            await tx.delete(TABLE, { op: 'lt', column: 'expires', value: this.seconds() });
            await tx.insert(TABLE, { ...family });
        });
    }
    /** A family that goes on. */
    async find(family) {
        return this.findIn(this.store.reader, family);
    }
    /** Puts a new token in the place of `spent`; false when that was not the newest one, and then the family is over. */
    async rotate(family, spent, next) {
        return this.store.transaction(async (tx) => {
            const changed = await tx.update(TABLE, next, and(equals('family', family), equals('hash', spent)));
            if (changed === 0)
                await tx.delete(TABLE, equals('family', family));
            return changed > 0;
        });
    }
    /** Ends a family. */
    async end(family) {
        await this.store.transaction((tx) => tx.delete(TABLE, equals('family', family)));
    }
    /** Ends all families of an account, in `tx` if there is one already. */
    async endAll(accountId, tx) {
        const where = equals('account_id', accountId);
        await (tx ? tx.delete(TABLE, where) : this.store.transaction((own) => own.delete(TABLE, where)));
    }
    async findIn(reader, family) {
        const row = await reader.first(TABLE, COLUMNS, equals('family', family));
        if (!row || Number(row['expires']) <= this.seconds())
            return undefined;
        return { ...row, account_id: Number(row['account_id']) };
    }
}
