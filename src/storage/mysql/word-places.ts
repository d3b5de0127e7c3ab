// The columns whose texts are indexed: the number of each, and which are indexed completely. Stored in rows of the words
// table with an empty `ending`.
import type { Connection, DdlConnection, Statement } from '../sql/connection.js';
import { quote } from './ddl.js';
import { insertMissing, placeOf, WORDS } from './word-tables.js';
import type { TableModel } from '../../model/table.js';

/**
 * `table.column=number`; `table.column+format` if every text is indexed; `table.column@id` if those up to an id are.
 */
const ROW = /^(.+)([=+@])(\d+)$/;
/** To be increased when texts are split into words differently. */
const FORMAT = 1;

const table = quote(WORDS.name);

/** The indexed columns of one store. */
export class Places {
  private numbers = new Map<string, number>();
  private complete = new Set<string>();
  private progress = new Map<string, number>();

  /** Base of the word numbers of a column. */
  of(table: string, column: string): number | undefined {
    const number = this.numbers.get(`${table}.${column}`);
    return number === undefined ? undefined : placeOf(number);
  }

  /** Columns of a table that are written to the index. */
  columnsOf(table: TableModel): string[] {
    return textsOf(table).filter((column) => this.numbers.has(`${table.name}.${column}`));
  }

  /** Whether all texts of a column are indexed. */
  isComplete(table: string, column: string): boolean {
    return this.complete.has(`${table}.${column}`);
  }

  /** Reads the state from the database. */
  async load(db: Connection): Promise<void> {
    const rows = await db.rows(`SELECT word FROM ${table} WHERE ending = ''`, []);
    const numbers = new Map<string, number>();
    const complete = new Set<string>();
    const progress = new Map<string, number>();
    for (const [word] of rows) {
      const [, name = '', sign, number] = ROW.exec(String(word)) ?? [];
      if (sign === '=') numbers.set(name, Number(number));
      else if (sign === '@') progress.set(name, Math.max(progress.get(name) ?? 0, Number(number)));
      else if (Number(number) === FORMAT) complete.add(name);
    }
    [this.numbers, this.complete, this.progress] = [numbers, complete, progress];
  }

  /** Gives a number to every column that has none. `alone` locks the site, on all nodes of a cluster. */
  async assignNumbers(db: DdlConnection, tables: Iterable<TableModel>, alone: Statement): Promise<void> {
    const all = [...tables].flatMap((each) => textsOf(each).map((column) => `${each.name}.${column}`));
    if (all.every((name) => this.numbers.has(name))) return;
    await db.exec('COMMIT');
    await db.run(alone.sql, alone.params);
    await this.load(db);
    const missing = all.filter((name) => !this.numbers.has(name));
    let last = Math.max(0, ...this.numbers.values());
    for (const { sql, params } of insertMissing(
      WORDS,
      missing.map((name) => ['', `${name}=${(last += 1)}`]),
    ))
      await db.run(sql, params);
    await db.exec('COMMIT');
    await this.load(db);
  }

  /** The id up to which the texts of these columns are indexed. */
  progressOf(table: string, columns: readonly string[]): number {
    return Math.min(...columns.map((column) => this.progress.get(`${table}.${column}`) ?? 0));
  }

  /** Records up to which id the texts of a column are indexed, so that an interrupted start can resume. */
  async advance(db: Connection, name: string, column: string, id: number): Promise<void> {
    await this.mark(db, `${name}.${column}`, `@${id}`);
  }

  /** Records that all texts of a column are indexed. */
  async finish(db: Connection, name: string, column: string): Promise<void> {
    await this.mark(db, `${name}.${column}`, `+${FORMAT}`);
    this.complete.add(`${name}.${column}`);
  }

  private async mark(db: Connection, name: string, state: string): Promise<void> {
    await this.unmark(db, name);
    for (const { sql, params } of insertMissing(WORDS, [['', `${name}${state}`]])) await db.run(sql, params);
  }

  private async unmark(db: Connection, name: string): Promise<void> {
    const ranges = ['+', '@'].flatMap((sign) => [`${name}${sign}`, `${name}${sign}:`]);
    const sql = `DELETE FROM ${table} WHERE ending = '' AND (word >= ? AND word < ? OR word >= ? AND word < ?)`;
    await db.run(sql, ranges);
  }

  /** Records that texts of these tables may be missing from the index. */
  async invalidate(db: Connection, tables: ReadonlySet<string>): Promise<void> {
    await this.load(db);
    for (const name of [...this.complete, ...this.progress.keys()])
      if (tables.has(name.slice(0, name.lastIndexOf('.')))) await this.unmark(db, name);
    await this.load(db);
  }
}

/** Columns of a table with a full-text index; none if the table has no ids. */
export function textsOf({ indexes, columns }: TableModel): string[] {
  if (!columns.has('id')) return [];
  return [...indexes.values()].filter(({ fulltext }) => fulltext).flatMap((index) => index.columns);
}
