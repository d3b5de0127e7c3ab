// Writes import units in transactions of limited size, idempotently: units unchanged since the last import are
// skipped; rejected ones are reported, and the rest continues.
import type { ContentBatch, ContentWriter } from '../../engine/content-writer.js';
import type { ResourceModel } from '../../model/model.js';
import { and, equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { FreeIds } from './free-ids.js';
import { MAX_ID } from '../wxr-file/wxr-text.js';
import type { ImportSummary } from '../import-summary.js';
import type { Ledger, LedgerEntry } from './import-table.js';
import type { Outcome, ImportItem } from './import-unit.js';
import { writeEntries } from './map-meta.js';
import { refusalOf, rejectedOutcome, changeOf, writtenOutcome, skippedOutcome } from './outcomes.js';

/** Maximum number of units of one transaction, and of their characters. */
const MAX_UNITS = 100;
const MAX_WEIGHT = 4 * 1024 * 1024;
/** Marks an item that existed before; it belongs to the site and is never changed by an import. */
const ADOPTED = 'adopted';
/** Marks an item whose references are incomplete. */
const WAITING = 'waits:';
/** Placeholder for ids that a dry run does not know. */
const PLACEHOLDER_ID = 1;

/** Writes import units in batches. */
export class ImportWriter {
  private units: ImportItem[] = [];
  private weight = 0;
  private readonly ids = new FreeIds();

  constructor(
    private readonly writer: ContentWriter,
    private readonly ledger: Ledger,
    private readonly summary: ImportSummary,
    private readonly onDone: (outcome: Outcome) => void = () => {},
  ) {}

  /** Adds a unit; writes a full batch. */
  async add(unit: ImportItem): Promise<void> {
    this.units.push(unit);
    this.weight += unit.weight;
    if (this.units.length >= MAX_UNITS || this.weight >= MAX_WEIGHT) await this.flush();
  }

  /** Writes the last batch. */
  async flush(): Promise<void> {
    const units = this.units.splice(0);
    this.weight = 0;
    if (units.length === 0) return;
    for (const outcome of await this.writeAll(units)) this.note(outcome);
  }

  private async writeAll(units: ImportItem[]): Promise<Outcome[]> {
    try {
      return await this.transaction(units);
    } catch (error) {
      const refusal = refusalOf(error, units[0]!.model);
      if (!refusal) throw error;
      // The transaction was rolled back: its ids are invalid.
      for (const unit of units) unit.settle(undefined);
      if (units.length === 1) return [rejectedOutcome(units[0]!, refusal)];
    }
    // One unit of the batch failed: write each in a transaction of its own.
    const outcomes: Outcome[] = [];
    for (const unit of units) outcomes.push(...(await this.writeAll([unit])));
    return outcomes;
  }

  private async transaction(units: ImportItem[]): Promise<Outcome[]> {
    if (this.summary.dryRun) return this.each(units, (unit) => this.rehearse(unit));
    return this.writer.bulk(async (batch) => {
      await this.askAhead(units, batch);
      return this.each(units, (unit) => this.write(unit, batch));
    });
  }

  /** Runs the queries that each unit needs once for all units. */
  private async askAhead(units: readonly ImportItem[], batch: ContentBatch): Promise<void> {
    await this.ledger.ahead(
      batch.tx,
      units.map(({ model, key }) => ({ kind: model.name, key })),
    );
    for (const model of new Set(units.map((unit) => unit.model))) {
      const own = units.filter((unit) => unit.model === model);
      await batch.tx.absentOf(
        model.table!.name,
        'id',
        own.map(({ wantedId }) => wantedId).filter((id) => id > 0 && id <= MAX_ID),
      );
      await batch.expect(
        model.name,
        own.map(({ named = {} }) => named),
      );
    }
  }

  private async each(units: ImportItem[], run: (unit: ImportItem) => Promise<Outcome>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    // Reset all ids: this may be a retry of the transaction.
    for (const unit of units) unit.settle(undefined);
    for (const unit of units) {
      const outcome = await run(unit);
      unit.settle(outcome.id);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private async write(unit: ImportItem, batch: ContentBatch): Promise<Outcome> {
    const { model, key } = unit;
    const found = await this.findExisting(unit, batch.tx);
    if (found.outcome) {
      if (found.adopt) {
        const adopted = { kind: model.name, key, hash: ADOPTED, itemId: found.outcome.id! };
        await this.ledger.record(batch.tx, adopted, found.entry);
      }
      return found.outcome;
    }
    const change = await changeOf(unit, batch.tx, found.existing !== undefined);
    if ('did' in change) return change;
    if (found.waiting) return writtenOutcome(unit, { ...change, waits: true }, false, found.existing!, 0);
    const { values, columns, as } = change;
    const options = { columns, ...(as ? { as } : {}) };
    let id = found.existing;
    if (id !== undefined) await batch.update(model.name, id, values, options);
    else {
      const free = await this.ids.choose(batch.tx, model.table!.name, unit.wantedId, unit.highestId);
      id = await batch.create(model.name, values, free === undefined ? options : { ...options, id: free });
    }
    const entries = await writeEntries(batch.tx, model, id, change.meta, found.existing === undefined);
    const hash = (change.waits ? WAITING : '') + unit.hash;
    await this.ledger.record(batch.tx, { kind: model.name, key, hash, itemId: id }, found.entry);
    return writtenOutcome(unit, change, found.existing === undefined, id, entries);
  }

  private async rehearse(unit: ImportItem): Promise<Outcome> {
    const reader = this.writer.store.reader;
    const found = await this.findExisting(unit, reader);
    if (found.outcome) return found.outcome;
    const change = await changeOf(unit, reader, found.existing !== undefined);
    return 'did' in change
      ? change
      : writtenOutcome(
          unit,
          change,
          found.existing === undefined,
          found.existing ?? PLACEHOLDER_ID,
          found.waiting ? 0 : change.meta.length,
        );
  }

  /** Finds the existing item of a unit, and the outcome when nothing has to be written. */
  private async findExisting(
    unit: ImportItem,
    reader: Reader,
  ): Promise<{ entry?: LedgerEntry; existing?: number; outcome?: Outcome; adopt?: boolean; waiting?: boolean }> {
    const entry = await this.ledger.find(reader, unit.model.name, unit.key);
    const existing = entry && (await isThere(unit.model, entry.itemId, reader)) ? entry.itemId : undefined;
    if (entry && existing !== undefined) {
      if (entry.hash === unit.hash || entry.hash === ADOPTED || unit.bare)
        return { entry, existing, outcome: skippedOutcome(unit, 'unchanged', existing) };
      // An interrupted import has written the item: another write would change its modification date.
      return { entry, existing, waiting: entry.hash === WAITING + unit.hash };
    }
    const same = await unit.same?.(reader);
    if (same !== undefined)
      return { ...(entry ? { entry } : {}), outcome: skippedOutcome(unit, 'already there', same), adopt: true };
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
  return (await reader.first(model.table!.name, ['id'], and(equals('id', id), model.rowScope))) !== undefined;
}
