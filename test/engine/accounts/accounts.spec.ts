// A folder of schemas that declares no accounts gets the built-in ones: the administrator can log in and write.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, basic, makeActor, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await startTestSite('test/engine/accounts/schemas');
  admin = administrator(site).headers;
});
afterAll(() => site.close());

describe('accounts of the engine', () => {
  it('let the administrator write resources, and everybody read them', async () => {
    await site.send('POST', '/cups', { body: { title: 'Mug' }, status: 401 });
    const { body } = await site.send('POST', '/cups', { as: admin, body: { title: 'Mug' }, status: 201 });
    expect((await site.send('GET', `/cups/${body.id}`, { status: 200 })).body).toMatchObject({ title: 'Mug', size: 1 });
  });

  it('are visible only to themselves', async () => {
    expect((await site.send('GET', '/accounts', { status: 200 })).body).toEqual([]);
    expect((await site.send('GET', '/accounts/me', { status: 401 })).body.code).toBe('rest_not_logged_in');
    const reader = await makeActor(site, 'subscriber', 'reader');
    const { body } = await site.send('GET', '/accounts/me?context=edit', { as: reader.headers, status: 200 });
    expect(body).toMatchObject({ id: reader.id, username: 'reader', roles: ['subscriber'] });
    expect(body).not.toHaveProperty('password');
    await site.send('POST', '/cups', { as: reader.headers, body: { title: 'Jug' }, status: 403 });
    await site.send('POST', '/accounts/me', { as: reader.headers, body: { roles: ['administrator'] }, status: 403 });
    expect(
      (await site.send('GET', `/accounts`, { as: reader.headers })).body.map(({ id }: { id: number }) => id),
    ).toEqual([reader.id]);
  });

  it('can be created, changed and deleted with the right to do so', async () => {
    const made = { username: 'new', email: 'new@example.org', password: 'long enough 1', roles: ['editor'] };
    const { body } = await site.send('POST', '/accounts', { as: admin, body: made, status: 201 });
    expect(body).toMatchObject({ username: 'new', email: 'new@example.org', roles: ['editor'] });
    const path = `/accounts/${body.id}`;
    const editor = (await makeActor(site, 'editor')).headers;
    await site.send('POST', '/accounts', { as: editor, body: { ...made, username: 'other' }, status: 403 });
    await site.send('PATCH', path, { as: editor, body: { email: 'taken@example.org' }, status: 403 });
    await site.send('DELETE', `${path}?force=true`, { as: editor, status: 403 });
    const change = { email: 'newer@example.org', roles: ['author'] };
    expect((await site.send('PATCH', path, { as: admin, body: change, status: 200 })).body).toMatchObject(change);
    // Signs in with the password, and has the new role.
    const own = basic('new', made.password);
    expect((await site.send('GET', '/accounts/me?context=edit', { as: own, status: 200 })).body).toMatchObject(change);
    await site.send('DELETE', `/accounts/${body.id}`, { as: admin, status: 501 });
    await site.send('DELETE', `/accounts/${body.id}?force=true`, { as: admin, status: 200 });
    await site.send('GET', `/accounts/${body.id}`, { as: admin, status: 404 });
    await site.send('GET', '/accounts/me', { as: own, status: 401 });
  });
});
