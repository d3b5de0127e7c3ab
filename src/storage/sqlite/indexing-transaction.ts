// A transaction that inserts many rows (bulk/bulk-transaction.ts). FTS5 flushes its entries to the file at
// each statement of a trigger, which takes longer than writing the row itself: therefore the triggers that index new
// rows are dropped during the transaction, and rows are indexed in batches.
import type { Predicate, Row } from '../../model/query.js';
import { BulkTransaction } from '../bulk/bulk-transaction.js';
import type { Connection } from '../sql/connection.js';
import type { Statements } from '../sql/statements.js';
import type { SqliteWriter } from './writer.js';
import type { IndexModel, TableModel } from '../../model/table.js';
import { quote } from './column-ddl.js';
import {
  dropInsertTrigger,
  fillFulltext,
  FTS_ENDING,
  ftsName,
  fulltextCommand,
  insertTrigger,
  searchedText,
} from './fulltext-ddl.js';

/** Rows indexed by one statement: more are hardly faster, and leave more work for the end of the transaction. */
const MAX_IDS = 250;

/**
 * Maximum number of pages of a trigram table that a transaction merges: several times as many as one adds. The rest
 * would be merged while a server handles requests.
 */
const MERGED_PAGES = 4_096;

/** The indexing state of a table that has trigram tables. */
interface Indexed {
  table: TableModel;
  indexes: readonly IndexModel[];
  /** Ids of rows that are not indexed yet. */
  pending: number[];
  /** The merge of segments of earlier transactions, once it has begun. */
  merging?: Promise<void>;
}

/** The triggers are dropped and recreated inside the transaction: others never see the tables without them. */
export class IndexingTransaction extends BulkTransaction {
  private readonly indexed = new Map<string, Indexed>();

  /** `writer` is in a transaction. */
  constructor(
    private readonly writer: SqliteWriter,
    statements: Statements,
  ) {
    const rows: Connection['rows'] = async (sql, params) => {
      if (sql.includes(FTS_ENDING)) for (const table of this.indexed.keys()) await this.indexRows(table);
      return writer.rows(sql, params);
    };
    super({ rows, run: (sql, params) => writer.run(sql, params) }, statements);
  }

  // A row must be indexed before it changes: its triggers remove the old text from the index.
  protected override async beforeChange(table: string, where: Predicate): Promise<void> {
    await super.beforeChange(table, where);
    await this.indexRows(table);
  }

  override async flush(): Promise<void> {
    await this.send();
    for (const { table, indexes, merging } of this.indexed.values()) {
      await this.indexRows(table.name);
      await merging;
      for (const indexRows of indexes) await this.writer.exec(insertTrigger(table, indexRows));
    }
    this.indexed.clear();
    await super.flush();
  }

  protected override async insertRows(model: TableModel, rows: readonly Row[]): Promise<number> {
    const pending = await this.suspendTriggers(model);
    const inserting = super.insertRows(model, rows);
    // The writing thread runs statements in the order in which they are sent: only generated ids have to be awaited.
    if ('id' in rows[0]!) pending?.push(...rows.map((row) => Number(row['id'])));
    else {
      const id = await inserting;
      // SQLite numbers the rows of one statement consecutively.
      pending?.push(...rows.map((_row, at) => id - at));
    }
    const indexing = pending && pending.length >= MAX_IDS ? this.indexRows(model.name) : undefined;
    // A transaction of few rows leaves it to later ones.
    if (indexing || rows.length > 1) this.mergeOnce(model.name);
    const [last] = await Promise.all([inserting, indexing]);
    return last;
  }

  /** Drops the insert triggers of a table that has trigram tables; returns the list of its rows to index. */
  private async suspendTriggers(model: TableModel): Promise<number[] | undefined> {
    const known = this.indexed.get(model.name);
    if (known) return known.pending;
    const indexes = [...model.indexes.values()].filter((indexRows) => indexRows.fulltext);
    if (indexes.length === 0) return undefined;
    const pending: number[] = [];
    // Before the first await: rows of the table that are sent meanwhile come after the statements of this loop.
    this.indexed.set(model.name, { table: model, indexes, pending });
    const dropped = indexes.map(({ columns }) => this.writer.exec(dropInsertTrigger(model.name, columns[0]!)));
    await Promise.all(dropped);
    return pending;
  }

  /**
   * Merges the segments of earlier transactions while rows are prepared: at the end, everything would wait for it. The
   * server merges those of the last transaction.
   */
  private mergeOnce(table: string): void {
    const indexed = this.indexed.get(table);
    if (!indexed || indexed.merging) return;
    const merges = indexed.indexes.map(({ columns }) =>
      fulltextCommand(ftsName(table, columns[0]!), 'merge', MERGED_PAGES),
    );
    indexed.merging = this.writer.exec(merges.join('; '));
    // Reported by `flush`.
    indexed.merging.catch(() => undefined);
  }

  private async indexRows(table: string): Promise<void> {
    const indexed = this.indexed.get(table);
    if (!indexed) return;
    const { indexes, pending } = indexed;
    while (pending.length > 0) {
      const where = ` WHERE "id" IN (${pending.splice(0, MAX_IDS).join(', ')})`;
      for (const indexRows of indexes) {
        const text = searchedText(indexed.table, indexRows, quote(table));
        await this.writer.run(fillFulltext(table, indexRows.columns[0]!, text, where), []);
      }
    }
  }
}
