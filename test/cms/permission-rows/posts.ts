// Rows of the matrix for posts.
import { expect } from '@jest/globals';
import { del, everybody, get, include, post, type Row } from '../permission-cells.js';
import { HIDDEN, OPEN, PASSWORD, PUBLISHED, type Status } from '../permission-world.js';

const EVERY: Status[] = ['publish', ...HIDDEN];
const METHODS = 'GET, POST, PUT, PATCH, DELETE';

const row = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'check' | 'after' | 'allow'> = {},
): Row => ({ resource: 'posts', operation, request, outcomes, ...more });

/** The status filter of a list is refused as a bad parameter; the reason is inside it. */
export const expectForbiddenStatus: NonNullable<Row['check']> = ({ status, body }, { letter }) => {
  if (status !== 400) return;
  expect(body.data.details.status).toMatchObject({
    code: 'rest_forbidden_status',
    data: { status: letter === '-' ? 401 : 403 },
  });
};

const lists: Row[] = [
  row('list', () => get('/posts'), everybody(200)),
  row('list context=embed', () => get('/posts?context=embed'), everybody(200)),
  row('list status=publish', () => get('/posts?status=publish'), everybody(200)),
  row('list context=edit', () => get('/posts?context=edit'), { AEUC: 200, 'S-': 'rest_forbidden_context' }),
  ...['future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit', 'any', 'publish,draft'].map((status) =>
    row(
      `list status=${status}`,
      () => get(`/posts?status=${status}`),
      { AEUC: 200, 'S-': '400 rest_invalid_param' },
      {
        check: expectForbiddenStatus,
      },
    ),
  ),
  ...(['future', 'draft', 'pending', 'private', 'trash'] as const).map((status) =>
    row(
      `list status=${status} shows`,
      async ({ own, others }) => {
        const items = { own: await own('posts', status, {}, 'listed own'), other: await others('posts', status) };
        return get(`/posts?status=${status}&${include(items)}`, items);
      },
      { AE: ['own', 'other'], UC: ['own'], 'S-': '400 rest_invalid_param' },
    ),
  ),
  row(
    'list context=edit shows what one may edit',
    async ({ own, others }) => {
      const items = { own: await own('posts', 'publish', {}, 'listed own'), other: await others('posts', 'publish') };
      return get(`/posts?context=edit&${include(items)}`, items);
    },
    { AE: ['own', 'other'], U: ['own'], C: [], 'S-': 'rest_forbidden_context' },
  ),
  row(
    'list context=edit status=draft shows what one may edit',
    async ({ own, others }) => {
      const items = { own: await own('posts', 'draft', {}, 'listed own'), other: await others('posts', 'draft') };
      return get(`/posts?context=edit&status=draft&${include(items)}`, items);
    },
    { AE: ['own', 'other'], UC: ['own'], 'S-': '400 rest_invalid_param' },
  ),
  row(
    'list filter[post_status]=draft',
    async ({ own, others }) => {
      const items = { own: await own('posts', 'draft', {}, 'listed own'), other: await others('posts', 'draft') };
      return get(`/posts?filter[post_status]=draft&${include(items)}`, items);
    },
    { AE: ['own', 'other'], UC: ['own'], 'S-': [] },
  ),
  row(
    'list filter of a public name',
    async ({ others }) => {
      const items = { one: await others('posts', 'publish'), two: await others('posts', 'publish', {}, 'second') };
      return get(`/posts?filter[p]=${items.one}&${include(items)}`, items);
    },
    everybody(['one']),
  ),
  row(
    'list filter of a private name',
    async ({ others }) => {
      const one = { title: 'A title of its own' };
      const items = { one: await others('posts', 'publish', one), two: await others('posts', 'publish') };
      return get(`/posts?filter[title]=${encodeURIComponent(one.title)}&${include(items)}`, items);
    },
    { AEUC: ['one'], 'S-': ['one', 'two'] },
  ),
  row('list of a bad parameter', () => get('/posts?context=edit&per_page=0'), everybody('400 rest_invalid_param')),
];

const reads: Row[] = [
  ...['view', 'embed'].map((context) =>
    row(
      `read published context=${context}`,
      async ({ others }) => get(`/posts/${await others('posts', 'publish')}?context=${context}`),
      everybody(200),
    ),
  ),
  ...HIDDEN.flatMap((status) => [
    row(`read own ${status}`, async ({ own }) => get(`/posts/${await own('posts', status)}`), {
      AEUCS: 200,
      '-': 'rest_forbidden',
    }),
    row(`read others' ${status}`, async ({ others }) => get(`/posts/${await others('posts', status)}`), {
      AE: 200,
      'UCS-': 'rest_forbidden',
    }),
    row(
      `read others' ${status} context=embed`,
      async ({ others }) => get(`/posts/${await others('posts', status)}?context=embed`),
      { AE: 200, 'UCS-': 'rest_forbidden' },
    ),
  ]),
  ...OPEN.map((status) =>
    row(
      `read own ${status} context=edit`,
      async ({ own }) => get(`/posts/${await own('posts', status)}?context=edit`),
      { AEUC: 200, 'S-': 'rest_forbidden_context' },
    ),
  ),
  ...PUBLISHED.map((status) =>
    row(
      `read own ${status} context=edit`,
      async ({ own }) => get(`/posts/${await own('posts', status)}?context=edit`),
      { AEU: 200, 'CS-': 'rest_forbidden_context' },
    ),
  ),
  ...EVERY.map((status) =>
    row(
      `read others' ${status} context=edit`,
      async ({ others }) => get(`/posts/${await others('posts', status)}?context=edit`),
      { AE: 200, 'UCS-': 'rest_forbidden_context' },
    ),
  ),
  row(
    'read protected without its password',
    async ({ others }) => get(`/posts/${await others('posts', 'publish', { password: PASSWORD })}`),
    everybody(200),
    {
      check: ({ body }) => {
        expect(body.content).toEqual({ rendered: '', protected: true });
        expect(body.excerpt).toEqual({ rendered: '', protected: true });
      },
    },
  ),
  row(
    'read protected with its password',
    async ({ others }) =>
      get(
        `/posts/${await others('posts', 'publish', { password: PASSWORD })}?password=${encodeURIComponent(PASSWORD)}`,
      ),
    everybody(200),
    { check: ({ body }) => expect(body.content).toMatchObject({ rendered: expect.stringContaining('Text number') }) },
  ),
  row(
    'read protected with a wrong password',
    async ({ others }) => get(`/posts/${await others('posts', 'publish', { password: PASSWORD })}?password=wrong`),
    everybody('403 rest_post_incorrect_password'),
  ),
  row(
    'read unprotected with a password',
    async ({ others }) => get(`/posts/${await others('posts', 'publish')}?password=wrong`),
    everybody('403 rest_post_incorrect_password'),
  ),
  row(
    'read protected context=edit',
    async ({ others }) => get(`/posts/${await others('posts', 'publish', { password: PASSWORD })}?context=edit`),
    { AE: 200, 'UCS-': 'rest_forbidden_context' },
    {
      check: ({ body, status }) =>
        status === 200 &&
        expect(body).toMatchObject({ password: PASSWORD, content: { rendered: expect.stringContaining('Text') } }),
    },
  ),
  row(
    "read others' draft with a password",
    async ({ others }) =>
      get(`/posts/${await others('posts', 'draft', { password: PASSWORD })}?password=open%20sesame`),
    { AE: 200, 'UCS-': 'rest_forbidden' },
  ),
  row(
    "HEAD others' draft",
    async ({ others }) => ({ method: 'HEAD', path: `/posts/${await others('posts', 'draft')}` }),
    {
      AE: 200,
      'UC S': '403 undefined',
      '-': '401 undefined',
    },
  ),
];

const creates: Row[] = [
  ...['draft', 'pending'].map((status) =>
    row(`create ${status}`, ({ world }) => post('/posts', { title: world.text(), status }), {
      AEUC: 201,
      'S-': 'rest_cannot_create',
    }),
  ),
  row('create without a status', ({ world }) => post('/posts', { title: world.text() }), {
    AEUC: 201,
    'S-': 'rest_cannot_create',
  }),
  ...['publish', 'private', 'future'].map((status) =>
    row(
      `create ${status}`,
      ({ world }) =>
        post('/posts', { title: world.text(), status, date: status === 'future' ? '2099-01-01T00:00:00' : undefined }),
      { AEU: 201, C: 'rest_cannot_publish', 'S-': 'rest_cannot_create' },
    ),
  ),
  row('create with oneself as author', ({ world, me }) => post('/posts', { title: world.text(), author: me }), {
    AEUC: 201,
    S: 'rest_cannot_create',
    '-': 'rest_cannot_edit_others',
  }),
  row('create with author 0', ({ world }) => post('/posts', { title: world.text(), author: 0 }), {
    AEUC: 201,
    'S-': 'rest_cannot_create',
  }),
  row('create with another author', ({ world, other }) => post('/posts', { title: world.text(), author: other }), {
    AE: 201,
    'UCS-': 'rest_cannot_edit_others',
  }),
  row('create with an unknown author', ({ world }) => post('/posts', { title: world.text(), author: 999999 }), {
    AE: '400 rest_invalid_author',
    'UCS-': 'rest_cannot_edit_others',
  }),
  row('create sticky', ({ world }) => post('/posts', { title: world.text(), sticky: true }), {
    AEU: 201,
    'CS-': 'rest_cannot_assign_sticky',
  }),
  row('create with sticky false', ({ world }) => post('/posts', { title: world.text(), sticky: false }), {
    AEUC: 201,
    'S-': 'rest_cannot_create',
  }),
  row(
    'create with terms',
    async ({ world }) =>
      post('/posts', {
        title: world.text(),
        categories: [await world.term('categories')],
        tags: [await world.term('tags')],
      }),
    { AEUC: 201, 'S-': 'rest_cannot_create' },
  ),
];

const orderOfCreate: Row[] = [
  row('create empty', () => post('/posts', {}), { AEUC: '400 empty_content', 'S-': 'rest_cannot_create' }),
  row(
    'create with an id before author, sticky and right',
    ({ other }) => post('/posts', { id: 5, author: other, sticky: true }),
    everybody('400 rest_post_exists'),
  ),
  row(
    'create with a bad parameter before everything else',
    ({ other }) => post('/posts', { id: 5, author: other, status: 'nonsense' }),
    everybody('400 rest_invalid_param'),
  ),
  row(
    'create with bad JSON before everything else',
    () => ({ method: 'POST', path: '/posts', body: '{"title":', headers: { 'Content-Type': 'application/json' } }),
    everybody('400 rest_invalid_json'),
  ),
  row(
    'create with another author before sticky and status',
    ({ world, other }) => post('/posts', { title: world.text(), author: other, sticky: true, status: 'publish' }),
    { AE: 201, 'UCS-': 'rest_cannot_edit_others' },
  ),
  row(
    'create sticky before right and status',
    ({ world }) => post('/posts', { title: world.text(), sticky: true, status: 'publish' }),
    {
      AEU: 201,
      'CS-': 'rest_cannot_assign_sticky',
    },
  ),
  row(
    'create sticky and protected',
    ({ world }) => post('/posts', { title: world.text(), sticky: true, password: PASSWORD }),
    { AEU: '400 rest_invalid_field', 'CS-': 'rest_cannot_assign_sticky' },
  ),
  row(
    'create published with an unknown author: status first',
    ({ world }) => post('/posts', { title: world.text(), status: 'nonsense', author: 999999 }),
    everybody('400 rest_invalid_param'),
  ),
];

const updates: Row[] = [
  ...OPEN.map((status) =>
    row(
      `update own ${status}`,
      async ({ own, world }) => post(`/posts/${await own('posts', status)}`, { title: world.text() }),
      {
        AEUC: 200,
        'S-': 'rest_cannot_edit',
      },
    ),
  ),
  ...PUBLISHED.map((status) =>
    row(
      `update own ${status}`,
      async ({ own, world }) => post(`/posts/${await own('posts', status)}`, { title: world.text() }),
      {
        AEU: 200,
        'CS-': 'rest_cannot_edit',
      },
    ),
  ),
  ...EVERY.map((status) =>
    row(
      `update others' ${status}`,
      async ({ others, world }) => post(`/posts/${await others('posts', status)}`, { title: world.text() }),
      { AE: 200, 'UCS-': 'rest_cannot_edit' },
    ),
  ),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    row(
      `${method} others' published`,
      async ({ others, world }) => ({
        method,
        path: `/posts/${await others('posts', 'publish')}`,
        body: { title: world.text() },
      }),
      { AE: 200, 'UCS-': 'rest_cannot_edit' },
    ),
  ),
  row('update own published with nothing', async ({ own }) => post(`/posts/${await own('posts', 'publish')}`, {}), {
    AEU: 200,
    'CS-': 'rest_cannot_edit',
  }),
  row(
    'update own draft with another author',
    async ({ own, others, letter, world }) =>
      // The caller of these two rows may be the administrator, whose own items are nobody else's.
      post(`/posts/${await (letter === '-' ? others : own)('posts', 'draft')}`, { author: world.peer.id }),
    { AE: 200, UC: 'rest_cannot_edit_others', 'S-': 'rest_cannot_edit' },
  ),
  row(
    'update own draft with oneself as author',
    async ({ own, me }) => post(`/posts/${await own('posts', 'draft')}`, { author: me }),
    {
      AEUC: 200,
      'S-': 'rest_cannot_edit',
    },
  ),
  row(
    'update own draft with an unknown author',
    async ({ own }) => post(`/posts/${await own('posts', 'draft')}`, { author: 999999 }),
    {
      AE: '400 rest_invalid_author',
      UC: 'rest_cannot_edit_others',
      'S-': 'rest_cannot_edit',
    },
  ),
  row('update own draft sticky', async ({ own }) => post(`/posts/${await own('posts', 'draft')}`, { sticky: true }), {
    AEU: 200,
    C: 'rest_cannot_assign_sticky',
    'S-': 'rest_cannot_edit',
  }),
  row(
    'update own draft with sticky false',
    async ({ own }) => post(`/posts/${await own('posts', 'draft')}`, { sticky: false }),
    {
      AEUC: 200,
      'S-': 'rest_cannot_edit',
    },
  ),
  row(
    'update own draft with terms',
    async ({ own, world }) => post(`/posts/${await own('posts', 'draft')}`, { tags: [await world.term('tags')] }),
    { AEUC: 200, 'S-': 'rest_cannot_edit' },
  ),
  ...['publish', 'private', 'future'].map((status) =>
    row(
      `update own draft to ${status}`,
      async ({ own }) =>
        post(`/posts/${await own('posts', 'draft')}`, {
          status,
          date: status === 'future' ? '2099-01-01T00:00:00' : undefined,
        }),
      { AEU: 200, C: 'rest_cannot_publish', 'S-': 'rest_cannot_edit' },
    ),
  ),
  ...(['draft', 'pending'] as const).map((status) =>
    row(`update own draft to ${status}`, async ({ own }) => post(`/posts/${await own('posts', 'draft')}`, { status }), {
      AEUC: 200,
      'S-': 'rest_cannot_edit',
    }),
  ),
  row(
    'update own private, status unchanged',
    async ({ own }) => post(`/posts/${await own('posts', 'private')}`, { status: 'private' }),
    {
      AEUC: 200,
      'S-': 'rest_cannot_edit',
    },
  ),
  row(
    'update own trashed draft to publish',
    async ({ own }) => post(`/posts/${await own('posts', 'trashed draft')}`, { status: 'publish' }),
    {
      AEU: 200,
      C: 'rest_cannot_publish',
      'S-': 'rest_cannot_edit',
    },
  ),
];

const orderOfUpdate: Row[] = [
  row(
    "update others': edit before author and sticky",
    async ({ others, world }) =>
      post(`/posts/${await others('posts', 'draft')}`, { author: world.people.A.id, sticky: true }),
    { AE: 200, 'UCS-': 'rest_cannot_edit' },
  ),
  row(
    'update own draft: author before sticky and status',
    async ({ own, world }) =>
      post(`/posts/${await own('posts', 'draft')}`, { author: world.peer.id, sticky: true, status: 'publish' }),
    { AE: 200, UC: 'rest_cannot_edit_others', 'S-': 'rest_cannot_edit' },
  ),
  row(
    'update own draft: sticky before status',
    async ({ own }) => post(`/posts/${await own('posts', 'draft')}`, { sticky: true, status: 'publish' }),
    { AEU: 200, C: 'rest_cannot_assign_sticky', 'S-': 'rest_cannot_edit' },
  ),
  row(
    "update others' with a bad parameter",
    async ({ others }) => post(`/posts/${await others('posts', 'draft')}`, { sticky: 'perhaps' }),
    everybody('400 rest_invalid_param'),
  ),
  row(
    'update unknown with a bad parameter',
    () => post('/posts/999999', { sticky: 'perhaps' }),
    everybody('400 rest_invalid_param'),
  ),
  row('update unknown', () => post('/posts/999999', { title: 'x' }), everybody('404 rest_post_invalid_id')),
  row('delete unknown', () => del('/posts/999999'), everybody('404 rest_post_invalid_id')),
  row(
    'delete unknown with a bad parameter',
    () => del('/posts/999999?force=perhaps'),
    everybody('400 rest_invalid_param'),
  ),
  row('read unknown', () => get('/posts/999999'), everybody('404 rest_post_invalid_id')),
  row('read unknown context=edit', () => get('/posts/999999?context=edit'), everybody('404 rest_post_invalid_id')),
  row('read id 0', () => get('/posts/0'), everybody('404 rest_post_invalid_id')),
  row(
    'read a page',
    async ({ others }) => get(`/posts/${await others('pages', 'publish')}`),
    everybody('404 rest_post_invalid_id'),
  ),
  row(
    'delete a page',
    async ({ others }) => del(`/posts/${await others('pages', 'draft')}?force=true`),
    everybody('404 rest_post_invalid_id'),
  ),
  row(
    'update with the id of another in the body',
    async ({ own, others, world }) =>
      post(`/posts/${await others('posts', 'publish')}`, { id: await own('posts', 'draft'), title: world.text() }),
    {
      AE: 200,
      'UCS-': 'rest_cannot_edit',
    },
  ),
  row('no such method', () => ({ method: 'PUT', path: '/posts', body: {} }), everybody('404 rest_no_route')),
];

const deletes: Row[] = [
  ...(['draft', 'pending', 'private'] as const).flatMap((status) => [
    row(`delete own ${status}`, async ({ own }) => del(`/posts/${await own('posts', status)}`), {
      AEUC: 200,
      'S-': 'rest_cannot_delete',
    }),
  ]),
  ...(['publish', 'future'] as const).map((status) =>
    row(`delete own ${status}`, async ({ own }) => del(`/posts/${await own('posts', status)}`), {
      AEU: 200,
      'CS-': 'rest_cannot_delete',
    }),
  ),
  row('delete own trash', async ({ own }) => del(`/posts/${await own('posts', 'trash')}`), {
    AEU: '410 rest_already_trashed',
    'CS-': 'rest_cannot_delete',
  }),
  row('delete own trashed draft', async ({ own }) => del(`/posts/${await own('posts', 'trashed draft')}`), {
    AEUC: '410 rest_already_trashed',
    'S-': 'rest_cannot_delete',
  }),
  ...OPEN.map((status) =>
    row(`delete own ${status} for good`, async ({ own }) => del(`/posts/${await own('posts', status)}?force=true`), {
      AEUC: 200,
      'S-': 'rest_cannot_delete',
    }),
  ),
  ...PUBLISHED.map((status) =>
    row(`delete own ${status} for good`, async ({ own }) => del(`/posts/${await own('posts', status)}?force=true`), {
      AEU: 200,
      'CS-': 'rest_cannot_delete',
    }),
  ),
  ...EVERY.filter((status) => !status.startsWith('trash')).map((status) =>
    row(`delete others' ${status}`, async ({ others }) => del(`/posts/${await others('posts', status)}`), {
      AE: 200,
      'UCS-': 'rest_cannot_delete',
    }),
  ),
  ...EVERY.map((status) =>
    row(
      `delete others' ${status} for good`,
      async ({ others }) => del(`/posts/${await others('posts', status)}`, { force: true }),
      {
        AE: 200,
        'UCS-': 'rest_cannot_delete',
      },
    ),
  ),
  row(
    "delete others' published by method override",
    async ({ others }) => ({
      method: 'POST',
      path: `/posts/${await others('posts', 'publish')}`,
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
      body: {},
    }),
    { AE: 200, 'UCS-': 'rest_cannot_delete' },
  ),
];

const allowed: Row[] = [
  row('Allow of the list', () => get('/posts'), everybody(200), { allow: { AEUC: 'GET, POST', 'S-': 'GET' } }),
  row('Allow of the list, OPTIONS', () => ({ method: 'OPTIONS', path: '/posts' }), everybody(200), {
    allow: { AEUC: 'GET, POST', 'S-': 'GET' },
  }),
  row(
    'Allow of a refused create',
    ({ other, world }) => post('/posts', { title: world.text(), author: other }),
    { AE: 201, 'UCS-': 'rest_cannot_edit_others' },
    {
      allow: { AE: 'GET, POST', 'UCS-': 'GET' },
    },
  ),
  row(
    'Allow of a refused status',
    ({ world }) => post('/posts', { title: world.text(), status: 'publish' }),
    {
      AEU: 201,
      C: 'rest_cannot_publish',
      'S-': 'rest_cannot_create',
    },
    { allow: { AEUC: 'GET, POST', 'S-': 'GET' } },
  ),
  ...(['GET', 'OPTIONS'] as const).flatMap((method) => [
    row(
      `Allow of own published, ${method}`,
      async ({ own }) => ({ method, path: `/posts/${await own('posts', 'publish')}` }),
      everybody(200),
      {
        allow: { AEU: METHODS, 'CS-': 'GET' },
      },
    ),
    row(
      `Allow of others' published, ${method}`,
      async ({ others }) => ({ method, path: `/posts/${await others('posts', 'publish')}` }),
      everybody(200),
      {
        allow: { AE: METHODS, 'UCS-': 'GET' },
      },
    ),
  ]),
  row(
    'Allow of own draft',
    async ({ own }) => get(`/posts/${await own('posts', 'draft')}`),
    { AEUCS: 200, '-': 'rest_forbidden' },
    {
      allow: { AEUC: METHODS, S: 'GET', '-': '' },
    },
  ),
  row(
    "Allow of others' draft",
    async ({ others }) => get(`/posts/${await others('posts', 'draft')}`),
    { AE: 200, 'UCS-': 'rest_forbidden' },
    {
      allow: { AE: METHODS, 'UCS-': '' },
    },
  ),
  row(
    "Allow of others' published, context=edit",
    async ({ others }) => get(`/posts/${await others('posts', 'publish')}?context=edit`),
    { AE: 200, 'UCS-': 'rest_forbidden_context' },
    {
      allow: { AE: METHODS, 'UCS-': '' },
    },
  ),
  row(
    "Allow of a refused update of others' published",
    async ({ others }) => post(`/posts/${await others('posts', 'publish')}`, { title: 'x' }),
    { AE: 200, 'UCS-': 'rest_cannot_edit' },
    {
      allow: { AE: METHODS, 'UCS-': 'GET' },
    },
  ),
  row(
    "Allow of a refused delete of others' draft",
    async ({ others }) => del(`/posts/${await others('posts', 'draft')}`),
    { AE: 200, 'UCS-': 'rest_cannot_delete' },
    {
      allow: { AE: METHODS, 'UCS-': '' },
    },
  ),
  row('Allow of an unknown item', () => get('/posts/999999'), everybody('404 rest_post_invalid_id'), {
    allow: { AEUC: METHODS, 'S-': 'GET' },
  }),
  row('Allow of no route', () => get('/posts/abc'), everybody('404 rest_no_route'), { allow: { 'AEUCS-': '' } }),
];

export const posts: Row[] = [
  ...lists,
  ...reads,
  ...creates,
  ...orderOfCreate,
  ...updates,
  ...orderOfUpdate,
  ...deletes,
  ...allowed,
];
