// Random histories of writes from several stores on one database: whatever the order, the result is that of some order one after the other.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditData } from '../../src/maintenance/check-data.js';
import type { Row } from '../../src/model/query.js';
import { basic } from '../support/actors.js';
import { ADMINISTRATOR, bootSite, type TestSite } from '../support/boot-site.js';
import type { Method } from '../support/send.js';
import { runs } from '../support/runs.js';
import { seeded } from '../process/writer.js';

const SEED = Number(process.env['TEST_SEED'] || 20_260);
const CLIENTS = 12;
const sites: TestSite[] = [];

beforeAll(async () => {
  sites.push(await bootSite('schemas'));
  // Each site has connections, queues and caches of its own, as a process has.
  const { url } = sites[0]!.config.database;
  for (let n = 1; n < 3; n++) sites.push(await bootSite('schemas', { DATABASE_URL: url }));
  for (let at = 0; at < sites.length; at++) await send(at, 'GET', '/users/me');
});
afterAll(async () => {
  for (const site of [...sites].reverse()) await site.close();
});

interface Answer {
  status: number;
  body: any;
  tag: string | undefined;
}

const AS_ADMINISTRATOR = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);

/** A request to one of the sites. No answer may be a fault of the server; 503 asks to come again. */
async function send(
  at: number,
  method: Method,
  path: string,
  body?: object,
  headers: Record<string, string> = AS_ADMINISTRATOR,
): Promise<Answer> {
  const site = sites[at % sites.length]!;
  const { status, body: view, headers: got } = await site.send(method, path, { as: headers, body });
  if (status >= 500 && status !== 503) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(view)}`);
  return { status, body: view, tag: got['etag'] };
}

const all = <T>(n: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, index) => work(index)));

const rowsOf = (table: string, columns: string[]): Promise<Row[]> =>
  sites[0]!.site.store.reader.select({ table, columns, where: { op: 'true' }, order: [] });

/** References of every resource that lead to a row that is not there. */
async function danglingReferences(): Promise<string[]> {
  const found: string[] = [];
  for (const model of sites[0]!.site.models.byName.values()) {
    if (!model.table) continue;
    for (const field of model.fields.values()) {
      const target = field.targets?.[0]?.table ?? field.many?.target?.table;
      if (!target) continue;
      const ids = new Set((await rowsOf(target.name, ['id'])).map(({ id }) => id));
      const [table, column] = field.many ? [field.many.table, field.many.value] : [model.table.name, field.column!];
      for (const row of await rowsOf(table, [column])) {
        if (row[column] && !ids.has(row[column])) found.push(`${model.name}.${field.name} leads to ${row[column]}`);
      }
    }
  }
  return [...new Set(found)];
}

/** Rows that are above themselves. */
function loops(table: string, rows: Row[]): string[] {
  const above = new Map(rows.map(({ id, parent }) => [id as number, parent as number]));
  return [...above.keys()].flatMap((id) => {
    let at = above.get(id);
    for (let depth = 0; at && at !== id && depth < 200; depth++) at = above.get(at);
    return at === id ? [`${table} ${id} is above itself`] : [];
  });
}

/** What must hold of the contents after any history. */
async function contradictions(): Promise<string[]> {
  const rows = await rowsOf('contents', ['id', 'type', 'slug', 'parent']);
  const found: string[] = [];
  const seen = new Set<string>();
  found.push(...loops('contents', rows));
  for (const { type, slug, parent } of rows) {
    if (type === 'page' || type === 'post') {
      const key = `${type} ${type === 'page' ? parent : ''} ${slug}`;
      if (slug !== '' && seen.has(key)) found.push(`two items have the slug ${key}`);
      seen.add(key);
    }
  }
  found.push(...loops('terms', await rowsOf('terms', ['id', 'parent'])));
  const names = new Set<string>();
  for (const { taxonomy, parent, name_key: name } of await rowsOf('terms', ['taxonomy', 'parent', 'name_key'])) {
    const key = `${taxonomy} ${parent} ${name}`;
    if (names.has(key)) found.push(`two terms have the name ${key}`);
    names.add(key);
  }
  const { models, store } = sites[0]!.site;
  const audited = (await auditData(models, store)).map(({ message }) => message);
  return [...new Set([...found, ...audited, ...(await danglingReferences())])];
}

describe(`histories of the seed ${SEED}`, () => {
  it('contents, terms, pages and comments of all clients add up', async () => {
    const make = async (path: string, n: number, body: (index: number) => object): Promise<number[]> => {
      const ids: number[] = [];
      for (let index = 0; index < n; index++) ids.push((await send(index, 'POST', path, body(index))).body.id);
      return ids;
    };
    const tags = await make('/tags', 6, (n) => ({ name: `Tag ${n}` }));
    const categories = await make('/categories', 4, (n) => ({ name: `Category ${n}` }));
    const pages = await make('/pages', 8, (n) => ({ title: `Page ${n}`, status: 'publish' }));
    const posts = await make('/posts', 6, (n) => ({ title: `Post ${n}`, content: 'x', status: 'publish' }));
    const users = await make('/users', 4, (n) => ({
      username: `author${n}`,
      email: `author${n}@example.test`,
      password: 'long enough for all',
      roles: ['author'],
    }));
    const saved: { id: number; mark: string }[] = [];
    const gone = new Set<number>();
    const client = async (index: number): Promise<void> => {
      const random = seeded(SEED + index * 7919);
      const pick = (ids: number[]): number => ids[random(ids.length)]!;
      for (let turn = 0; turn < runs(150, 20); turn++) {
        const at = random(sites.length);
        const what = random(100);
        if (what < 20) {
          const body = { title: `Title ${random(4)}`, content: 'x', status: random(4) ? 'publish' : 'draft' };
          const more = { tags: [pick(tags)], categories: [pick(categories)], author: pick(users) };
          const { status, body: made } = await send(at, 'POST', '/posts', { ...body, ...(random(2) ? more : {}) });
          if (status === 201) posts.push(made.id);
        } else if (what < 38) {
          const id = pick(posts);
          const { status, body, tag } = await send(at, 'GET', `/posts/${id}?context=edit`);
          if (status !== 200 || body.status === 'trash') continue;
          const mark = `<${index}.${turn}>`.replace(/[<>]/g, '|');
          const content = `${body.content.raw} ${mark}`;
          const answer = await send(
            random(3),
            'POST',
            `/posts/${id}`,
            { content },
            { ...AS_ADMINISTRATOR, 'If-Match': tag! },
          );
          if (answer.status === 200) saved.push({ id, mark });
        } else if (what < 50) {
          const body = {
            tags: [pick(tags), pick(tags)],
            status: random(3) ? 'publish' : 'private',
            title: `Title ${random(4)}`,
          };
          await send(at, 'POST', `/posts/${pick(posts)}`, body);
        } else if (what < 64) {
          await send(at, 'POST', `/pages/${pick(pages)}`, { parent: random(5) ? pick(pages) : 0 });
        } else if (what < 68) {
          await send(at, 'POST', `/pages/${pick(pages)}`, { slug: `page-${random(4)}` });
        } else if (what < 72) {
          const { status, body } = await send(at, 'POST', '/pages', {
            title: 'Page',
            status: 'publish',
            parent: pick(pages),
          });
          if (status === 201) pages.push(body.id);
        } else if (what < 78) {
          const { status, body } = await send(at, 'POST', '/tags', { name: `New ${random(6)}` });
          if (status === 201) tags.push(body.id);
        } else if (what < 81) {
          await send(at, 'DELETE', `/tags/${pick(tags)}?force=true`);
        } else if (what < 90) {
          await send(at, 'POST', '/comments', { post: pick(posts), content: `Comment ${random(30)}` });
        } else if (what < 93) {
          const { status, body } = await send(at, 'POST', '/users', {
            username: `more${random(8)}`,
            email: `more${random(8)}@example.test`,
            password: 'long enough for all',
          });
          if (status === 201) users.push(body.id);
        } else if (what < 95) {
          await send(at, 'DELETE', `/users/${pick(users)}?force=true&reassign=${pick(users)}`);
        } else {
          const id = pick(posts);
          const forced = random(2) === 0;
          const { status } = await send(at, 'DELETE', `/posts/${id}${forced ? '?force=true' : ''}`);
          if (status === 200 && forced) gone.add(id);
        }
      }
    };
    await all(CLIENTS, client);
    const texts = new Map(
      (await rowsOf('contents', ['id', 'content'])).map(({ id, content }) => [id, String(content)]),
    );
    const lost = saved.filter(({ id, mark }) => !gone.has(id) && !texts.get(id)?.includes(mark));
    expect({ lost, contradictions: await contradictions() }).toEqual({ lost: [], contradictions: [] });
  });

  it('one comment, account or term of several equal ones is taken', async () => {
    const { body: post } = await send(0, 'POST', '/posts', { title: 'Talk', content: 'x', status: 'publish' });
    for (let round = 0; round < runs(10, 2); round++) {
      const comments = await all(CLIENTS, (n) =>
        send(n, 'POST', '/comments', { post: post.id, content: `Same ${round}` }),
      );
      expect(comments.map(({ status }) => status).sort()).toEqual([
        201,
        ...Array.from({ length: CLIENTS - 1 }, () => 409),
      ]);
      const body = { username: `same${round}`, email: `same${round}@example.test`, password: 'long enough for all' };
      const accounts = await all(CLIENTS, (n) =>
        send(n, 'POST', '/users', { ...body, username: n % 2 ? `SAME${round}` : body.username }),
      );
      expect(accounts.filter(({ status }) => status === 201)).toHaveLength(1);
      const terms = await all(CLIENTS, (n) => send(n, 'POST', '/categories', { name: `Same ${round}` }));
      expect(terms.filter(({ status }) => status === 201)).toHaveLength(1);
    }
  });

  it.each(['pages', 'categories'])('two %s that are put below a child of each other make no loop', async (path) => {
    const make = async (at: number, name: string, parent = 0): Promise<number> =>
      (await send(at, 'POST', `/${path}`, { title: name, name, parent, status: 'publish' })).body.id as number;
    for (let round = 0; round < runs(50, 10); round++) {
      const tops = await all(2, (n) => make(n, `Top ${round} ${n}`));
      const children = await all(2, (n) => make(n, `Child ${round} ${n}`, tops[n]));
      await all(2, (n) => send(n, 'POST', `/${path}/${tops[n]}`, { parent: children[1 - n] }));
    }
    expect(await contradictions()).toEqual([]);
  });

  it('administrators who take the role from each other leave one', async () => {
    const { models, store } = sites[0]!.site;
    const { table } = [...models.byName.values()].find(({ faces }) => faces.accounts)!.fields.get('roles')!.many!;
    const password = 'long enough for all';
    const others = await all(2, async (n) => {
      const body = { username: `chief${n}`, email: `chief${n}@example.test`, password, roles: ['administrator'] };
      return (await send(n, 'POST', '/users', body)).body.id as number;
    });
    const { body: me } = await send(0, 'GET', '/users/me');
    const chiefs = [me.id as number, ...others];
    const as = [AS_ADMINISTRATOR, basic('chief0', password), basic('chief1', password)];
    for (let n = 0; n < 3; n++) for (let at = 0; at < 3; at++) await send(at, 'GET', '/users/me', undefined, as[n]);
    const held = (): Promise<Row[]> =>
      store.reader.select({
        table,
        columns: ['owner_id'],
        where: { op: 'eq', column: 'value', value: 'administrator' },
        order: [],
      });
    for (let round = 0; round < runs(30, 6); round++) {
      await all(3, (n) => send(n, 'POST', `/users/${chiefs[(n + 1) % 3]}`, { roles: ['author'] }, as[n]));
      expect((await held()).length).toBeGreaterThan(0);
      await store.transaction(async (tx) => {
        await tx.delete(table, { op: 'in', column: 'owner_id', values: chiefs });
        await tx.insertMany(
          table,
          chiefs.map((owner_id) => ({ owner_id, value: 'administrator', position: 0 })),
        );
      });
    }
  });
});
