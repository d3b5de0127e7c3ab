// `"onDelete": "restrict"`: what others refer to is not deleted, whichever way the deletion comes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTasks } from '../../../src/maintenance/scheduler.js';
import { oneOf } from '../../../src/model/query.js';
import { administrator } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

type Fields = Record<string, object>;
const resource = (name: string, fields: Fields, more: object = {}) => ({
  name,
  path: `${name}s`,
  fields: { title: { type: 'string' }, ...fields },
  ...more,
});
const reference = (to: string, onDelete?: string) => ({ type: 'reference', to, ...(onDelete && { onDelete }) });

const SCHEMAS = [
  resource('shelf', { status: { type: 'string', default: 'open' } }, { traits: { trashable: {} } }),
  resource('box', { shelf: reference('shelf', 'cascade') }),
  // Rows that visitors may not read hold what they refer to all the same.
  resource('label', { box: reference('box', 'restrict') }, { labels: { singular: 'Label', plural: 'Labels' } }),
  resource('card', { box: reference('box', 'cascade'), label: reference('label', 'restrict') }),
  resource('list', { boxes: { type: 'references', to: 'box', onDelete: 'restrict' } }),
  resource('tray', { shelf: reference('shelf') }),
  resource('room', { parent: reference('room', 'restrict') }, { traits: { nested: {} } }),
  resource('node', { parent: reference('node') }, { traits: { nested: {} } }),
  resource('ring', { next: reference('ring', 'cascade') }),
  resource('owner', {}, { traits: { reassignable: { references: [{ resource: 'good', field: 'owner' }] } } }),
  resource('good', { owner: reference('owner', 'restrict') }),
  resource('claim', { owner: reference('owner', 'restrict') }),
  resource(
    'piece',
    {
      status: { type: 'string', default: 'publish' },
      shelf: reference('shelf', 'cascade'),
      genres: { type: 'references', to: 'genre', filterable: 'in' },
    },
    { storage: { table: 'pieces', where: { kind: 'piece' } }, traits: { classified: { fields: ['genres'] } } },
  ),
  // Keeps its rows, and its pairs, where pieces do.
  resource(
    'study',
    { genres: { type: 'references', to: 'genre' } },
    { path: 'studies', storage: { table: 'pieces', where: { kind: 'study' } } },
  ),
  resource(
    'genre',
    { name: { type: 'string' } },
    { traits: { term: { fallback: 'defaultCategory' }, sluggable: { from: 'name' }, trashable: { hidden: true } } },
  ),
];

describe('onDelete: restrict', () => {
  let site: TestSite;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'typecase-restrict-'));
    for (const schema of SCHEMAS)
      writeFileSync(
        join(folder, `${schema.name}.json`),
        JSON.stringify({ ...schema, permissions: { rules: { read: true, edit: true, create: true } } }),
      );
    site = await startTestSite(folder, { SITE_TRASH_RETENTION_DAYS: '1' });
  });
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    site.send(method, `/${path}`, { as: administrator(site).headers, body });
  const add = async (path: string, body: object = {}): Promise<number> => {
    const { status, body: created } = await send('POST', path, body);
    expect({ status, made: created }).toMatchObject({ status: 201 });
    return created.id;
  };
  const isThere = async (path: string) => (await send('GET', path)).status === 200;
  const refused = (...labels: string[]) => ({
    status: 409,
    body: { code: 'rest_item_in_use', data: { status: 409, referenced_by: labels } },
  });

  it('protects an item while others refer to it', async () => {
    const box = await add('boxs');
    const label = await add('labels', { box });
    const { status, body } = await send('DELETE', `boxs/${box}`);
    expect({ status, body }).toMatchObject(refused('Labels'));
    expect(body.message).toContain('Labels');
    expect(JSON.stringify(body.data)).toBe('{"referenced_by":["Labels"],"status":409}');
    expect(await isThere(`boxs/${box}`)).toBe(true);
    expect((await send('DELETE', `labels/${label}`)).status).toBe(200);
    expect((await send('DELETE', `boxs/${box}`)).status).toBe(200);
  });

  it('protects items in a set', async () => {
    const box = await add('boxs');
    const list = await add('lists', { boxes: [box] });
    expect(await send('DELETE', `boxs/${box}`)).toMatchObject(refused('Lists'));
    expect((await send('GET', `lists/${list}`)).body.boxes).toEqual([box]);
    await send('POST', `lists/${list}`, { boxes: [] });
    expect((await send('DELETE', `boxs/${box}`)).status).toBe(200);
  });

  it('protects a whole cascade, and names each kind of item once', async () => {
    const shelf = await add('shelfs');
    const [box, other] = [await add('boxs', { shelf }), await add('boxs', { shelf })];
    const tray = await add('trays', { shelf });
    await add('labels', { box });
    await add('labels', { box: other });
    await add('lists', { boxes: [box] });
    expect(await send('DELETE', `shelfs/${shelf}?force=true`)).toMatchObject(refused('Labels', 'Lists'));
    for (const path of [`shelfs/${shelf}`, `boxs/${box}`, `boxs/${other}`]) expect(await isThere(path)).toBe(true);
    expect((await send('GET', `trays/${tray}`)).body.shelf).toBe(shelf);
  });

  it('does not protect items that are deleted in the same cascade', async () => {
    const label = await add('labels');
    const box = await add('boxs');
    // The card holds the label, and goes with the box.
    await add('cards', { box, label });
    expect(await send('DELETE', `labels/${label}`)).toMatchObject(refused('Cards'));
    expect((await send('DELETE', `boxs/${box}`)).status).toBe(200);
    expect((await send('DELETE', `labels/${label}`)).status).toBe(200);
  });

  it('does not protect items that refer to themselves', async () => {
    const [first, second] = [await add('rings'), await add('rings')];
    await send('POST', `rings/${first}`, { next: second });
    await send('POST', `rings/${second}`, { next: first });
    expect((await send('DELETE', `rings/${first}`)).status).toBe(200);
    expect(await isThere(`rings/${second}`)).toBe(false);
  });

  it('protects the parent of a tree instead of moving its children up', async () => {
    const parent = await add('rooms');
    const child = await add('rooms', { parent });
    expect(await send('DELETE', `rooms/${parent}`)).toMatchObject(refused('Rooms'));
    expect((await send('GET', `rooms/${child}`)).body.parent).toBe(parent);
    expect((await send('DELETE', `rooms/${child}`)).status).toBe(200);
    expect((await send('DELETE', `rooms/${parent}`)).status).toBe(200);
  });

  it('considers what remains after the reassignment', async () => {
    const [owner, successor] = [await add('owners'), await add('owners')];
    const good = await add('goods', { owner });
    const claim = await add('claims', { owner });
    expect(await send('DELETE', `owners/${owner}?reassign=${successor}`)).toMatchObject(refused('Claims'));
    expect((await send('GET', `goods/${good}`)).body.owner).toBe(owner);
    await send('DELETE', `claims/${claim}`);
    expect((await send('DELETE', `owners/${owner}?reassign=${successor}`)).status).toBe(200);
    expect((await send('GET', `goods/${good}`)).body.owner).toBe(successor);
  });

  it('allows the trash, but protects the item when the trash is emptied', async () => {
    const [held, free] = [await add('shelfs'), await add('shelfs')];
    const box = await add('boxs', { shelf: held });
    const label = await add('labels', { box });
    for (const id of [held, free]) expect((await send('DELETE', `shelfs/${id}`)).body.status).toBe('trash');
    const { writer } = site.site;
    await writer.batch(async ({ tx }) => {
      await tx.update('shelfs', { trashed_at: '2001-01-01T00:00:00' }, oneOf('id', [held, free]));
    });
    await runTasks(writer, 'sweep');
    expect([await isThere(`shelfs/${held}`), await isThere(`shelfs/${free}`)]).toEqual([true, false]);
    await send('DELETE', `labels/${label}`);
    await runTasks(writer, 'sweep');
    expect(await isThere(`shelfs/${held}`)).toBe(false);
  });

  it('changes the version of an item that loses a reference or gets another parent', async () => {
    const [shelf, room] = [await add('shelfs'), await add('nodes')];
    // The first one is the default, which takes over.
    const [, genre] = [await add('genres', { name: 'Stays' }), await add('genres', { name: 'Goes' })];
    const changed = [
      `trays/${await add('trays', { shelf })}`,
      `nodes/${await add('nodes', { parent: room })}`,
      `pieces/${await add('pieces', { genres: [genre] })}`,
      `studies/${await add('studies', { genres: [genre] })}`,
    ];
    const tags = await Promise.all(changed.map(async (path) => (await send('GET', path)).headers['etag']));
    for (const path of [`shelfs/${shelf}?force=true`, `nodes/${room}`, `genres/${genre}?force=true`])
      expect((await send('DELETE', path)).status).toBe(200);
    for (const [at, path] of changed.entries()) {
      const sent = { as: administrator(site).headers, headers: { 'If-Match': tags[at]! }, body: { title: 'x' } };
      expect((await site.send('POST', `/${path}`, sent)).status).toBe(412);
    }
  });

  it('keeps the counts of terms correct after a cascade', async () => {
    const [shelf, other] = [await add('shelfs'), await add('shelfs')];
    const genre = await add('genres', { name: 'Counted' });
    const pieces = [shelf, shelf, other].map((on) => ({ shelf: on, genres: [genre] }));
    for (const piece of [...pieces, { ...pieces[0], status: 'draft' }]) await add('pieces', piece);
    const count = async () => (await send('GET', `genres/${genre}?context=edit`)).body.count;
    expect(await count()).toBe(3);
    expect((await send('DELETE', `shelfs/${shelf}?force=true`)).status).toBe(200);
    expect(await count()).toBe(1);
    const { body } = await send('GET', `pieces?genres=${genre}`);
    expect(body).toHaveLength(1);
    expect((await send('DELETE', `pieces/${body[0].id}`)).status).toBe(200);
    expect(await count()).toBe(0);
  });

  it('does not stop the emptying of the trash for an item that is kept', async () => {
    const { writer } = site.site;
    const [kept, free] = [writer.site.settings.defaultCategory, await add('genres', { name: 'Other' })];
    expect(await isThere(`genres/${kept}`)).toBe(true);
    // Put into the trash before it became the default.
    await writer.batch(async ({ tx }) => {
      const columns = { status: 'trash', trashed_at: '2001-01-01T00:00:00' };
      await tx.update('genres', columns, oneOf('id', [kept, free]));
    });
    await runTasks(writer, 'sweep');
    expect([await isThere(`genres/${kept}`), await isThere(`genres/${free}`)]).toEqual([true, false]);
  });
});
