// A unique index of a database covers whole values: one over their beginnings would refuse different values.
import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSite } from '../../../src/schema/compile-site.js';
import { createIndex as inMysql } from '../../../src/storage/mysql/ddl.js';
import { createIndex as inPostgres } from '../../../src/storage/postgres/ddl.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-unique-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('unique values of any length are compared completely', () => {
  const unique = (type: string, more: object = {}) => ({ type, unique: true, nullable: true, ...more });
  const thing = {
    name: 'thing',
    path: 'things',
    storage: { table: 'things', where: { kind: 'thing' } },
    fields: {
      code: unique('string'),
      title: unique('string', { maxLength: 1000 }),
      text: unique('text'),
      address: unique('uri'),
      body: unique('rendered', { nullable: false, required: true }),
    },
    permissions: 'public-read',
  };
  writeFileSync(join(folder, 'thing.json'), JSON.stringify(thing));
  const table = compileSite(folder).tables.get('things')!;
  const indexes = [...table.indexes.values()].filter((index) => index.unique);
  expect(indexes).toHaveLength(5);
  for (const index of indexes) {
    const sql = [...inMysql(table, index), ...inPostgres(table, index, null)].join('\n');
    expect(sql).not.toMatch(/`\(\d+\)|left\(/i);
  }
  // Look-ups by the value have an index, too.
  const served = [...table.indexes.values()].map(({ columns }) => columns.find((column) => column !== 'kind'));
  expect(served).toEqual(expect.arrayContaining(['code', 'title', 'text', 'address', 'body']));
});
