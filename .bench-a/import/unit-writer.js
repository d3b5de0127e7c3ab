import { ResourceError } from '../errors/resource-error.js';
import { and, equals } from '../model/query.js';
import { FreeIds } from './free-ids.js';
import { Skipped } from './import-unit.js';
import { writeEntries } from './map-meta.js';
/** Most units, and characters, of one transaction. */
const MAX_UNITS = 100;
const MAX_WEIGHT = 4 * 1024 * 1024;
/** Marks an item that was there before; it belongs to the site and is never changed by an import. */
const ADOPTED = 'adopted';
/** Marks an item whose references are not complete. */
const WAITING = 'waits:';
/** Stands for ids that a dry run does not know. */
const SOME_ID = 1;
export class UnitWriter {
    writer;
    ledger;
    summary;
    onDone;
    units = [];
    weight = 0;
    ids = new FreeIds();
    constructor(writer, ledger, summary, onDone = () => { }) {
        this.writer = writer;
        this.ledger = ledger;
        this.summary = summary;
        this.onDone = onDone;
    }
    /** Takes a unit; writes when enough have come together. */
    async add(unit) {
        this.units.push(unit);
        this.weight += unit.weight;
        if (this.units.length >= MAX_UNITS || this.weight >= MAX_WEIGHT)
            await this.flush();
    }
    /** Writes what is waiting. */
    async flush() {
        const units = this.units.splice(0);
        this.weight = 0;
        if (units.length === 0)
            return;
        for (const outcome of await this.writeAll(units))
            this.note(outcome);
    }
    async writeAll(units) {
        try {
            return await this.transaction(units);
        }
        catch (error) {
            if (!(error instanceof ResourceError) || error.status === 503)
                throw error;
            if (units.length === 1)
                return [refused(units[0], error)];
        }
        // One of them was refused halfway: alone, each stands or falls by itself.
        const outcomes = [];
        for (const unit of units)
            outcomes.push(...(await this.writeAll([unit])));
        return outcomes;
    }
    async transaction(units) {
        if (this.summary.dryRun)
            return this.each(units, (unit) => this.rehearse(unit));
        return this.writer.batch((batch) => this.each(units, (unit) => this.write(unit, batch)));
    }
    async each(units, run) {
        const outcomes = [];
        // All of them anew: this may be the second attempt of the transaction.
        for (const unit of units)
            unit.settle(undefined);
        for (const unit of units) {
            const outcome = await run(unit);
            unit.settle(outcome.id);
            outcomes.push(outcome);
        }
        return outcomes;
    }
    async write(unit, batch) {
        const { model, key } = unit;
        const found = await this.look(unit, batch.tx);
        if (found.outcome) {
            if (found.adopt)
                await this.ledger.record(batch.tx, model.name, key, ADOPTED, found.outcome.id, found.entry);
            return found.outcome;
        }
        const change = await changeOf(unit, batch.tx, found.existing !== undefined);
        if ('did' in change)
            return change;
        const { values, columns, as } = change;
        const options = { columns, ...(as ? { as } : {}) };
        let id = found.existing;
        if (id !== undefined)
            await batch.update(model.name, id, values, options);
        else {
            const free = await this.ids.choose(batch.tx, model.table.name, unit.wantedId, unit.highestId);
            id = await batch.create(model.name, values, free === undefined ? options : { ...options, id: free });
        }
        const entries = await writeEntries(batch.tx, model, id, change.meta, found.existing === undefined);
        await this.ledger.record(batch.tx, model.name, key, (change.waits ? WAITING : '') + unit.hash, id, found.entry);
        return done(unit, change, found.existing === undefined, id, entries);
    }
    async rehearse(unit) {
        const reader = this.writer.store.reader;
        const found = await this.look(unit, reader);
        if (found.outcome)
            return found.outcome;
        const change = await changeOf(unit, reader, found.existing !== undefined);
        return 'did' in change ? change : done(unit, change, found.existing === undefined, found.existing ?? SOME_ID, change.meta.length);
    }
    /** What is known of a unit, and its outcome when nothing has to be written. */
    async look(unit, reader) {
        const entry = await this.ledger.find(reader, unit.model.name, unit.key);
        const existing = entry && (await isThere(unit.model, entry.itemId, reader)) ? entry.itemId : undefined;
        if (entry && existing !== undefined) {
            if (entry.hash === unit.hash || entry.hash === ADOPTED)
                return { entry, existing, outcome: skipped(unit, 'unchanged', existing) };
            return { entry, existing };
        }
        const same = await unit.same?.(reader);
        if (same !== undefined)
            return { ...(entry ? { entry } : {}), outcome: skipped(unit, 'already there', same), adopt: true };
        return entry ? { entry } : {};
    }
    note(outcome) {
        const { unit, did, reason, refusal } = outcome;
        const { line, label } = unit;
        if (refusal)
            this.summary.refuse({ resource: unit.model.name, line, label, reason: refusal }, reason);
        else
            this.summary.count(unit.model.name, did, reason);
        for (const note of outcome.notes)
            this.summary.note(note);
        for (let n = 0; n < outcome.entries; n += 1)
            this.summary.count('meta', 'created');
        this.onDone(outcome);
    }
}
async function isThere(model, id, reader) {
    const kinds = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
    return (await reader.first(model.table.name, ['id'], and(equals('id', id), ...kinds))) !== undefined;
}
/** The change of a unit, or its outcome when it is not wanted. Nothing is written yet, so the others can go on. */
async function changeOf(unit, reader, existing) {
    try {
        return await unit.change(reader, existing);
    }
    catch (error) {
        if (error instanceof Skipped)
            return skipped(unit, error.message);
        if (error instanceof ResourceError)
            return refused(unit, error);
        throw error;
    }
}
function done(unit, { notes, waits = false }, fresh, id, entries) {
    return { unit, did: fresh ? 'created' : 'updated', id, notes, entries, waits };
}
function skipped(unit, reason, id) {
    return { unit, did: 'skipped', reason, notes: [], entries: 0, waits: false, ...(id === undefined ? {} : { id }) };
}
function refused(unit, error) {
    return { ...skipped(unit, `refused (${error.code})`), refusal: reasonOf(error) };
}
/** What an error says, with the reason for each value. */
export function reasonOf(error) {
    const params = error.details.data?.['params'];
    return params && typeof params === 'object' ? Object.values(params).join(' ') : error.message;
}
//# sourceMappingURL=unit-writer.js.map