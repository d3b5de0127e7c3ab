// The statements of pages by cursor, compiled once: the values of a cursor become parameters.
import type { Operation } from '../../model/operation.js';
import { and, type Query, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { IdList, CompiledStatement, Reader } from '../../model/store.js';
import { cursorOf, cursorValues, partsBehind, type PlainKey } from '../query/cursor.js';
import { INLINE_BYTES } from './loaded-rows.js';

/** Kinds of columns whose values are parameters as they are. */
const PLAIN = ['integer', 'varchar', 'datetime'];
/** Sample numbers, which reveal the positions of values among the parameters. */
const FIRST_SAMPLE = 4_503_599_627_370_001;
const SAMPLE_STEP = 1_000;

/** The pages of one list. */
export class CursorPages {
  private first: CompiledStatement | undefined;
  /** With the places of each key among its parameters. */
  private behind: (CompiledStatement & { places: readonly (readonly number[])[] }) | undefined;

  constructor(
    private readonly query: Query,
    private readonly keys: readonly PlainKey[],
    private readonly lists: readonly IdList[],
  ) {}

  /** Whether one statement serves every page after the first. */
  static canMake(keys: readonly PlainKey[]): boolean {
    return keys.every(({ kind }) => PLAIN.includes(kind));
  }

  /**
   * The statement of the page that an operation requests; undefined after an item in which a sort key is null.
   * @throws ResourceError 400 for a cursor that was not made here for this order
   */
  page(
    op: Operation,
  ): { statement: CompiledStatement; params: CompiledStatement['params']; isFirst: boolean } | undefined {
    const cursor = op.query!.cursor!;
    if (cursor === '') {
      const statement = (this.first ??= this.make(op.store));
      return { statement, params: statement.params, isFirst: true };
    }
    const values = cursorValues(cursor, this.keys, op);
    if (values.includes(null)) return undefined;
    const statement = (this.behind ??= this.makeBehind(op.store));
    const params = [...statement.params];
    statement.places.forEach((places, key) => places.forEach((at) => (params[at] = values[key] as string | number)));
    return { statement, params, isFirst: false };
  }

  /** Whether items with null as the first key follow those of the statement. */
  get isParted(): boolean {
    const [first] = this.keys;
    return first!.nullable && first!.direction === 'desc';
  }

  /** The cursor of the page after a row. */
  after(row: Row, op: Operation): string {
    return cursorOf(row, this.keys, op);
  }

  private make(reader: Reader, values?: readonly Scalar[]): CompiledStatement {
    const where = values ? and(this.query.where, partsBehind(this.keys, values)[0]!) : this.query.where;
    return reader.made!({ ...this.query, where, limit: this.query.limit! + 1 }, INLINE_BYTES, this.lists);
  }

  private makeBehind(reader: Reader) {
    const samples = this.samples(0);
    const statement = this.make(reader, samples);
    const other = this.make(reader, this.samples(1));
    if (statement.sql !== other.sql) throw new Error(`No place of the cursor in ${statement.sql}`);
    const places = samples.map((sample) =>
      statement.params.flatMap((value, at) => (value === sample && other.params[at] !== sample ? [at] : [])),
    );
    return { ...statement, places };
  }

  /** Values that no list is narrowed by. */
  private samples(run: number): Scalar[] {
    return this.keys.map(({ kind }, key) => {
      const number = FIRST_SAMPLE + run * SAMPLE_STEP + key;
      return kind === 'integer' ? number : String(number);
    });
  }
}
