import { equals } from '../model/query.js';
import { ImportSummary } from './import-summary.js';
import { Ledger } from './import-table.js';
import { wholeNumber } from './wxr-text.js';
/** Resources that hold other things than items, whatever post types an export names. */
const NO_ITEMS = new Set(['user', 'comment', 'meta', 'category', 'tag']);
export class ImportSession {
    writer;
    inventory;
    dryRun;
    summary;
    ledger;
    /** Our ids: users by login and by the source's id and address, terms by resource and slug, items by type and key. */
    users = new Map();
    usersBySource = new Map();
    terms = new Map();
    items = new Map();
    constructor(writer, inventory, dryRun) {
        this.writer = writer;
        this.inventory = inventory;
        this.dryRun = dryRun;
        this.summary = new ImportSummary(dryRun);
        this.ledger = new Ledger(inventory.source);
    }
    /** A stored resource of that name. */
    stored(name) {
        const model = this.writer.models.byName.get(name);
        return model?.table && model.integerKey && !model.parent ? model : undefined;
    }
    /** The resource whose items are of a post type. */
    itemModel(postType) {
        return NO_ITEMS.has(postType) ? undefined : this.stored(postType);
    }
    /** The resource of a taxonomy's terms: `post_tag` is `tag`. */
    termModel(taxonomy) {
        const model = this.stored(taxonomy === 'post_tag' ? 'tag' : taxonomy);
        return model && model.fields.has('name') && model.fields.has('slug') ? model : undefined;
    }
    /** Our id of an item of one of these types; 0 for none, `later` when it comes further down in the file. */
    async itemId(types, text, reader) {
        const id = wholeNumber(text);
        if (id <= 0)
            return 0;
        for (const type of types) {
            const known = this.items.get(`${type}:${id}`) ?? (await this.imported(type, String(id), reader));
            if (known !== undefined)
                return known;
        }
        return types.some((type) => this.inventory.ids.get(type)?.has(id)) ? 'later' : 0;
    }
    /** Our id of an item that an earlier run imported, from this file or another of the same site. */
    async imported(type, key, reader) {
        const table = this.itemModel(type)?.table;
        const entry = table && (await this.ledger.find(reader, type, key));
        if (!entry || !(await reader.first(table.name, ['id'], equals('id', entry.itemId))))
            return undefined;
        return entry.itemId;
    }
}
/** Moves a key of a map along with where an object ended up. */
export function settleIn(map, key, id) {
    if (id === undefined)
        map.delete(key);
    else
        map.set(key, id);
}
//# sourceMappingURL=import-session.js.map