// An extension of each kind on a domain of its own, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { bootLoggingSite } from '../../cms/logging-site.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let site: TestSite;
let admin: TestActor;
let reader: TestActor;

beforeAll(async () => {
  site = await startTestSite(here('schemas'), { EXTENSIONS_DIR: here('extensions'), PAGES: 'off' });
  admin = administrator(site);
  reader = await makeActor(site, [], 'reader');
  // The job makes the first star.
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await site.send('GET', '/stars')).body.length === 1) return;
    await sleep(50);
  }
  throw new Error('The job has made no star.');
});
afterAll(() => site.close());

const make = async (values: object): Promise<any> =>
  (await site.send('POST', '/stars', { as: admin.headers, body: values, status: 201 })).body;

describe('values', () => {
  test('a field type validates, normalizes and presents its values', async () => {
    const { id } = await make({ name: 'Andromeda', designation: 'm31' });
    expect((await site.send('GET', `/stars/${id}`)).body).toMatchObject({ designation: 'M31' });
    expect((await make({ name: 'Nameless' })).designation).toBeNull();
    const wrong = await site.send('POST', '/stars', { as: admin.headers, body: { name: 'x', designation: 'M111' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(wrong.body.data.params.designation).toBe('designation must be M1 to M110.');
  });

  test('a promise in place of a value is an error, and nothing is created', async () => {
    const total = async () => (await site.send('GET', '/stars')).headers['x-wp-total'];
    const before = await total();
    const created = await site.send('POST', '/stars', {
      as: admin.headers,
      body: { name: 'Late', designation: 'M99' },
    });
    expect(created).toMatchObject({ status: 500, body: { code: 'internal_server_error' } });
    expect(await total()).toBe(before);
  });

  test('a value that JSON cannot represent is an error, and nothing is written', async () => {
    const total = async () => (await site.send('GET', '/stars')).headers['x-wp-total'];
    const before = await total();
    const as = admin.headers;
    const created = await site.send('POST', '/stars', { as, body: { name: 'Large', designation: 'M98' } });
    expect(created).toMatchObject({ status: 500, body: { code: 'rest_encode_error' } });
    expect(await total()).toBe(before);
    const star = await make({ name: 'Small' });
    const changed = await site.send('PATCH', `/stars/${star.id}`, { as, body: { designation: 'M98' } });
    expect(changed).toMatchObject({ status: 500, body: { code: 'rest_encode_error' } });
    expect((await site.send('GET', `/stars/${star.id}`, { status: 200 })).body.designation).toBeNull();
    const requests = [{ path: '/cms/v2/stars', body: { name: 'Batched', designation: 'M98' } }];
    for (const validation of ['normal', 'atomic'])
      await site.send('POST', '//batch/v1', { as, body: { validation, requests } });
    expect(await total()).toBe(String(Number(before) + 1));
  });

  test('a computed function, a pipeline and a trait are applied to items', async () => {
    const star = await make({ name: 'Vega', magnitude: 5, notes: 'blue <b>' });
    expect(star).toMatchObject({ brightness: 0.01, notes: { raw: 'blue <b>', rendered: '<p>BLUE <B>!</p>' } });
    expect(star.number).toBeGreaterThanOrEqual(101);
    const sun = await site.send('POST', '/stars', { as: admin.headers, body: { name: 'Sun' } });
    expect(sun).toMatchObject({ status: 400, body: { message: 'That one is no star of the night.' } });
  });

  test('filters narrow lists and their totals', async () => {
    await make({ name: 'Dim', magnitude: 8, designation: 'M80' });
    const bright = await site.send('GET', '/stars', { query: { magnitude_brighter: 6, per_page: 1 } });
    const all = await site.send('GET', '/stars');
    expect(Number(bright.headers['x-wp-total'])).toBeLessThan(Number(all.headers['x-wp-total']));
    const near = await site.send('GET', '/stars', { query: { designation_near: 75 } });
    expect(near.body.map(({ name }: { name: string }) => name)).toEqual(['Dim']);
    expect(await site.send('GET', '/stars', { query: { designation_near: 500 } })).toMatchObject({ status: 400 });
  });
});

describe('actions', () => {
  const see = (id: number, body: object, headers: Record<string, string> = reader.headers) =>
    site.send('POST', `/stars/${id}/see`, { as: headers, body });
  const sightings = async (star: number) =>
    Number((await site.send('GET', '/sightings', { query: { star } })).headers['x-wp-total']);

  test('change several items in one transaction and return the item', async () => {
    const { id } = await make({ name: 'Seen' });
    const response = await see(id, { place: 'roof', times: 3 });
    expect(response).toMatchObject({ status: 200, body: { id, sightings: 3 } });
    expect(response.headers['allow']).toBe('POST');
    expect(await sightings(id)).toBe(3);
  });

  test.each([
    ['an error for the client', 'indoors', 400, 'rest_invalid_param'],
    ['an unexpected error', 'void', 500, 'internal_server_error'],
    ['a refused write that the code has swallowed', 'swallowed', 400, 'rest_invalid_param'],
    ['a write with invalid values that the code has swallowed', 'nameless', 400, 'rest_missing_callback_param'],
    ['a refused write that the code does not await', 'careless', 400, 'rest_invalid_param'],
  ])('%s undoes everything', async (_, place, status, code) => {
    const { id } = await make({ name: place });
    expect(await see(id, { place })).toMatchObject({ status, body: { code } });
    expect(await sightings(id)).toBe(0);
    expect((await site.send('GET', `/stars/${id}`)).body.sightings).toBe(0);
  });

  test('commit writes that their code does not await, all or none', async () => {
    const { id } = await make({ name: 'Passed' });
    expect(await see(id, { place: 'hurried' })).toMatchObject({ status: 200, body: { sightings: 1 } });
    const { body } = await site.send('GET', '/stars', { query: { search: 'Hurried', per_page: 1 } });
    expect(body).toMatchObject([{ name: 'Hurried', notes: { rendered: '<p>SEEN!</p>' } }]);
    expect(body[0].number).toBeGreaterThan(100);
  });

  test('check the body like any other', async () => {
    const { id } = await make({ name: 'Checked' });
    expect(await see(id, {})).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    const wrong = await see(id, { place: 'x', times: 9 });
    expect(Object.keys(wrong.body.data.params).sort()).toEqual(['place', 'times']);
    const sent = { as: reader.headers, body: { place: 'roof', tims: 2 } };
    const strict = { ...sent, headers: { Prefer: 'handling=strict' } };
    expect(await site.send('POST', `/stars/${id}/see`, sent)).toMatchObject({ status: 200 });
    expect(await site.send('POST', `/stars/${id}/see`, strict)).toMatchObject({
      status: 400,
      body: {
        code: 'rest_unknown_param',
        data: { params: { tims: 'tims is not a parameter of this request (did you mean "times"?).' } },
      },
    });
  });

  test('are allowed for callers who satisfy their rule and may read the item', async () => {
    const { id } = await make({ name: 'Hidden', secret: true });
    const open = await make({ name: 'Open' });
    expect(await site.send('POST', `/stars/${open.id}/see`, { body: { place: 'x' } })).toMatchObject({
      status: 401,
      body: { code: 'cannot_see' },
    });
    // Neither the rule nor the body reveals an item to a stranger.
    expect(await see(id, {})).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect(await see(id, { place: 'roof' }, admin.headers)).toMatchObject({ status: 200 });
    expect(await see(999_999, {})).toMatchObject({ status: 404 });
    expect(await site.send('POST', '/stars/abc/see', { as: admin.headers })).toMatchObject({ status: 404 });
  });

  test('include POST in the Allow header of errors, except for callers without the right', async () => {
    const { id } = await make({ name: 'Allowed' });
    const allowed = async (path: string, as: TestActor | undefined, body: object) => {
      const { status, headers } = await site.send('POST', path, { ...(as && { as: as.headers }), body });
      return [status, headers['allow']];
    };
    expect(await allowed(`/stars/${id}/see`, reader, {})).toEqual([400, 'POST']);
    expect(await allowed(`/stars/${id}/see`, reader, { place: 'void' })).toEqual([500, undefined]);
    expect(await allowed('/stars/99999/see', reader, { place: 'roof' })).toEqual([404, 'POST']);
    expect(await allowed('/stars/brightest', undefined, { among: 0 })).toEqual([400, 'POST']);
    expect(await allowed(`/stars/${id}/see`, undefined, { place: 'roof' })).toEqual([401, undefined]);
  });

  test('run once for the same Idempotency-Key', async () => {
    const { id } = await make({ name: 'Once' });
    const sent = { as: reader.headers, headers: { 'Idempotency-Key': 'once' }, body: { place: 'roof' } };
    const first = await site.send('POST', `/stars/${id}/see`, sent);
    const again = await site.send('POST', `/stars/${id}/see`, sent);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await sightings(id)).toBe(1);
    const other = await site.send('POST', `/stars/${id}/see`, { ...sent, body: { place: 'hill' } });
    expect(other).toMatchObject({ status: 422 });
  });

  test('repeat a response of any size for its Idempotency-Key', async () => {
    const { id } = await make({ name: 'Large', notes: 'x'.repeat(300_000) });
    const sent = { as: reader.headers, headers: { 'Idempotency-Key': 'large' }, body: { place: 'roof' }, status: 200 };
    const first = await site.send('POST', `/stars/${id}/see`, sent);
    expect(first.body.notes.rendered.length).toBeGreaterThan(300_000);
    expect((await site.send('POST', `/stars/${id}/see`, sent)).body).toEqual(first.body);
    expect(await sightings(id)).toBe(1);
  });

  test('repeat their own response unchanged', async () => {
    const sent = { as: admin.headers, headers: { 'Idempotency-Key': 'own' }, body: { among: 1000 }, status: 200 };
    const first = await site.send('POST', '/stars/brightest', sent);
    await make({ name: 'One more' });
    expect((await site.send('POST', '/stars/brightest', sent)).body).toEqual(first.body);
  });

  test('refuse the Idempotency-Key of another action, whatever the members of their bodies', async () => {
    const { id } = await make({ name: 'Switched' });
    const act = (path: string) =>
      site.send('POST', path, { as: admin.headers, headers: { 'Idempotency-Key': 'switch' }, body: { action: 'dim' } });
    expect(await act(`/stars/${id}/dim`)).toMatchObject({ status: 200, body: { name: 'dim' } });
    expect(await act(`/stars/${id}/dim`)).toMatchObject({ status: 200, body: { name: 'dim' } });
    for (const path of [`/stars/${id}/lit`, `/stars/${id}`])
      expect(await act(path)).toMatchObject({ status: 422, body: { code: 'rest_idempotency_key_reused' } });
  });

  test('are refused in batches with an explanation', async () => {
    const star = await make({ name: 'Alone' });
    const paths = [`/cms/v2/stars/${star.id}/see`, '/cms/v2/stars/brightest', `/cms/v2/stars/${star.id}/brightest`];
    const requests = paths.map((path) => ({ path, body: {} }));
    const response = await site.send('POST', '//batch/v1', { as: admin.headers, body: { requests }, status: 207 });
    expect(response.body.responses.map(({ body }: any) => body.code)).toEqual([
      'rest_batch_not_allowed',
      'rest_batch_not_allowed',
      'rest_no_route',
    ]);
  });

  test('on a collection are limited to the rights of the caller', async () => {
    const open = await site.send('POST', '/stars/brightest', { body: { among: 1000 } });
    const all = await site.send('POST', '/stars/brightest', { as: admin.headers, body: { among: 1000 } });
    expect(open).toMatchObject({ status: 200, body: { name: expect.any(String) } });
    expect(all.body.of).toBeGreaterThan(open.body.of);
  });

  test('that run concurrently lose no update', async () => {
    const { id } = await make({ name: 'Busy' });
    const all = await Promise.all(Array.from({ length: 12 }, () => see(id, { place: 'roof' })));
    expect(all.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await site.send('GET', `/stars/${id}`)).body.sightings).toBe(12);
  });

  test('are described by OPTIONS, the index and OpenAPI', async () => {
    const item = await site.send('OPTIONS', '/stars/1');
    expect(item.body.actions.see).toMatchObject({ href: expect.stringMatching(/\/stars\/\{id\}\/see$/) });
    const own = await site.send('OPTIONS', '/stars/1/see');
    expect(own.body.endpoints[0]).toMatchObject({ methods: ['POST'], args: { place: { required: true } } });
    const collection = await site.send('OPTIONS', '/stars');
    expect(Object.keys(collection.body.actions)).toEqual(['brightest']);
    const index = await site.send('GET', '//');
    expect(Object.keys(index.body.routes)).toEqual(
      expect.arrayContaining(['/cms/v2/stars/(?P<id>[\\d]+)/see', '/cms/v2/stars/brightest']),
    );
    const { paths } = (await site.send('GET', '//docs-json')).body;
    expect(paths['/cms/v2/stars/{id}/see'].post).toMatchObject({ operationId: 'seeStar' });
    expect(paths['/cms/v2/stars/{id}/see'].post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['place'],
    });
    expect(paths['/cms/v2/stars/brightest'].post.responses['200'].content['application/json'].schema).toMatchObject({
      properties: { of: { type: 'integer' } },
    });
  });
});

describe('return values and errors of actions', () => {
  const THROWN = ['nothing', 'frozen', 'unreadable', 'bigint', 'cyclic', 'locked', 'done', 'unknown', 'nameless'];
  const RETURNED = ['a returned BigInt', 'what contains itself'];

  test.each([...THROWN, ...RETURNED])('include a response at once and a rollback for: %s', async (what) => {
    const { id: star } = await make({ name: 'Thrown at' });
    const total = async () => (await site.send('GET', '/sightings')).headers['x-wp-total'];
    const before = await total();
    const { status, body } = await site.send('POST', '/sightings/throw', { as: admin.headers, body: { what, star } });
    expect({ status, code: body.code }).toEqual({
      status: 500,
      code: expect.stringMatching(/^(internal|rest_encode)/),
    });
    expect(await total()).toBe(before);
  });
});

describe('hooks', () => {
  const note = (place: string, star: number) =>
    site.send('POST', '/sightings', { as: admin.headers, body: { star, place } });

  test('can refuse writes and extend responses, which are then not cached', async () => {
    const { id } = await make({ name: 'Watched' });
    expect(await note('Cellar', id)).toMatchObject({ status: 400, body: { message: 'There is no sky in a cellar.' } });
    const made = await note('Hill', id);
    const path = `/sightings/${made.body.id}`;
    const shown = await site.send('GET', path);
    expect(shown.body.shown_by).toBe('hooks');
    expect(shown.headers['cache-control']).toContain('no-store');
    expect(await site.send('GET', path, { headers: { 'X-Mood': 'grim' } })).toMatchObject({ status: 403 });
    expect(await site.send('DELETE', path, { as: admin.headers })).toMatchObject({ status: 200 });
  });

  test('that present an item within itself cause a 500 and roll the write back', async () => {
    const { id } = await make({ name: 'Mirrored' });
    const before = (await site.send('GET', '/sightings')).headers['x-wp-total'];
    expect(await note('Mirror', id)).toMatchObject({ status: 500, body: { code: 'rest_encode_error' } });
    expect((await site.send('GET', '/sightings')).headers['x-wp-total']).toBe(before);
  });

  test('that throw cause a 500 and roll the write back', async () => {
    const { id } = await make({ name: 'Lost' });
    const before = (await site.send('GET', '/sightings')).headers['x-wp-total'];
    const response = await note('Edge', id);
    expect(response).toMatchObject({ status: 500, body: { code: 'internal_server_error' } });
    expect(response.text).not.toContain('edge');
    expect((await site.send('GET', '/sightings')).headers['x-wp-total']).toBe(before);
  });

  test('read with the transaction, in any order where they name none', async () => {
    const { id } = await make({ name: 'Counted' });
    await note('Elsewhere', id);
    expect(await note('Counted', id)).toMatchObject({ status: 201, body: { place: 'Counted true' } });
  });

  test('can prevent the deletion of an item', async () => {
    const { id } = await make({ name: 'Kept' });
    const { body } = await note('Kept', id);
    const refused = await site.send('DELETE', `/sightings/${body.id}`, { as: admin.headers });
    expect(refused).toMatchObject({ status: 403, body: { message: 'This one is kept.' } });
    expect(await site.send('GET', `/sightings/${body.id}`)).toMatchObject({ status: 200 });
  });
});

describe('modules', () => {
  test('receive the caller, the site, the database and the body', async () => {
    const open = await site.send('GET', '//sky/count');
    expect(open).toMatchObject({ status: 200, body: { caller: false, connected: true } });
    const all = await site.send('GET', '//sky/count', { as: admin.headers });
    expect(all.body.total).toBeGreaterThan(open.body.total);
    expect(await site.send('POST', '//sky/echo', { body: { text: 'hello' } })).toMatchObject({
      body: { text: 'hello' },
    });
    expect(await site.send('POST', '//sky/echo', { body: {} })).toMatchObject({ status: 400 });
  });

  test('receive the raw bytes of a body', async () => {
    const text = ' {"event" : "paid",\r\n "amount": 1.50 }';
    const headers = { 'Content-Type': 'application/json' };
    const { body } = await site.send('POST', '//sky/digest', { headers, body: text, status: 201 });
    expect(body.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('write in a transaction completely or not at all, even when they catch a refusal', async () => {
    const pair = (body: object) => site.send('POST', '//sky/pair', { body });
    const named = async (name: string) => (await site.send('GET', `/stars?name[eq]=${name}`)).body.length;
    expect((await pair({ names: ['Castor', 'Pollux'] })).body).toEqual({ made: 'Castor', done: ['committed'] });
    expect([await named('Castor'), await named('Pollux')]).toEqual([1, 1]);
    for (const caught of [false, true]) {
      const refused = await pair({ names: ['Romulus', 'Remus', 'dim'], caught });
      expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    }
    expect([await named('Romulus'), await named('Remus')]).toEqual([0, 0]);
  });

  test('write fields with the rule false, which clients may not', async () => {
    expect(await site.send('POST', '//sky/entry')).toMatchObject({ status: 201, body: { sum: 2 } });
    const as = admin.headers;
    expect((await site.send('POST', '/entries', { as, body: {} })).status).toBe(403);
    expect((await site.send('OPTIONS', '/entries', { as })).headers['allow']).toBe('GET');
  });

  test('that cannot be created leave no open connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-unfit-'));
    writeFileSync(
      join(folder, 'unfit.ts'),
      `import { Controller, Inject, Module } from '@nestjs/common';
       import { defineExtension } from 'typecase';
       @Controller('unfit')
       class Unfit { constructor(@Inject('nobody') readonly missing: unknown) {} }
       @Module({ controllers: [Unfit] })
       class UnfitModule {}
       export default defineExtension({ module: UnfitModule });`,
    );
    const open = new Set<Socket>();
    const redis = createServer((socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => undefined);
      socket.resume();
    });
    await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
    const url = `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`;
    const started = startTestSite(here('../../../schemas'), { EXTENSIONS_DIR: folder, REDIS_URL: url });
    await expect(started).rejects.toThrow('nobody');
    for (let tries = 0; open.size > 0 && tries < 40; tries += 1) await sleep(50);
    const kept = open.size;
    for (const socket of open) socket.destroy();
    redis.close();
    rmSync(folder, { recursive: true });
    expect(kept).toBe(0);
  });
});

test('an error of the database names the hook whose value does not fit its column in the log', async () => {
  const more = { SCHEMAS_DIR: here('schemas'), EXTENSIONS_DIR: here('extensions') };
  const logging = await bootLoggingSite('correct horse battery', 'a secret that only tests know', more);
  try {
    const as = { Authorization: `Basic ${btoa('admin:correct horse battery')}` };
    const star = (await logging.send('POST', '/stars', { as, body: { name: 'Vega' }, status: 201 })).body.id;
    const body = { star, place: 'Unfit' };
    expect(await logging.send('POST', '/sightings', { as, body })).toMatchObject({ status: 500 });
    const lines = logging.lines().split('\n');
    const { source, msg } = JSON.parse(lines.find((line) => line.includes('"level":50'))!);
    expect(source).toMatch(
      /^the hook "input" of \S+unfit\.mjs, which sets the column "star" to a value of another type,$/,
    );
    expect(msg).toBe(`${source} failed`);
  } finally {
    await logging.close();
  }
});

test('an error after the commit is logged with its action, and the response is unchanged', async () => {
  const more = { SCHEMAS_DIR: here('schemas'), EXTENSIONS_DIR: here('extensions') };
  const logging = await bootLoggingSite('correct horse battery', 'a secret that only tests know', more);
  try {
    const as = { Authorization: `Basic ${btoa('admin:correct horse battery')}` };
    const response = await logging.send('POST', '/sightings/throw-later', { as });
    expect(response).toMatchObject({ status: 200, body: { done: true } });
    const line = logging
      .lines()
      .split('\n')
      .find((each) => each.includes('the letter was not sent'));
    const { level, source, msg } = JSON.parse(line!);
    expect({ level, source }).toEqual({
      level: 40,
      source: expect.stringMatching(/^the action "throw-later" of sighting \(\S+thrown\.mjs\)$/),
    });
    expect(msg).toBe(`${source} failed after the commit of its transaction`);
  } finally {
    await logging.close();
  }
});
