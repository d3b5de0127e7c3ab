// Rows of the matrix for pages: only administrators and editors write them.
import { del, everybody, get, include, post, type Row } from '../permission-cells.js';
import { HIDDEN, type Status } from '../permission-world.js';
import { expectForbiddenStatus } from './posts.js';

const EVERY: Status[] = ['publish', ...HIDDEN];
const METHODS = 'GET, POST, PUT, PATCH, DELETE';

const row = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'check' | 'after' | 'allow'> = {},
): Row => ({ resource: 'pages', operation, request, outcomes, ...more });

export const pages: Row[] = [
  row('list', () => get('/pages'), everybody(200), { allow: { AE: 'GET, POST', 'UCS-': 'GET' } }),
  row('list context=embed', () => get('/pages?context=embed'), everybody(200)),
  row('list context=edit', () => get('/pages?context=edit'), { AE: 200, 'UCS-': 'rest_forbidden_context' }),
  ...['future', 'draft', 'pending', 'private', 'trash', 'any'].map((status) =>
    row(
      `list status=${status}`,
      () => get(`/pages?status=${status}`),
      { AE: 200, 'UCS-': '400 rest_invalid_param' },
      {
        check: expectForbiddenStatus,
      },
    ),
  ),
  row(
    'list status=draft shows',
    async ({ own, others }) => {
      const items = { own: await own('pages', 'draft', {}, 'listed own'), other: await others('pages', 'draft') };
      return get(`/pages?status=draft&${include(items)}`, items);
    },
    { AE: ['own', 'other'], 'UCS-': '400 rest_invalid_param' },
  ),
  row('read published', async ({ others }) => get(`/pages/${await others('pages', 'publish')}`), everybody(200), {
    allow: { AE: METHODS, 'UCS-': 'GET' },
  }),
  ...HIDDEN.flatMap((status) => [
    row(`read own ${status}`, async ({ own }) => get(`/pages/${await own('pages', status)}`), {
      AEUCS: 200,
      '-': 'rest_forbidden',
    }),
    row(
      `read others' ${status}`,
      async ({ others }) => get(`/pages/${await others('pages', status)}`),
      {
        AE: 200,
        'UCS-': 'rest_forbidden',
      },
      { allow: { AE: METHODS, 'UCS-': '' } },
    ),
  ]),
  ...EVERY.flatMap((status) => [
    row(
      `read own ${status} context=edit`,
      async ({ own }) => get(`/pages/${await own('pages', status)}?context=edit`),
      {
        AE: 200,
        'UCS-': 'rest_forbidden_context',
      },
    ),
    row(
      `read others' ${status} context=edit`,
      async ({ others }) => get(`/pages/${await others('pages', status)}?context=edit`),
      {
        AE: 200,
        'UCS-': 'rest_forbidden_context',
      },
    ),
    row(
      `update own ${status}`,
      async ({ own, world }) => post(`/pages/${await own('pages', status)}`, { title: world.text() }),
      {
        AE: 200,
        'UCS-': 'rest_cannot_edit',
      },
    ),
    row(
      `update others' ${status}`,
      async ({ others, world }) => post(`/pages/${await others('pages', status)}`, { title: world.text() }),
      {
        AE: 200,
        'UCS-': 'rest_cannot_edit',
      },
    ),
    row(`delete own ${status}`, async ({ own }) => del(`/pages/${await own('pages', status)}?force=true`), {
      AE: 200,
      'UCS-': 'rest_cannot_delete',
    }),
    row(`delete others' ${status}`, async ({ others }) => del(`/pages/${await others('pages', status)}?force=true`), {
      AE: 200,
      'UCS-': 'rest_cannot_delete',
    }),
  ]),
  ...['draft', 'pending', 'publish', 'private', 'future'].map((status) =>
    row(`create ${status}`, ({ world }) => post('/pages', { title: world.text(), status }), {
      AE: 201,
      'UCS-': 'rest_cannot_create',
    }),
  ),
  row('create with another author', ({ world, other }) => post('/pages', { title: world.text(), author: other }), {
    AE: 201,
    'UCS-': 'rest_cannot_edit_others',
  }),
  row('create with an unknown parent', ({ world }) => post('/pages', { title: world.text(), parent: 999999 }), {
    AE: '400 rest_post_invalid_id',
    'UCS-': 'rest_cannot_create',
  }),
  row('create with an id', () => post('/pages', { id: 5, title: 'x' }), everybody('400 rest_post_exists')),
  row('create with a bad parameter', () => post('/pages', { status: 'nonsense' }), everybody('400 rest_invalid_param')),
  row('read unknown', () => get('/pages/999999?context=edit'), everybody('404 rest_post_invalid_id')),
  row('update unknown', () => post('/pages/999999', {}), everybody('404 rest_post_invalid_id')),
  row('delete unknown', () => del('/pages/999999'), everybody('404 rest_post_invalid_id')),
  row(
    'read a post',
    async ({ others }) => get(`/pages/${await others('posts', 'publish')}`),
    everybody('404 rest_post_invalid_id'),
  ),
];
