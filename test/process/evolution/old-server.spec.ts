// A server whose tables another process migrates for other schemas: it says so, instead of failing as if it had a bug.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../../src/storage/open-store.js';
import type { AdministeredStore } from '../../../src/storage/sql/administered-store.js';
import type { TestSite } from '../../support/start-test-site.js';
import { EvolvingSite, OPEN } from './evolving-site.js';

const fields = { title: { type: 'string', maxLength: 60 }, size: { type: 'integer', nullable: true } };
const lists = { list: { orderby: ['id', 'title'] } };
const before = { note: { ...OPEN, ...lists, fields }, other: { ...OPEN, fields: { title: { type: 'string' } } } };
const { title, size } = fields;
const renamed = { heading: { ...title, renamedFrom: 'title' }, size };

let site: EvolvingSite;
let old: TestSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
  site.write(before);
  old = await site.start();
  for (const path of ['/notes', '/others'])
    expect(await old.send('POST', path, { body: { title: 'first' } })).toMatchObject({ status: 201 });
  // Statements that are prepared before the tables change.
  for (const path of ['/notes', '/notes/1', '/others', '/notes?orderby=title']) await old.send('GET', path);
});
afterEach(async () => {
  await old.close();
  await site.close();
});

async function migrated(note: object, ...words: string[]): Promise<void> {
  site.write({ note: { ...OPEN, ...note } });
  expect(await site.cli('migrate', ...words)).toMatchObject({ code: 0 });
}

const REFUSED = {
  status: 503,
  headers: { 'retry-after': '10' },
  body: { code: 'rest_unavailable', message: expect.stringMatching(/changed for other schemas/) },
};

describe('a server with the former schemas', () => {
  it.each([
    ['renamed', { fields: renamed }, []],
    ['dropped', { fields: { size } }, ['--allow-destructive']],
  ])('returns 503 for what needs a column that was %s', async (_what, note, words) => {
    await migrated(note, ...words);
    for (let times = 0; times < 2; times++) {
      expect(await old.send('GET', '/notes?orderby=title')).toMatchObject(REFUSED);
      expect(await old.send('GET', '/notes/1')).toMatchObject(REFUSED);
      expect(await old.send('POST', '/notes', { body: { title: 'second' } })).toMatchObject(REFUSED);
      expect(await old.send('PUT', '/notes/1', { body: { title: 'second' } })).toMatchObject(REFUSED);
      expect(await old.send('DELETE', '/notes/1')).toMatchObject(REFUSED);
    }
    expect(await old.send('GET', '/others/1')).toMatchObject({ status: 200 });
    expect(await old.send('POST', '/others', { body: { title: 'second' } })).toMatchObject({ status: 201 });
    expect(await site.sql('SELECT id FROM notes')).toHaveLength(1);
    const probe = await fetch(`http://127.0.0.1:${(old.server.address() as { port: number }).port}/readyz`);
    expect(probe.status).toBe(503);
    expect(await probe.text()).toMatch(/changed for other schemas/);
  });

  it('returns 503 for writes without a value that has become required', async () => {
    await migrated({ fields: { ...fields, size: { type: 'integer', backfill: 1 } } });
    expect(await old.send('POST', '/notes', { body: { title: 'second' } })).toMatchObject(REFUSED);
    expect(await old.send('GET', '/notes/1')).toMatchObject({ status: 200 });
  });

  it('returns 503 for requests of a resource whose table was dropped', async () => {
    site.write({ note: null });
    expect(await site.cli('migrate', '--allow-destructive')).toMatchObject({ code: 0 });
    expect(await old.send('GET', '/notes?orderby=title')).toMatchObject(REFUSED);
    expect(await old.send('POST', '/notes', { body: { title: 'second' } })).toMatchObject(REFUSED);
  });

  it('serves every request after a column was widened, whichever of its connections has prepared the statements', async () => {
    const requests = () => [
      old.send('GET', '/notes?orderby=title'),
      old.send('PUT', '/notes/1', { body: { title: 'second' } }),
    ];
    for (let times = 0; times < 5; times++) await Promise.all(Array.from({ length: 20 }, requests).flat());
    await migrated({ ...lists, fields: { ...fields, title: { ...title, maxLength: 90 } } });
    for (let times = 0; times < 5; times++)
      for (const response of requests()) expect(await response).toMatchObject({ status: 200 });
  });

  it('logs changed tables once, and is ready until a statement fails', async () => {
    const said: string[] = [];
    const { tables } = old.site.store.admin.statements;
    const options = { pool: 4, migrate: 'off' as const, onChangedTables: (text: string) => void said.push(text) };
    const store = await openStore(site.database.url, options, tables);
    try {
      await migrated({ fields: renamed });
      expect(await store.tableChanges()).toBeUndefined();
      for (let times = 0; times < 3; times++)
        await expect(read(store, 'notes', 'title')).rejects.toMatchObject({ code: 'rest_unavailable' });
      expect(said).toEqual(['the column notes.title is missing']);
      expect(await store.tableChanges()).toBe('the column notes.title is missing');
    } finally {
      await store.close();
    }
  });

  it('reports other errors unchanged', async () => {
    const { store } = old.site;
    await expect(read(store, 'notes', 'nowhere')).rejects.not.toHaveProperty('code', 'rest_unavailable');
    await expect(
      store.transaction((tx) => tx.update('notes', { nowhere: 1 }, { op: 'true' })),
    ).rejects.not.toHaveProperty('code', 'rest_unavailable');
    expect(await store.tableChanges()).toBeUndefined();
  });
});

const read = (store: AdministeredStore, table: string, column: string) =>
  store.reader.select({ table, columns: [column], where: { op: 'true' }, order: [] });
