// Random histories of concurrent writes over several servers on one database: the result must be that of a serial
// order.
import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../src/model/query.js';
import { basic } from '../actors.js';
import { runs } from '../runs.js';
import { History } from './clients.js';
import { contradictions } from './contradictions.js';
import { all, AS_ADMINISTRATOR, CLIENTS, SEED, type HttpResponse, type World } from './world.js';

const PASSWORD = 'long enough for all';

/** The suite; `worldOf` returns servers that run during its tests. */
export function describeHistories(worldOf: () => World): void {
  const send = (...request: Parameters<World['send']>): Promise<HttpResponse> => worldOf().send(...request);
  const statusesOf = (responses: HttpResponse[]): number[] => responses.map(({ status }) => status).sort();
  const onlyOneMade = [201, ...Array.from({ length: CLIENTS - 1 }, () => 409)];

  describe(`histories of the seed ${SEED}`, () => {
    it('contents, terms, pages and comments of all clients add up', async () => {
      const unexplained = await new History(worldOf()).run();
      const found = await contradictions(worldOf());
      expect({ unexplained, contradictions: found }).toEqual({ unexplained: [], contradictions: [] });
    });

    it('one comment, account or term of several equal ones is taken', async () => {
      const { body: post } = await send(0, 'POST', '/posts', { title: 'Talk', content: 'x', status: 'publish' });
      for (let round = 0; round < runs(10, 2); round++) {
        const content = `Same ${round}`;
        const comments = await all(CLIENTS, (n) => send(n, 'POST', '/comments', { post: post.id, content }));
        expect(statusesOf(comments)).toEqual(onlyOneMade);
        const accounts = await all(CLIENTS, (n) => {
          const username = n % 2 ? `SAME${round}` : `same${round}`;
          return send(n, 'POST', '/users', { username, email: `same${round}@example.test`, password: PASSWORD });
        });
        expect(accounts.filter(({ status }) => status === 201)).toHaveLength(1);
        const terms = await all(CLIENTS, (n) => send(n, 'POST', '/categories', { name: `Same ${round}` }));
        expect(terms.filter(({ status }) => status === 201)).toHaveLength(1);
      }
    });

    it('of several comments that one account sends at once one is taken', async () => {
      const { body: post } = await send(0, 'POST', '/posts', { title: 'Rush', content: 'x', status: 'publish' });
      const roles = ['subscriber'];
      for (let round = 0; round < runs(20, 3); round++) {
        const username = `hasty${round}`;
        const account = { username, email: `${username}@example.test`, password: PASSWORD, roles };
        await send(0, 'POST', '/users', account);
        const as = basic(username, PASSWORD);
        await all(3, (n) => send(n, 'GET', '/users/me', undefined, as));
        const comments = await all(6, (n) =>
          send(n, 'POST', '/comments', { post: post.id, content: `${round} ${n}` }, as),
        );
        expect(comments.filter(({ status }) => status === 201)).toHaveLength(1);
      }
    });

    it('one item is made for several requests with one key', async () => {
      for (let round = 0; round < runs(30, 4); round++) {
        const headers = { ...AS_ADMINISTRATOR, 'Idempotency-Key': `key-${round}` };
        const body = { title: `Once ${round}`, status: 'publish' };
        const made = await all(CLIENTS, (n) => send(n, 'POST', '/posts', body, headers));
        expect(statusesOf(made)).toEqual(made.map(() => 201));
        expect(new Set(made.map(({ body: view }) => view.id)).size).toBe(1);
        const { body: found } = await send(round, 'GET', `/posts?slug=once-${round},once-${round}-2`);
        expect(found).toHaveLength(1);
      }
    });

    it('equal titles at once get slugs of their own', async () => {
      for (let round = 0; round < runs(30, 4); round++) {
        const body = { title: `Slug ${round}`, status: 'publish' };
        const made = await all(CLIENTS, (n) => send(n, 'POST', '/posts', body));
        expect(new Set(made.map(({ body: view }) => view.slug)).size).toBe(CLIENTS);
      }
    });

    it('after a post was closed no comment comes', async () => {
      for (let round = 0; round < runs(60, 8); round++) {
        const body = { title: 'Open', content: 'x', status: 'publish', comment_status: 'open' };
        const { body: post } = await send(0, 'POST', '/posts', body);
        const count = async (at: number): Promise<unknown> =>
          (await send(at, 'GET', `/comments?post=${post.id}&status=all&per_page=100`)).body.length;
        const closed = async (): Promise<unknown> => {
          await send(round, 'POST', `/posts/${post.id}`, { comment_status: 'closed' });
          return count(round + 1);
        };
        const [then] = await Promise.all([
          closed(),
          all(CLIENTS, (n) => send(n, 'POST', '/comments', { post: post.id, content: `Comment ${n}` })),
        ]);
        expect(await count(round)).toBe(then);
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
      expect(await contradictions(worldOf())).toEqual([]);
    });

    it('pages that are made two levels below a page that is being renamed get its new path', async () => {
      for (let round = 0; round < runs(40, 6); round++) {
        const page = (at: number, parent: number, title: string): Promise<HttpResponse> =>
          send(at, 'POST', '/pages', { title, parent, status: 'publish' });
        const { body: top } = await page(0, 0, `Old ${round}`);
        // Those who refer to the renamed page itself wait for it anyway.
        const { body: middle } = await page(1, top.id, 'Middle');
        const rename = (): Promise<HttpResponse> => send(round, 'POST', `/pages/${top.id}`, { slug: `new-${round}` });
        const [made] = await Promise.all([all(CLIENTS, (n) => page(n, middle.id, `Below ${n}`)), rename()]);
        expect(statusesOf(made)).toEqual(made.map(() => 201));
        const { body: below } = await send(round, 'GET', `/pages?parent=${middle.id}&per_page=100`);
        expect(below).toHaveLength(CLIENTS);
        expect(below.filter(({ link }: { link: string }) => !link.includes(`/new-${round}/`))).toEqual([]);
      }
    });

    it('administrators who take the role from each other leave one', async () => {
      const { models, store } = worldOf();
      const { table } = [...models.byName.values()].find(({ faces }) => faces.accounts)!.fields.get('roles')!.many!;
      const others = await worldOf().make('/users', 2, (n) => ({
        username: `chief${n}`,
        email: `chief${n}@example.test`,
        password: PASSWORD,
        roles: ['administrator'],
      }));
      const { body: me } = await send(0, 'GET', '/users/me');
      const chiefs = [me.id as number, ...others];
      const as = [AS_ADMINISTRATOR, basic('chief0', PASSWORD), basic('chief1', PASSWORD)];
      for (let n = 0; n < 3; n++) for (let at = 0; at < 3; at++) await send(at, 'GET', '/users/me', undefined, as[n]);
      const where = { op: 'eq', column: 'value', value: 'administrator' } as const;
      const held = (): Promise<Row[]> => store.reader.select({ table, columns: ['owner_id'], where, order: [] });
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
}
