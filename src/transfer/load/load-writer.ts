// Second pass of load: writes checked items in transactions of limited size.
import type { ContentBatch, ContentWriter } from '../../engine/content-writer.js';
import { isDeepStrictEqual } from 'node:util';
import { TextsAhead } from '../../engine/writes/texts-ahead.js';
import type { Row } from '../../model/query.js';
import type { TextCallsRunner } from '../../model/runtime/texts.js';
import { copyFilesIn } from '../dump/dump-files.js';
import type { Site } from '../../model/site/site.js';
import type { Shape } from '../dump/dump-shape.js';
import type { Item } from './load-item.js';
import { entryRow, pairsOf, restoredRow } from './load-rows.js';
import { createSent, expectSent, workAhead } from './load-sent.js';
import { note, type LoadOutcome } from './load-outcome.js';

/** Maximum number of items of one transaction, and of characters of their lines. */
const MAX_ITEMS = 2_000;
const MAX_WEIGHT = 8 * 1024 * 1024;
/** Passwords hashed concurrently. */
const HASH_CONCURRENCY = 16;

/** Name under which uploaded files are counted. */
export const COPIED_FILES = 'file';

type Hashes = Map<Item, Record<string, string>>;

/** Writes items in batches, each in one transaction. */
export class LoadWriter {
  private items: Item[] = [];
  private weight = 0;
  private texts: TextsAhead | undefined;
  /** The write of the previous batch, which continues while the lines of the next one are read. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly writer: ContentWriter,
    /** Ids by table of items that exist already. */
    private readonly there: ReadonlyMap<string, ReadonlySet<number>>,
    /** The dump's folder, if it contains files. */
    private readonly folder: string | undefined,
    private readonly outcome: LoadOutcome,
    /** Runs text functions while the previous batch is written. */
    private readonly runCalls?: TextCallsRunner,
  ) {
    this.texts = this.newTexts();
  }

  /** Adds an item; begins to write a full batch. Rejects with the error of the previous batch. */
  async add(item: Item): Promise<void> {
    this.items.push(item);
    this.weight += item.weight;
    if (this.texts && !item.restored && !this.isThere(item)) workAhead(item, this.writer, this.texts);
    if (this.items.length >= MAX_ITEMS || this.weight >= MAX_WEIGHT) await this.begin();
  }

  /** Writes the last batch. */
  async flush(): Promise<void> {
    await this.begin();
    await this.writing;
  }

  private async begin(): Promise<void> {
    const items = this.items.splice(0);
    this.weight = 0;
    const { texts } = this;
    this.texts = this.newTexts();
    await this.writing;
    // The lines of the next batch are read once half of the rows of this one are made: reading earlier would delay its
    // first statements.
    await new Promise<void>((resolve) => {
      this.writing = this.write(items, texts, resolve).finally(resolve);
      // Reported by the next `begin`, or by `flush`.
      this.writing.catch(() => undefined);
    });
  }

  private newTexts(): TextsAhead | undefined {
    return this.runCalls && new TextsAhead(this.runCalls);
  }

  private isThere({ id, shape }: Item): boolean {
    return id !== undefined && Boolean(this.there.get(shape.table.name)?.has(id));
  }

  private async write(items: readonly Item[], texts: TextsAhead | undefined, onBegun: () => void): Promise<void> {
    const fresh = items.filter((item) => !this.isThere(item));
    const written = new Set(fresh);
    const hashes = await this.hashed(fresh);
    // Files first, so that no row ever refers to a missing file.
    if (this.folder !== undefined) await this.putFiles(items, this.folder);
    await texts?.ready();
    const writer = texts ? this.writer.withTexts(texts) : this.writer;
    if (fresh.length > 0) await writer.bulk((batch) => writeAll(fresh, hashes, batch, writer.site, onBegun));
    for (const item of items) {
      const done = written.has(item);
      this.outcome.summary.count(item.shape.name, done ? 'created' : 'skipped', done ? '' : 'already there');
    }
  }

  private async hashed(items: readonly Item[]): Promise<Hashes> {
    const hashes: Hashes = new Map();
    const waiting = items.flatMap((item) => [...item.passwords].map(([name, plain]) => ({ item, name, plain })));
    for (let at = 0; at < waiting.length; at += HASH_CONCURRENCY) {
      const some = waiting.slice(at, at + HASH_CONCURRENCY);
      const made = await Promise.all(some.map(({ plain }) => this.writer.site.hashPassword(plain)));
      some.forEach(({ item, name }, index) => hashes.set(item, { ...hashes.get(item), [name]: made[index]! }));
    }
    return hashes;
  }

  private async putFiles(items: readonly Item[], folder: string): Promise<void> {
    for (const shape of new Set(items.map((item) => item.shape))) {
      const rows = items.filter((item) => item.shape === shape).map(({ row }) => row);
      const { files, missing, notes } = await copyFilesIn(shape, rows, this.writer.site.files, folder);
      for (let n = 0; n < files; n += 1) this.outcome.summary.count(COPIED_FILES, 'created');
      this.outcome.missingFiles += missing;
      for (const warning of notes) note(this.outcome, warning);
    }
  }
}

async function writeAll(
  items: readonly Item[],
  hashes: Hashes,
  batch: ContentBatch,
  site: Site,
  onBegun: () => void,
): Promise<void> {
  const restored = items.filter((item) => item.restored);
  if (restored.length > 0) onBegun();
  for (const shape of new Set(restored.map((item) => item.shape))) {
    await restore(
      shape,
      restored.filter((item) => item.shape === shape),
      (item) => withHashes(item, hashes, site),
      batch,
    );
  }
  const sent = items.filter((item) => !item.restored);
  await expectSent(sent, batch);
  const half = Math.floor(sent.length / 2);
  for (const [at, item] of sent.entries()) {
    if (at === half) onBegun();
    await createSent(item, hashes.get(item) ?? {}, batch);
  }
}

async function restore(
  shape: Shape,
  items: readonly Item[],
  rowOf: (item: Item) => Row,
  { tx }: ContentBatch,
): Promise<void> {
  const rows = items.map((item) => ({ item, row: rowOf(item) }));
  const numbered = rows.filter(({ item }) => item.id !== undefined);
  await tx.insertMany(
    shape.table.name,
    numbered.map(({ row }) => row),
  );
  const owners = numbered.map(({ item }) => ({ item, id: item.id! }));
  for (const { item, row } of rows) {
    if (item.id === undefined) owners.push({ item, id: await tx.insert(shape.table.name, row) });
  }
  for (const field of shape.many) {
    const pairs = owners.flatMap(({ item, id }) => pairsOf(field, id, item.many.get(field) ?? []));
    await tx.insertMany(field.many!.table, pairs);
  }
  const entries = owners.flatMap(({ item, id }) =>
    (item.entries ?? []).map((entry) => entryRow(shape.meta!.entries, id, entry)),
  );
  await insertGrouped(shape.meta?.table ?? '', entries, (table, some) => tx.insertMany(table, some));
}

function withHashes(item: Item, hashes: Hashes, site: Site): Row {
  const row = restoredRow(item, site);
  for (const [name, hash] of Object.entries(hashes.get(item) ?? {}))
    row[item.shape.fields.get(name)!.column.name] = hash;
  return row;
}

/** Groups consecutive rows with the same columns. */
async function insertGrouped(
  table: string,
  rows: readonly Row[],
  insert: (table: string, rows: Row[]) => Promise<void>,
): Promise<void> {
  let alike: Row[] = [];
  for (const row of rows) {
    if (alike[0] && !isDeepStrictEqual(Object.keys(alike[0]), Object.keys(row))) {
      await insert(table, alike);
      alike = [];
    }
    alike.push(row);
  }
  if (alike.length > 0) await insert(table, alike);
}
