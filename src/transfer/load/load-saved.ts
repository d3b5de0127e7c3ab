// Restores the data that migrations saved before dropping it (docs/evolution.md): rows, columns of rows, pairs and
// meta entries. Data written since is never overwritten.
import type { ContentWriter } from '../../engine/content-writer.js';
import { DERIVED } from '../../maintenance/backfill-derived.js';
import { oneOf, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Reader, Transaction } from '../../model/store.js';
import { note, type LoadOutcome } from './load-outcome.js';
import type { LoadProblems } from './load-problems.js';
import type { SavedRow } from './saved-line.js';
import type { TableModel } from '../../model/table.js';
import { runAction, type Action, isWrite, rowAction, updateAction, filled } from './saved-actions.js';

const BATCH = 200;

/** Restores saved rows in batches. */
export class LoadSaved {
  private waiting: SavedRow[] = [];
  /** Ids that will exist after the load, by table. */
  private readonly coming = new Map<string, Set<Scalar>>();

  constructor(
    private readonly writer: ContentWriter,
    private readonly outcome: LoadOutcome,
    /** If given, the rows are only checked, and nothing is written. */
    private readonly problems?: LoadProblems,
  ) {}

  /** Adds a row; processes a full batch. */
  async add(row: SavedRow): Promise<void> {
    if (this.waiting.length >= BATCH || (this.waiting[0] && this.waiting[0].table !== row.table)) await this.flush();
    this.waiting.push(row);
  }

  /** Processes the last batch. */
  async flush(): Promise<void> {
    const rows = this.waiting.splice(0);
    if (rows.length === 0) return;
    const { store } = this.writer;
    if (this.problems) return this.count(rows, await this.actions(rows, store.reader));
    const { table } = rows[0]!;
    const actions = await store.transaction(async (tx) => {
      const found = await this.actions(rows, tx);
      for (const action of found) await runAction(table, action, tx);
      if (found.some(isWrite)) await this.markDerived(table, tx);
      return found;
    });
    this.count(rows, actions);
  }

  /**
   * Marks the sort keys, search texts and rendered texts of restored items for recomputation, in the transaction that
   * restores them: a later load finds these items there and marks nothing.
   */
  private async markDerived({ name }: TableModel, tx: Transaction): Promise<void> {
    const names = (this.writer.models.ofTable.get(name) ?? []).map((model) => model.name);
    if (names.length > 0) await tx.delete(DERIVED.name, oneOf('name', names));
  }

  private async actions(rows: readonly SavedRow[], reader: Reader): Promise<Action[]> {
    const { table } = rows[0]!;
    if (table.columns.has('owner_id')) return this.actionsBeside(rows, table, reader);
    const stored = await rowsOf(table, 'id', rows, reader);
    const byId = new Map(stored.map((row) => [row['id'], row]));
    return rows.map((saved) => (saved.whole ? rowAction(saved, byId) : updateAction(saved, byId)));
  }

  /** Pairs and meta entries are added to those that an item already has. */
  private async actionsBeside(rows: readonly SavedRow[], table: TableModel, reader: Reader): Promise<Action[]> {
    const owner = this.ownerOf(table);
    const ids = [...new Set(rows.map(({ row }) => row['owner_id'] as Scalar))];
    const ownerRows = owner
      ? await reader.select({ table: owner, columns: ['id'], where: oneOf('id', ids), order: [] })
      : ids.map((id) => ({ id }));
    const owners = new Set<Scalar>([...ownerRows.map((row) => row['id']), ...(this.coming.get(owner ?? '') ?? [])]);
    const stored = new Set((await rowsOf(table, 'owner_id', rows, reader)).map((row) => identity(table, row)));
    const own = table.columns.has('id') ? await rowsOf(table, 'id', rows, reader) : [];
    const taken = new Set(own.map((row) => row['id']));
    return rows.map(({ row }): Action => {
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

  private count(rows: readonly SavedRow[], actions: readonly Action[]): void {
    for (const [at, action] of actions.entries()) {
      const { table, row } = rows[at]!;
      const { summary } = this.outcome;
      if (typeof action === 'object' && 'refused' in action) {
        if (!this.problems) throw new Error(`${rows[at]!.file}:${rows[at]!.line}: ${action.refused}`);
        this.problems.add(rows[at]!, action.refused);
      } else if (action === 'there') summary.count(table.name, 'skipped', 'already there');
      else if (action === 'gone') {
        summary.count(table.name, 'skipped', 'its item is not there any more');
        note(this.outcome, `${table.name}: values of items that are not there any more`);
      } else {
        summary.count(table.name, 'set' in action ? 'updated' : 'created');
        if ('insert' in action && this.problems) this.expect(table.name, row['id']);
      }
    }
  }

  private expect(table: string, id: Scalar | undefined): void {
    if (id === undefined) return;
    this.coming.set(table, (this.coming.get(table) ?? new Set()).add(id));
  }
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
