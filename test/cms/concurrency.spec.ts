// Many writers at once: slugs stay unique, terms are created once, updates with If-Match are never lost, counts and
// references stay right.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditData, fixData } from '../../src/maintenance/check-data.js';
import { equals } from '../../src/model/query.js';
import type { Reader } from '../../src/model/store.js';
import { administrator, makeActor, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';
import type { Method } from '../support/send.js';

let site: TestSite;
let admin: TestActor;

beforeAll(async () => {
  site = await startTestSite('schemas');
  admin = administrator(site);
  // The first use of a password costs a slow hash; the others find it remembered.
  await send('GET', '/users/me');
});
afterAll(() => site.close());

interface HttpResponse {
  status: number;
  body: any;
  tag: string | undefined;
}

async function send(
  method: Method,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const response = await site.send(method, path, { as: admin.headers, headers, body });
  return { status: response.status, body: response.body, tag: response.headers['etag'] };
}

/** Paths of the stored files. */
function filesOf({ folder }: TestSite): string[] {
  const media = join(folder, 'media');
  if (!existsSync(media)) return [];
  const all = readdirSync(media, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const many = <T>(n: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, index) => make(index)));

describe('parallel writes', () => {
  it('50 creates with one title give 50 different slugs', async () => {
    const responses = await many(50, () =>
      send('POST', '/posts', { title: 'Same title', content: 'x', status: 'publish' }),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(responses.map(({ body }) => body.slug)).size).toBe(50);
  });

  it('50 creates of one term give one term and 49 refusals that name it', async () => {
    const responses = await many(50, () => send('POST', '/tags', { name: 'One of a kind' }));
    const made = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status, body }) => status === 400 && body.code === 'term_exists');
    expect([made.length, refused.length]).toEqual([1, 49]);
    for (const { body } of refused) expect(body.data.term_id).toBe(made[0]!.body.id);
  });

  it('30 updates with If-Match: every update that returns 200 is in the text', async () => {
    const { body } = await send('POST', '/posts', { title: 'Register', content: '', status: 'draft' });
    const append = async (mark: string): Promise<void> => {
      for (;;) {
        const before = await send('GET', `/posts/${body.id}?context=edit`);
        const content = `${before.body.content.raw} ${mark}`;
        const { status } = await send('POST', `/posts/${body.id}`, { content }, { 'If-Match': before.tag! });
        if (status === 200) return;
        expect(status).toBe(412);
      }
    };
    await many(30, (index) => append(`mark${index}.`));
    const after = await send('GET', `/posts/${body.id}?context=edit`);
    for (let index = 0; index < 30; index += 1) expect(after.body.content.raw).toContain(`mark${index}.`);
  });

  it('20 requests with one Idempotency-Key make one item', async () => {
    const key = { 'Idempotency-Key': 'only-once' };
    const responses = await many(20, () => send('POST', '/posts', { title: 'Once', content: 'x' }, key));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  it('uploads with one Idempotency-Key at the same time leave the files of one item', async () => {
    const before = filesOf(site);
    const file = { name: 'once.txt', type: 'text/plain', content: 'once' };
    const upload = () =>
      site.send('POST', '/media', { as: admin.headers, headers: { 'Idempotency-Key': 'one-file' }, file });
    const responses = await many(6, upload);
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(filesOf(site).length - before.length).toBe(1);
  });

  it('updates, trashings and deletions of the same items never fail with 5xx, and the data is consistent', async () => {
    const tags = await many(5, (index) => send('POST', '/tags', { name: `Mixed ${index}` }));
    const posts = await many(20, (index) =>
      send('POST', '/posts', { title: `Mixed ${index}`, content: 'x', status: 'publish' }),
    );
    const steps = ['publish', 'draft', 'private', 'pending'];
    let seed = 7;
    const next = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    const client = async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 125; turn += 1) {
        const id = posts[next(posts.length)]!.body.id;
        const tag = tags[next(tags.length)]!.body.id;
        const what = next(10);
        const { status } =
          what < 5
            ? await send('POST', `/posts/${id}`, {
                status: steps[next(4)],
                tags: next(2) ? [tag] : [],
                title: `Mixed ${next(9)}`,
              })
            : what < 7
              ? await send('DELETE', `/posts/${id}`)
              : what < 8
                ? await send('POST', '/comments', { post: id, content: `c ${next(1e9)}` })
                : what < 9
                  ? await send('DELETE', `/posts/${id}?force=true`)
                  : await send('POST', '/posts', { title: 'Mixed', content: 'x', status: 'publish', tags: [tag] });
        statuses.push(status);
      }
      return statuses;
    };
    const statuses = (await many(32, client)).flat();
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect((await auditData(site.site.models, site.site.store)).map(({ message }) => message)).toEqual([]);
    const slugs = await site.site.store.reader.select({
      table: 'contents',
      columns: ['slug'],
      where: {
        op: 'and',
        of: [
          { op: 'eq', column: 'type', value: 'post' },
          { op: 'ne', column: 'slug', value: '' },
        ],
      },
      order: [],
    });
    expect(new Set(slugs.map((row) => row['slug'])).size).toBe(slugs.length);
  });
});

describe('an account that is deleted during a request', () => {
  it('after its authentication creates nothing: no item has an author that does not exist', async () => {
    const { store, models } = site.site;
    const body = { title: 'Too late', content: 'x', status: 'publish' };
    const { id } = (await send('POST', '/posts', body)).body;
    const transaction = store.transaction.bind(store);
    const writes: [Method, string][] = [
      ['POST', '/posts'],
      ['PATCH', `/posts/${id}`],
    ];
    for (const [method, path] of writes) {
      let isFirst = true;
      const leaving = await makeActor(site, 'editor', `leaving ${method}`);
      // What another process commits between the authentication and the write.
      store.transaction = async (work, needs) => {
        if (isFirst && needs?.names) {
          isFirst = false;
          await send('DELETE', `/users/${leaving.id}?force=true&reassign=${admin.id}`);
        }
        return transaction(work, needs);
      };
      try {
        const response = await site.send(method, path, { as: leaving.headers, body: { ...body, content: 'y' } });
        expect([method, response.status, response.body.code]).toEqual([method, 401, 'rest_not_logged_in']);
      } finally {
        store.transaction = transaction;
      }
    }
    expect((await auditData(models, store)).map(({ message }) => message)).toEqual([]);
  });
});

it('an application password is revoked by one of two concurrent requests, and not renamed afterwards', async () => {
  const path = `/users/${admin.id}/application-passwords`;
  const made = async () => `${path}/${(await send('POST', path, { name: 'Short-lived' })).body.uuid}`;
  const [twice, renamed] = [await made(), await made()];
  const statusesOf = async (...responses: Promise<HttpResponse>[]) =>
    (await Promise.all(responses)).map(({ status }) => status);
  expect((await statusesOf(send('DELETE', twice), send('DELETE', twice))).sort()).toEqual([200, 404]);
  const { store } = site.site;
  const transaction = store.transaction.bind(store);
  // What another process commits between the look-up and the change.
  store.transaction = async (work, needs) => {
    store.transaction = transaction;
    await send('DELETE', renamed);
    return transaction(work, needs);
  };
  expect(await statusesOf(send('PATCH', renamed, { name: 'Long gone' }))).toEqual([404]);
});

describe('findings of check --data', () => {
  it('are none where the site writes during the check', async () => {
    const { store, models } = site.site;
    const tag = (await send('POST', '/tags', { name: 'Counted meanwhile' })).body;
    const { reader, snapshot } = store;
    const countBy = reader.countBy.bind(reader);
    let left = 3;
    const writing = async (asked: Promise<Map<any, number>>) => {
      const found = await asked;
      if (left-- > 0) await send('POST', '/posts', { title: 'Meanwhile', status: 'publish', tags: [tag.id] });
      return found;
    };
    reader.countBy = (...asked) => writing(countBy(...asked));
    store.snapshot = (work) =>
      snapshot.call(store, (at: Reader) =>
        work(
          Object.assign(Object.create(at) as Reader, {
            countBy: (...asked: Parameters<Reader['countBy']>) => writing(at.countBy(...asked)),
          }),
        ),
      ) as ReturnType<typeof work>;
    try {
      expect((await auditData(models, store)).map(({ message }) => message)).toEqual([]);
    } finally {
      Object.assign(reader, { countBy });
      store.snapshot = snapshot;
    }
    expect(left).toBeLessThanOrEqual(0);
  });

  it('are repaired in their current state, where the site has written since', async () => {
    const { store, models } = site.site;
    const table = (name: string) => models.byName.get(name)!.table!.name;
    const made = async (path: string, body: object) => (await send('POST', path, body)).body;
    const tag = await made('/tags', { name: 'Counted' });
    const page = await made('/pages', { title: 'Old name', status: 'publish' });
    const post = await made('/posts', { title: 'Kept', content: 'one', status: 'publish' });
    await store.transaction(async (tx) => {
      await tx.update(table('tag'), { count: 7 }, equals('id', tag.id));
      await tx.update(table('page'), { path: 'nowhere' }, equals('id', page.id));
      await tx.update(table('post'), { author: 99_999, revision_count: 5 }, equals('id', post.id));
    });
    const findings = await auditData(models, store);
    expect(findings).toHaveLength(4);
    await made('/posts', { title: 'Tagged', status: 'publish', tags: [tag.id] });
    await send('PATCH', `/pages/${page.id}`, { slug: 'new-name' });
    await send('PATCH', `/posts/${post.id}`, { author: admin.id, content: 'two' });
    await fixData(findings, store);
    expect((await auditData(models, store)).map(({ message }) => message)).toEqual([]);
    expect((await send('GET', `/posts/${post.id}`)).body.author).toBe(admin.id);
  });
});

describe('an account that loses rights', () => {
  it('while the body of its request arrives is refused: slow clients cannot keep rights', async () => {
    const author = await makeActor(site, 'author', 'slow author');
    const post = Buffer.from(JSON.stringify({ title: 'Too late', content: 'x', status: 'publish' }));
    const form = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\nContent-Type: text/plain\r\n\r\nlate\r\n--b--\r\n',
    );
    const raw = { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="late.txt"' };
    const sent: [path: string, headers: Record<string, string>, body: Buffer][] = [
      ['/posts', { 'Content-Type': 'application/json' }, post],
      ['/media', { 'Content-Type': 'multipart/form-data; boundary=b' }, form],
      ['/media', raw, Buffer.from('late')],
    ];
    // The first use of the password costs a slow hash.
    await site.send('GET', '/users/me', { as: author.headers, status: 200 });
    const requests = sent.map(([path, headers, body]) => slowly(path, { ...author.headers, ...headers }, body));
    await sleep(500);
    expect((await send('PATCH', `/users/${author.id}`, { roles: ['subscriber'] })).status).toBe(200);
    await sleep(700);
    const statuses = await Promise.all(requests.map((finish) => finish()));
    expect(statuses).toEqual([403, 403, 403]);
  });
});

/** Sends a request without its last bytes; the function returned sends these, and resolves with the status. */
function slowly(path: string, headers: Record<string, string>, body: Buffer): () => Promise<number> {
  const { port } = site.server.address() as AddressInfo;
  const length = { 'Content-Length': String(body.length) };
  const sending = request({ port, path: site.base + path, method: 'POST', headers: { ...headers, ...length } });
  const status = new Promise<number>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
  });
  sending.write(body.subarray(0, -2));
  return () => {
    sending.end(body.subarray(-2));
    return status;
  };
}
