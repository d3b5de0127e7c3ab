// Restores what migrations saved before they dropped it (docs/evolution.md): rows of tables, columns of rows, pairs and meta entries.
// Nothing that was written since is overwritten. Called by load-site for files of such lines: once to check, once to write.
import type { ContentWriter } from '../engine/content-writer.js';
import { DERIVED } from '../engine/derived-columns.js';
import type { ColumnModel, TableModel } from '../model/model.js';
import { type Change, equals, oneOf, type Row } from '../model/query.js';
import type { Scalar } from '../model/schema.js';
import type { Reader, Transaction } from '../model/store.js';
import { note, type LoadOutcome } from './load-outcome.js';
import type { LoadProblems } from './load-problems.js';
import type { SavedRow } from './saved-line.js';

const BATCH = 200;
const VERSION = 'row_version';

/** What is to be done with a row: nothing, or a row to insert, or columns to set. */
type Deed = { insert: Row } | { set: Row; id: number } | 'there' | 'gone' | { refused: string };

export class LoadSaved {
  private waiting: SavedRow[] = [];
  private readonly touched = new Set<string>();
  /** Ids that will be there, by table. */
  private readonly coming = new Map<string, Set<Scalar>>();

  constructor(
    private readonly writer: ContentWriter,
    private readonly outcome: LoadOutcome,
    /** Given: the rows are checked, and nothing is written. */
    private readonly problems?: LoadProblems,
  ) {}

  /** Takes a row; works when enough of one table have come together. */
  async add(row: SavedRow): Promise<void> {
    if (this.waiting.length >= BATCH || (this.waiting[0] && this.waiting[0].table !== row.table)) await this.flush();
    this.waiting.push(row);
  }

  /** Works on what is waiting. */
  async flush(): Promise<void> {
    const rows = this.waiting.splice(0);
    if (rows.length === 0) return;
    const { store } = this.writer;
    if (this.problems) return this.count(rows, await this.deeds(rows, store.reader));
    const deeds = await store.transaction(async (tx) => {
      const found = await this.deeds(rows, tx);
      for (const deed of found) await write(rows[0]!.table, deed, tx);
      return found;
    });
    this.count(rows, deeds);
  }

  /** Sort keys, search texts and rendered texts of restored items are to be worked out anew. */
  async finish(): Promise<void> {
    await this.flush();
    const models = [...this.touched].flatMap((table) => this.writer.models.ofTable.get(table) ?? []);
    if (models.length === 0 || this.problems) return;
    const names = models.map(({ name }) => name);
    await this.writer.store.transaction((tx) => tx.delete(DERIVED.name, oneOf('name', names)));
  }

  private async deeds(rows: readonly SavedRow[], reader: Reader): Promise<Deed[]> {
    const { table } = rows[0]!;
    if (table.columns.has('owner_id')) return this.besideDeeds(rows, table, reader);
    const stored = await rowsOf(table, 'id', rows, reader);
    const byId = new Map(stored.map((row) => [row['id'], row]));
    return rows.map((saved) => (saved.whole ? rowDeed(saved, byId) : updateDeed(saved, byId)));
  }

  /** Pairs and meta entries: what an item has already stays beside them. */
  private async besideDeeds(rows: readonly SavedRow[], table: TableModel, reader: Reader): Promise<Deed[]> {
    const owner = this.ownerOf(table);
    const ids = [...new Set(rows.map(({ row }) => row['owner_id'] as Scalar))];
    const there = owner
      ? await reader.select({ table: owner, columns: ['id'], where: oneOf('id', ids), order: [] })
      : ids.map((id) => ({ id }));
    const owners = new Set<Scalar>([...there.map((row) => row['id']), ...(this.coming.get(owner ?? '') ?? [])]);
    const stored = new Set((await rowsOf(table, 'owner_id', rows, reader)).map((row) => identity(table, row)));
    const own = table.columns.has('id') ? await rowsOf(table, 'id', rows, reader) : [];
    const taken = new Set(own.map((row) => row['id']));
    return rows.map(({ row }): Deed => {
      if (!owners.has(row['owner_id'])) return 'gone';
      if (stored.has(identity(table, row))) return 'there';
      const { id, ...rest } = row;
      return { insert: filled(table, id === undefined || taken.has(id) ? rest : row) };
    });
  }

  private ownerOf({ name, pairsOf }: TableModel): string | undefined {
    if (pairsOf) return pairsOf.table;
    const owner = name.replace(/_meta$/, '');
    return this.writer.models.tables.has(owner) ? owner : undefined;
  }

  private count(rows: readonly SavedRow[], deeds: readonly Deed[]): void {
    for (const [at, deed] of deeds.entries()) {
      const { table, row } = rows[at]!;
      const { summary } = this.outcome;
      if (typeof deed === 'object' && 'refused' in deed) {
        if (!this.problems) throw new Error(`${rows[at]!.file}:${rows[at]!.line}: ${deed.refused}`);
        this.problems.add(rows[at]!, deed.refused);
      } else if (deed === 'there') summary.count(table.name, 'skipped', 'already there');
      else if (deed === 'gone') {
        summary.count(table.name, 'skipped', 'its item is not there any more');
        note(this.outcome, `${table.name}: values of items that are not there any more`);
      } else {
        summary.count(table.name, 'set' in deed ? 'updated' : 'created');
        this.touched.add(table.name);
        if ('insert' in deed && this.problems) this.expect(table.name, row['id']);
      }
    }
  }

  private expect(table: string, id: Scalar | undefined): void {
    if (id === undefined) return;
    this.coming.set(table, (this.coming.get(table) ?? new Set()).add(id));
  }
}

async function write(table: TableModel, deed: Deed, tx: Transaction): Promise<void> {
  if (typeof deed !== 'object' || 'refused' in deed) return;
  if ('insert' in deed) return tx.insertMany(table.name, [deed.insert]);
  const version: Record<string, Change> = table.columns.has(VERSION) ? { [VERSION]: { increment: 1 } } : {};
  await tx.update(table.name, { ...deed.set, ...version }, equals('id', deed.id));
}

function rowDeed({ row, table }: SavedRow, stored: ReadonlyMap<unknown, Row>): Deed {
  const found = stored.get(row['id']);
  if (!found) return { insert: filled(table, row) };
  const other = Object.keys(row).filter((name) => name !== VERSION && row[name] !== found[name]);
  if (other.length === 0) return 'there';
  return {
    refused: `the id ${row['id']} belongs to another row of ${table.name} by now (it differs in ${other.join(', ')})`,
  };
}

function updateDeed({ row: { id, ...saved }, table }: SavedRow, stored: ReadonlyMap<unknown, Row>): Deed {
  const found = stored.get(id);
  if (!found) return 'gone';
  const set = Object.fromEntries(Object.entries(saved).filter(([name, value]) => found[name] !== value)) as Row;
  const written = Object.keys(set).filter((name) => !isBlank(table.columns.get(name)!, found[name]));
  if (written.length > 0)
    return {
      refused: `${written.join(', ')} of item ${id} was written since it was dropped; what is there would be lost`,
    };
  return Object.keys(set).length === 0 ? 'there' : { set, id };
}

/** What the column holds where nobody wrote anything since it is back. */
function isBlank(column: ColumnModel, value: unknown): boolean {
  const empty = column.kind === 'integer' || column.kind === 'boolean' || column.kind === 'double' ? 0 : '';
  return value === null || value === empty || value === plain(column.default) || value === plain(column.backfill);
}

function plain(value: Scalar | undefined): Scalar | undefined {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** The row with a value for each column, so that all rows of a table have the same. */
function filled(table: TableModel, row: Row): Row {
  const blank = [...table.columns.values()]
    .filter(({ name }) => name !== 'id')
    .map((column) => [column.name, plain(column.default) ?? null]);
  return { ...Object.fromEntries(blank), ...row };
}

function identity(table: TableModel, row: Row): string {
  const names = table.columns.has('key') ? ['owner_id', 'key', 'value'] : ['owner_id', 'target_id', 'value'];
  return JSON.stringify(names.map((name) => row[name] ?? null));
}

async function rowsOf(table: TableModel, column: string, rows: readonly SavedRow[], reader: Reader): Promise<Row[]> {
  const ids = [...new Set(rows.flatMap(({ row }) => (row[column] === undefined ? [] : [row[column] as Scalar])))];
  if (ids.length === 0) return [];
  return reader.select({ table: table.name, columns: [...table.columns.keys()], where: oneOf(column, ids), order: [] });
}
