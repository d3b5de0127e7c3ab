// What the shipped schemas compile to, written down: a change of it is seen in the diff of a review.
// UPDATE_GOLDEN=1 writes the files again.
import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OptionsDocuments } from '../../src/http/resource/options-document.js';
import { routeOf } from '../../src/http/routes/resource-route.js';
import type { Site } from '../../src/model/site/site.js';
import { compileSite } from '../../src/schema/compile-site.js';
import type { Dialect } from '../../src/storage/sql/dialect.js';
import { mysqlDialect } from '../../src/storage/mysql/dialect.js';
import { postgresDialect } from '../../src/storage/postgres/dialect.js';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const update = Boolean(process.env['UPDATE_GOLDEN']);
const models = compileSite(here('../../schemas'));
const site = { base: 'https://site.test/cms/v2' } as Site;

const DIALECTS: Record<string, Dialect> = {
  sqlite: sqliteDialect,
  mysql: mysqlDialect(models.tables),
  postgres: postgresDialect(models.tables),
};

/** Compares with the file of that name, or writes it. */
function golden(name: string, text: string): void {
  const file = here(name);
  if (update) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (!existsSync(file)) throw new Error(`test/golden/${name} is missing: UPDATE_GOLDEN=1 writes it`);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('the recorded OPTIONS documents', () => {
  if (update) rmSync(here('options'), { recursive: true, force: true });

  test.each([...models.byName.keys()])('include that of %s', (name) => {
    const documents = new OptionsDocuments(routeOf(models.byName.get(name)!, '', 'cms/v2'), site);
    const { schema, ...item } = documents.options('item');
    const both = { collection: documents.options('collection'), item };
    expect(both.collection.schema).toEqual(schema);
    golden(`options/${name}.json`, `${JSON.stringify(both, null, 2)}\n`);
  });

  test('include no other resource', () => {
    expect(readdirSync(here('options')).sort()).toEqual([...models.byName.keys()].map((name) => `${name}.json`).sort());
  });
});

describe('the recorded tables', () => {
  test.each(Object.keys(DIALECTS))('match the DDL of %s', (name) => {
    const dialect = DIALECTS[name]!;
    const statements = [...models.tables.values()].flatMap((table) => [
      ...dialect.createTable(table),
      ...[...table.indexes.values()].flatMap((index) => dialect.createIndex(table, index)),
    ]);
    golden(`tables.${name}.sql`, `${statements.map(written).join(';\n\n')};\n`);
  });
});

// One column a line, so that a diff shows the column.
function written(statement: string): string {
  return statement.startsWith('CREATE TABLE') ? statement.replaceAll(/, (?=["`])|(?<=\()(?=["`].* )|, (?=PRIMARY)/g, (comma) => `${comma.trim()}\n  `) : statement;
}
