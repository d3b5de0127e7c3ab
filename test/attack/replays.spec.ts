// Repeating a write with its `Idempotency-Key` after the right to see its answer is gone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator, makeActor, type Headers, type TestActor } from '../support/actors.js';
import { bootSite, type TestSite } from '../support/boot-site.js';
import type { Method } from '../support/send.js';
import { refusalOf } from './site-with-limits.js';

let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await bootSite('schemas', { SITE_ALLOW_ANONYMOUS_COMMENTS: 'on' });
  admin = administrator(site).headers;
});
afterAll(() => site?.close());

const send = (method: Method, path: string, as: Headers, body?: object, status?: number) =>
  site.send(method, path, { as, body, status });
let keys = 0;
/** A request that can be repeated. */
const repeatable = (actor: TestActor | undefined, path: string, body: object) => {
  const headers = { ...actor?.headers, 'Idempotency-Key': `key-${++keys}` };
  return (status?: number) => send('POST', path, headers, body, status);
};
const demote = (actor: TestActor, role = 'subscriber') =>
  send('POST', `/users/${actor.id}`, admin, { roles: [role] }, 200);

describe('a repeated write', () => {
  test('gets its first answer, as long as its caller may see it', async () => {
    const author = await makeActor(site, 'author', 'steady');
    const write = repeatable(author, '/posts', { title: 'Mine', content: 'x', status: 'publish' });
    const first = await write(201);
    await send('POST', `/posts/${first.body.id}`, author.headers, { title: 'Changed' }, 200);
    const again = await write(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', location: first.headers['location'] });
  });

  test.each<[string, (author: TestActor, id: number) => Promise<unknown>, string]>([
    ['its account was demoted', (author) => demote(author), '403 rest_forbidden_context'],
    ['the item was deleted', (_, id) => send('DELETE', `/posts/${id}?force=true`, admin), '404 rest_post_invalid_id'],
    [
      'the item belongs to somebody else now',
      (_, id) => send('POST', `/posts/${id}`, admin, { author: 1, status: 'private' }),
      '403 rest_forbidden_context',
    ],
  ])('is refused like a read when %s', async (what, happens, refusal) => {
    const author = await makeActor(site, 'author', what.replaceAll(' ', '-'));
    const write = repeatable(author, '/posts', { title: 'Secret', content: 'hidden words', status: 'publish' });
    const { body } = await write(201);
    await happens(author, body.id);
    const read = await send('GET', `/posts/${body.id}?context=edit`, author.headers);
    const again = await write();
    expect(refusalOf(again)).toBe(refusalOf(read));
    expect(refusalOf(again)).toBe(refusal);
    expect(again.text).not.toContain('hidden words');
    expect(again.headers['idempotency-replayed']).toBeUndefined();
  });

  test('of a change is refused too', async () => {
    const editor = await makeActor(site, 'editor', 'changer');
    const { body } = await send('POST', '/posts', admin, { title: 'Theirs', content: 'x', status: 'private' });
    const change = repeatable(editor, `/posts/${body.id}`, { title: 'Edited', content: 'hidden words' });
    await change(200);
    expect((await change(200)).headers['idempotency-replayed']).toBe('true');
    await demote(editor);
    const again = await change();
    expect(again.status).toBe(403);
    expect(again.text).not.toContain('hidden words');
  });

  test('by a stranger whose remark waits gets its answer, until what it belongs to is hidden or it is deleted', async () => {
    const { body: post } = await send('POST', '/posts', admin, { title: 'Open', content: 'x', status: 'publish' });
    const comment = (text: string) =>
      repeatable(undefined, '/comments', {
        post: post.id,
        content: text,
        author_name: 'Guest',
        author_email: 'guest@example.org',
      });
    const [kept, deleted] = [comment('It waits.'), comment('It goes.')];
    const first = await kept(201);
    const gone = await deleted();
    expect((await send('GET', `/comments/${first.body.id}`, {})).status).toBe(401);
    expect((await kept(201)).body).toEqual(first.body);
    if (gone.status === 201) {
      await send('DELETE', `/comments/${gone.body.id}?force=true`, admin, undefined, 200);
      expect((await deleted()).status).toBe(404);
    }
    await send('POST', `/posts/${post.id}`, admin, { status: 'private' }, 200);
    const again = await kept();
    expect(again.status).toBe(401);
    expect(again.text).not.toContain('It waits.');
  });
});
