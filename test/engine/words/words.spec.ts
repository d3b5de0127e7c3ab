// What a field can declare: `guard`, `filterable`, and fields without a type.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const ROLES = {
  firstAccount: 'chief',
  roles: {
    chief: { label: 'Chief', capabilities: ['manage_options', 'write', 'write_others', 'rank'] },
    writer: { label: 'Writer', capabilities: ['write'] },
  },
};

const NOTE = {
  name: 'note',
  path: 'notes',
  fields: {
    modified: {},
    id: { guard: { on: 'create', needs: false, error: 'note_has_no_id', beforeCreate: true } },
    title: { type: 'string', filterable: ['equals', 'prefix'] },
    slug: { description: 'Its place.', filterable: 'in' },
    owner: {
      type: 'reference',
      to: 'account',
      guard: { needs: 'write_others', unless: '$me', error: 'note_of_another', link: { give: 'May give it away.' } },
      filterable: { in: 'Of these owners.', notIn: true },
    },
    rank: {
      type: 'integer',
      guard: { needs: 'rank', in: [1, 2], error: 'note_rank', link: { rank: { title: 'May rank.', needs: 'write' } } },
      filterable: { gte: { param: 'min_rank' }, lte: true },
    },
    at: { type: 'datetime', filterable: 'before' },
    due: { type: 'date', guard: { needs: 'rank', error: 'note_due' } },
    above: { type: 'reference', to: 'note', emptyValue: null, guard: { needs: 'rank', error: 'note_above' } },
    meta: {
      type: 'metadata',
      keys: { weight: { type: 'integer', needs: { is: { owner: '$me' } } }, _hand: { type: 'string' } },
    },
    site: { function: 'constant', options: { value: 'here' } },
  },
  traits: { sluggable: { from: 'title' }, dated: {}, authored: { field: 'owner' } },
  permissions: { rules: { read: true, create: 'write', edit: 'write' } },
};

describe('fields that say', () => {
  let site: TestSite;
  let folder: string;
  const headers: Record<string, Headers> = { nobody: {} };
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'typecase-words-'));
    writeFileSync(join(folder, 'note.json'), JSON.stringify(NOTE));
    const roles = `${folder}-roles.json`;
    writeFileSync(roles, JSON.stringify(ROLES));
    site = await startTestSite(folder, { ROLES_FILE: roles });
    headers['chief'] = administrator(site).headers;
    const writer = await makeActor(site, 'writer');
    [headers['writer'], ids['writer'], ids['chief']] = [writer.headers, writer.id, administrator(site).id];
  });
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(`${folder}-roles.json`, { force: true });
  });

  const send = (who: string, method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS', path: string, body?: object) =>
    site.send(method, `/${path}`, { as: headers[who]!, body });
  const titles = async (query: string) => {
    const { body } = await send('nobody', 'GET', `notes?orderby=id&order=asc&${query}`);
    return Array.isArray(body) ? body.map((item: { title: string }) => item.title) : body.code;
  };

  it.each<[string, string, object, string]>([
    ['the writer', 'names another owner', { owner: 'chief' }, 'note_of_another'],
    ['the writer', 'ranks', { rank: 2 }, 'note_rank'],
    // Before the right to create, and after it.
    ['nobody', 'sends an id', { id: 7 }, 'note_has_no_id'],
    ['nobody', 'ranks', { rank: 2 }, 'rest_cannot_create'],
  ])('%s %s', async (who, _what, values, code) => {
    const body = { title: 'x', ...values, ...('owner' in values && { owner: ids['chief'] }) };
    const { status, body: response } = await send(who.replace('the ', ''), 'POST', 'notes', body);
    expect({ status, code: response.code }).toEqual({ status: who === 'nobody' ? 401 : 403, code });
  });

  it('a guard does not apply to its exceptions, and on update only to changed fields', async () => {
    const mine = await send('writer', 'POST', 'notes', { title: 'b', owner: ids['writer'], rank: 3 });
    expect(mine.status).toBe(201);
    const path = `notes/${mine.body.id}`;
    expect((await send('writer', 'POST', path, { owner: ids['chief'] })).body.code).toBe('note_of_another');
    expect(
      (await send('chief', 'POST', path, { owner: ids['chief'], rank: 1, at: '2026-01-02T03:04:05Z' })).status,
    ).toBe(200);
    const unchanged = await send('writer', 'POST', path, {
      owner: ids['chief'],
      rank: 1,
      id: mine.body.id,
      title: 'a',
    });
    expect(unchanged.body).toMatchObject({ title: 'a', rank: 1, at: '2026-01-02T03:04:05+00:00', site: 'here' });
    expect(Object.keys(unchanged.body).slice(0, 4)).toEqual(['modified', 'id', 'title', 'slug']);
  });

  it('emptying a field counts as a change for guards', async () => {
    const { body: upper } = await send('chief', 'POST', 'notes', { title: 'upper' });
    const { body: note } = await send('chief', 'POST', 'notes', { title: 'd', due: '2026-01-02', above: upper.id });
    const path = `notes/${note.id}`;
    expect((await send('writer', 'POST', path, { due: null })).body.code).toBe('note_due');
    expect((await send('writer', 'POST', path, { above: null })).body.code).toBe('note_above');
    expect((await send('chief', 'POST', path, { due: null, above: null })).body).toMatchObject({
      due: null,
      above: null,
    });
    expect((await send('writer', 'POST', path, { due: null, above: null, title: 'e' })).status).toBe(200);
    // A new item has nothing to empty.
    const { status, body: bare } = await send('writer', 'POST', 'notes', { title: 'f', due: null, above: null });
    expect(status).toBe(201);
    for (const each of [note, upper, bare]) await send('chief', 'DELETE', `notes/${each.id}`);
  });

  it('a key of meta can be written with the right of its rule, also in a new item', async () => {
    const own = await send('writer', 'POST', 'notes', { title: 'g', meta: { weight: 1 } });
    expect(own.body).toMatchObject({ owner: ids['writer'], meta: { weight: 1 } });
    const path = `notes/${own.body.id}`;
    expect((await send('chief', 'POST', path, { meta: { weight: 2 } })).body.code).toBe('rest_cannot_update');
    expect((await send('writer', 'POST', path, { meta: { weight: 2 } })).body.meta.weight).toBe(2);
    const given = await send('chief', 'POST', 'notes', { title: 'h', owner: ids['writer'], meta: { weight: 3 } });
    expect(given.body.code).toBe('rest_cannot_update');
    // The server itself needs no permission.
    const put = await site.site.writer.batch(({ create }) =>
      create('note', { title: 'i', meta: { weight: 4, _hand: 'x' } }, { as: ids['writer']! }),
    );
    expect((await send('nobody', 'GET', `notes/${put}`)).body.meta).toEqual({ weight: 4, _hand: 'x' });
    for (const id of [own.body.id, put]) await send('chief', 'DELETE', `notes/${id}`);
  });

  it('action links depend on the rights of the caller', async () => {
    const [{ body: chief }, { body: writer }] = [
      await send('chief', 'GET', 'notes/1?context=edit'),
      await send('writer', 'GET', 'notes/1?context=edit'),
    ];
    expect(Object.keys(chief._links)).toEqual(expect.arrayContaining(['give', 'rank']));
    expect(Object.keys(writer._links)).toEqual(expect.arrayContaining(['rank']));
    expect(writer._links).not.toHaveProperty('give');
    const { body } = await send('nobody', 'OPTIONS', 'notes');
    expect(body.schema.links).toContainEqual(
      expect.objectContaining({
        title: 'May rank.',
        targetSchema: { type: 'object', properties: { rank: { type: 'integer' } } },
      }),
    );
  });

  it('lists can be filtered by the fields', async () => {
    await send('writer', 'POST', 'notes', { title: 'c', rank: 9, at: '2026-03-01T00:00:00Z' });
    expect(await titles('title=a')).toEqual(['a']);
    expect(await titles('slug=B')).toEqual(['a']);
    expect(await titles(`owner=${ids['writer']}`)).toEqual(['c']);
    expect(await titles(`owner_exclude=${ids['writer']}`)).toEqual(['a']);
    expect(await titles('min_rank=2')).toEqual(['c']);
    expect(await titles('rank_lte=2')).toEqual(['a']);
    expect(await titles('at_before=2026-02-01T00:00:00%2B00:00')).toEqual(['a']);
    expect(await titles('min_rank=x')).toBe('rest_invalid_param');
    const { body } = await send('nobody', 'OPTIONS', 'notes');
    const { args } = body.endpoints[0];
    expect(args.owner).toMatchObject({ type: 'array', items: { type: 'integer' }, description: 'Of these owners.' });
    expect(args).toHaveProperty('title_prefix');
  });
});
