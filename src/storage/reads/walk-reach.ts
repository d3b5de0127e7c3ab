// Whether a walk in sort order finds the first rows of a list soon: all matching rows may be far from where it begins.
import {
  and,
  withoutOtherTables,
  withoutSearches,
  type OrderKey,
  type Predicate,
  type Query,
  type Row,
} from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { Requester, Walk } from '../../model/store.js';
import type { TableModel } from '../../model/table.js';
import { VersionCache } from './version-cache.js';

/** How long a result is cached, in milliseconds: any commit may change it, but it only affects speed. */
const VALID_MS = 60_000;
const CACHE_LIMITS = { max: 5_000, maxBytes: 4 * 1024 ** 2, sizeOf: () => 50 };
/** Smallest number of rows looked for, so that pages of similar size share a cached result. */
const MIN_ROWS = 16;

type PlainKey = Extract<OrderKey, { column: string; direction: 'asc' | 'desc' }>;

/** How an uncached result is read, and for which requester. */
interface ReadContext {
  requester: Requester | undefined;
  select: (query: Query, requester: Requester) => Promise<Row[]>;
}

/** The cached results for the lists of one database. */
export class WalkReach {
  private readonly found = new VersionCache<boolean>(CACHE_LIMITS);
  /** The first sort key of the last row that a walk may pass; without a value, where a list has fewer rows. */
  private readonly ends = new VersionCache<{ value?: Scalar }>(CACHE_LIMITS);
  private readonly keys = new WeakMap<Walk, string>();

  /** Whether a walk finds the rows before it has passed `passed` rows: see `Reader.findsWithin`. */
  finds(
    list: Walk,
    table: TableModel,
    limits: { rows: number; passed: number },
    context: ReadContext,
  ): boolean | Promise<boolean> {
    const first = plainKey(list.order[0]);
    if (!first || table.columns.get(first.column)?.nullable) return true;
    const rows = Math.max(MIN_ROWS, 2 ** Math.ceil(Math.log2(limits.rows)));
    const passed = roundDown(limits.passed);
    const now = Math.floor(Date.now() / VALID_MS);
    const key = `${rows} ${passed} ${this.keyOf(list)}`;
    const walk = async (requester: Requester) => {
      const end = await this.endOf(list, first.column, passed, { ...context, requester, now });
      if (end === undefined) return true;
      const where = and(list.where, { op: first.direction === 'asc' ? 'le' : 'ge', column: first.column, value: end });
      const page = { ...rowOf(list, where, 'id', rows), dense: true };
      return (await context.select(page, requester)).length > 0;
    };
    return this.found.get(now, key) ?? this.found.getOrCompute(now, key, walk, context.requester);
  }

  private async endOf(
    list: Walk,
    column: string,
    passed: number,
    { requester, select, now }: ReadContext & { now: number },
  ): Promise<Scalar | undefined> {
    // Rows that do not satisfy these conditions are not in the part of the index that a walk reads.
    const where = withoutSearches(withoutOtherTables(list.where));
    const key = `${passed} ${keyOf({ ...list, where })}`;
    const read = async (all: Requester) => {
      const [row] = await select(rowOf(list, where, column, passed), all);
      return row ? { value: row[column] as Scalar } : {};
    };
    return (await this.ends.getOrCompute(now, key, read, requester)).value;
  }

  private keyOf(list: Walk): string {
    let key = this.keys.get(list);
    if (key === undefined) this.keys.set(list, (key = keyOf(list)));
    return key;
  }
}

/** One column of the row at a place of a list, counted from 1. */
function rowOf({ table, order }: Walk, where: Predicate, column: string, place: number): Query {
  return { table, columns: [column], where, order, limit: 1, offset: place - 1 };
}

function keyOf({ table, where, order }: Walk): string {
  return JSON.stringify([table, where, order]);
}

function plainKey(key: OrderKey | undefined): PlainKey | undefined {
  return key && 'column' in key && 'direction' in key && !('of' in key) ? key : undefined;
}

/** A number with the three highest of its binary digits: lists of similar length share a cached result. */
function roundDown(number: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(number)) - 2);
  return Math.floor(number / step) * step;
}
