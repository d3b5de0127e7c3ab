// Chooses the id of a new item: the one of the source where it is free, else one above all of the file. Called by the unit writer.
import { equals } from '../model/query.js';
import { MAX_ID } from './wxr-text.js';
export class FreeIds {
    last = new Map();
    /** An id that is free now; undefined leaves the choice to the database. */
    async choose(reader, table, wanted, highest) {
        const free = async (id) => !(await reader.first(table, ['id'], equals('id', id)));
        if (wanted > 0 && wanted <= MAX_ID && (await free(wanted)))
            return wanted;
        // The database would take the next one, which may be kept for an object further down in the file.
        let next = Math.max(highest, this.last.get(table) ?? 0) + 1;
        while (next <= MAX_ID && !(await free(next)))
            next += 1;
        this.last.set(table, next);
        return next <= MAX_ID ? next : undefined;
    }
}
//# sourceMappingURL=free-ids.js.map