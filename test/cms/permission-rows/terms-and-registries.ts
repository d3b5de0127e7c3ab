// Rows of the matrix for tags and categories, for what is only read (taxonomies, types, statuses), and for the settings.
import { expect } from '@jest/globals';
import { del, everybody, get, post, type Row } from '../permission-cells.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const METHODS_OF_ONE = 'GET, POST, PUT, PATCH';
type More = Pick<Row, 'check' | 'after' | 'allow'>;

const rowsOf =
  (resource: string) =>
  (operation: string, request: Row['request'], outcomes: Row['outcomes'], more: More = {}): Row => ({
    resource,
    operation,
    request,
    outcomes,
    ...more,
  });

const termRows = (kind: 'tags' | 'categories', makers: Row['outcomes'], allow: Record<string, string>): Row[] => {
  const row = rowsOf(kind);
  return [
    row('list', () => get(`/${kind}`), everybody(200), { allow }),
    row('list, OPTIONS', () => ({ method: 'OPTIONS', path: `/${kind}` }), everybody(200), { allow }),
    row('list context=embed', () => get(`/${kind}?context=embed`), everybody(200)),
    row('list context=edit', () => get(`/${kind}?context=edit`), { AE: 200, 'UCS-': 'rest_forbidden_context' }),
    row(
      'list post=<published>',
      async ({ others }) => get(`/${kind}?post=${await others('posts', 'publish')}`),
      everybody(200),
    ),
    row("list post=<others' draft>", async ({ others }) => get(`/${kind}?post=${await others('posts', 'draft')}`), {
      AE: 200,
      'UCS-': 'rest_forbidden_context',
    }),
    row('list post=<own draft>', async ({ own }) => get(`/${kind}?post=${await own('posts', 'draft')}`), {
      AEUCS: 200,
      '-': 'rest_forbidden_context',
    }),
    row('list post=<unknown>', () => get(`/${kind}?post=999999`), everybody('400 rest_post_invalid_id')),
    row('read', async ({ world }) => get(`/${kind}/${await world.term(kind)}`), everybody(200), {
      allow: { AE: METHODS, 'UCS-': 'GET' },
    }),
    row(
      'read, OPTIONS',
      async ({ world }) => ({ method: 'OPTIONS', path: `/${kind}/${await world.term(kind)}` }),
      everybody(200),
      {
        allow: { AE: METHODS, 'UCS-': 'GET' },
      },
    ),
    row('read context=edit', async ({ world }) => get(`/${kind}/${await world.term(kind)}?context=edit`), {
      AE: 200,
      'UCS-': 'rest_forbidden_context',
    }),
    row('create', ({ world }) => post(`/${kind}`, { name: world.text() }), makers),
    row('create without a name', () => post(`/${kind}`, {}), everybody('400 rest_missing_callback_param')),
    row('create with a bad parameter', () => post(`/${kind}`, { name: ['x'] }), everybody('400 rest_invalid_param')),
    row('update', async ({ world }) => post(`/${kind}/${await world.term(kind)}`, { description: world.text() }), {
      AE: 200,
      'UCS-': 'rest_cannot_update',
    }),
    row('update with nothing', async ({ world }) => post(`/${kind}/${await world.term(kind)}`), {
      AE: 200,
      'UCS-': 'rest_cannot_update',
    }),
    row('delete', async ({ world }) => del(`/${kind}/${await world.term(kind)}?force=true`), {
      AE: 200,
      'UCS-': 'rest_cannot_delete',
    }),
    row('delete without force', async ({ world }) => del(`/${kind}/${await world.term(kind)}`), {
      AE: '501 rest_trash_not_supported',
      'UCS-': 'rest_cannot_delete',
    }),
    row('read unknown', () => get(`/${kind}/999999?context=edit`), everybody('404 rest_term_invalid')),
    row('update unknown', () => post(`/${kind}/999999`, { name: 'x' }), everybody('404 rest_term_invalid')),
    row('delete unknown', () => del(`/${kind}/999999?force=true`), everybody('404 rest_term_invalid')),
    row(
      'update of the other kind',
      async ({ world }) => post(`/${kind}/${await world.term(kind === 'tags' ? 'categories' : 'tags')}`, {}),
      everybody('404 rest_term_invalid'),
    ),
  ];
};

const categories = rowsOf('categories');
const taxonomies = rowsOf('taxonomies');
const types = rowsOf('types');
const statuses = rowsOf('statuses');
const settings = rowsOf('settings');

const expectKeys =
  (by: Record<string, string[]>): NonNullable<Row['check']> =>
  ({ body, status }, { letter }) => {
    if (status !== 200) return;
    const wanted = Object.entries(by).find(([letters]) => letters.includes(letter))?.[1];
    // Members of an object have no order.
    expect(Object.keys(body).sort()).toEqual([...(wanted ?? [])].sort());
  };

const readOnly: Row[] = [
  taxonomies('list', () => get('/taxonomies'), everybody(200), {
    allow: { 'AEUCS-': 'GET' },
    check: expectKeys({ 'AEUCS-': ['category', 'post_tag'] }),
  }),
  taxonomies(
    'list context=edit',
    () => get('/taxonomies?context=edit'),
    { AEUC: 200, 'S-': 'rest_cannot_view' },
    {
      check: expectKeys({ AEUC: ['category', 'post_tag'] }),
    },
  ),
  ...['category', 'post_tag'].flatMap((slug) => [
    taxonomies(`read ${slug}`, () => get(`/taxonomies/${slug}`), everybody(200), { allow: { 'AEUCS-': 'GET' } }),
    taxonomies(`read ${slug} context=edit`, () => get(`/taxonomies/${slug}?context=edit`), {
      AEUC: 200,
      'S-': 'rest_forbidden_context',
    }),
  ]),
  ...['nav_menu', 'link_category', 'post_format'].map((slug) =>
    taxonomies(`read ${slug}`, () => get(`/taxonomies/${slug}`), everybody('rest_forbidden')),
  ),
  taxonomies('read unknown', () => get('/taxonomies/nothing?context=edit'), everybody('404 rest_taxonomy_invalid')),
  taxonomies('create', () => post('/taxonomies', {}), everybody('404 rest_no_route')),
  types('list', () => get('/types'), everybody(200), {
    allow: { 'AEUCS-': 'GET' },
    check: expectKeys({ 'AEUCS-': ['post', 'page', 'attachment'] }),
  }),
  types(
    'list context=edit',
    () => get('/types?context=edit'),
    { AEUC: 200, 'S-': 'rest_cannot_view' },
    {
      check: expectKeys({ AE: ['post', 'page', 'attachment'], UC: ['post', 'attachment'] }),
    },
  ),
  ...['post', 'attachment'].map((slug) =>
    types(`read ${slug} context=edit`, () => get(`/types/${slug}?context=edit`), {
      AEUC: 200,
      'S-': 'rest_forbidden_context',
    }),
  ),
  types('read page context=edit', () => get('/types/page?context=edit'), { AE: 200, 'UCS-': 'rest_forbidden_context' }),
  ...['post', 'page', 'attachment'].map((slug) => types(`read ${slug}`, () => get(`/types/${slug}`), everybody(200))),
  types('read revision', () => get('/types/revision'), everybody('rest_cannot_read_type')),
  types('read unknown', () => get('/types/nothing?context=edit'), everybody('404 rest_type_invalid')),
  types('update', () => post('/types/post', {}), everybody('404 rest_no_route')),
  statuses('list', () => get('/statuses'), everybody(200), {
    check: expectKeys({ AEUC: ['publish', 'future', 'draft', 'pending', 'private', 'trash'], 'S-': ['publish'] }),
  }),
  statuses('list context=edit', () => get('/statuses?context=edit'), { AEUC: 200, 'S-': 'rest_cannot_view' }),
  statuses('read publish', () => get('/statuses/publish'), everybody(200)),
  ...['future', 'draft', 'pending', 'private', 'trash'].map((slug) =>
    statuses(`read ${slug}`, () => get(`/statuses/${slug}`), { AEUC: 200, 'S-': 'rest_cannot_read_status' }),
  ),
  statuses('read unknown', () => get('/statuses/nothing'), everybody('404 rest_status_invalid')),
];

const settingsRows: Row[] = [
  settings(
    'read',
    () => get('/settings'),
    { A: 200, 'EUCS-': 'rest_forbidden' },
    { allow: { A: METHODS_OF_ONE, 'EUCS-': '' } },
  ),
  settings('read context=edit', () => get('/settings?context=edit'), { A: 200, 'EUCS-': 'rest_forbidden' }),
  settings('update', () => post('/settings', { start_of_week: 1 }), { A: 200, 'EUCS-': 'rest_forbidden' }),
  settings('update with nothing', () => post('/settings', {}), { A: 200, 'EUCS-': 'rest_forbidden' }),
  settings('delete', () => del('/settings'), everybody('404 rest_no_route')),
  settings('read as an item', () => get('/settings/1'), everybody('404 rest_no_route')),
];

export const termsAndRegistries: Row[] = [
  ...termRows('tags', { AEUC: 201, 'S-': 'rest_cannot_create' }, { AEUC: 'GET, POST', 'S-': 'GET' }),
  ...termRows('categories', { AE: 201, 'UCS-': 'rest_cannot_create' }, { AE: 'GET, POST', 'UCS-': 'GET' }),
  categories('delete the default', () => del('/categories/1?force=true'), everybody('rest_cannot_delete')),
  categories('read the default', () => get('/categories/1'), everybody(200), {
    allow: { AE: 'GET, POST, PUT, PATCH', 'UCS-': 'GET' },
  }),
  ...readOnly,
  ...settingsRows,
];
