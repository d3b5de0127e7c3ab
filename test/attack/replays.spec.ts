// Repeating a write with its `Idempotency-Key` after the right to see its response was revoked.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator, basic, makeActor, type Headers, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import type { Method } from '../support/send.js';
import { refusalOf } from './site-with-limits.js';

let site: TestSite;
let admin: Headers;

beforeAll(async () => {
  site = await startTestSite('schemas', { SITE_ALLOW_ANONYMOUS_COMMENTS: 'on' });
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
  test('gets its first response, as long as its caller may see it', async () => {
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

  test('is refused as well when its caller may no longer see the change', async () => {
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

  test('of an anonymous comment in moderation gets its response until the item is hidden or the comment is deleted', async () => {
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

describe('a repeated restoration of a revision', () => {
  /** A post that had other words, and the URL of its revision with these. */
  async function changed(owner: TestActor) {
    const { body: post } = await send('POST', '/posts', owner.headers, { title: 'Old', status: 'publish' }, 201);
    await send('POST', `/posts/${post.id}`, owner.headers, { title: 'Older' }, 200);
    await send('POST', `/posts/${post.id}`, owner.headers, { title: 'New' }, 200);
    const { body: revisions } = await send('GET', `/posts/${post.id}/revisions?context=edit`, owner.headers);
    const { id } = revisions.find(({ title }: { title: string }) => title === 'Older');
    return { id: post.id as number, revision: `/posts/${post.id}/revisions/${id}` };
  }
  const titleOf = async (id: number) => (await send('GET', `/posts/${id}`, admin, undefined, 200)).body.title.rendered;
  const countOf = async (id: number) => (await send('GET', `/posts/${id}/revisions`, admin)).body.length;

  test('does not undo later writes, and works after the revision was deleted', async () => {
    const { id, revision } = await changed(await makeActor(site, 'author', 'restorer'));
    const restore = repeatable({ headers: admin } as TestActor, `${revision}/restore`, {});
    const first = await restore(200);
    expect([first.body.id, first.body.title.raw]).toEqual([id, 'Older']);
    const revisions = await countOf(id);
    await send('POST', `/posts/${id}`, admin, { title: 'Newest' }, 200);
    for (const happens of [
      async () => undefined,
      () => send('DELETE', `${revision}?force=true`, admin, undefined, 200),
    ]) {
      await happens();
      const again = await restore(200);
      expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
      expect(await titleOf(id)).toBe('Newest');
    }
    // One for the change in between, and one was deleted.
    expect(await countOf(id)).toBe(revisions);
  });

  test('is refused without the right to write, with the key of another request, and with an invalid key', async () => {
    const author = await makeActor(site, 'author', 'restorer-2');
    const { revision } = await changed(author);
    const restore = repeatable(author, `${revision}/restore`, {});
    await restore(200);
    const key = { ...author.headers, 'Idempotency-Key': `key-${keys}` };
    expect(refusalOf(await send('POST', '/posts', key, { title: 'x' }))).toBe('422 rest_idempotency_key_reused');
    const broken = { ...author.headers, 'Idempotency-Key': 'é' };
    expect((await send('POST', `${revision}/restore`, broken)).status).toBe(400);
    await demote(author);
    const again = await restore();
    expect(again.status).toBe(403);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
  });

  test('restores once when it is concurrent', async () => {
    const { id, revision } = await changed(await makeActor(site, 'author', 'restorer-3'));
    const restore = repeatable({ headers: admin } as TestActor, `${revision}/restore`, {});
    const responses = await Promise.all([restore(200), restore(200), restore(200), restore(200)]);
    expect(responses.filter(({ headers }) => headers['idempotency-replayed']).length).toBe(3);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await titleOf(id)).toBe('Older');
  });
});

describe('a repeated creation of an application password', () => {
  const PATH = '/users/me/application-passwords';
  const listed = async (as: Headers) => (await send('GET', PATH, as, undefined, 200)).body;

  test('gets the same password, which works', async () => {
    const actor = await makeActor(site, 'author', 'holder');
    const create = repeatable(actor, PATH, { name: 'Phone', scope: { read_only: true } });
    const [first, ...others] = await Promise.all([create(201), create(201), create(201)]);
    for (const again of [...others, await create(201)]) expect(again.body).toEqual(first!.body);
    expect((await create(201)).headers).toMatchObject({
      'idempotency-replayed': 'true',
      location: first!.headers['location'],
    });
    expect(await listed(actor.headers)).toHaveLength(1);
    await send('GET', '/users/me', basic(actor.username, first!.body.password), undefined, 200);
  });

  test('stores the password unreadably', async () => {
    const actor = await makeActor(site, 'author', 'holder-2');
    const { body } = await repeatable(actor, PATH, { name: 'Phone' })(201);
    const { reader } = site.site.store;
    const columns = ['key', 'fingerprint', 'answer'];
    const kept = await reader.select({ table: 'typecase_idempotency', columns, where: { op: 'true' }, order: [] });
    expect(JSON.stringify(kept)).toContain(body.uuid);
    const texts = JSON.stringify(kept);
    const encoded = [body.password, body.password.replaceAll(' ', '')].flatMap((text: string) =>
      (['utf8', 'base64', 'base64url', 'hex'] as const).map((encoding) => Buffer.from(text).toString(encoding)),
    );
    for (const text of encoded) expect(texts).not.toContain(text.replaceAll('=', ''));
    expect(texts).not.toContain(`key-${keys}`);
  });

  test('is refused with another name, for another account, and after it was revoked', async () => {
    const actor = await makeActor(site, 'author', 'holder-3');
    const create = repeatable(actor, PATH, { name: 'Phone' });
    const { body } = await create(201);
    const key = { 'Idempotency-Key': `key-${keys}` };
    const other = await send('POST', PATH, { ...actor.headers, ...key }, { name: 'Laptop' });
    expect(refusalOf(other)).toBe('422 rest_idempotency_key_reused');
    const broken = await send('POST', PATH, { ...actor.headers, 'Idempotency-Key': '' }, { name: 'Laptop' });
    expect(broken.status).toBe(400);
    // A key belongs to its caller.
    const mine = await send(
      'POST',
      `/users/${actor.id}/application-passwords`,
      { ...admin, ...key },
      { name: 'Phone' },
    );
    expect([mine.status, mine.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(mine.body.password).not.toBe(body.password);
    await send('DELETE', `${PATH}/${body.uuid}`, actor.headers, undefined, 200);
    const gone = await create();
    expect(refusalOf(gone)).toBe('404 rest_application_password_not_found');
    expect(gone.text).not.toContain(body.password);
  });
});
