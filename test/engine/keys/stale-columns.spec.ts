// `check --data`: derived columns that a process with an earlier schema left empty.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData, fixData } from '../../../src/maintenance/check-data.js';
import { staleDerived } from '../../../src/maintenance/check-derived.js';
import { equals } from '../../../src/model/query.js';
import type { Scalar } from '../../../src/model/schema/schema.js';
import { basic, type Headers } from '../../support/actors.js';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../../support/start-test-site.js';

const BOOK = {
  name: 'book',
  path: 'books',
  fields: {
    title: { type: 'string', columnLength: 100 },
    code: { type: 'string', required: true, columnLength: 100, unique: { ignore: ['case'] } },
  },
  list: { orderby: ['title', 'id'], defaultOrderby: 'title', defaultOrder: 'asc' },
  permissions: { rules: { read: true, edit: true, create: true, delete: true } },
};

let site: TestSite;
let folder: string;
let as: Headers;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-stale-'));
  writeFileSync(join(folder, 'book.json'), JSON.stringify(BOOK));
  site = await startTestSite(folder);
  as = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const make = async (title: string, code: string): Promise<number> =>
  (await site.send('POST', '/books', { as, body: { title, code }, status: 201 })).body.id;
const inOrder = async (): Promise<number[]> =>
  (await site.send('GET', '/books', { as, status: 200 })).body.map(({ id }: { id: number }) => id);
const audit = () => auditData(site.site.models, site.site.store, site.site.site);
const messages = async () => (await audit()).map(({ message }) => message);

/** Writes like a process that does not know the derived columns. */
async function writeAsBefore(id: number, values: Record<string, Scalar>): Promise<void> {
  const model = site.site.models.byName.get('book')!;
  const derived = [...model.table!.columns.keys()].filter((name) => /_(sort|unique)$/.test(name));
  expect(derived.length).toBeGreaterThanOrEqual(2);
  const empty = Object.fromEntries(derived.map((name) => [name, name.endsWith('_unique') ? null : '']));
  await site.site.store.transaction((tx) => tx.update(model.table!.name, { ...empty, ...values }, equals('id', id)));
}

it('check --data finds stale derived columns and repairs them', async () => {
  const [id, other] = [await make('Zebra', 'A-1'), await make('Lion', 'A-2')];
  await writeAsBefore(id, {});
  expect(await inOrder()).toEqual([id, other]);
  expect(await messages()).toEqual([expect.stringMatching(new RegExp(`^book ${id}: .*code_unique do not match`))]);
  expect(await fixData(await audit(), site.site.store)).toBe(1);
  expect(await messages()).toEqual([]);
  expect(await inOrder()).toEqual([other, id]);
  expect((await site.send('POST', '/books', { as, body: { title: 'x', code: 'a-1' } })).status).toBe(400);
});

it('check --data reports two items with the same unique value', async () => {
  const [id, same] = [await make('First', 'B-1'), await make('Second', 'B-2')];
  await writeAsBefore(same, { code: 'b-1' });
  const findings = await audit();
  expect(findings.map(({ message }) => message)).toEqual([
    `book ${same}: has the same code as ${id}, which the schema does not allow: change one of them`,
  ]);
  expect(await fixData(findings, site.site.store)).toBe(0);
  await site.send('PATCH', `/books/${same}`, { as, body: { code: 'B-3' }, status: 200 });
  await fixData(await audit(), site.site.store);
  expect(await messages()).toEqual([]);
});

it('check --data leaves the second of two items unchanged where neither key was known', async () => {
  const [one, two] = [await make('One', 'C-1'), await make('Two', 'C-2')];
  await writeAsBefore(one, {});
  await writeAsBefore(two, { code: 'c-1' });
  const findings = await audit();
  expect(findings).toHaveLength(2);
  expect(await fixData(findings, site.site.store)).toBe(1);
  expect(await messages()).toEqual([expect.stringContaining(`has the same code as ${one}`)]);
  await site.send('DELETE', `/books/${two}?force=true`, { as, status: 200 });
});

it('check --data suggests the command that recomputes very many items', async () => {
  for (const code of ['D-1', 'D-2', 'D-3']) await writeAsBefore(await make(code, code), {});
  const { models, store } = site.site;
  const findings = await store.snapshot((reader) => staleDerived(models.byName.get('book')!, reader, store, 2));
  expect(findings.map(({ message }) => message).slice(2)).toEqual([
    expect.stringMatching(/more than 2 .* npm run cms -- rerender$/),
  ]);
});
