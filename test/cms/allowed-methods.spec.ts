// `Allow` and the hints in `_links` agree about an item in the responses to all requests.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, type Headers, type TestActor } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import { openCms } from './stage.js';

let site: TestSite;
let admin: TestActor;

beforeAll(async () => {
  site = await openCms();
  admin = administrator(site);
});
afterAll(() => site?.close());

const allowOf = async (method: 'GET' | 'HEAD' | 'OPTIONS' | 'DELETE', path: string, as: Headers) =>
  (await site.send(method, path, { as })).headers['allow'];

test('no response offers the deletion of the default category', async () => {
  const as = admin.headers;
  const { default_category: id } = (await site.send('GET', '/settings', { as })).body;
  const path = `/categories/${id}`;
  const without = 'GET, POST, PUT, PATCH';
  const other = await site.send('POST', '/categories', { as, body: { name: 'Other' } });
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    expect([method, await allowOf(method, path, as)]).toEqual([method, without]);
    expect(await allowOf(method, `/categories/${other.body.id}`, as)).toBe(`${without}, DELETE`);
  }
  const refused = await site.send('DELETE', path, { as, query: { force: 'true' } });
  expect([refused.status, refused.body.code, refused.headers['allow']]).toEqual([403, 'rest_cannot_delete', without]);
  const changed = await site.send('PUT', path, { as, body: { description: 'Default' } });
  expect(changed.body._links.self[0].targetHints.allow.join(', ')).toBe(without);
  const read = await site.send('GET', path, { as, query: { context: 'edit' } });
  expect(changed.body).toEqual(read.body);
});

test('responses about unknown application passwords have the Allow header of OPTIONS', async () => {
  const as = admin.headers;
  for (const name of ['introspect', '00000000-0000-4000-8000-000000000000']) {
    const path = `/users/me/application-passwords/${name}`;
    const { status, headers } = await site.send('GET', path, { as });
    expect([name, status, headers['allow']]).toEqual([name, 404, await allowOf('OPTIONS', path, as)]);
    expect(headers['allow']).toMatch(/^GET/);
  }
});
