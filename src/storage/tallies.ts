// Numbers that start anew after a while and that all processes of one database share. They are no content: counting them moves no data
// version and waits for no writer. Made by the stores.
import type { ColumnModel, TableModel } from '../model/model.js';
import { and, equals, type Predicate } from '../model/query.js';
import type { Tallies, Tally } from '../model/store.js';
import type { Bound, Connection } from './connection.js';
import type { Dialect } from './dialect.js';
import { Statements } from './statements.js';

/** Where they are kept. `ends` is in seconds since 1970, by the clock of the database: those of its clients may differ. */
export const TALLIES: TableModel = {
  name: 'typecase_tallies',
  columns: new Map<string, ColumnModel>([
    ['name', { name: 'name', kind: 'varchar', length: 64, primary: true, binary: true }],
    ['n', { name: 'n', kind: 'integer', default: 0 }],
    ['ends', { name: 'ends', kind: 'integer', default: 0 }],
  ]),
  indexes: new Map([['ix_typecase_tallies_ends', { name: 'ix_typecase_tallies_ends', columns: ['ends'] }]]),
  counted: [],
};

/** Runs statements on a connection that no transaction uses. */
export type Aside = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** See `Tallies`. */
export class SqlTallies implements Tallies {
  private readonly statements: Statements;

  constructor(
    private readonly dialect: Dialect,
    private readonly aside: Aside,
  ) {
    this.statements = new Statements(dialect, new Map([[TALLIES.name, TALLIES]]));
  }

  add(name: string, by: number, seconds: number): Promise<Tally> {
    return this.aside(async (db) => {
      if (by > 0) return tallyOf(await this.dialect.addToTally(db, TALLIES.name, { name, by, seconds }), seconds);
      if (by < 0) await this.takeBack(db, name, -by);
      return tallyOf(await this.look(db, name), seconds);
    });
  }

  forget(name: string): Promise<void> {
    return this.aside((db) => this.delete(db, equals('name', name)));
  }

  sweep(): Promise<void> {
    return this.aside(async (db) => {
      const [row] = await db.rows(`SELECT ${this.dialect.epoch}`, []);
      await this.delete(db, { op: 'le', column: 'ends', value: Number(row![0]) });
    });
  }

  private async takeBack(db: Connection, name: string, by: number): Promise<void> {
    const enough: Predicate = { op: 'ge', column: 'n', value: by };
    const taken = this.statements.update(TALLIES.name, { n: { increment: -by } }, and(equals('name', name), enough));
    await db.run(taken.sql, taken.params);
  }

  private async look(db: Connection, name: string): Promise<Bound[] | undefined> {
    return (await db.rows(lookAt(this.dialect, TALLIES.name), [name]))[0];
  }

  private async delete(db: Connection, where: Predicate): Promise<void> {
    const gone = this.statements.delete(TALLIES.name, where);
    await db.run(gone.sql, gone.params);
  }
}

/** Reads a tally: its number and the seconds it has left. Parameter: its name. */
export function lookAt(
  { quote, epoch, placeholder }: Pick<Dialect, 'quote' | 'epoch' | 'placeholder'>,
  table: string,
): string {
  return `SELECT n, ends - ${epoch} FROM ${quote(table)} WHERE ${quote('name')} = ${placeholder(1)}`;
}

/** What is over has not begun. */
function tallyOf(row: Bound[] | undefined, seconds: number): Tally {
  const [count, left] = row ?? [0, 0];
  return Number(left) > 0 ? { count: Number(count), reset: Number(left) } : { count: 0, reset: seconds };
}
