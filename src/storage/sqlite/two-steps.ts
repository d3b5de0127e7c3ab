// Pages of a table in two statements: the ids of the page, then its rows. Finding the ids may take long, and is left to
// a child process; passing the texts of a whole page from there would take longer than reading them by id here.
import type { Bound } from '../sql/connection.js';
import { conjuncts, isBounded } from './cost.js';
import type { TableModel } from '../../model/table.js';

/** A statement, and the parameters that it takes from those of the whole one. */
export interface Piece {
  sql: string;
  of(params: readonly Bound[]): Bound[];
}

/** A statement in two steps. */
export interface TwoSteps {
  /** All ids of the page. */
  ids: Piece;
  /**
   * The ids of the page, as far as they are among the first `NEAR` rows, in its order, that satisfy the conditions on
   * the table itself; a bounded number of rows is read, so it may run anywhere. Absent where no index has this order.
   */
  near?: Piece;
  /** The rows with these ids, in any order, each with its id at the end. */
  rows(params: readonly Bound[], ids: readonly Bound[]): { sql: string; params: Bound[] };
}

/** Most rows of a page that is read in two steps. */
export const MAX_IDS = 100;
/** Rows that `near` looks at. */
const NEAR = 1_000;

const PAGE = /^SELECT (.+?) FROM ("[^"]+") AS a0 WHERE (.+) (ORDER BY .+?) (LIMIT \?(?: OFFSET \?)?)$/s;
/** Statements that select something other than the rows of one table. */
const OTHER = /\bUNION\b|\bJOIN\b|\bGROUP BY\b|\bDISTINCT\b|\bOVER \(|^SELECT (?:COUNT|MIN|MAX|SUM|AVG|TOTAL)\(/;
/** A condition on another table that refers to the row by its id alone. */
const RELATED = /^EXISTS \(SELECT 1 FROM "[^"]+" AS a1 WHERE a1\."[^"]+" = a0\."id" AND [^()]+\)$/;

/** The steps of a statement of select-statements.ts; undefined unless it selects a page of rows. */
export function twoSteps(sql: string, tables: ReadonlyMap<string, TableModel>): TwoSteps | undefined {
  const [, columns, table, where, order, limit] = PAGE.exec(sql) ?? [];
  if (columns === undefined || OTHER.test(sql) || !isBalanced(columns) || !isBalanced(where!)) return undefined;
  if (!tables.get(table!.slice(1, -1))?.columns.get('id')?.primary) return undefined;
  const shown = placesIn(columns);
  const near = nearest(shown, { table: table!, where: where!, order: order!, limit: limit! }, tables);
  return {
    ids: {
      sql: `SELECT a0."id" FROM ${table} AS a0 WHERE ${where} ${order} ${limit}`,
      of: (params) => params.slice(shown),
    },
    ...(near && { near }),
    rows: (params, ids) => ({
      sql: `SELECT ${columns}, a0."id" FROM ${table} AS a0 WHERE a0."id" IN (${places(sizeFor(ids))})`,
      params: [...params.slice(0, shown), ...ids, ...Array<Bound>(sizeFor(ids) - ids.length).fill(ids.at(-1)!)],
    }),
  };
}

interface Parts {
  table: string;
  where: string;
  order: string;
  limit: string;
}

function nearest(shown: number, parts: Parts, tables: ReadonlyMap<string, TableModel>): Piece | undefined {
  const { table, where, order, limit } = parts;
  let at = shown;
  const conditions = conjuncts(where).map((text) => {
    const from = at;
    at += placesIn(text);
    return { text, from, to: at, related: RELATED.test(text) };
  });
  const own = conditions.filter(({ related }) => !related);
  const related = conditions.filter((condition) => condition.related);
  if (related.length === 0 || own.length === 0) return undefined;
  const texts = (some: typeof conditions) => some.map(({ text }) => text).join(' AND ');
  const first = `SELECT a0."id" FROM ${table} AS a0 WHERE (${texts(own)}) ${order} LIMIT ?`;
  if (!isBounded(first, tables)) return undefined;
  return {
    // SQLite reads the inner rows one by one, in their order, until the page is full.
    sql: `SELECT a0."id" FROM (${first}) AS a0 WHERE ${texts(related)} ${limit}`,
    of: (params) => [
      ...own.flatMap(({ from, to }) => params.slice(from, to)),
      NEAR,
      ...related.flatMap(({ from, to }) => params.slice(from, to)),
      ...params.slice(at),
    ],
  };
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

function placesIn(sql: string): number {
  return sql.split('?').length - 1;
}

function places(count: number): string {
  return Array(count).fill('?').join(', ');
}
