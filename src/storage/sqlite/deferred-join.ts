// Pages of a table in two statements: the ids of the page, then its rows. Finding the ids may take long, and runs in
// a child process; sending the texts of a page from there would take longer than reading them by id here.
import type { Bound } from '../sql/connection.js';
import { conjuncts, isBounded } from './cost.js';
import type { TableModel } from '../../model/table.js';

/** A statement, and the parameters that it takes from those of the whole one. */
export interface Piece {
  sql: string;
  of(params: readonly Bound[]): Bound[];
}

/** A statement in two steps. */
export interface DeferredJoin {
  /** All ids of the page. */
  ids: Piece;
  /**
   * The ids of the page, as far as they are among the first `NEAR` rows, in its order, that satisfy the conditions on
   * the table itself; a bounded number of rows is read, so it may run anywhere. Absent where no index has this order.
   */
  near?: Piece;
  /** Ways to find all ids of the page from the rows of another table that refer to it. */
  few: readonly Few[];
  /** Whether the whole statement computes its columns for the rows of the page alone. */
  selectsPage: boolean;
  /** The rows with these ids, in any order, each with its id at the end. */
  rows(params: readonly Bound[], ids: readonly Bound[]): { sql: string; params: Bound[] };
}

/** The ids of a page by way of one of the conditions on other tables. */
export interface Few {
  /** The number of rows of the other table that satisfy the condition, at most `FEW + 1`; walks an index. */
  count: Piece;
  /** The ids of the page; reads every row that the condition finds, so it may run anywhere if they are at most `FEW`. */
  ids: Piece;
}

/** Maximum number of rows of a page that is read in two steps. */
export const MAX_IDS = 100;
/** Number of rows of another table up to which they count as few. */
export const FEW = 200;
/** Rows that `near` reads, each in a sixth of a microsecond with one condition on another table. */
const NEAR = 10_000;
/** The same for several conditions, which few rows satisfy together. */
const NEAR_OF_SEVERAL = 1_000;

const PAGE = /^SELECT (.+?) FROM ("[^"]+") AS a0 WHERE (.+) (ORDER BY .+?) (LIMIT \?(?: OFFSET \?)?)$/s;
/** A page far from the first one: its rows are joined to the ids of the page. Its order, which is there twice, has no parameters. */
const DEEP =
  /^SELECT (.+) FROM ("[^"]+") AS a0 JOIN \(SELECT (a\d+)\."id" FROM \2 AS \3(?: WHERE (.+))? (ORDER BY [^()]+) (LIMIT \? OFFSET \?)\) AS page ON page\."id" = a0\."id" ORDER BY [^()?]+$/s;
/** Statements that select something other than the rows of one table. */
const OTHER = /\bUNION\b|\bJOIN\b|\bGROUP BY\b|\bDISTINCT\b|\bOVER \(|^SELECT (?:COUNT|MIN|MAX|SUM|AVG|TOTAL)\(/;
/** A condition on another table that refers to the row by its id alone. */
const RELATED = /^EXISTS \(SELECT 1 FROM ("[^"]+") AS (a\d+) WHERE \2\.("[^"]+") = a0\."id" AND ([^()]+)\)$/;

/** The steps of a statement of select-statements.ts; undefined unless it selects a page of rows. */
export function deferredJoin(sql: string, tables: ReadonlyMap<string, TableModel>): DeferredJoin | undefined {
  const { columns, table, where, order, limit, isDeep } = pageOf(sql) ?? {};
  if (columns === undefined || !isBalanced(columns) || !isBalanced(where!) || isNamed(columns)) return undefined;
  if (!tables.get(table!.slice(1, -1))?.columns.get('id')?.primary) return undefined;
  const shown = placesIn(columns);
  const parts = { table: table!, conditions: conditionsOf(where!, shown), order: order!, limit: limit! };
  const near = nearest(parts, tables);
  return {
    ids: {
      sql: `SELECT a0."id" FROM ${table} AS a0 WHERE ${where} ${order} ${limit}`,
      of: (params) => params.slice(shown),
    },
    ...(near && { near }),
    // Otherwise, if the whole statement runs after all, its term has few rows.
    selectsPage: isDeep === true || near !== undefined,
    few: parts.conditions.flatMap((condition) => fewOf(condition, parts, tables)),
    rows: (params, ids) => ({
      sql: `SELECT ${columns}, a0."id" FROM ${table} AS a0 WHERE a0."id" IN (${places(sizeFor(ids))})`,
      params: [...params.slice(0, shown), ...ids, ...Array<Bound>(sizeFor(ids) - ids.length).fill(ids.at(-1)!)],
    }),
  };
}

/** The parts of a statement, with `a0` for its table. */
interface PageParts {
  columns: string;
  table: string;
  where: string;
  order: string;
  limit: string;
  isDeep: boolean;
}

function pageOf(sql: string): PageParts | undefined {
  const [, shown, from, alias, ...inner] = DEEP.exec(sql) ?? [];
  if (alias !== undefined) {
    const [where = '1 = 1', order, limit] = inner.map((part) => part?.replaceAll(`${alias}.`, 'a0.'));
    if (OTHER.test(where)) return undefined;
    return { columns: shown!, table: from!, where, order: order!, limit: limit!, isDeep: true };
  }
  const [, columns, table, where, order, limit] = PAGE.exec(sql) ?? [];
  if (columns === undefined || OTHER.test(sql)) return undefined;
  return { columns, table: table!, where: where!, order: order!, limit: limit!, isDeep: false };
}

/** One of the conditions that `AND` joins, and where its parameters are. */
interface Condition {
  text: string;
  from: number;
  to: number;
  /** The other table of the condition: its name and alias, its column with the id, and the condition on its row. */
  related: { table: string; alias: string; owner: string; where: string } | undefined;
}

interface Parts {
  table: string;
  conditions: readonly Condition[];
  order: string;
  limit: string;
}

/** `shown`: parameters before those of the conditions. */
function conditionsOf(where: string, shown: number): Condition[] {
  let at = shown;
  return conjuncts(where).map((text) => {
    const from = at;
    at += placesIn(text);
    const [, table, alias, owner, rest] = RELATED.exec(text) ?? [];
    const related = table === undefined ? undefined : { table, alias: alias!, owner: owner!, where: rest! };
    return { text, from, to: at, related };
  });
}

function nearest(
  { table, conditions, order, limit }: Parts,
  tables: ReadonlyMap<string, TableModel>,
): Piece | undefined {
  const own = conditions.filter(({ related }) => !related);
  const related = conditions.filter((condition) => condition.related);
  if (related.length === 0 || own.length === 0) return undefined;
  const first = `SELECT a0."id" FROM ${table} AS a0 WHERE (${textOf(own)}) ${order} LIMIT ?`;
  if (!isBounded(first, tables)) return undefined;
  const rows = related.length > 1 ? NEAR_OF_SEVERAL : NEAR;
  return {
    // SQLite reads the inner rows one by one, in their order, until the page is full.
    sql: `SELECT a0."id" FROM (${first}) AS a0 WHERE ${textOf(related)} ${limit}`,
    of: (params) => [...paramsOf(own, params), rows, ...paramsOf(related, params), ...pageParams(conditions, params)],
  };
}

function fewOf(
  condition: Condition,
  { table, conditions, order, limit }: Parts,
  tables: ReadonlyMap<string, TableModel>,
): Few[] {
  const { related } = condition;
  if (!related) return [];
  const { alias } = related;
  const bounded = `SELECT a0."id" FROM ${related.table} AS a0 WHERE (${related.where.replaceAll(`${alias}.`, 'a0.')}) LIMIT ?`;
  if (!isBounded(bounded, tables)) return [];
  const rows = `FROM ${related.table} AS ${alias} WHERE (${related.where})`;
  const others = conditions.filter((each) => each !== condition);
  const where = others.length > 0 ? ` WHERE (${textOf(others)})` : '';
  return [
    {
      count: {
        sql: `SELECT COUNT(*) FROM (SELECT 1 ${rows} LIMIT ?)`,
        of: (params) => [...paramsOf([condition], params), FEW + 1],
      },
      ids: {
        // CROSS JOIN and NOT INDEXED keep SQLite from walking the whole order instead.
        sql:
          `SELECT a0."id" FROM (SELECT DISTINCT ${alias}.${related.owner} AS "id" ${rows}) AS few ` +
          `CROSS JOIN ${table} AS a0 NOT INDEXED ON a0."id" = few."id"${where} ${order} ${limit}`,
        of: (params) => [
          ...paramsOf([condition], params),
          ...paramsOf(others, params),
          ...pageParams(conditions, params),
        ],
      },
    },
  ];
}

function textOf(conditions: readonly Condition[]): string {
  return conditions.map(({ text }) => text).join(' AND ');
}

function paramsOf(conditions: readonly Condition[], params: readonly Bound[]): Bound[] {
  return conditions.flatMap(({ from, to }) => params.slice(from, to));
}

/** The parameters of LIMIT and OFFSET. */
function pageParams(conditions: readonly Condition[], params: readonly Bound[]): readonly Bound[] {
  return params.slice(conditions.at(-1)!.to);
}

/** One statement for each power of two, so that few serve pages of any length. */
function sizeFor(ids: readonly Bound[]): number {
  return 2 ** Math.ceil(Math.log2(ids.length));
}

/** Whether the brackets are balanced: otherwise the text was cut out of a nested statement. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Whether what is selected has names of its own: the order may refer to them, and the ids alone have none. */
function isNamed(columns: string): boolean {
  let own = columns;
  for (let before = ''; own !== before;) [before, own] = [own, own.replace(/\([^()]*\)/g, '')];
  return own.includes(' AS ');
}

function placesIn(sql: string): number {
  return sql.split('?').length - 1;
}

function places(count: number): string {
  return Array(count).fill('?').join(', ');
}
