// The rows of a compiled read: their statement also returns the ids of to-many relations, and the rows that they refer
// to are cached until the data changes. Whatever else a selection needs is loaded as for every other read.
import { chain } from '../../model/runtime/chain.js';
import { isAcross } from '../../model/functions/paths.js';
import type { ResourceModel } from '../../model/model.js';
import type { RelatedModel } from '../../model/shown.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/query.js';
import type { IdList, CompiledStatement, RawRow, Reader } from '../../model/store.js';
import type { Selection } from '../presentation/selection.js';
import { CachedRelated } from './cached-values.js';
import { loadRelations, targetOrder, type LoadedRelations } from '../presentation/load-relations.js';
import type { FieldModel } from '../../model/field.js';

/** Texts up to this many bytes come with their row; a read with a larger one, or with more in all, is not compiled. */
export const INLINE_BYTES = 64 * 1024;
const MOST_BYTES = 256 * 1024;
/** Ids of a relation that take little time to serialize, and their links too. */
const MOST_IDS = 100;

/** How the rows of one selection are read. */
export class RowPlan {
  /** Relations whose ids come with the rows, and the others. */
  readonly lists: readonly IdList[];
  /** Tables of the cached rows. */
  readonly cachedTables: readonly string[];
  private readonly listed: readonly FieldModel[];
  private readonly others: readonly FieldModel[];
  private readonly cached: readonly CachedRelated[];
  private readonly related: readonly RelatedModel[];
  private readonly blank: Readonly<Row>;
  /** Only texts of a known size, ids and cached rows are loaded. */
  private readonly isBounded: boolean;

  /** `checks`: names of the results that follow the columns. */
  constructor(
    readonly selection: Selection,
    private readonly columns: readonly string[],
    op: Operation,
    private readonly checks: readonly string[] = [],
  ) {
    const { many, related, virtualColumns } = selection;
    this.listed = many.filter((field) => field.many!.value === 'target_id');
    this.others = many.filter((field) => field.many!.value !== 'target_id');
    this.lists = this.listed.map((field) => {
      const order = targetOrder(field, op.actor);
      return { table: field.many!.table, direction: 'asc', ...order };
    });
    const single = (one: RelatedModel) =>
      !one.onward && !one.judged && related.filter(({ table }) => table === one.table).length === 1;
    this.cached = related.filter(single).map((one) => new CachedRelated(one));
    this.related = related.filter((one) => !single(one));
    this.cachedTables = this.cached.map(({ model }) => model.table);
    const { meta, aggregates } = selection;
    this.isBounded = [this.others, meta, aggregates, this.related].every((loaded) => loaded.length === 0);
    const names = [...columns, ...checks, ...virtualColumns];
    this.blank = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))) as Row;
  }

  /** The rows as objects; undefined when their texts must be loaded in pieces, or counted. */
  rowsOf(found: readonly RawRow[], statement: CompiledStatement): Row[] | undefined {
    const { columns, checks, listed } = this;
    const end = columns.length + checks.length;
    let bytes = 0;
    const rows: Row[] = [];
    for (const values of found) {
      const size = Number(values[end + 1]);
      bytes += size;
      if (size > INLINE_BYTES || bytes > MOST_BYTES) return undefined;
      const row: Row = { ...this.blank };
      for (let at = 0; at < columns.length; at++) row[columns[at]!] = values[at];
      for (let at = 0; at < checks.length; at++) row[checks[at]!] = values[columns.length + at];
      if (statement.listed)
        for (let at = 0; at < listed.length; at++) row[`#${listed[at]!.name}`] = idsOf(values[end + 2 + at]);
      rows.push(row);
    }
    return rows;
  }

  /** Whether an item of a row has nothing of unknown size: its texts are bounded already. */
  isSmall(row: Row): boolean {
    return this.isBounded && this.listed.every((field) => (row[`#${field.name}`] as unknown[]).length <= MOST_IDS);
  }

  /** Completes rows; a promise when something must be loaded. */
  complete(op: Operation, rows: Row[], statement: CompiledStatement, version: unknown): Promise<void> | void {
    if (rows.length === 0) return;
    const { many, meta, aggregates } = this.missing(statement);
    const waits: Promise<unknown>[] = [];
    if (many.length + meta.length + aggregates.length + this.related.length > 0)
      waits.push(loadRelations(op, rows, { many, meta, aggregates, related: this.related }));
    for (const relation of this.cached) {
      const found = relation.of(op.store, rows, version);
      const put = (loaded: Map<number, Row>): void => void op.related.set(relation.model.table, loaded);
      const pending = chain(found, put);
      if (pending) waits.push(pending);
    }
    if (waits.length > 0) return Promise.all(waits).then(() => undefined);
  }

  private missing(statement: CompiledStatement): Omit<LoadedRelations, 'related'> {
    const { meta, aggregates, many } = this.selection;
    return { many: statement.listed ? this.others : many, meta, aggregates };
  }
}

function idsOf(text: RawRow[number] | undefined): number[] {
  if (typeof text !== 'string') return text === null || text === undefined ? [] : [text];
  // Most items have one id.
  return text.includes(',') ? text.split(',').map(Number) : [Number(text)];
}

/** The version of the tables that cached rows and totals come from; recorded for caches of results made from them. */
export function versionFor(reader: Reader, tables: readonly string[]): unknown {
  if (tables.length === 0) return undefined;
  reader.note?.(tables);
  return reader.versionNow!(tables);
}

/** Whether a reader can run compiled reads. */
export function canRun(reader: Reader): boolean {
  return reader.made !== undefined && reader.run !== undefined && reader.versionNow !== undefined;
}

/** Whether reads of a resource can be compiled at all. */
export function isCompilable(model: ResourceModel): boolean {
  return !model.static && !model.parent && !isAcross(model) && model.table?.columns.has('id') === true;
}
