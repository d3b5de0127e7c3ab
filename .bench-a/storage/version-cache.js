// Answers that hold until the data moves: a bounded memory under the database's data version. Used by the reader for counts.
import { LRUCache } from 'lru-cache';
/** Exact as long as `version` moves with every commit of any process. */
export class VersionCache {
    entries;
    version;
    constructor(max) {
        this.entries = new LRUCache({ max });
    }
    /** What was remembered under this version; a new version forgets everything. */
    get(version, key) {
        if (version !== this.version) {
            this.entries.clear();
            this.version = version;
        }
        return this.entries.get(key);
    }
    /** Remembers an answer that was asked for after `version` was read; ignored when the data has moved since. */
    set(version, key, value) {
        if (version === this.version)
            this.entries.set(key, value);
    }
}
