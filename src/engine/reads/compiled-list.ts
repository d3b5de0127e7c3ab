// A list whose plan, statements and permissions are compiled once for all requests with the same parameters except the
// page.
import { both, chain } from '../../model/runtime/chain.js';
import type { Operation, Result } from '../../model/operation.js';
import {
  queriesOtherTables,
  searchesTexts,
  withoutOtherTables,
  type OrderKey,
  type Predicate,
  type Query,
  type Row,
} from '../../model/query.js';
import type { CompiledStatement, RawRow, Reader } from '../../model/store.js';
import { isDense, offsetOf, planList, spreadOf, whereOf } from '../list-plan.js';
import { authorize, checkParams } from '../rights/policy.js';
import { presentLoaded } from '../presentation/present.js';
import { CURSOR } from '../../model/query-language.js';
import { plainKeys, type PlainKey } from '../query/cursor.js';
import { CursorPages } from './cursor-pages.js';
import { FoundPages } from './found-pages.js';
import { neverSeen, seesInPart } from '../rights/field-rights.js';
import { selectionOf } from '../presentation/selection.js';
import { CachedTotal } from './cached-values.js';
import { INLINE_BYTES, RowPlan, versionFor } from './loaded-rows.js';
import { observe } from './observed.js';
import { allowedMethods } from '../rights/policy-results.js';
import { requirePage, totals, type PageState } from '../list-page.js';

/** The result of one read; undefined: it has to be read in the general way. */
export type Compiled = Result | undefined;

/** Two sample offsets of each kind of page, which reveal the position of the offset among the parameters. */
const SHALLOW: readonly [number, number] = [41, 43];
const DEEP: readonly [number, number] = [1_000_003, 1_000_033];
/** Offset from which a statement finds the ids first. */
const FIRST_DEEP = 100;
/** Offset from which a page is looked for from the nearer end of the list. */
const FIRST_FAR = 1_000;

interface PageStatement extends CompiledStatement {
  /** Position of the offset; -1 on the first page. */
  offsetAt: number;
}

type Kind = 'first' | 'shallow' | 'deep';

/** Where a page begins: rows before it, or with `fromEnd`, rows behind it. */
interface Place {
  offset: number;
  /** Number of rows of a page that is looked for from the end of the list. */
  fromEnd?: number;
}

/** Which of the statements of a list. */
interface StatementKind {
  offset: number;
  dense: boolean;
  isFromEnd: boolean;
}

interface PageRead {
  statement: CompiledStatement;
  found: RawRow[] | undefined | Promise<RawRow[]>;
}

/** The list of one shape. */
export class CompiledList {
  private readonly rows: RowPlan;
  private readonly total: CachedTotal;
  /** The number of rows that a walk in sort order may pass. */
  private readonly walked: CachedTotal;
  private readonly tables: readonly string[];
  /** By kind of page, whether it walks in sort order, and in which direction. */
  private readonly statements = new Map<string, PageStatement>();
  private readonly totalFirst: boolean;
  /** Whether no two rows have the same place in the order. */
  private readonly isOrdered: boolean;
  private readonly cursors: CursorPages | undefined;
  /** Only with a search: without one, a statement finds a page by the order of the list. */
  private readonly searched: FoundPages | undefined;

  private constructor(
    shape: Operation,
    private readonly query: Query,
    private readonly page: PageState,
    private readonly allow: readonly string[],
    /** Sort keys, where pages are requested by cursor. */
    keys?: readonly PlainKey[],
  ) {
    const { table, where } = query;
    const selection = selectionOf(shape.model, shape.context, shape.fields, false, neverSeen(shape.model, shape.actor));
    this.rows = new RowPlan(selection, query.columns, shape);
    this.total = new CachedTotal(table, where);
    this.walked = new CachedTotal(table, withoutOtherTables(where));
    this.tables = [...new Set([table, ...tablesIn(where), ...this.rows.cachedTables])];
    this.totalFirst = where.op === 'false' || queriesOtherTables(where);
    const last = query.order.at(-1);
    this.isOrdered = last !== undefined && 'column' in last && last.column === shape.model.key.column;
    this.cursors = keys && new CursorPages(query, keys, this.rows.lists);
    if (searchesTexts(where)) this.searched = new FoundPages(query, this.rows.lists);
  }

  /** Compiles the list of an operation; undefined when it depends on more than its parameters and its caller. */
  static async of(of: Operation): Promise<CompiledList | undefined> {
    const { model, actor } = of;
    if (seesInPart(model, actor) || doesMore(of)) return undefined;
    const byCursor = of.query?.cursor !== undefined;
    const { op, isClean } = observe(byCursor ? { ...of, query: { ...of.query, cursor: '' } } : of);
    await checkParams(op);
    for (const hook of model.hooks.authorize) await hook.run(op);
    await authorize(op);
    const plan = await planList(op);
    const allow = await allowedMethods(op, 'collection');
    const { order, limit } = plan;
    if (limit === undefined || order.some((key) => !('column' in key) || 'list' in key)) return undefined;
    const unseen = neverSeen(model, actor);
    const { columns } = selectionOf(model, op.context, op.fields, false, unseen);
    const keys = byCursor ? plainKeys(order, op, CURSOR) : undefined;
    const where = whereOf(plan);
    if (keys && (searchesTexts(where) || !CursorPages.canMake(keys))) return undefined;
    const read = keys ? [...new Set([...columns, ...keys.map(({ column }) => column)])] : columns;
    const query = { table: model.table!.name, columns: read, where, order, limit };
    const list = new CompiledList(op, query, { limit, offset: plan.offset, page: plan.page }, allow, keys);
    return isClean() ? list : undefined;
  }

  /** Reads a page for an operation of this shape. */
  run(op: Operation): Compiled | Promise<Compiled> {
    const { store } = op;
    const version = versionFor(store, this.tables);
    if (this.cursors) return this.runBehind(op, this.cursors, version);
    if (this.searched) return this.runFound(op, this.searched, version);
    const state = this.stateOf(op);
    if (!this.totalFirst && state.offset >= FIRST_FAR) return this.runFar(op, state, version);
    if (!this.totalFirst) {
      const { statement, found } = this.read(store, state, false);
      return both(version, found, (at, rows) =>
        chain(totalOf(this.total, store, at), (total) =>
          this.toResult(op, { state, total, rows, statement, version: at }),
        ),
      );
    }
    return chain(version, (at) =>
      chain(totalOf(this.total, store, at), (total) => {
        requirePage(op, state, total);
        const isEmpty = total === 0 || state.offset >= total;
        const walked = () => (this.walked.isCounted(store) ? totalOf(this.walked, store, at) : undefined);
        const place = this.placeOf(state, total);
        const spread = spreadOf(store, this.query, walked);
        return chain(isEmpty ? false : isDense(op, { ...state, ...place }, total, spread), (dense) => {
          const { statement, found } = isEmpty ? this.empty(store) : this.read(store, place, dense);
          return chain(found, (rows) => this.toResult(op, { state, total, rows, statement, version: at }));
        });
      }),
    );
  }

  /** A page that is far from the first one; its rows are counted at the same time unless their number is known. */
  private runFar(op: Operation, state: PageState, version: unknown): Compiled | Promise<Compiled> {
    const { store } = op;
    return chain(version, (at) => {
      const known = this.total.known(store, at);
      const { statement, found } = this.read(store, known === undefined ? state : this.placeOf(state, known), false);
      return both(found, known ?? this.total.count(store, at), (rows, total) =>
        this.toResult(op, { state, total, rows, statement, version: at }),
      );
    });
  }

  /** A page of the rows that a search finds, if it finds few. */
  private runFound(op: Operation, searched: FoundPages, version: unknown): Compiled | Promise<Compiled> {
    return chain(version, (at) =>
      chain(searched.found(op.store, at), (found) => {
        if (found === 'many') return undefined;
        const state = this.stateOf(op);
        const total = found.ids.length;
        requirePage(op, state, total);
        const ids = found.ids.slice(state.offset, state.offset + state.limit!);
        if (ids.length === 0) return { status: 200, body: [], allow: this.allow, ...totals(state, total, op) };
        const { statement, rows } = searched.page(op.store, ids, found.still);
        return chain(rows, (shown) => this.toResult(op, { state, total, rows: shown, statement, version: at }));
      }),
    );
  }

  /** A page by cursor: one extra row tells whether there is a next page. */
  private runBehind(op: Operation, cursors: CursorPages, version: unknown): Compiled | Promise<Compiled> {
    const page = cursors.page(op);
    if (!page) return undefined;
    const { statement, params, isFirst } = page;
    return both(version, op.store.run!(statement, params), (at, found) => {
      const rows = found && this.rows.rowsOf(found, statement);
      if (!rows) return undefined;
      const limit = this.page.limit!;
      if (rows.length <= limit && !isFirst && cursors.isParted) return undefined;
      const shown = rows.slice(0, limit);
      const next = rows.length > limit ? cursors.after(shown.at(-1)!, op) : null;
      const present = () => presentLoaded(op, shown, this.rows.selection, { context: op.context });
      const loading = this.rows.complete(op, shown, statement, at);
      return chain(loading ? loading.then(present) : present(), (body) =>
        chain(totalOf(this.total, op.store, at), (total) => {
          const { allow } = this;
          return { status: 200, body, allow, next, total, totalPages: Math.ceil(total / limit) };
        }),
      );
    });
  }

  private toResult(
    op: Operation,
    found: {
      state: PageState;
      total: number;
      rows: readonly RawRow[] | undefined;
      statement: CompiledStatement;
      version: unknown;
    },
  ): Compiled | Promise<Compiled> {
    const { state, total, statement, version } = found;
    requirePage(op, state, total);
    const rows = found.rows && this.rows.rowsOf(found.rows, statement);
    if (!rows) return undefined;
    const { allow } = this;
    const present = () => presentLoaded(op, rows, this.rows.selection, { context: op.context });
    const loading: Promise<void> | void = this.rows.complete(op, rows as Row[], statement, version);
    const views = loading ? loading.then(present) : present();
    return chain(views, (body) => ({ status: 200, body, allow, ...totals(state, total, op) }));
  }

  private stateOf({ params }: Operation): PageState {
    const { limit, offset } = this.page;
    if (params['offset'] !== undefined) return { limit, offset, page: this.pageOf(params) };
    const page = this.pageOf(params);
    return { limit, offset: offsetOf(page, limit!), page };
  }

  private pageOf(params: { page?: number }): number {
    return params.page ?? 1;
  }

  /** Passing rows takes time: at most half of the list is passed. */
  private placeOf({ offset, limit }: PageState, total: number): Place {
    const fromEnd = Math.min(limit!, total - offset);
    const behind = total - offset - fromEnd;
    if (offset < FIRST_FAR || fromEnd <= 0 || behind >= offset || !this.isOrdered) return { offset };
    return { offset: behind, fromEnd };
  }

  private read(reader: Reader, { offset, fromEnd }: Place, dense: boolean): PageRead {
    const { offsetAt, ...statement } = this.statement(reader, { offset, dense, isFromEnd: fromEnd !== undefined });
    const params = offsetAt < 0 ? statement.params : statement.params.toSpliced(offsetAt, 1, offset);
    const found = reader.run!(statement, params);
    if (fromEnd === undefined || !found) return { statement, found };
    return { statement, found: chain(found, (rows) => rows.slice(0, fromEnd).reverse()) };
  }

  private empty(reader: Reader): PageRead {
    return { statement: this.statement(reader, { offset: 0, dense: false, isFromEnd: false }), found: [] };
  }

  private statement(reader: Reader, { offset, dense, isFromEnd }: StatementKind): PageStatement {
    const kind = offset === 0 ? 'first' : offset < FIRST_DEEP ? 'shallow' : 'deep';
    const key = `${kind}${dense ? ' dense' : ''}${isFromEnd ? ' from the end' : ''}`;
    let statement = this.statements.get(key);
    if (!statement) {
      const order = isFromEnd ? this.query.order.map(reverse) : this.query.order;
      this.statements.set(key, (statement = this.make(reader, kind, { ...this.query, order }, dense)));
    }
    return statement;
  }

  private make(reader: Reader, kind: Kind, of: Query, dense: boolean): PageStatement {
    const query = dense && of.order.length > 0 ? { ...of, dense } : of;
    const statementFor = (offset: number) =>
      reader.made!({ ...query, ...(offset > 0 ? { offset } : {}) }, INLINE_BYTES, this.rows.lists);
    if (kind === 'first') return { ...statementFor(0), offsetAt: -1 };
    const [one, other] = (kind === 'deep' ? DEEP : SHALLOW).map(statementFor) as [CompiledStatement, CompiledStatement];
    const places = one.params.flatMap((value, at) => (value === other.params[at] ? [] : [at]));
    if (one.sql !== other.sql || places.length !== 1) throw new Error(`No place of the offset in ${one.sql}`);
    return { ...one, offsetAt: places[0]! };
  }
}

function reverse(key: OrderKey): OrderKey {
  return 'direction' in key ? { ...key, direction: key.direction === 'asc' ? 'desc' : 'asc' } : key;
}

function totalOf(total: CachedTotal, reader: Reader, version: unknown): number | Promise<number> {
  return total.known(reader, version) ?? total.count(reader, version);
}

/** Whether the request aggregates the items, or combines `expand` with `_fields`. */
function doesMore({ query, fields }: Operation): boolean {
  return query !== undefined && (query.aggregate !== undefined || (query.expand !== undefined && fields !== undefined));
}

/** Other tables that a condition queries. */
function tablesIn(where: Predicate): string[] {
  switch (where.op) {
    case 'and':
    case 'or':
      return where.of.flatMap(tablesIn);
    case 'not':
      return tablesIn(where.of);
    case 'exists':
      return [where.table, ...tablesIn(where.where)];
    default:
      return [];
  }
}
