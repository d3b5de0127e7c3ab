// Pages for browsers, requested as browsers do: which requests get one, what they consist of, which permissions they
// show. What they look and feel like is tested in a real browser (test/browser/).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { administrator, makeActors, type Headers, type TestActor } from '../support/actors.js';
import { startTestSite, type TestSite } from '../support/start-test-site.js';

let site: TestSite;
let actors: Record<string, TestActor>;

beforeAll(async () => {
  site = await startTestSite('schemas');
  actors = { administrator: administrator(site), ...(await makeActors(site, 'editor', 'author', 'contributor')) };
});
afterAll(() => site.close());

const get = (path: string, headers: Headers = {}) => site.send('GET', path, { headers });
const HTML = { Accept: 'text/html' };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the choice between page and JSON', () => {
  const ACCEPTS: [accept: string | undefined, type: 'html' | 'json'][] = [
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/*', 'json'],
    ['image/html-like', 'json'],
    [BROWSER, 'html'],
    ['text/html', 'html'],
    ['TEXT/HTML', 'html'],
    ['application/xhtml+xml', 'html'],
    ['text/html, application/json', 'json'],
    ['text/html, application/json;q=0.9', 'html'],
    ['text/html;q=0.9, application/json', 'json'],
    ['text/html;q=0.5, */*', 'json'],
    ['text/html;q=0', 'json'],
    ['text/html;q=none', 'json'],
  ];

  test.each(ACCEPTS)('Accept: %s gets %s', async (accept, type) => {
    const { status, headers } = await get('/posts', accept === undefined ? {} : { Accept: accept });
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
    expect(headers.vary).toContain('Accept');
  });

  const PATHS: [path: string, status: number][] = [
    ['//', 200],
    ['//cms/v2', 200],
    ['/posts?status=nonsense', 200],
    ['/posts/999999', 200],
    ['/users', 200],
    ['/no-such-resource', 404],
    ['/posts/1/no-such-part', 404],
  ];

  test.each(PATHS)('a browser gets a page at %s, with status %i', async (path, status) => {
    const response = await get(path, HTML);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'text/html; charset=UTF-8']);
  });

  test.each(['//docs', '//livez', '//uploads/none.png'])('%s returns no page', async (path) => {
    expect((await get(path, HTML)).text).not.toContain('data-namespace');
  });

  test('a write returns JSON', async () => {
    const { status, body } = await site.send('POST', '/posts', { headers: HTML, body: { title: 'x' } });
    expect([status, body.code]).toEqual([401, 'rest_cannot_create']);
  });

  test('PAGES=off returns JSON to browsers', async () => {
    const plain = await startTestSite('schemas', { PAGES: 'off' });
    try {
      expect((await plain.send('GET', '/posts', { headers: HTML })).body).toEqual([]);
      for (const name of ['site.json', 'rights.json']) await plain.send('GET', `//_page/${name}`, { status: 404 });
    } finally {
      await plain.close();
    }
  });
});

describe('the content of a page', () => {
  test('is the same for all callers, and not cached by proxies', async () => {
    const signedOut = await get('/posts', HTML);
    const signedIn = await get('/users/me?context=edit', { ...HTML, ...actors['administrator']!.headers });
    expect(signedIn.text).toBe(signedOut.text);
    expect(signedOut.headers['cache-control']).toBe('private, no-cache');
    expect(signedOut.headers['set-cookie']).toBeUndefined();
  });

  test('has a policy that forbids inline code and other origins', async () => {
    const { headers, text } = await get('//', HTML);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    const urls = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!);
    expect(urls.filter((url) => !url.startsWith('/_page/'))).toEqual([]);
  });

  test('refers only to existing files, which can be cached permanently', async () => {
    const { text } = await get('//', HTML);
    const files = [...new Set([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!))];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { status, headers } = await get(`/${file}`);
      expect([file, status, headers['cache-control']]).toEqual([file, 200, expect.stringContaining('immutable')]);
    }
    await site.send('GET', '//_page/0000000000000000/main.js', { status: 404 });
    await site.send('GET', `/${files[0]!.replace(/[^/]+$/, '')}..%2Fpages.js`, { status: 404 });
  });

  test('contains the title of the site as text', async () => {
    const odd = await startTestSite('schemas', { SITE_TITLE: '"><script>alert(1)</script>' });
    try {
      const { text } = await odd.send('GET', '//', { headers: HTML });
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('&#60;script&#62;alert(1)');
    } finally {
      await odd.close();
    }
  });
});

describe('the rights in the pages', () => {
  const rights = async (name: string | undefined, query = '') => {
    const as = name === undefined ? {} : actors[name]!.headers;
    return (await site.send('GET', `//_page/rights.json${query}`, { as, status: 200 })).body;
  };

  test.each([
    [undefined, { create: 'none', update: 'none', delete: 'none' }],
    ['contributor', { create: 'all', update: 'some', delete: 'some' }],
    ['author', { create: 'all', update: 'own', delete: 'own' }],
    ['editor', { create: 'all', update: 'all', delete: 'all' }],
  ])('of %s have an extent', async (name, extents) => {
    const { roles, resources } = await rights(name);
    const entries = Object.entries(resources['/posts']).map(([kind, { extent }]: any) => [kind, extent]);
    expect(Object.fromEntries(entries)).toMatchObject(extents);
    expect(roles).toBe(false);
  });

  test('have an exception for a value that the caller may not send', async () => {
    const { create } = (await rights('contributor')).resources['/posts'];
    expect(create.except).toContainEqual({
      names: ['status'],
      extent: 'none',
      in: expect.arrayContaining(['publish', 'private']),
    });
  });

  test('are those of roles only for callers who create accounts', async () => {
    const callers = async (name?: string) =>
      (await rights(name, '?of=/posts')).callers.map((each: { name: string }) => each.name);
    expect(await callers('administrator')).toEqual(
      expect.arrayContaining(['anonymous', 'administrator', 'subscriber']),
    );
    expect(await callers('editor')).toEqual(['anonymous', 'you']);
    expect(await callers()).toEqual(['anonymous']);
    expect((await rights('administrator')).roles).toBe(true);
  });

  test.each(['?of=/nothing', '?of[]=/posts', '?of=', '?of[a]=b', '?of=__proto__'])(
    '%s names no list',
    async (query) => {
      await site.send('GET', `//_page/rights.json${query}`, { status: 404 });
    },
  );

  test('agree with the responses of the API', async () => {
    for (const name of [undefined, 'contributor', 'author', 'editor', 'administrator']) {
      const as = name === undefined ? {} : actors[name]!.headers;
      const { resources } = await rights(name);
      for (const [list, { list: reading }] of Object.entries<any>(resources)) {
        if (list.includes('{') || !reading) continue;
        const isRefused = (reading.except ?? []).some(
          ({ names, extent, in: within }: any) =>
            extent === 'none' && names.includes('context') && within?.includes('edit'),
        );
        const { status } = await site.send('GET', list, { as, query: { context: 'edit' } });
        // The resource has no such context.
        if (status === 400) continue;
        const wanted = reading.extent === 'none' || isRefused ? (name === undefined ? 401 : 403) : 200;
        expect([name, list, status]).toEqual([name, list, wanted]);
      }
    }
  });
});
