// Reads outside of transactions: counts, and the ids of searches, are cached until the data they come from changes.
// This is the engine's `store.reader`.
import { LRUCache } from 'lru-cache';
import { OncePerTurn } from '../../concurrency/once-per-turn.js';
import {
  and,
  not,
  oneOf,
  or,
  queryOf,
  searchesTexts,
  withoutSearches,
  type Aggregate,
  type MergePart,
  type MergeQuery,
  type OrderKey,
  type Predicate,
  type Query,
  type Row,
  type Selection,
  type SummaryQuery,
  type SummaryRow,
} from '../../model/query.js';
import type { FoundRows, Requester, Walk } from '../../model/store.js';
import { RequesterConnection, SmallConnection, smallRows, type Connection } from '../sql/connection.js';
import { type Progress, progressOf, versionAtOnce, versionOf, versionsNow } from '../sql/data-version.js';
import { pinsOf } from '../sql/row-counts.js';
import type { BoundedSemaphore } from '../sql/semaphore.js';
import type { TextIndex } from '../sql/scans.js';
import { asOne } from '../sql/shared-requesters.js';
import { storedCountOf } from './stored-counts.js';
import type { Statements } from '../sql/statements.js';
import { VersionCache } from './version-cache.js';
import { WalkReach } from './walk-reach.js';
import type { TableModel } from '../../model/table.js';
import { type Aggregated, SqlReader } from './reader.js';

const MEBIBYTE = 1024 ** 2;
const COUNT_CACHE = { max: 5_000, maxBytes: 8 * MEBIBYTE, sizeOf: () => 8 };
const GROUP_CACHE = { ...COUNT_CACHE, sizeOf: (groups: ReadonlyMap<any, Aggregated>) => groups.size * 150 };
const SUMMARY_CACHE = { ...COUNT_CACHE, sizeOf: (rows: readonly SummaryRow[]) => rows.length * 300 };
/** Cache size: number of searches, and maximum number of rows of a cached one. */
const SEARCH_CACHE = {
  max: 500,
  maxBytes: 8 * MEBIBYTE,
  sizeOf: (ids: readonly number[] | 'many') => ids.length * 8,
};
const MAX_CACHED_IDS = 1_000;

/** The requesters that share a read; undefined stands for the engine itself. */
type Requesters = readonly (Requester | undefined)[];

/** State of a reader: the caches it shares with derived readers, and its own requester and tables. */
interface OwnParts {
  caches: ReturnType<typeof newCaches>;
  requester?: Requester;
  /** Tables that results came from, in a reader made by `noting`. */
  noted?: Set<string>;
}

/**
 * Reads committed data; exact counts are cached per data version. Searches with few results also have their ids cached:
 * the count and all pages cost one search. Concurrent identical reads share one result.
 */
export class CachingReader extends SqlReader {
  /**
   * `searches` limits concurrent full scans; absent: no limit. `texts` is the index over texts that the store maintains
   * itself.
   */
  constructor(
    db: Connection,
    statements: Statements,
    private readonly searches?: BoundedSemaphore,
    readonly side = '',
    private readonly texts?: TextIndex,
    private readonly own: OwnParts = { caches: newCaches() },
  ) {
    super(db, statements);
  }

  for(requester: Requester | undefined): CachingReader {
    if (!requester) return this;
    return this.derived(new RequesterConnection(this.db, requester), { ...this.own, requester });
  }

  small(): CachingReader {
    return this.db.smallRows ? this.derived(new SmallConnection(this.db), this.own) : this;
  }

  private derived(db: Connection, own: OwnParts): CachingReader {
    return new CachingReader(db, this.statements, this.searches, this.side, this.texts, own);
  }

  override async select(selection: Selection): Promise<Row[]> {
    const query = queryOf(selection);
    const { table, where } = query;
    const ids = await this.cachedIds(table, where);
    if (!ids) return this.withTextIndex(query, (found) => super.select({ ...query, where: found }));
    return super.select({ ...query, where: ids, dense: false });
  }

  override async merge(query: MergeQuery): Promise<{ part: number; id: number }[]> {
    const parts: MergePart[] = [];
    for (const part of query.parts)
      parts.push({ ...part, where: (await this.cachedIds(part.table, part.where)) ?? part.where });
    const where = or(...parts.map((part) => part.where));
    return this.withScanSlot(where, async () => super.merge({ ...query, parts: await this.narrow(parts) }));
  }

  private narrow(parts: readonly MergePart[]): Promise<MergePart[]> {
    const { texts } = this;
    const narrow = async ({ table, where }: MergePart) =>
      texts && searchesTexts(where) && texts.narrow(this.db, table, where);
    return Promise.all(parts.map(async (part) => ({ ...part, where: (await narrow(part)) || part.where })));
  }

  /**
   * The cached ids of a search as a condition; undefined if they are not cached. A commit since their version was read
   * may have hidden some of their rows, so the other conditions are checked again.
   */
  private async cachedIds(table: string, where: Predicate): Promise<Predicate | undefined> {
    if (!this.findsIds(table, where)) return undefined;
    const key = this.key(table, [], where);
    const ids = this.own.caches.found.get(await this.version(this.tablesOf(key)), key);
    return Array.isArray(ids) ? and(oneOf('id', ids), stillHolds(where)) : undefined;
  }

  override async count(table: string, where: Predicate): Promise<number> {
    if (where.op === 'false') return 0;
    // On a server, reading the version costs as much as reading the row counts.
    if (this.statements.dialect.remote && pinsOf(this.statements.table(table), where)) {
      // Row counts have no separate version: the version of their table changes with them.
      this.own.noted?.add(table);
      return super.count(table, where);
    }
    const storedCount = storedCountOf(this.statements.table(table), where);
    const known = storedCount && (await this.first(storedCount.table, [storedCount.column], storedCount.row));
    if (known) {
      this.own.noted?.add(table);
      return Number(known[storedCount.column]);
    }
    const key = this.key(table, [], where);
    return this.cached(this.own.caches.counts, key, (shared) => shared.countNow(table, where, key));
  }

  async found(table: string, where: Predicate, order: OrderKey[]): Promise<FoundRows | undefined> {
    if (!this.findsIds(table, where)) return undefined;
    const ids = await this.idsOf(table, where, this.key(table, [], where));
    if (ids === 'many') return undefined;
    const still = stillHolds(where);
    if (ids.length < 2) return { ids, still };
    const sorted = await super.select({ table, columns: ['id'], where: and(oneOf('id', ids), still), order });
    return { ids: sorted.map((row) => row['id'] as number), still };
  }

  private idsOf(table: string, where: Predicate, key: string): Promise<readonly number[] | 'many'> {
    return this.cached(this.own.caches.found, key, (shared) => shared.find(table, where));
  }

  private async countNow(table: string, where: Predicate, key: string): Promise<number> {
    if (!this.findsIds(table, where)) return this.withTextIndex({ table, where }, (found) => super.count(table, found));
    const ids = await this.idsOf(table, where, key);
    return ids === 'many' ? this.withTextIndex({ table, where }, (found) => super.count(table, found)) : ids.length;
  }

  passedPerMatch({ where }: Walk): number {
    return this.statements.passedPerMatch(where);
  }

  findsWithin(list: Walk, rows: number, passed: number): boolean | Promise<boolean> {
    // An embedded database reads the first rows of the order before anything else (storage/sqlite/deferred-join.ts).
    if (!this.statements.dialect.remote && !searchesTexts(list.where)) return true;
    const { requester, caches } = this.own;
    const select = (query: Query, all: Requester) => this.for(all).select(query);
    return caches.walks.finds(list, this.statements.table(list.table), { rows, passed }, { requester, select });
  }

  override async countBy(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    const key = this.key(table, [by], where);
    return new Map(await this.cached(this.own.caches.groups, key, (shared) => shared.countByNow(table, by, where)));
  }

  private countByNow(table: string, by: string, where: Predicate): Promise<Map<any, number>> {
    return this.withTextIndex({ table, where }, (found) => super.countBy(table, by, found));
  }

  override async aggregateBy(
    table: string,
    by: string,
    of: Aggregate,
    where: Predicate,
  ): Promise<Map<any, Aggregated>> {
    const { sql, params } = this.statements.aggregate(table, by, of, where);
    const key = `${sql}\n${JSON.stringify(params)}`;
    return new Map(
      await this.cached(this.own.caches.aggregates, key, (shared) => shared.aggregateNow(table, by, of, where)),
    );
  }

  private aggregateNow(table: string, by: string, of: Aggregate, where: Predicate): Promise<Map<any, Aggregated>> {
    return this.withTextIndex({ table, where }, (found) => super.aggregateBy(table, by, of, found));
  }

  override async summarize(query: SummaryQuery): Promise<SummaryRow[]> {
    const { sql, params } = this.statements.summary(query);
    const key = `${sql}\n${JSON.stringify(params)}`;
    return this.cached(this.own.caches.summaries, key, (shared) => shared.summarizeNow(query));
  }

  private summarizeNow(query: SummaryQuery): Promise<SummaryRow[]> {
    return this.withTextIndex(query, (where) => super.summarize({ ...query, where }));
  }

  async version(tables?: readonly string[]): Promise<unknown> {
    return this.versionNow(tables);
  }

  note(tables: readonly string[]): void {
    const { noted } = this.own;
    if (noted) for (const table of tables) noted.add(table);
  }

  versionNow(tables?: readonly string[]): unknown {
    const { dialect } = this.statements;
    if (!dialect.remote) return versionAtOnce(this.db, dialect, tables);
    return versionOf(new SmallConnection(this.db), dialect, tables);
  }

  versions(): Promise<((tables: readonly string[]) => unknown) | undefined> {
    const { dialect } = this.statements;
    if (!dialect.remote) return versionsNow(this.db, dialect);
    const { caches, requester } = this.own;
    return caches.versions.run('*', requester, (all) => versionsNow(this.dbFor(all), dialect));
  }

  /** The connection for a read that requests share; the first of them may leave before its turn. */
  private dbFor(requesters: Requesters): Connection {
    const all = asOne(requesters);
    return all ? new RequesterConnection(this.db, all) : this.db;
  }

  /** The progress of the server: its commits. */
  progress(): Promise<Progress> {
    return progressOf(this.db);
  }

  noting(): { reader: CachingReader; tables: ReadonlySet<string> } {
    const noted = new Set<string>();
    const db: Connection = {
      rows: (sql, params, requester) => {
        for (const table of this.tablesOf(sql)) noted.add(table);
        return this.db.rows(sql, params, requester);
      },
      smallRows: (sql, params, requester) => smallRows(this.db, sql, params, requester),
      run: (sql, params, mayClash) => this.db.run(sql, params, mayClash),
      ...(this.db.selectsPage ? { selectsPage: (sql: string) => this.db.selectsPage!(sql) } : {}),
    };
    return { reader: this.derived(db, { ...this.own, noted }), tables: noted };
  }

  /** The cached result, or that of `compute`, which gets a reader for all requesters of it. */
  private async cached<V extends {}>(
    cache: VersionCache<V>,
    key: string,
    compute: (shared: CachingReader) => Promise<V>,
  ): Promise<V> {
    // Read the version first: the result is then at least as new as the version it is cached under.
    const tables = this.tablesOf(key);
    for (const table of tables) this.own.noted?.add(table);
    const version = await this.version(tables);
    if (version === undefined) return compute(this);
    const { requester } = this.own;
    return cache.getOrCompute(version, key, (requesters) => compute(this.for(requesters)), requester);
  }

  private withScanSlot<T>(where: Predicate, read: () => Promise<T>): Promise<T> {
    return this.searches && searchesTexts(where) ? this.searches.run(read, this.own.requester) : read();
  }

  /** Reads with a condition that the index over texts can evaluate, if there is one. */
  private withTextIndex<T>(
    { table, where, dense }: Pick<Query, 'table' | 'where' | 'dense'>,
    read: (where: Predicate) => Promise<T>,
  ): Promise<T> {
    const { texts } = this;
    if (!texts || dense || !searchesTexts(where)) return this.withScanSlot(where, () => read(where));
    return this.withScanSlot(where, async () => read(await texts.narrow(this.db, table, where)));
  }

  private findsIds(table: string, where: Predicate): boolean {
    return this.statements.table(table).columns.has('id') && searchesTexts(where);
  }

  private async find(table: string, where: Predicate): Promise<readonly number[] | 'many'> {
    const query: Query = { table, columns: ['id'], where, order: [], limit: MAX_CACHED_IDS + 1 };
    const rows = await this.withTextIndex(query, (found) => super.select({ ...query, where: found }));
    return rows.length > MAX_CACHED_IDS ? 'many' : rows.map((row) => row['id'] as number);
  }

  /** Tables whose rows a statement reads. */
  private tablesOf(sql: string): readonly string[] {
    return tablesIn(sql, this.statements.tables);
  }

  private key(table: string, by: readonly string[], where: Predicate): string {
    const { sql, params } = this.statements.count(table, by, where);
    return `${sql}\n${JSON.stringify(params)}`;
  }
}

function newCaches() {
  return {
    counts: new VersionCache<number>(COUNT_CACHE),
    groups: new VersionCache<Map<any, number>>(GROUP_CACHE),
    aggregates: new VersionCache<Map<any, Aggregated>>(GROUP_CACHE),
    summaries: new VersionCache<SummaryRow[]>(SUMMARY_CACHE),
    found: new VersionCache<readonly number[] | 'many'>(SEARCH_CACHE),
    walks: new WalkReach(),
    versions: new OncePerTurn<((tables: readonly string[]) => unknown) | undefined, Requester | undefined>(),
  };
}

/** A condition without its searches of texts. No index serves a double negation: the rows are found by their ids. */
function stillHolds(where: Predicate): Predicate {
  const others = withoutSearches(where);
  return others.op === 'true' ? others : { op: 'not', of: not(others) };
}

/** Tables named in a statement. Statements quote every name; a column of that name makes the set larger than needed. */
function tablesIn(sql: string, tables: ReadonlyMap<string, TableModel>): readonly string[] {
  const end = sql.indexOf('\n');
  const text = end < 0 ? sql : sql.slice(0, end);
  let known = tablesOfText.get(text);
  if (!known) {
    const names = [...text.matchAll(/["`]([^"`]+)["`]/g)].map(([, name]) => name!);
    known = [...new Set(names.filter((name) => tables.has(name)))];
    tablesOfText.set(text, known);
  }
  return known;
}

const tablesOfText = new LRUCache<string, readonly string[]>({ max: 2_000 });
