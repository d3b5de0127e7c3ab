// Which responses the response cache returns again, for which URLs, and until when.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Reader, Store } from '../../../src/model/store.js';
import type { SiteSettings } from '../../../src/model/site/site-settings.js';
import { ANONYMOUS } from '../../../src/model/actor.js';
import { contextOf, type RequestContext } from '../../../src/http/request/request-context.js';
import { ResponseCache } from '../../../src/http/resource/response-cache.js';
import { HttpResponse } from '../../../src/http/response/response.js';
import type { RoutedRequest } from '../../../src/http/routes/request-input.js';

/** URLs that are remembered in any case. */
const REMEMBERED = 10_000;

const versions: Record<string, number> = {};
const site = { settings: {} as SiteSettings };
let cache: ResponseCache;
let made = 0;

const versionOf = (tables: readonly string[] = []) => tables.map((table) => versions[table]).join();
const reader = {
  version: async (tables?: readonly string[]) => versionOf(tables),
  versions: async () => versionOf,
  noting: () => ({ reader, tables: new Set(['contents']) }),
} as unknown as Reader;
const store = { readFor: (_caller: unknown, work: (from: Reader) => unknown) => work(reader) } as unknown as Store;

interface RequestOptions {
  headers?: Record<string, string>;
  context?: Partial<RequestContext>;
  status?: number;
}

/** Sends a request, and returns how many responses were made so far. */
async function request(
  url: string,
  { headers = {}, context = {}, status = 200 }: RequestOptions = {},
): Promise<number> {
  const request = { originalUrl: url, headers, method: 'GET' } as unknown as RoutedRequest;
  Object.assign(contextOf(request), context);
  const response = await cache.responseTo(request, async () => new HttpResponse(status, {}, `${(made += 1)}`));
  expect(response.status).toBe(status);
  return made;
}

async function requestTimes(times: number, url: string, options?: RequestOptions): Promise<number> {
  for (let n = 0; n < times; n += 1) await request(url, options);
  return made;
}

beforeEach(() => {
  Object.assign(versions, { contents: 1, terms: 1 });
  site.settings = {} as SiteSettings;
  made = 0;
  cache = new ResponseCache(store, site, true);
});

describe('cached responses', () => {
  test('are stored at the second request of a URL', async () => {
    expect(await requestTimes(5, '/posts')).toBe(2);
    expect([cache.hits, cache.misses]).toEqual([3, 2]);
    expect(await request('/posts?page=2')).toBe(3);
  });

  test('are invalidated by changes of their tables only', async () => {
    await requestTimes(3, '/posts');
    versions['terms'] = 2;
    expect(await request('/posts')).toBe(2);
    versions['contents'] = 2;
    expect(await request('/posts')).toBe(3);
    expect(await requestTimes(3, '/posts')).toBe(3);
  });

  test('are invalidated by changed settings of the site', async () => {
    await requestTimes(3, '/posts');
    site.settings = {} as SiteSettings;
    expect(await request('/posts')).toBe(3);
  });

  test.each<[string, RequestOptions]>([
    ['for a caller with an account', { context: { actor: { ...ANONYMOUS, id: 1 } } }],
    ['that needed a password', { context: { confidential: true } }],
    ['in a random order', { context: { volatile: true } }],
    ['with strict handling', { headers: { prefer: 'handling=strict' } }],
    ['that are errors', { status: 404 }],
  ])('to %s are never cached', async (_what, options) => {
    expect(await requestTimes(4, '/posts', options)).toBe(4);
  });

  test('do not exist where the cache is off', async () => {
    cache = new ResponseCache(store, site, false);
    expect(await requestTimes(4, '/posts')).toBe(4);
  });
});

describe('requested URLs', () => {
  /** Requests other URLs, none of them twice. */
  async function requestOthers(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await request(`/others/${n}`);
    made = 0;
  }

  test('are remembered while ten thousand others are requested', async () => {
    await request('/posts');
    await requestOthers(REMEMBERED - 1);
    expect(await requestTimes(2, '/posts')).toBe(1);
  });

  test('are forgotten after twice as many others', async () => {
    await request('/posts');
    await requestOthers(2 * REMEMBERED);
    expect(await requestTimes(3, '/posts')).toBe(2);
  });
});
