// An index of the words of folded texts: MariaDB has no index that finds parts of words, and the full-text indexes of
// both servers miss rows that are changed concurrently. One table has every word under each of its suffixes, another
// the items of each word; they are ordinary tables, so both are written in the transaction of the item.
import { and, oneOf, type Predicate } from '../../model/query.js';
import type { Connection, DdlConnection } from '../sql/connection.js';
import type { Statements } from '../sql/statements.js';
import type { TextIndex, TextWrites } from '../sql/scans.js';
import { isMissingTable, isTransient } from './errors.js';
import { type Cover, coversOf, rarest } from './word-covers.js';
import { Frequencies } from './word-frequencies.js';
import { KnownWords } from './known-words.js';
import { Places, textsOf } from './word-places.js';
import { FREQUENT, selectMatches, numberOf, WORD_ITEMS, WORDS } from './word-tables.js';
import { WordWrites } from './word-writes.js';
import type { TableModel } from '../../model/table.js';

/** Maximum number of matching words of a pattern; with more, a scan is not much slower. */
const MAX_WORDS = 150;
/** Maximum number of word conditions in one statement. */
const MAX_COVERS = 3;
/** Rows whose texts are indexed in one transaction. */
const BATCH = 100;
const MAX_ATTEMPTS = 10;

/** The word index of one store. */
export class WordIndex implements TextIndex {
  readonly tables = [WORDS, WORD_ITEMS];
  private readonly places = new Places();
  private readonly known = new KnownWords();
  private readonly frequencies = new Frequencies();
  private exists = false;

  constructor(private readonly statements: Statements) {}

  async narrow(db: Connection, table: string, where: Predicate): Promise<Predicate> {
    const covers = rarest(coversOf(table, where, this.places), MAX_COVERS);
    if (covers.length === 0) return where;
    const { sql, params } = selectMatches(covers.flat(), MAX_WORDS + 1);
    const found = covers.flat().map(() => ({ words: new Set<string>(), rows: 0, frequent: false }));
    for (const [at, word, frequent] of await db.rows(sql, params)) {
      const fitting = found[Number(at)]!;
      fitting.words.add(String(word));
      fitting.rows += 1;
      fitting.frequent ||= Number(frequent) > 0;
    }
    let at = 0;
    const conditions = covers.flatMap((cover) => {
      const own = found.slice(at, (at += cover.length));
      const usable = own.every(({ rows, frequent }) => rows <= MAX_WORDS && !frequent);
      return usable ? [itemsOf(cover, own)] : [];
    });
    return and(...conditions, where);
  }

  begin(): TextWrites | undefined {
    return this.exists ? new WordWrites(this.statements, this.places, this.known, this.frequencies) : undefined;
  }

  async load(db: Connection): Promise<void> {
    try {
      await this.places.load(db);
      const marks = await db.rows(`SELECT item FROM ${WORD_ITEMS.name} WHERE word = ${FREQUENT}`, []);
      this.frequencies.addMarked(marks.map(([number]) => Number(number)));
      this.exists = true;
    } catch (error) {
      if (!isMissingTable(error)) throw error;
    }
  }

  invalidate(db: Connection, tables: ReadonlySet<string>): Promise<void> {
    return this.places.invalidate(db, tables);
  }

  async complete(db: DdlConnection): Promise<void> {
    await this.load(db);
    const tables = [...this.statements.tables.values()];
    await this.places.assignNumbers(db, tables, this.statements.dialect.locks!.alone());
    for (const table of tables) {
      const columns = textsOf(table).filter((column) => !this.places.isComplete(table.name, column));
      if (columns.length > 0) await this.build(db, table, columns);
    }
    await db.exec('COMMIT');
  }

  /** Other processes may write at the same time: they index what they write, and surplus words do no harm. */
  private async build(db: DdlConnection, table: TableModel, columns: readonly string[]): Promise<void> {
    let last: number | undefined = this.places.progressOf(table.name, columns);
    while (last !== undefined) last = await this.batch(db, table, columns, last);
    for (const column of columns) await this.places.finish(db, table.name, column);
    await db.exec('COMMIT');
  }

  /** Indexes a batch of rows; returns the id of its last row, or undefined when none are left. */
  private async batch(
    db: DdlConnection,
    table: TableModel,
    columns: readonly string[],
    last: number,
  ): Promise<number | undefined> {
    const query = this.statements.select({
      table: table.name,
      columns: ['id', ...columns],
      where: { op: 'gt', column: 'id', value: last },
      order: [{ column: 'id', direction: 'asc' }],
      limit: BATCH,
    });
    for (let attempt = 1; ; attempt += 1) {
      const writes = this.begin()!;
      try {
        const rows = await db.rows(query.sql, query.params);
        for (const [id, ...texts] of rows)
          writes.add(table, Number(id), Object.fromEntries(columns.map((column, at) => [column, texts[at]])));
        await writes.settle(db);
        for (const { sql, params } of writes.take()) await db.run(sql, params);
        const lastId = rows.length < BATCH ? undefined : Number(rows.at(-1)![0]);
        for (const column of lastId === undefined ? [] : columns)
          await this.places.advance(db, table.name, column, lastId!);
        await db.exec('COMMIT');
        writes.committed();
        return lastId;
      } catch (error) {
        await db.exec('ROLLBACK');
        if (!isTransient(error) || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }
}

/** Condition: rows listed for a word that matches the cover. */
function itemsOf(cover: Cover, found: readonly { words: ReadonlySet<string> }[]): Predicate {
  const numbers = cover.flatMap(({ place }, at) => [
    numberOf(place, ''),
    ...Array.from(found[at]!.words, (word) => numberOf(place, word)),
  ]);
  const where = oneOf('word', [...new Set(numbers)]);
  return { op: 'exists', table: WORD_ITEMS.name, outer: 'id', inner: 'item', where };
}
