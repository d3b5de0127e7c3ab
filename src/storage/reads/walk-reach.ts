// Whether a walk in sort order finds the first rows of a list soon: all that match may lie far from where it begins.
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

/** Milliseconds for which it is remembered: any commit may change it, but it decides about time alone. */
const HOLDS_FOR = 60_000;
const KEPT = { max: 5_000, maxBytes: 4 * 1024 ** 2, sizeOf: () => 50 };
/** Fewest rows that are asked for: pages of about the same size share what is found out. */
const FEWEST = 16;

type PlainKey = Extract<OrderKey, { column: string; direction: 'asc' | 'desc' }>;

/** What reads for those who wait for it. */
interface Asking {
  requester: Requester | undefined;
  select: (query: Query, requester: Requester) => Promise<Row[]>;
}

/** What is remembered of the lists of one database. */
export class WalkReach {
  private readonly found = new VersionCache<boolean>(KEPT);
  /** The first sort key of the last row that a walk may pass; without a value, where a list has fewer rows. */
  private readonly ends = new VersionCache<{ value?: Scalar }>(KEPT);
  private readonly keys = new WeakMap<Walk, string>();

  /** Whether a walk finds so many rows before it has passed `passed` rows: see `Reader.findsWithin`. */
  finds(
    list: Walk,
    table: TableModel,
    limits: { rows: number; passed: number },
    asking: Asking,
  ): boolean | Promise<boolean> {
    const first = plainKey(list.order[0]);
    if (!first || table.columns.get(first.column)?.nullable) return true;
    const rows = Math.max(FEWEST, 2 ** Math.ceil(Math.log2(limits.rows)));
    const passed = roundedDown(limits.passed);
    const now = Math.floor(Date.now() / HOLDS_FOR);
    const key = `${rows} ${passed} ${this.keyOf(list)}`;
    const walk = async (requester: Requester) => {
      const end = await this.endOf(list, first.column, passed, { ...asking, requester, now });
      if (end === undefined) return true;
      const where = and(list.where, { op: first.direction === 'asc' ? 'le' : 'ge', column: first.column, value: end });
      const page = { ...rowOf(list, where, 'id', rows), dense: true };
      return (await asking.select(page, requester)).length > 0;
    };
    return this.found.get(now, key) ?? this.found.remembered(now, key, walk, asking.requester);
  }

  private async endOf(
    list: Walk,
    column: string,
    passed: number,
    { requester, select, now }: Asking & { now: number },
  ): Promise<Scalar | undefined> {
    // What these do not hold for is not in the part of the index that a walk reads.
    const where = withoutSearches(withoutOtherTables(list.where));
    const key = `${passed} ${keyOf({ ...list, where })}`;
    const ask = async (all: Requester) => {
      const [row] = await select(rowOf(list, where, column, passed), all);
      return row ? { value: row[column] as Scalar } : {};
    };
    return (await this.ends.remembered(now, key, ask, requester)).value;
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

/** A number with the three highest of its binary digits: lists of about the same length share what is found out. */
function roundedDown(number: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(number)) - 2);
  return Math.floor(number / step) * step;
}
