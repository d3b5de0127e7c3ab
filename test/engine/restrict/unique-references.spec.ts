// References that a deletion moves stay part of the values that are unique together.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runTasks } from '../../../src/maintenance/scheduler.js';
import { oneOf } from '../../../src/model/query.js';
import { administrator } from '../../support/actors.js';
import { startTestSchemas, startTestSite, type TestSite } from '../../support/start-test-site.js';
import { freshDatabase } from '../../support/fresh-database.js';

const reference = (to: string) => ({ type: 'reference', to });
const TITLE = { title: { type: 'string' } };

const SCHEMAS = [
  {
    name: 'folder',
    path: 'folders',
    fields: { ...TITLE, parent: reference('folder') },
    unique: [['parent', 'title']],
    traits: { nested: {}, trashable: { hidden: true } },
  },
  {
    name: 'owner',
    path: 'owners',
    fields: TITLE,
    traits: {
      reassignable: {
        references: [
          { resource: 'good', field: 'owner' },
          { resource: 'card', field: 'owner' },
        ],
      },
    },
  },
  {
    name: 'good',
    path: 'goods',
    labels: { singular: 'Good', plural: 'Goods' },
    fields: { ...TITLE, owner: reference('owner') },
    unique: [['owner', 'title']],
  },
  { name: 'card', path: 'cards', fields: { owner: { ...reference('owner'), unique: true } } },
  { name: 'shelf', path: 'shelves', fields: TITLE },
  {
    name: 'book',
    path: 'books',
    fields: { ...TITLE, shelf: reference('shelf'), room: reference('shelf') },
    unique: [['shelf', 'title']],
  },
  { name: 'lamp', path: 'lamps', fields: { shelf: { ...reference('shelf'), unique: true } } },
];

let site: TestSite;

beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS, { SITE_TRASH_RETENTION_DAYS: '1' });
});

afterAll(() => site?.close());

const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  site.send(method, `/${path}`, { as: administrator(site).headers, body });

async function add(path: string, body: object = {}): Promise<number> {
  const { status, body: created } = await send('POST', path, body);
  expect({ status, made: created }).toMatchObject({ status: 201 });
  return created.id;
}

test('children move up only where they stay unique', async () => {
  const top = await add('folders', { title: 'Top' });
  const middle = await add('folders', { title: 'Middle', parent: top });
  const twin = await add('folders', { title: 'Twin', parent: top });
  const child = await add('folders', { title: 'Twin', parent: middle });
  const refused = await send('DELETE', `folders/${middle}?force=true`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'rest_item_in_use' } });
  expect((await send('GET', `folders/${child}`)).body.parent).toBe(middle);
  await send('POST', `folders/${twin}`, { title: 'Other' });
  expect((await send('DELETE', `folders/${middle}?force=true`)).status).toBe(200);
  expect((await send('GET', `folders/${child}`)).body.parent).toBe(top);
  const repeated = await send('POST', 'folders', { title: 'Twin', parent: top });
  expect([repeated.status, repeated.body.data.details.title.code]).toEqual([400, 'rest_not_unique']);
});

test('the trash keeps an item whose children cannot move up', async () => {
  const top = await add('folders', { title: 'Attic' });
  const [middle, free] = [await add('folders', { title: 'Box', parent: top }), await add('folders', { title: 'Free' })];
  await add('folders', { title: 'Doll', parent: top });
  await add('folders', { title: 'Doll', parent: middle });
  for (const id of [middle, free]) await send('DELETE', `folders/${id}`);
  const { writer } = site.site;
  const old = { trashed_at: '2001-01-01T00:00:00' };
  await writer.batch(async ({ tx }) => void (await tx.update('folders', old, oneOf('id', [middle, free]))));
  await runTasks(writer, 'sweep');
  expect((await send('GET', `folders/${middle}`)).status).toBe(200);
  expect((await send('GET', `folders/${free}`)).status).toBe(404);
});

test('items of a deleted one are reassigned only where they stay unique', async () => {
  const [old, next] = [await add('owners'), await add('owners')];
  const [good, rival] = [
    await add('goods', { title: 'Chair', owner: old }),
    await add('goods', { title: 'Chair', owner: next }),
  ];
  const refused = await send('DELETE', `owners/${old}?reassign=${next}`);
  expect(refused).toMatchObject({ status: 409, body: { data: { referenced_by: ['Goods'] } } });
  expect((await send('GET', `goods/${good}`)).body.owner).toBe(old);
  await send('POST', `goods/${rival}`, { title: 'Stool' });
  expect((await send('DELETE', `owners/${old}?reassign=${next}`)).status).toBe(200);
  expect((await send('POST', 'goods', { title: 'Chair', owner: next })).status).toBe(400);
});

test('a single unique reference is reassigned only where it is free', async () => {
  const [old, next] = [await add('owners'), await add('owners')];
  await add('cards', { owner: old });
  const rival = await add('cards', { owner: next });
  expect((await send('DELETE', `owners/${old}?reassign=${next}`)).status).toBe(409);
  expect((await send('DELETE', `cards/${rival}`)).status).toBe(200);
  expect((await send('DELETE', `owners/${old}?reassign=${next}`)).status).toBe(200);
});

test('emptied references do not count as equal', async () => {
  const shelves = [await add('shelves'), await add('shelves')];
  for (const shelf of shelves) {
    await add('books', { title: 'Same', shelf });
    await add('lamps', { shelf });
  }
  for (const shelf of shelves) expect((await send('DELETE', `shelves/${shelf}`)).status).toBe(200);
  expect((await send('GET', 'books')).body.map((book: { shelf: number }) => book.shelf)).toEqual([0, 0]);
  expect((await send('GET', 'lamps')).body.map((lamp: { shelf: number }) => lamp.shelf)).toEqual([0, 0]);
});

test('a value that becomes unique is compared with the existing items', async () => {
  const later = mkdtempSync(join(tmpdir(), 'typecase-unique-later-'));
  const database = await freshDatabase();
  const start = async (unique: boolean): Promise<TestSite> => {
    const fields = { ...TITLE, text: { type: 'text', nullable: true, unique }, next: { ...reference('note'), unique } };
    const note = { name: 'note', path: 'notes', fields, list: { orderby: ['title', 'id'] } };
    writeFileSync(join(later, 'note.json'), JSON.stringify(note));
    return startTestSite(later, { DATABASE_URL: database.url });
  };
  try {
    const before = await start(false);
    const { headers } = administrator(before);
    const first = await before.send('POST', '/notes', { as: headers, body: { text: 'Same' }, status: 201 });
    const next = first.body.id as number;
    await before.send('PATCH', `/notes/${next}`, { as: headers, body: { next }, status: 200 });
    await before.close();
    const after = await start(true);
    const second = await after.send('POST', '/notes', { as: headers, body: { text: 'Same', next }, status: 400 });
    expect(Object.keys(second.body.data.params)).toEqual(['text', 'next']);
    await after.close();
  } finally {
    rmSync(later, { recursive: true, force: true });
    await database.drop();
  }
});
