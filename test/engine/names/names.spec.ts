// Resources whose names or paths differ in punctuation alone: the OpenAPI document distinguishes them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const NAMES = ['book-loan', 'book_loan', 'book-loan_', 'a1', 'a-1', 'error', 'links', 'post', 'post-view', 'delete'];

let site: TestSite;
let document: any;
const folder = mkdtempSync(join(tmpdir(), 'typecase-names-'));

beforeAll(async () => {
  for (const name of NAMES) {
    const fields = { [`of ${name}`.replaceAll(/\W/g, '_')]: { type: 'string' } };
    const schema = {
      name,
      path: name,
      storage: { table: `t${NAMES.indexOf(name)}` },
      fields,
      permissions: 'public-read',
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(schema));
  }
  site = await startTestSite(folder);
  document = (await site.send('GET', '//docs-json')).body;
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every schema name is valid and unique, and every reference resolves', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
  const references = new Set(JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g));
  expect([...references].filter((each) => !names.includes(each.slice('#/components/schemas/'.length)))).toEqual([]);
  for (const context of ['View', 'Create', 'Update', 'Deleted'])
    expect(names.filter((name) => /^(?:BookLoan|A1)_*[A-Z]/.test(name) && name.endsWith(context))).toHaveLength(5);
});

test('every operation has a unique name', () => {
  const ids = Object.values<any>(document.paths).flatMap((item) =>
    Object.values<any>(item).map(({ operationId }) => operationId as string),
  );
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

/** The schemas that a part of the document refers to. */
const referred = (part: unknown): any[] =>
  [...new Set(JSON.stringify(part).match(/(?<=#\/components\/schemas\/)[^"]+/g))]
    .filter((name) => !['Error', 'Links', 'Summary'].includes(name))
    .map((name) => document.components.schemas[name]);

test.each(NAMES)('lists and bodies of %s have the fields of their schema', (name) => {
  const { get, post } = document.paths[`/cms/v2/${name}`];
  const field = `of ${name}`.replaceAll(/\W/g, '_');
  const listed = referred(get.responses['200']);
  expect(listed.length).toBeGreaterThan(0);
  for (const item of listed) expect(Object.keys(item.properties)).toContain(field);
  expect(referred(post.requestBody).map(({ properties }) => Object.keys(properties))).toEqual([[field]]);
});
