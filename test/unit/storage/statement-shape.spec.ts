// Statements as the log shows them.
import { expect, test } from '@jest/globals';
import { shapeOf } from '../../../src/storage/sql/abbreviate-sql.js';

test.each([
  ['SELECT a FROM t WHERE b = ? AND c IN (?, ?)', 'SELECT a FROM t WHERE b = ? AND c IN (?, ?)'],
  ['SELECT a FROM t WHERE c IN (?, ?, ?, ?, ?)', 'SELECT a FROM t WHERE c IN (?, …)'],
  ['SELECT a FROM t WHERE c IN ($1, $2, $3, $4) LIMIT $5', 'SELECT a FROM t WHERE c IN ($1, …) LIMIT $5'],
  ['INSERT INTO t (a, b) VALUES (?, ?), (?, ?), (?, ?)', 'INSERT INTO t (a, b) VALUES (?, ?), …'],
  ['INSERT INTO t (a) VALUES ($1, $2, $3, $4, $5), ($6, $7, $8, $9, $10)', 'INSERT INTO t (a) VALUES ($1, …), …'],
])('%s', (sql, shape) => {
  expect(shapeOf(sql)).toBe(shape);
});

test('a statement of any length is abbreviated in bounded time', () => {
  expect(shapeOf(`SELECT ${'a, '.repeat(5_000)}b`)).toHaveLength(2_002);
});
