// Reads over one connection: builds and runs statements and converts arrays to rows. Outside transactions counts are
// cached; this is the engine's `store.reader`.
import type { OutputBudget } from '../../model/operation.js';
import { oneOf, type Predicate, type Query, type Row } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import type { Bound, Connection } from './connection.js';
import { pinsOf, sumCounters } from './row-counts.js';
import type { BoundedSemaphore } from './semaphore.js';
import { searchesTexts } from './scans.js';
import { MeasuredRows } from './measured-rows.js';
import type { Statements } from './statements.js';
import { VersionCache } from './version-cache.js';
import { WholeRow, type Wanted } from './whole-row.js';

const MEBIBYTE = 1024 ** 2;
const COUNTS_KEPT = { max: 5_000, maxBytes: 8 * MEBIBYTE, sizeOf: () => 8 };
const GROUPS_KEPT = { ...COUNTS_KEPT, sizeOf: (groups: Map<any, number>) => groups.size * 100 };
/** Cache size: number of searches, and most rows of a cached one. */
const SEARCHES_KEPT = {
  max: 500,
  maxBytes: 8 * MEBIBYTE,
  sizeOf: (ids: readonly number[] | 'many') => ids.length * 8,
};
const MAX_CACHED_IDS = 1_000;

/** Reads what the connection sees, without a cache. Base class of transactions. */
export class SqlReader implements Reader {
  constructor(
    protected readonly db: Connection,
    protected readonly statements: Statements,
  ) {}

  async select(query: Query): Promise<Row[]> {
    const found = this.rowsOf(query);
    const rows = Array.isArray(found) ? found : await found;
    const blank = blankOf(query);
    return rows.map((values) => rowOf(query.columns, values, blank));
  }

  async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Record<string, Predicate> = {},
    budget?: OutputBudget,
  ): Promise<Row | undefined> {
    const wanted = { table, columns, where, checks: Object.values(checks) };
    const values = budget
      ? await new WholeRow(this.db, this.statements, wanted).within(budget)
      : await this.firstOf(wanted);
    if (!values) return undefined;
    const row = rowOf(columns, values, {});
    let at = columns.length;
    for (const name in checks) row[name] = values[at++];
    return row;
  }

  private rowsOf(query: Query): Bound[][] | Promise<Bound[][]> {
    const { budget } = query;
    if (budget) return new MeasuredRows(this.db, this.statements, { ...query, budget }).read();
    const { sql, params } = this.statements.select(query);
    return this.db.rows(sql, params);
  }

  private async firstOf({ table, columns, where, checks }: Wanted): Promise<Bound[] | undefined> {
    const { sql, params } = this.statements.first(table, columns, where, checks);
    return (await this.db.rows(sql, params))[0];
  }

  async count(table: string, where: Predicate): Promise<number> {
    if (where.op === 'false') return 0;
    const model = this.statements.table(table);
    const pins = pinsOf(model, where);
    const known = pins && (await sumCounters(this.db, this.statements, model, pins));
    if (known !== undefined) return known;
    const { sql, params } = this.statements.count(table, [], where);
    const [row] = await this.db.rows(sql, params);
    return Number(row![0]);
  }

  async countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    const { sql, params } = this.statements.count(table, [by], where);
    const rows = await this.db.rows(sql, params);
    return new Map(rows.map(([value, n]) => [value, Number(n)]));
  }
}

/**
 * Reads committed data; exact counts are cached per data version. Where a search has to scan all texts, the ids of
 * small results are cached, too: their count and all pages cost one scan. Concurrent identical reads share one result.
 */
export class RememberingReader extends SqlReader {
  private readonly counts = new VersionCache<number>(COUNTS_KEPT);
  private readonly groups = new VersionCache<Map<any, number>>(GROUPS_KEPT);
  private readonly found = new VersionCache<readonly number[] | 'many'>(SEARCHES_KEPT);

  /** `searches` limits concurrent full scans; absent: no limit. */
  constructor(
    db: Connection,
    statements: Statements,
    private readonly searches?: BoundedSemaphore,
  ) {
    super(db, statements);
  }

  override async select(query: Query): Promise<Row[]> {
    const { table, where } = query;
    if (!this.scansTexts(table, where)) return this.inTurn(where, () => super.select(query));
    const ids = this.found.get(await this.version(), this.key(table, [], where));
    if (!Array.isArray(ids)) return this.inTurn(where, () => super.select(query));
    return super.select({ ...query, where: oneOf('id', ids), skipFulltext: false });
  }

  override async count(table: string, where: Predicate): Promise<number> {
    if (where.op === 'false') return 0;
    // On a server, reading the version costs as much as reading the row counts.
    if (this.statements.dialect.remote && pinsOf(this.statements.table(table), where)) return super.count(table, where);
    const key = this.key(table, [], where);
    return this.remembered(this.counts, key, async () => {
      if (!this.scansTexts(table, where)) return this.inTurn(where, () => super.count(table, where));
      const ids = await this.remembered(this.found, key, () => this.find(table, where));
      return ids === 'many' ? this.inTurn(where, () => super.count(table, where)) : ids.length;
    });
  }

  override async countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    const key = this.key(table, [by], where);
    return new Map(
      await this.remembered(this.groups, key, () => this.inTurn(where, () => super.countBy(table, by, where))),
    );
  }

  async version(): Promise<unknown> {
    const { dataVersion } = this.statements.dialect;
    return dataVersion === undefined ? undefined : (await this.db.rows(dataVersion, []))[0]?.[0];
  }

  private async remembered<V extends {}>(cache: VersionCache<V>, key: string, ask: () => Promise<V>): Promise<V> {
    // Read the version first: the result is then at least as new as the version it is cached under.
    const version = await this.version();
    return version === undefined ? ask() : cache.remembered(version, key, ask);
  }

  private inTurn<T>(where: Predicate, read: () => Promise<T>): Promise<T> {
    return this.searches && searchesTexts(where) ? this.searches.run(read) : read();
  }

  private scansTexts(table: string, where: Predicate): boolean {
    return (
      this.statements.dialect.noFulltextIndex && this.statements.table(table).columns.has('id') && searchesTexts(where)
    );
  }

  private async find(table: string, where: Predicate): Promise<readonly number[] | 'many'> {
    const query: Query = { table, columns: ['id'], where, order: [], limit: MAX_CACHED_IDS + 1 };
    const rows = await this.inTurn(where, () => super.select(query));
    return rows.length > MAX_CACHED_IDS ? 'many' : rows.map((row) => row['id'] as number);
  }

  private key(table: string, by: readonly string[], where: Predicate): string {
    const { sql, params } = this.statements.count(table, by, where);
    return `${sql}\n${JSON.stringify(params)}`;
  }
}

const blanks = new WeakMap<readonly string[], Readonly<Row>>();

// Template that rows of many columns are copied from: adding many computed names to an object turns it into a slow
// dictionary. It is parsed, because V8 gives JSON-parsed objects a shape that is cheap to copy. Only frozen column
// lists are reused.
function blankOf({ columns, adds = [] }: Query): Readonly<Row> {
  let blank = blanks.get(columns);
  if (blank) return blank;
  if (!Object.isFrozen(columns)) return {};
  blank = JSON.parse(JSON.stringify(Object.fromEntries([...columns, ...adds].map((name) => [name, null])))) as Row;
  blanks.set(columns, blank);
  return blank;
}

function rowOf(columns: readonly string[], values: readonly Bound[], blank: Readonly<Row>): Row {
  const row: Row = { ...blank };
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
  return row;
}
