// The pages of a search that finds few rows: their ids, in the order of the list, are cached until the data changes,
// and each page reads its rows by their ids.
import { and, oneOf, type Predicate, type Query } from '../../model/query.js';
import type { FoundRows, IdList, CompiledStatement, RawRow, Reader } from '../../model/store.js';
import { CachedValue } from './cached-values.js';
import { INLINE_BYTES } from './loaded-rows.js';

/** The first of the sample ids, which reveal the positions of ids among the parameters. */
const FIRST_SAMPLE = 4_503_599_627_370_001;

/** A statement that reads rows by their ids. */
interface ById extends CompiledStatement {
  /** The position among the ids for each parameter; -1 for other parameters. */
  places: readonly number[];
}

/** The rows of one page. */
interface FoundPage {
  statement: CompiledStatement;
  /** In the order of the list; undefined where the table has rows that must be read in pieces. */
  rows: readonly RawRow[] | undefined | Promise<readonly RawRow[] | undefined>;
}

/** The pages of one list with a search. */
export class FoundPages {
  private readonly cache = new CachedValue<FoundRows | 'many'>();
  private readonly statements = new Map<number, ById>();

  constructor(
    private readonly query: Query,
    private readonly lists: readonly IdList[],
  ) {}

  /** The rows found in a version that was read before. */
  found(reader: Reader, version: unknown): FoundRows | 'many' | Promise<FoundRows | 'many'> {
    return this.cache.get(reader, version) ?? this.find(reader, version);
  }

  /** The page of these ids, of which there is at least one. */
  page(reader: Reader, ids: readonly number[], still: Predicate): FoundPage {
    const { places, ...statement } = this.statement(reader, ids.length, still);
    const params = statement.params.map((value, at) => {
      const place = places[at]!;
      // There may be places for more ids than the page has.
      return place < 0 ? value : ids[Math.min(place, ids.length - 1)]!;
    });
    const rows = reader.run!(statement, params);
    const sorted = (found: readonly RawRow[] | undefined) => found && this.inOrder(found, ids);
    return { statement, rows: rows instanceof Promise ? rows.then(sorted) : sorted(rows) };
  }

  private async find(reader: Reader, version: unknown): Promise<FoundRows | 'many'> {
    const { table, where, order } = this.query;
    return this.cache.set(reader, version, (await reader.found!(table, where, order)) ?? 'many');
  }

  private inOrder(rows: readonly RawRow[], ids: readonly number[]): RawRow[] {
    const idAt = this.query.columns.length;
    const byId = new Map(rows.map((row) => [Number(row[idAt]), row]));
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [row] : [];
    });
  }

  private statement(reader: Reader, ids: number, still: Predicate): ById {
    const size = 2 ** Math.ceil(Math.log2(ids));
    let statement = this.statements.get(size);
    if (!statement) this.statements.set(size, (statement = this.make(reader, size, still)));
    return statement;
  }

  private make(reader: Reader, size: number, still: Predicate): ById {
    const samples = Array.from({ length: size }, (_, at) => FIRST_SAMPLE + at);
    const { limit: _limit, ...query } = this.query;
    const where = and(oneOf('id', samples), still);
    const compiled = reader.made!({ ...query, where, order: [] }, INLINE_BYTES, this.lists);
    return { ...compiled, places: compiled.params.map((value) => samples.indexOf(value as number)) };
  }
}
