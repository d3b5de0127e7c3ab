// Reads over one connection: statements built, run, their arrays made rows. Outside transactions counts are remembered; the engine's `store.reader`.
import { oneOf, type Predicate, type Query, type Row } from '../model/query.js';
import type { Reader } from '../model/store.js';
import type { Bound, Connection } from './connection.js';
import { pinsOf, sumCounters } from './counters.js';
import type { Statements } from './statements.js';
import { VersionCache } from './version-cache.js';

const REMEMBERED = 5_000;
/** Searches whose rows are remembered, and the most rows of one. */
const SEARCHES = 500;
const FEW = 1_000;

/** Reads that see what the connection sees. Base of transactions; remembers nothing. */
export class SqlReader implements Reader {
  constructor(
    protected readonly db: Connection,
    protected readonly statements: Statements,
  ) {}

  async select(query: Query): Promise<Row[]> {
    const { sql, params } = this.statements.select(query);
    const found = this.db.rows(sql, params);
    const rows = Array.isArray(found) ? found : await found;
    const blank = blankOf(query);
    return rows.map((values) => rowOf(query.columns, values, blank));
  }

  async first(
    table: string,
    columns: readonly string[],
    where: Predicate,
    checks: Record<string, Predicate> = {},
  ): Promise<Row | undefined> {
    const { sql, params } = this.statements.first(table, columns, where, Object.values(checks));
    const [values] = await this.db.rows(sql, params);
    if (!values) return undefined;
    const row = rowOf(columns, values, {});
    let at = columns.length;
    for (const name in checks) row[name] = values[at++];
    return row;
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
 * Reads of committed data; counts are exact and asked once per state of the data. Where a search has to read every text, so are
 * the ids of the few rows it finds: their number and all their pages cost one such reading.
 */
export class RememberingReader extends SqlReader {
  private readonly counts = new VersionCache<number>(REMEMBERED);
  private readonly groups = new VersionCache<Map<any, number>>(REMEMBERED);
  private readonly found = new VersionCache<readonly number[] | 'many'>(SEARCHES);

  override async select(query: Query): Promise<Row[]> {
    const { table, where } = query;
    if (!this.readsTexts(table, where)) return super.select(query);
    const ids = this.found.get(await this.version(), this.key(table, [], where));
    return super.select(Array.isArray(ids) ? { ...query, where: oneOf('id', ids), dense: false } : query);
  }

  override async count(table: string, where: Predicate): Promise<number> {
    if (where.op === 'false') return 0;
    // Asking a server for its version costs as much as asking its counters.
    if (this.statements.dialect.remote && pinsOf(this.statements.table(table), where)) return super.count(table, where);
    const key = this.key(table, [], where);
    return this.remembered(this.counts, key, async () => {
      if (!this.readsTexts(table, where)) return super.count(table, where);
      const ids = await this.remembered(this.found, key, () => this.find(table, where));
      return ids === 'many' ? super.count(table, where) : ids.length;
    });
  }

  override async countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    const key = this.key(table, [by], where);
    return new Map(await this.remembered(this.groups, key, () => super.countBy(table, by, where)));
  }

  async version(): Promise<unknown> {
    const { dataVersion } = this.statements.dialect;
    return dataVersion === undefined ? undefined : (await this.db.rows(dataVersion, []))[0]?.[0];
  }

  private async remembered<V extends {}>(cache: VersionCache<V>, key: string, ask: () => Promise<V>): Promise<V> {
    // Read before asking: what is asked is then at least as new as the version it is kept under.
    const version = await this.version();
    if (version === undefined) return ask();
    const known = cache.get(version, key);
    if (known !== undefined) return known;
    const answer = await ask();
    cache.set(version, key, answer);
    return answer;
  }

  private readsTexts(table: string, where: Predicate): boolean {
    return this.statements.dialect.readsTexts && this.statements.table(table).columns.has('id') && searches(where);
  }

  private async find(table: string, where: Predicate): Promise<readonly number[] | 'many'> {
    const rows = await super.select({ table, columns: ['id'], where, order: [], limit: FEW + 1 });
    return rows.length > FEW ? 'many' : rows.map((row) => row['id'] as number);
  }

  private key(table: string, by: readonly string[], where: Predicate): string {
    const { sql, params } = this.statements.count(table, by, where);
    return `${sql}\n${JSON.stringify(params)}`;
  }
}

function searches(where: Predicate): boolean {
  if (where.op === 'and' || where.op === 'or') return where.of.some(searches);
  return where.op === 'not' ? searches(where.of) : where.op === 'contains';
}

const blanks = new WeakMap<readonly string[], Readonly<Row>>();

// What rows of many columns are copied from: a row that grows by many computed names becomes a slow hash table. Parsed, because V8
// gives parsed objects a shape whose copies are cheap. Only frozen lists of columns come again.
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
