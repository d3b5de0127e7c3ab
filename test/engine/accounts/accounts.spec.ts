// A folder of schemas that declares no accounts gets those of the engine: the administrator can sign in and write.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { bootSite, type TestSite } from '../../support/boot-site.js';

let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await bootSite('test/engine/accounts/schemas');
  admin = administrator(site).headers;
});
afterAll(() => site.close());

const call = (method: 'get' | 'post' | 'delete', path: string, headers: Headers = {}) =>
  site
    .http()
    [method](site.base + path)
    .set(headers);

describe('accounts of the engine', () => {
  it('let the administrator write and everybody read', async () => {
    await call('post', '/cups').send({ title: 'Mug' }).expect(401);
    const { body } = await call('post', '/cups', admin).send({ title: 'Mug' }).expect(201);
    expect((await call('get', `/cups/${body.id}`).expect(200)).body).toMatchObject({ title: 'Mug', size: 1 });
  });

  it('show strangers nobody, and everybody himself', async () => {
    expect((await call('get', '/accounts').expect(200)).body).toEqual([]);
    expect((await call('get', '/accounts/me').expect(401)).body.code).toBe('rest_not_logged_in');
    const reader = await makeActor(site, 'subscriber', 'reader');
    const { body } = await call('get', '/accounts/me?context=edit', reader.headers).expect(200);
    expect(body).toMatchObject({ id: reader.id, username: 'reader', roles: ['subscriber'] });
    expect(body).not.toHaveProperty('password');
    await call('post', '/cups', reader.headers).send({ title: 'Jug' }).expect(403);
    await call('post', '/accounts/me', reader.headers)
      .send({ roles: ['administrator'] })
      .expect(403);
    expect((await call('get', `/accounts`, reader.headers)).body.map(({ id }: { id: number }) => id)).toEqual([
      reader.id,
    ]);
  });

  it('are made, changed and deleted by whoever may', async () => {
    const made = { username: 'new', email: 'new@example.org', password: 'long enough 1', roles: ['editor'] };
    const { body } = await call('post', '/accounts', admin).send(made).expect(201);
    await call('delete', `/accounts/${body.id}`, admin).expect(501);
    await call('delete', `/accounts/${body.id}?force=true`, admin).expect(200);
    await call('get', `/accounts/${body.id}`, admin).expect(404);
  });
});
