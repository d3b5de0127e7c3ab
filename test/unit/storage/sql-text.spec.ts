import { describe, expect, it } from '@jest/globals';
import type { OrderKey, Predicate } from '../../../src/model/query.js';
import { sqliteDialect } from '../../../src/storage/sqlite/dialect.js';
import { mysqlDialect } from '../../../src/storage/mysql/dialect.js';
import { postgresDialect } from '../../../src/storage/postgres/dialect.js';
import type { Dialect } from '../../../src/storage/sql/dialect.js';
import { Statements } from '../../../src/storage/sql/statements.js';
import { library } from './library.js';

const statements = new Statements(sqliteDialect, library);

function where(predicate: Predicate): [string, unknown[]] {
  const { sql, params } = statements.count('books', [], predicate);
  return [sql.replace('SELECT COUNT(*) FROM "books" AS a0 WHERE ', ''), params];
}

function order(...keys: OrderKey[]): [string, unknown[]] {
  const { sql, params } = statements.select({ table: 'books', columns: ['id'], where: { op: 'true' }, order: keys });
  return [sql.replace('SELECT a0."id" FROM "books" AS a0 ORDER BY ', ''), params];
}

const eq = (column: string, value: any): Predicate => ({ op: 'eq', column, value });

it('pairs are read in the order of their targets', () => {
  const [sql] = order({ column: 'parent', of: { table: 'books', column: 'title' }, direction: 'desc' });
  expect(sql).toBe('(SELECT a1."title" FROM "books" AS a1 WHERE a1."id" = a0."parent") DESC');
});

it('the cached text of a single row has the parameters of its checks', () => {
  const columns = Object.freeze(['id']);
  const checks = Object.freeze({
    tagged: {
      op: 'exists',
      table: 'book_tags',
      outer: 'id',
      inner: 'owner_id',
      where: eq('target_id', 7),
    } as Predicate,
  });
  const of = (id: number) => {
    const inner: Predicate = { op: 'exists', table: 'books', outer: 'parent', inner: 'id', where: eq('id', id) };
    return statements.first({ table: 'books', columns, where: inner, checks });
  };
  const [made, kept] = [of(1), of(2)];
  expect(made.params).toEqual([7, 1]);
  expect(kept).toEqual({ sql: made.sql, params: [7, 2] });
  expect(made.sql.match(/ AS a\d/g)).toEqual([' AS a1', ' AS a0', ' AS a2']);
});

describe('predicates', () => {
  it.each<[string, Predicate, string, unknown[]]>([
    ['eq', eq('kind', 'novel'), 'a0."kind" = ?', ['novel']],
    ['eq of a boolean', eq('lent', true), 'a0."lent" = ?', [1]],
    ['eq of a number in a text column', eq('kind', 5), 'a0."kind" = ?', ['5']],
    ['eq of null', eq('shelf', null), 'a0."shelf" IS NULL', []],
    ['ne', { op: 'ne', column: 'kind', value: 'x' }, 'a0."kind" <> ?', ['x']],
    ['ne where null is possible', { op: 'ne', column: 'shelf', value: 'x' }, 'a0."shelf" IS NOT ?', ['x']],
    ['ge', { op: 'ge', column: 'bought', value: '2024' }, 'a0."bought" >= ?', ['2024']],
    ['in', { op: 'in', column: 'id', values: [3, 1, 2] }, 'a0."id" IN (?, ?, ?, ?)', [3, 1, 2, 2]],
    ['in, one', { op: 'in', column: 'id', values: [3] }, 'a0."id" IN (?)', [3]],
    ['in, none', { op: 'in', column: 'id', values: [] }, '1 = 0', []],
    [
      'in with null',
      { op: 'in', column: 'shelf', values: ['a', null] },
      '(a0."shelf" IS NULL OR a0."shelf" IN (?))',
      ['a'],
    ],
    ['and', { op: 'and', of: [eq('id', 1), eq('parent', 2)] }, '(a0."id" = ? AND a0."parent" = ?)', [1, 2]],
    ['empty and', { op: 'and', of: [] }, '1 = 1', []],
    ['empty or', { op: 'or', of: [] }, '1 = 0', []],
    ['not', { op: 'not', of: eq('kind', 'x') }, 'NOT (a0."kind" = ?)', ['x']],
    ['not where null is possible', { op: 'not', of: eq('shelf', 'x') }, '(a0."shelf" = ?) IS NOT 1', ['x']],
    [
      'contains',
      { op: 'contains', column: 'title', value: '50%_\\' },
      `a0."title" LIKE ? ESCAPE '\\'`,
      ['%50\\%\\_\\\\%'],
    ],
    [
      'contains with an index',
      { op: 'contains', column: 'folded', value: 'a"b' },
      `a0."id" IN (SELECT rowid FROM "books_folded_fts" WHERE "books_folded_fts" MATCH ?)`,
      ['"a""b"'],
    ],
    [
      'contains with an index that knows trigrams only',
      { op: 'contains', column: 'folded', value: 'ababc' },
      `(a0."id" IN (SELECT rowid FROM "books_folded_fts" WHERE "books_folded_fts" MATCH ?) AND a0."folded" LIKE ? ESCAPE '\\')`,
      ['"aba" AND "bab" AND "abc"', '%ababc%'],
    ],
    [
      'contains with an index that folds more than we do',
      { op: 'contains', column: 'folded', value: 'ßab' },
      `(a0."id" IN (SELECT rowid FROM "books_folded_fts" WHERE "books_folded_fts" MATCH ?) AND a0."folded" LIKE ? ESCAPE '\\')`,
      ['"ßab"', '%ßab%'],
    ],
    [
      'contains, too short for it',
      { op: 'contains', column: 'folded', value: 'ab' },
      `a0."folded" LIKE ? ESCAPE '\\'`,
      ['%ab%'],
    ],
    ['contains a NUL', { op: 'contains', column: 'folded', value: 'abc\0' }, 'instr(a0."folded", ?) > 0', ['abc\0']],
    [
      'month',
      { op: 'datePart', part: 'month', column: 'bought', value: 2 },
      'CAST(substr(a0."bought", 6, 2) AS INTEGER) = ?',
      [2],
    ],
    [
      'year',
      { op: 'datePart', part: 'year', column: 'bought', value: 2024 },
      '(a0."bought" >= ? AND a0."bought" < ?)',
      ['2024-01-01T00:00:00', '2025-01-01T00:00:00'],
    ],
    ['columns', { op: 'columns', left: 'parent', compare: 'lt', right: 'id' }, 'a0."parent" < a0."id"', []],
    [
      'exists, nested, on itself',
      {
        op: 'exists',
        table: 'books',
        outer: 'parent',
        inner: 'id',
        where: {
          op: 'and',
          of: [
            eq('kind', 'set'),
            { op: 'exists', table: 'book_tags', outer: 'id', inner: 'owner_id', where: eq('target_id', 7) },
          ],
        },
      },
      'EXISTS (SELECT 1 FROM "books" AS a1 WHERE a1."id" = a0."parent" AND (a1."kind" = ? AND ' +
        'EXISTS (SELECT 1 FROM "book_tags" AS a2 WHERE a2."owner_id" = a1."id" AND a2."target_id" = ?)))',
      ['set', 7],
    ],
  ])('%s', (_, predicate, sql, params) => {
    expect(where(predicate)).toEqual([sql, params]);
  });

  const twoTags: Predicate = { op: 'in', column: 'target_id', values: [7, 8] };
  const perRow = ' STRAIGHT_JOIN `book_tags` AS a1 ON a1.`owner_id` = a0.`id` AND a1.`target_id` = ?';

  it.each<[string, Dialect, boolean, Predicate, string]>([
    ['left to the planner of a server', mysqlDialect(library), false, eq('target_id', 7), ' WHERE EXISTS ('],
    ['a join row by row, where many rows match', mysqlDialect(library), true, eq('target_id', 7), perRow],
    ['asked about each row, where several may satisfy it', mysqlDialect(library), true, twoTags, ' WHERE (EXISTS ('],
    [
      'asked about each row without such a join',
      postgresDialect(library),
      true,
      eq('target_id', 7),
      ' WHERE (EXISTS (',
    ],
    ['left to the planner of an embedded database', sqliteDialect, true, eq('target_id', 7), ' WHERE EXISTS ('],
  ])('exists is %s', (_, dialect, dense, tag, beginning) => {
    const tagged: Predicate = {
      op: 'exists',
      table: 'book_tags',
      outer: 'id',
      inner: 'owner_id',
      where: tag,
    };
    const query = { table: 'books', columns: ['id'], where: tagged, order: [], limit: 5, dense };
    const { sql } = new Statements(dialect, library).select(query);
    expect(sql).toContain(beginning);
    expect(sql.includes(') IS TRUE')).toBe(beginning.includes('(EXISTS'));
  });

  it('keeps the order of parameters beside a nested one', () => {
    const inner: Predicate = {
      op: 'exists',
      table: 'book_tags',
      outer: 'id',
      inner: 'owner_id',
      where: eq('target_id', 2),
    };
    expect(where({ op: 'or', of: [eq('id', 1), inner, eq('id', 3)] })[1]).toEqual([1, 2, 3]);
  });

  it('pass long lists as one parameter', () => {
    const values = Array.from({ length: 40_000 }, (_, i) => i);
    expect(where({ op: 'in', column: 'id', values })).toEqual([
      'a0."id" IN (SELECT value FROM json_each(?))',
      [JSON.stringify(values)],
    ]);
  });

  it.each(['nope', '__proto__', 'constructor', 'id" OR 1=1 --', 'a0.id'])('refuses the column %s', (column) => {
    expect(() => where(eq(column, 1))).toThrow('Unknown column');
    expect(() => order({ column, direction: 'asc' })).toThrow('Unknown column');
    expect(() => statements.select({ table: 'books', columns: [column], where: { op: 'true' }, order: [] })).toThrow();
    expect(() => statements.update('books', { [column]: 1 }, { op: 'true' })).toThrow('Unknown column');
    expect(() => statements.count(column, [], { op: 'true' })).toThrow('Unknown table');
  });

  it.each([undefined, {}, [], { toString: () => '1' }, NaN, Infinity, Symbol('x'), 1n, () => 1])(
    'refuse a value that is not a scalar: %p',
    (value: any) => {
      for (const column of ['id', 'kind', 'lent', 'bought', 'weight', 'extra']) {
        expect(() => where(eq(column, value))).toThrow(TypeError);
        expect(() => where({ op: 'in', column, values: [value] })).toThrow(TypeError);
      }
    },
  );

  it('refuse text that is not a number for numeric columns', () => {
    expect(() => where(eq('id', '1 OR 1=1'))).toThrow(TypeError);
    expect(() => where(eq('id', ''))).toThrow(TypeError);
    expect(where(eq('id', '12'))).toEqual(['a0."id" = ?', [12]]);
  });
});

describe('order and page', () => {
  it.each<[string, OrderKey[], string, unknown[]]>([
    [
      'columns',
      [
        { column: 'title', direction: 'asc' },
        { column: 'id', direction: 'desc' },
      ],
      'a0."title", a0."id" DESC',
      [],
    ],
    [
      'a list',
      [{ list: [3, 1, 2], column: 'id' }],
      'CASE a0."id" WHEN ? THEN 0 WHEN ? THEN 1 WHEN ? THEN 2 WHEN ? THEN 3 ELSE 4 END',
      [3, 1, 2, 2],
    ],
    [
      'an empty list',
      [
        { list: [], column: 'id' },
        { column: 'id', direction: 'asc' },
      ],
      'a0."id"',
      [],
    ],
    [
      'cases',
      [{ cases: [eq('kind', 'a'), eq('kind', 'b')], direction: 'asc' }],
      'CASE WHEN a0."kind" = ? THEN 0 WHEN a0."kind" = ? THEN 1 ELSE 2 END',
      ['a', 'b'],
    ],
    ['chance', [{ random: true }], 'RANDOM()', []],
  ])('%s', (_, keys, sql, params) => {
    expect(order(...keys)).toEqual([sql, params]);
  });

  it('use parameters for limit and offset', () => {
    const query = { table: 'books', columns: ['id', 'title'], where: eq('kind', 'x'), order: [] };
    const select = 'SELECT a0."id", a0."title" FROM "books" AS a0 WHERE a0."kind" = ?';
    expect(statements.select({ ...query, limit: 10, offset: 20 })).toEqual({
      sql: `${select} LIMIT ? OFFSET ?`,
      params: ['x', 10, 20],
    });
    expect(statements.select({ ...query, limit: 0 })).toEqual({ sql: `${select} LIMIT ?`, params: ['x', 0] });
    expect(statements.select({ ...query, offset: 5 })).toEqual({
      sql: `${select} LIMIT -1 OFFSET ?`,
      params: ['x', 5],
    });
    expect(() => statements.select({ ...query, limit: 1.5 })).toThrow(TypeError);
    expect(() => statements.select({ ...query, limit: -1 })).toThrow(TypeError);
  });
});

describe('writes', () => {
  it('insert', () => {
    const names = `"kind", "lent", "shelf", "title", "folded", "isbn", "parent", "loans", "weight", "bought", "extra"`;
    // What a row leaves out is what the model says, whatever the database would put there.
    const left = [null, '', '', null, 0, 0, null, null, null];
    const row = `(${Array.from({ length: 11 }, () => '?').join(', ')})`;
    expect(
      statements.insert('books', [
        { kind: 'a', lent: false },
        { lent: true, kind: 'b' },
      ]),
    ).toEqual({
      sql: `INSERT INTO "books" (${names}) VALUES ${row}, ${row}`,
      params: ['a', 0, ...left, 'b', 1, ...left],
    });
  });

  it('insert gives rows without values the defaults of the columns', () => {
    const { sql, params } = statements.insert('books', [{}]);
    expect([sql.match(/\?/g)?.length, sql]).toEqual([params.length, expect.stringMatching(/^INSERT INTO "books" \("/)]);
  });

  it('insert refuses rows of different columns', () => {
    expect(() => statements.insert('books', [{ kind: 'a' }, { kind: 'b', title: 'x' }])).toThrow('differ');
    expect(() => statements.insert('books', [{ kind: 'a' }, { title: 'x' }])).toThrow(TypeError);
  });

  it('update', () => {
    expect(statements.update('books', { title: 'x', loans: { increment: -1 }, shelf: null }, eq('id', 4))).toEqual({
      sql: 'UPDATE "books" AS a0 SET "title" = ?, "loans" = a0."loans" + ?, "shelf" = ? WHERE a0."id" = ?',
      params: ['x', -1, null, 4],
    });
  });

  it('delete', () => {
    expect(statements.delete('books', eq('id', 4))).toEqual({
      sql: 'DELETE FROM "books" AS a0 WHERE a0."id" = ?',
      params: [4],
    });
  });
});
