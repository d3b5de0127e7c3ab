// The kinds of requests that are measured. URLs with a new number in `_` miss the response cache.
import { AUTHORS, CATEGORIES, random, RARE_WORD, TAGS } from './data-set.js';
import type { Shot } from './load.js';
import type { RunningServer } from './servers.js';

/** One kind of request. */
export interface Kind {
  name: string;
  /** Changes data that the other kinds read; measured after them. */
  writes?: true;
  /** Whether the hand-written server scans all texts for it on MySQL. */
  scansMysql?: true;
  /** The request with this number. */
  shot(index: number): Shot;
}

/** The data that URLs are made from. */
export interface Corpus {
  posts: number;
  /** Ids of published posts. */
  items: readonly number[];
  /** `Authorization` header of an account. */
  authorization: string;
  /** ETags by item. */
  etagOf: ReadonlyMap<number, string>;
  /** Cursors spread over the whole list. */
  cursors: readonly string[];
}

const LIST = '/cms/v2/posts';
const RANDOM_ITEMS = 500;
const DEEP_PAGES = 500;
const NEW_CONTENT = 'A sentence that somebody has just written. '.repeat(30);

/** Every kind. */
export function kindsOf({ posts, items, authorization, etagOf, cursors }: Corpus): Kind[] {
  const fresh = counter();
  const item = (index: number) => items[index % items.length]!;
  const category = (index: number) => 2 + (index % CATEGORIES);
  const tag = (index: number) => 2 + CATEGORIES + (index % TAGS);
  const author = (index: number) => 2 + (index % AUTHORS);
  const lastPage = Math.floor(posts / 10);
  const headers = { authorization };
  return [
    { name: 'list of ten, cached', shot: () => ({ path: `${LIST}?per_page=10` }) },
    { name: 'list, nothing asked, cached', shot: () => ({ path: LIST }) },
    { name: 'list of ten', shot: () => ({ path: `${LIST}?per_page=10&_=${fresh()}` }) },
    { name: 'item', shot: (index) => ({ path: `${LIST}/${item(index)}?_=${fresh()}` }) },
    { name: 'list, signed in', shot: () => ({ path: `${LIST}?per_page=10&_=${fresh()}`, headers }) },
    { name: 'item, signed in', shot: (index) => ({ path: `${LIST}/${item(index)}?_=${fresh()}`, headers }) },
    { name: 'one category', shot: (index) => ({ path: `${LIST}?categories=${category(index)}&_=${fresh()}` }) },
    {
      name: 'a category and a tag',
      shot: (index) => ({ path: `${LIST}?categories=${category(index)}&tags=${tag(index)}&_=${fresh()}` }),
    },
    {
      name: 'deep page',
      shot: (index) => ({
        path: `${LIST}?page=${Math.max(1, Math.floor(lastPage * 0.9) - (index % DEEP_PAGES))}&_=${fresh()}`,
      }),
    },
    {
      name: 'operators',
      shot: (index) => ({ path: `${LIST}?author[eq]=${author(index)}&date[gte]=2020-01-01T00:00:00&_=${fresh()}` }),
    },
    { name: 'expand', shot: () => ({ path: `${LIST}?expand=categories&_=${fresh()}` }) },
    {
      name: 'cursor',
      shot: (index) => ({ path: `${LIST}?cursor=${cursors[index % cursors.length]}&_=${fresh()}` }),
    },
    {
      name: 'item, not modified',
      shot: (index) => ({
        path: `${LIST}/${item(index)}?_=${fresh()}`,
        headers: { 'if-none-match': etagOf.get(item(index))! },
      }),
    },
    { name: 'search', scansMysql: true, shot: () => ({ path: `${LIST}?search=${RARE_WORD}&_=${fresh()}` }) },
    {
      name: 'create',
      writes: true,
      shot: () => ({
        path: LIST,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `A new post ${fresh()}`, content: NEW_CONTENT, status: 'publish' }),
      }),
    },
    {
      name: 'update',
      writes: true,
      shot: (index) => ({
        path: `${LIST}/${item(index)}`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Changed ${fresh()}` }),
      }),
    },
  ];
}

/** Published posts, the same ones in every run, with their ETags. */
export async function randomItems(server: RunningServer, posts: number): Promise<Pick<Corpus, 'items' | 'etagOf'>> {
  const next = random(posts);
  const etagOf = new Map<number, string>();
  while (etagOf.size < Math.min(RANDOM_ITEMS, posts / 2)) {
    const id = 1 + Math.floor(next() * posts);
    const response = await fetch(`${server.origin}${LIST}/${id}`);
    await response.text();
    if (response.ok) etagOf.set(id, response.headers.get('etag') ?? '');
  }
  return { items: [...etagOf.keys()], etagOf };
}

/** Cursors of a server, one for each hundred posts. */
export async function cursorsOf(server: RunningServer): Promise<string[]> {
  const cursors: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const response = await fetch(`${server.origin}${LIST}?cursor=${cursor}&per_page=100&_fields=id`);
    await response.text();
    cursor = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (cursor !== undefined) cursors.push(cursor);
  }
  return cursors;
}

function counter(): () => number {
  // Each run begins at another number: the servers may have cached the URLs of an earlier one.
  let last = Date.now();
  return () => (last += 1);
}
