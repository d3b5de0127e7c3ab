// The table that remembers what was imported from where, so that an import can be run again. Added to the site's tables by app.ts.
import { createHash } from 'node:crypto';
import { and, equals } from '../model/query.js';
const varchar = (name, length) => [
    name,
    { name, kind: 'varchar', length, default: '', nullable: false, binary: true },
];
const NAME = 'typecase_imports';
/** One row per object of a source: our id and a hash of what it was when it was written. */
export const importTable = {
    name: NAME,
    columns: new Map([
        ['id', { name: 'id', kind: 'integer', primary: true }],
        varchar('source', 255),
        varchar('kind', 100),
        varchar('key', 255),
        varchar('hash', 80),
        ['item_id', { name: 'item_id', kind: 'integer', default: 0, nullable: false }],
    ]),
    indexes: new Map([
        ['ux_typecase_imports', { name: 'ux_typecase_imports', columns: ['source', 'kind', 'key'], unique: true }],
    ]),
    counted: [],
};
/** The rows of one source. */
export class Ledger {
    source;
    constructor(source) {
        this.source = shortened(source);
    }
    async find(reader, kind, key) {
        const row = await reader.first(NAME, ['id', 'item_id', 'hash'], and(equals('source', this.source), equals('kind', kind), equals('key', shortened(key))));
        return row && { rowId: Number(row['id']), itemId: Number(row['item_id']), hash: String(row['hash']) };
    }
    async record(tx, kind, key, hash, itemId, entry) {
        if (entry)
            await tx.update(NAME, { hash, item_id: itemId }, equals('id', entry.rowId));
        else
            await tx.insert(NAME, { source: this.source, kind, key: shortened(key), hash, item_id: itemId });
    }
}
/** Fingerprint of a source object. Its place in the file and the comments on it, which are objects of their own, do not count. */
export function contentHash(value) {
    const text = JSON.stringify(value, (name, member) => (name === 'line' || name === 'comments' ? undefined : member));
    return createHash('sha256').update(text).digest('hex');
}
function shortened(text) {
    return text.length <= 255 ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
