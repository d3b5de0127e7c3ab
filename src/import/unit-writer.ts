// Writes units in bounded transactions, each unit once whatever happens: what is unchanged since the last import is skipped,
// what the site refuses is reported and the rest goes on. Called by wxr-import.
import type { ContentBatch, ContentWriter } from '../engine/content-writer.js';
import { ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';
import { and, equals } from '../model/query.js';
import type { Reader } from '../model/store.js';
import { FreeIds } from './free-ids.js';
import type { ImportSummary } from './import-summary.js';
import type { Ledger, LedgerEntry } from './import-table.js';
import { Skipped, type Change, type Outcome, type Unit } from './import-unit.js';
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
  private units: Unit[] = [];
  private weight = 0;
  private readonly ids = new FreeIds();

  constructor(
    private readonly writer: ContentWriter,
    private readonly ledger: Ledger,
    private readonly summary: ImportSummary,
    private readonly onDone: (outcome: Outcome) => void = () => {},
  ) {}

  /** Takes a unit; writes when enough have come together. */
  async add(unit: Unit): Promise<void> {
    this.units.push(unit);
    this.weight += unit.weight;
    if (this.units.length >= MAX_UNITS || this.weight >= MAX_WEIGHT) await this.flush();
  }

  /** Writes what is waiting. */
  async flush(): Promise<void> {
    const units = this.units.splice(0);
    this.weight = 0;
    if (units.length === 0) return;
    for (const outcome of await this.writeAll(units)) this.note(outcome);
  }

  private async writeAll(units: Unit[]): Promise<Outcome[]> {
    try {
      return await this.transaction(units);
    } catch (error) {
      if (!(error instanceof ResourceError) || error.status === 503) throw error;
      if (units.length === 1) return [refused(units[0]!, error)];
    }
    // One of them was refused halfway: alone, each stands or falls by itself.
    const outcomes: Outcome[] = [];
    for (const unit of units) outcomes.push(...(await this.writeAll([unit])));
    return outcomes;
  }

  private async transaction(units: Unit[]): Promise<Outcome[]> {
    if (this.summary.dryRun) return this.each(units, (unit) => this.rehearse(unit));
    return this.writer.batch((batch) => this.each(units, (unit) => this.write(unit, batch)));
  }

  private async each(units: Unit[], run: (unit: Unit) => Promise<Outcome>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    // All of them anew: this may be the second attempt of the transaction.
    for (const unit of units) unit.settle(undefined);
    for (const unit of units) {
      const outcome = await run(unit);
      unit.settle(outcome.id);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async write(unit: Unit, batch: ContentBatch): Promise<Outcome> {
    const { model, key } = unit;
    const found = await this.look(unit, batch.tx);
    if (found.outcome) {
      if (found.adopt) await this.ledger.record(batch.tx, model.name, key, ADOPTED, found.outcome.id!, found.entry);
      return found.outcome;
    }
    const change = await changeOf(unit, batch.tx, found.existing !== undefined);
    if ('did' in change) return change;
    const { values, columns, as } = change;
    const options = { columns, ...(as ? { as } : {}) };
    let id = found.existing;
    if (id !== undefined) await batch.update(model.name, id, values, options);
    else {
      const free = await this.ids.choose(batch.tx, model.table!.name, unit.wantedId, unit.highestId);
      id = await batch.create(model.name, values, free === undefined ? options : { ...options, id: free });
    }
    const entries = await writeEntries(batch.tx, model, id, change.meta, found.existing === undefined);
    await this.ledger.record(batch.tx, model.name, key, (change.waits ? WAITING : '') + unit.hash, id, found.entry);
    return done(unit, change, found.existing === undefined, id, entries);
  }

  private async rehearse(unit: Unit): Promise<Outcome> {
    const reader = this.writer.store.reader;
    const found = await this.look(unit, reader);
    if (found.outcome) return found.outcome;
    const change = await changeOf(unit, reader, found.existing !== undefined);
    return 'did' in change
      ? change
      : done(unit, change, found.existing === undefined, found.existing ?? SOME_ID, change.meta.length);
  }

  /** What is known of a unit, and its outcome when nothing has to be written. */
  private async look(
    unit: Unit,
    reader: Reader,
  ): Promise<{ entry?: LedgerEntry; existing?: number; outcome?: Outcome; adopt?: boolean }> {
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

  private note(outcome: Outcome): void {
    const { unit, did, reason, refusal } = outcome;
    const { line, label } = unit;
    if (refusal) this.summary.refuse({ resource: unit.model.name, line, label, reason: refusal }, reason);
    else this.summary.count(unit.model.name, did, reason);
    for (const note of outcome.notes) this.summary.note(note);
    for (let n = 0; n < outcome.entries; n += 1) this.summary.count('meta', 'created');
    this.onDone(outcome);
  }
}

async function isThere(model: ResourceModel, id: number, reader: Reader): Promise<boolean> {
  const kinds = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
  return (await reader.first(model.table!.name, ['id'], and(equals('id', id), ...kinds))) !== undefined;
}

/** The change of a unit, or its outcome when it is not wanted. Nothing is written yet, so the others can go on. */
async function changeOf(unit: Unit, reader: Reader, existing: boolean): Promise<Change | Outcome> {
  try {
    return await unit.change(reader, existing);
  } catch (error) {
    if (error instanceof Skipped) return skipped(unit, error.message);
    if (error instanceof ResourceError) return refused(unit, error);
    throw error;
  }
}

function done(unit: Unit, { notes, waits = false }: Change, fresh: boolean, id: number, entries: number): Outcome {
  return { unit, did: fresh ? 'created' : 'updated', id, notes, entries, waits };
}

function skipped(unit: Unit, reason: string, id?: number): Outcome {
  return { unit, did: 'skipped', reason, notes: [], entries: 0, waits: false, ...(id === undefined ? {} : { id }) };
}

function refused(unit: Unit, error: ResourceError): Outcome {
  return { ...skipped(unit, `refused (${error.code})`), refusal: reasonOf(error) };
}

/** What an error says, with the reason for each value. */
export function reasonOf(error: ResourceError): string {
  const params = error.details.data?.['params'];
  return params && typeof params === 'object' ? Object.values(params).join(' ') : error.message;
}
