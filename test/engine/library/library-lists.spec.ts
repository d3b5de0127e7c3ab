// Lists of the invented library: every kind of filter, search, orderings, pages with totals and links, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRow, scenario, type SavedIds, type Row } from '../../support/scenario.js';
import { openLibrary, type Library } from './stage.js';

let library: Library;
const saved: SavedIds = {};
const stage = () => library;
const rows = (...list: Row[]) => scenario(stage, list, saved);
const BASE = 'http://api.test/library/v1';

/** In the order of their titles. */
const ALL = ['ashes', 'bees', 'cats', 'elan', 'evening', 'fog', 'gems'];

beforeAll(async () => {
  library = await openLibrary();
  const add = async (name: string, path: string, body: object) => {
    const response = await sendRow(library, { name, as: 'director', method: 'POST', path, body, status: 201 }, saved);
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    saved[name] = response.body.id;
  };
  await add('anna', '/authors', { name: 'Anna', country: 'EE', born: '1950-03-01' });
  await add('bert', '/authors', { name: 'Bert', country: 'FI', born: '1960-03-01', living: false });
  await add('carl', '/authors', { name: 'Carl' });
  // Out of order, so that no list is right by accident.
  await add('gems', '/books', {
    title: 'Gems',
    genre: 'novel',
    pages: 300,
    copies: 2,
    date: '2021-07-01T12:00:00',
    blurb: 'Fire in the stone.',
  });
  await add('ashes', '/books', {
    title: 'Ashes of Õhtu',
    genre: 'novel',
    pages: 100,
    published: '1990-01-01',
    copies: 1,
    tags: ['fire'],
    authors: ['{anna}'],
    shelf_mark: 'A.1',
    weight: 1,
    date: '2021-01-01T12:00:00',
  });
  await add('evening', '/books', {
    title: 'Evening',
    genre: 'novel',
    pages: 700,
    published: '2010-05-05',
    reference_only: true,
    date: '2021-05-01T12:00:00',
    tags: ['dark night'],
  });
  await add('cats', '/books', {
    title: 'cats & dogs',
    genre: 'essay',
    pages: 200,
    published: '1980-12-31',
    copies: 5,
    tags: ['nature'],
    authors: ['{anna}', '{bert}'],
    shelf_mark: 'AB.1',
    weight: 0.4,
    date: '2021-03-01T12:00:00',
  });
  await add('elan', '/books', {
    title: 'Élan vital',
    genre: 'poetry',
    pages: 50,
    date: '2021-04-01T12:00:00',
    shelf_mark: 'a.1',
  });
  await add('fog', '/books', {
    title: 'Fog',
    genre: 'poetry',
    pages: 60,
    status: 'ordered',
    date: '2021-06-01T12:00:00',
    blurb: 'Grey evening, 100% fog_bank.',
  });
  await add('bees', '/books', {
    title: 'Bee-keeping',
    genre: 'science',
    pages: 200,
    published: '2000-06-15',
    tags: ['nature', 'craft'],
    authors: ['{bert}'],
    shelf_mark: 'A.12',
    weight: 2.5,
    date: '2021-02-01T12:00:00',
  });
  await add('first', '/loans', {
    ticket: 'T-1',
    borrower: 'ann@example.org',
    book: '{ashes}',
    due: '2030-01-01T00:00:00Z',
  });
  await add('later', '/loans', {
    ticket: 'T-2',
    borrower: 'bob@example.org',
    book: '{cats}',
    due: '2030-01-02T00:00:00Z',
    returned: true,
  });
});
afterAll(() => library.site.close());

const found = (query: string, ...items: string[]): Row => ({
  name: `${query} finds ${items.join(', ') || 'nothing'}`,
  path: `/books?per_page=20&${query}`,
  status: 200,
  items,
  sends: { 'X-WP-Total': String(items.length) },
});
const refused = (query: string, param: string, code: string, path = '/books'): Row => ({
  name: `${path}?${query} is refused`,
  path: `${path}?${query}`,
  status: 400,
  has: {
    code: 'rest_invalid_param',
    data: { status: 400, params: { [param]: expect.any(String) }, details: { [param]: { code } } },
  },
});

describe('filters', () => {
  rows(
    found('', ...ALL),
    found('genre=poetry', 'elan', 'fog'),
    found('reference_only=true', 'evening'),
    found('reference_only=0', 'ashes', 'bees', 'cats', 'elan', 'fog', 'gems'),
    found('one_author={anna}', 'ashes', 'cats'),
    found('genres=poetry,science', 'bees', 'elan', 'fog'),
    found('genres[]=poetry&genres[]=essay', 'cats', 'elan', 'fog'),
    found('genres[0]=poetry&genres[1]=essay', 'cats', 'elan', 'fog'),
    found('genres=', ...ALL),
    found('genres_exclude=novel,poetry', 'bees', 'cats'),
    found('author={bert}', 'bees', 'cats'),
    found('author={anna},{bert}', 'ashes', 'bees', 'cats'),
    found('author=999'),
    found('author_exclude={anna}', 'bees', 'elan', 'evening', 'fog', 'gems'),
    found('author={bert}&author_exclude={anna}', 'bees'),
    found('tag=nature', 'bees', 'cats'),
    found('tag=craft,fire', 'ashes', 'bees'),
    found('tag[]=dark+night', 'evening'),
    found('tag_exclude=nature', 'ashes', 'elan', 'evening', 'fog', 'gems'),
    found('status=ordered', 'fog'),
    found('status=trash'),
    found('after=2021-05-01T12:00:00', 'fog', 'gems'),
    found('before=2021-02-01T12:00:00', 'ashes'),
    found('after=2021-05-01T11:59:59&before=2021-06-01T12:00:01', 'evening', 'fog'),
    // 12:00 in Tallinn is 9:00 in summer.
    found('after=2021-05-01T08:59:59Z', 'evening', 'fog', 'gems'),
    found('after=2021-05-01T09:00:00Z', 'fog', 'gems'),
    found('published_after=1990-01-01', 'bees', 'evening'),
    found('published_before=1990-01-01', 'cats'),
    found('min_pages=300', 'evening', 'gems'),
    found('max_pages=60', 'elan', 'fog'),
    found('min_pages=60&max_pages=200', 'ashes', 'bees', 'cats', 'fog'),
    found('max_weight=1.0', 'ashes', 'cats'),
    found('title_contains=E', 'ashes', 'bees', 'elan', 'evening', 'gems'),
    found('title_contains=OHTU', 'ashes'),
    found('title_contains=%26', 'cats'),
    found('title_contains=%25'),
    found('title_contains=_'),
    found('shelf=A', 'ashes', 'bees'),
    found('shelf=AB', 'cats'),
    found('in_stock=true', 'ashes', 'cats', 'gems'),
    found('in_stock=false', ...ALL),
    found('slug=fog,elan-vital', 'elan', 'fog'),
    found('slug[]=ELAN+Vital', 'elan'),
    found('slug=nothing'),
    found('include={fog},{ashes}', 'ashes', 'fog'),
    found('exclude={fog},{ashes}', 'bees', 'cats', 'elan', 'evening', 'gems'),
    found('include={fog},{ashes}&exclude={fog}', 'ashes'),
    found('include=', ...ALL),
    found('hint=no+number', ...ALL),
    found('unheard_of=1', ...ALL),
    found('genre=novel&in_stock=1&max_pages=300', 'ashes', 'gems'),
  );
});

describe('filters of other resources', () => {
  rows(
    { name: 'through: authors of a book', path: '/authors?book={cats}', status: 200, items: ['anna', 'bert'] },
    { name: 'through: a book without authors', path: '/authors?book={fog}', status: 200, items: [] },
    { name: 'through: no such book', path: '/authors?book=999', status: 400, has: { code: 'book_unknown' } },
    { name: 'equals a boolean', path: '/authors?living=false', status: 200, items: ['bert'] },
    { name: 'any of a text', path: '/authors?country=EE,FI', status: 200, items: ['anna', 'bert'] },
    { name: 'after a day', path: '/authors?born_after=1950-03-01', status: 200, items: ['bert'] },
    { name: 'equals a text', as: 'director', path: '/loans?borrower=bob@example.org', status: 200, items: ['later'] },
    {
      name: 'before an instant',
      as: 'director',
      path: '/loans?due_before=2030-01-02T01:59:00%2B02:00',
      status: 200,
      items: ['first'],
    },
    {
      name: 'after an instant',
      as: 'director',
      path: '/loans?due_after=2030-01-01T00:00:00',
      status: 200,
      items: ['later'],
    },
    { name: 'the item of a reference', as: 'director', path: '/loans?book={ashes}', status: 200, items: ['first'] },
  );
});

describe('search', () => {
  rows(
    found('search=evening', 'evening', 'fog'),
    found('search=ELAN', 'elan'),
    found('search=evening+fog', 'fog'),
    found('search=evening+-grey', 'evening'),
    found('search=%22fire+in%22', 'gems'),
    found('search=in+fire', 'gems'),
    found('search=100%25', 'fog'),
    found('search=fog_b', 'fog'),
    found('search=fog%25b'),
    found('search=', ...ALL),
    found('search=evening&orderby=relevance', 'evening', 'fog'),
    { name: 'a phrase in one field', path: '/authors?search=ER', status: 200, items: ['bert'] },
  );
});

describe('orderings', () => {
  rows(
    found('order=desc', ...[...ALL].reverse()),
    found('orderby=title&order=asc', ...ALL),
    found('orderby=id', 'gems', 'ashes', 'evening', 'cats', 'elan', 'fog', 'bees'),
    found('orderby=id&order=desc', 'bees', 'fog', 'elan', 'cats', 'evening', 'ashes', 'gems'),
    found('orderby=date', 'ashes', 'bees', 'cats', 'elan', 'evening', 'fog', 'gems'),
    // Equal keys go by id in the same direction.
    found('orderby=pages', 'elan', 'fog', 'ashes', 'cats', 'bees', 'gems', 'evening'),
    found('orderby=size&order=desc', 'evening', 'gems', 'bees', 'cats', 'ashes', 'fog', 'elan'),
    found('orderby=slug', 'ashes', 'bees', 'cats', 'elan', 'evening', 'fog', 'gems'),
    found('orderby=published&published_after=1900-01-01', 'cats', 'ashes', 'bees', 'evening'),
    found('orderby=include&include={fog},{ashes},{gems}', 'fog', 'ashes', 'gems'),
    found('orderby=include&include={fog},{ashes}&order=desc', 'fog', 'ashes'),
    {
      name: 'include without ids',
      path: '/books?orderby=include',
      status: 400,
      has: { code: 'rest_orderby_include_missing_include' },
    },
    {
      name: 'relevance without a search',
      path: '/books?orderby=relevance',
      status: 400,
      has: { code: 'rest_no_search_term_defined' },
    },
    refused('orderby=genre', 'orderby', 'rest_not_in_enum'),
    refused('order=DESC', 'order', 'rest_not_in_enum'),
  );
});

describe('pages', () => {
  const page = (
    query: string,
    status: number,
    items: string[],
    total: string,
    pages: string,
    link: RegExp | undefined,
  ): Row => ({
    name: `?${query}`,
    path: `/books${query ? `?${query}` : ''}`,
    status,
    items,
    sends: { 'X-WP-Total': total, 'X-WP-TotalPages': pages, ...(link ? { Link: link } : {}) },
  });
  const next = (url: string) => new RegExp(`<${url.replaceAll(/[.?]/g, '\\$&')}>; rel="next"`);
  rows(
    page('', 200, ALL.slice(0, 5), '7', '2', next(`${BASE}/books?page=2`)),
    page('page=2', 200, ALL.slice(5), '7', '2', /rel="prev"/),
    page('per_page=3&page=2', 200, ALL.slice(3, 6), '7', '3', next(`${BASE}/books?per_page=3&page=3`)),
    page('per_page=7', 200, ALL, '7', '1', /^(?!.*rel="next")/),
    page('per_page=2&offset=3', 200, ALL.slice(3, 5), '7', '4', undefined),
    page('offset=7', 200, [], '7', '2', undefined),
    page('offset=2&page=4&per_page=1', 200, [ALL[2]!], '7', '7', undefined),
    page('search=nowhere', 200, [], '0', '0', /^(?!.*rel="(next|prev)")/),
    page('search=nowhere&page=3', 200, [], '0', '0', undefined),
    page(
      'genres=novel&per_page=2',
      200,
      ['ashes', 'evening'],
      '3',
      '2',
      next(`${BASE}/books?genres=novel&per_page=2&page=2`),
    ),
  );
  scenario(
    stage,
    [
      {
        name: 'a page beyond the last, with the code of the schema',
        path: '/books?page=3',
        status: 400,
        has: { code: 'book_no_such_page' },
      },
      {
        name: 'a page beyond the last, without one',
        path: '/authors?page=3',
        status: 200,
        items: [],
        sends: { 'X-WP-Total': '3', 'X-WP-TotalPages': '1', Link: /rel="prev"/ },
      },
      {
        name: 'the furthest page there can be',
        path: `/authors?page=${Number.MAX_SAFE_INTEGER}&per_page=100`,
        status: 200,
        items: [],
        sends: { 'X-WP-Total': '3' },
      },
      {
        name: 'the furthest page, with the code of the schema',
        path: `/books?page=${Number.MAX_SAFE_INTEGER}`,
        status: 400,
        has: { code: 'book_no_such_page' },
      },
      {
        name: 'HEAD has the totals',
        method: 'HEAD',
        path: '/books',
        status: 200,
        sends: { 'X-WP-Total': '7', 'X-WP-TotalPages': '2', Link: /rel="next"/ },
      },
      {
        name: 'a list without pages',
        path: '/branches?per_page=1&page=9',
        status: 200,
        sends: { Link: /^(?!.*rel="next")/ },
      },
      { name: 'a slash before the query', path: '/books/?per_page=1', status: 200, items: ['ashes'] },
      {
        name: 'some fields of each',
        path: '/books?_fields=id,slug&per_page=2',
        status: 200,
        check: (response) =>
          expect(response.body).toEqual([
            { id: saved['ashes'], slug: 'ashes-of-ohtu' },
            { id: saved['bees'], slug: 'bee-keeping' },
          ]),
      },
      {
        name: 'embed context',
        path: '/books?context=embed&per_page=1',
        status: 200,
        check: (response) => expect(Object.keys(response.body[0])).not.toContain('pages'),
      },
      {
        name: 'edit context needs the right',
        path: '/books?context=edit',
        status: 401,
        has: { code: 'rest_forbidden_context' },
      },
      {
        name: 'edit context',
        as: 'librarian',
        path: '/books?context=edit&per_page=1',
        status: 200,
        has: [{ title: { raw: 'Ashes of Õhtu' } }],
      },
      { name: 'Allow for nobody', path: '/books', status: 200, sends: { Allow: 'GET' } },
      { name: 'Allow for a librarian', as: 'librarian', path: '/books', status: 200, sends: { Allow: 'GET, POST' } },
    ],
    saved,
  );
});

describe('refused parameters', () => {
  rows(
    refused('page=0', 'page', 'rest_out_of_bounds'),
    refused('page=-1', 'page', 'rest_out_of_bounds'),
    refused('page=two', 'page', 'rest_invalid_type'),
    refused('per_page=0', 'per_page', 'rest_out_of_bounds'),
    refused('per_page=21', 'per_page', 'rest_out_of_bounds'),
    refused('per_page=1.5', 'per_page', 'rest_invalid_type'),
    refused('offset=-1', 'offset', 'rest_out_of_bounds'),
    refused('include=1,x', 'include', 'rest_invalid_type'),
    refused(`include=${Array.from({ length: 501 }, (_, at) => at + 1).join(',')}`, 'include', 'rest_too_many_items'),
    refused('genre=', 'genre', 'rest_not_in_enum'),
    refused('genre=crime', 'genre', 'rest_not_in_enum'),
    refused('genres=novel,crime', 'genres', 'rest_not_in_enum'),
    refused('after=2021-05-01', 'after', 'rest_invalid_date'),
    refused('after=yesterday', 'after', 'rest_invalid_date'),
    refused('before=2021-02-30T00:00:00', 'before', 'invalid_date'),
    refused('published_after=2021-13-01', 'published_after', 'invalid_date'),
    refused('published_after=May', 'published_after', 'rest_invalid_date'),
    refused('min_pages=many', 'min_pages', 'rest_invalid_type'),
    refused('max_weight=heavy', 'max_weight', 'rest_invalid_type'),
    refused('reference_only=perhaps', 'reference_only', 'rest_invalid_type'),
    refused('in_stock=2', 'in_stock', 'rest_invalid_type'),
    refused('search[a]=b', 'search', 'rest_invalid_type'),
    refused('author[a]=1', 'author', 'rest_invalid_type'),
    refused('context=help', 'context', 'rest_not_in_enum'),
    refused('book=none', 'book', 'rest_invalid_type', '/authors'),
    {
      name: 'all of them at once',
      path: '/books?page=0&per_page=0&genre=crime&after=x',
      status: 400,
      check: ({ body }) => expect(Object.keys(body.data.params).sort()).toEqual(['after', 'genre', 'page', 'per_page']),
    },
  );
});

describe('totals after writes', () => {
  test('follow creations, trashings, restorations and deletions', async () => {
    const total = async (query: string) => {
      const response = await sendRow(library, { name: '', path: `/books?${query}`, status: 200 }, saved);
      return response.headers['x-wp-total'];
    };
    const change = (method: 'POST' | 'DELETE', path: string, body?: object) =>
      sendRow(library, { name: '', as: 'director', method, path, body, status: 200 }, saved);
    const { body } = await change('POST', '/books', { title: 'Short stay', genre: 'essay' });
    saved['guest'] = body.id;
    expect([await total(''), await total('genre=essay'), await total('status=trash')]).toEqual(['8', '2', '0']);
    await change('DELETE', '/books/{guest}');
    expect([await total(''), await total('genre=essay'), await total('status=trash')]).toEqual(['7', '1', '1']);
    await change('POST', '/books/{guest}', { status: 'shelved', genre: 'poetry' });
    expect([await total(''), await total('genre=essay'), await total('genre=poetry')]).toEqual(['8', '1', '3']);
    await change('DELETE', '/books/{guest}?force=true');
    expect([await total(''), await total('genre=poetry'), await total('status=trash')]).toEqual(['7', '2', '0']);
  });
});
