// What compiled reads cache until the data changes: totals of lists, and rows that others refer to.
import { LRUCache } from 'lru-cache';
import type { RelatedModel } from '../../model/shown.js';
import type { Predicate, Row } from '../../model/query.js';
import { oneOf } from '../../model/query.js';
import type { Reader } from '../../model/store.js';

/** Totals cached for one kind of list, one per server that is read from, and rows cached per table and server. */
const MAX_SIDES = 8;
const MAX_ROWS = 5_000;

/** One value per server that is read from, each of one version of the data. */
export class CachedValue<V> {
  private readonly bySide = new LRUCache<string, { version: unknown; value: V }>({ max: MAX_SIDES });

  /** The value of a version that was read before. */
  get(reader: Reader, version: unknown): V | undefined {
    const cached = this.bySide.get(reader.side ?? '');
    return version !== undefined && cached?.version === version ? cached?.value : undefined;
  }

  /** Caches a value that was read after its version. */
  set(reader: Reader, version: unknown, value: V): V {
    if (version !== undefined) this.bySide.set(reader.side ?? '', { version, value });
    return value;
  }
}

/** The total of one kind of list. */
export class CachedTotal {
  private readonly cache = new CachedValue<number>();

  constructor(
    private readonly table: string,
    private readonly where: Predicate,
  ) {}

  /** Whether the database maintains the total. */
  isCounted(reader: Reader): boolean {
    return reader.isCounted(this.table, this.where);
  }

  /** The total of a version that was read before; undefined when it has to be counted. */
  known(reader: Reader, version: unknown): number | undefined {
    return this.cache.get(reader, version);
  }

  /** Counts, and caches the result for the version that was read before. */
  async count(reader: Reader, version: unknown): Promise<number> {
    return this.cache.set(reader, version, await reader.count(this.table, this.where));
  }
}

interface Related {
  version: unknown;
  rows: Map<number, Row>;
  /** Ids that no row has. */
  missing: Set<number>;
}

/** Rows of one table that rows of a selection refer to. */
export class CachedRelated {
  private readonly bySide = new LRUCache<string, Related>({ max: MAX_SIDES });

  constructor(readonly model: RelatedModel) {}

  /**
   * All cached rows of this version, including those that the given rows refer to; a promise when some must be loaded.
   */
  of(reader: Reader, rows: readonly Row[], version: unknown): Map<number, Row> | Promise<Map<number, Row>> {
    const cached = this.entryFor(reader, version);
    const wanted: number[] = [];
    for (const row of rows) {
      const id = row[this.model.column] as number;
      if (id > 0 && !cached.rows.has(id) && !cached.missing.has(id)) wanted.push(id);
    }
    return wanted.length === 0 ? cached.rows : this.load(reader, [...new Set(wanted)], cached);
  }

  private entryFor(reader: Reader, version: unknown): Related {
    const side = reader.side ?? '';
    const cached = this.bySide.get(side);
    const holds = version !== undefined && cached?.version === version;
    if (cached && holds && cached.rows.size + cached.missing.size < MAX_ROWS) return cached;
    const fresh = { version, rows: new Map<number, Row>(), missing: new Set<number>() };
    this.bySide.set(side, fresh);
    return fresh;
  }

  private async load(reader: Reader, ids: number[], cached: Related): Promise<Map<number, Row>> {
    const { table, columns } = this.model;
    const found = await reader.select({ table, columns, where: oneOf('id', ids), order: [] });
    for (const row of found) cached.rows.set(row['id'] as number, row);
    for (const id of ids) if (!cached.rows.has(id)) cached.missing.add(id);
    return cached.rows;
  }
}
