// Rows of the matrix for media: by owner, status, and the post an item is attached to.
import { expect } from '@jest/globals';
import { del, everybody, get, include, post, type Row, type Stage } from '../permission-cells.js';
import { upload, type Status } from '../permission-world.js';
import { expectForbiddenStatus } from './posts.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

const row = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'check' | 'after' | 'allow'> = {},
): Row => ({ resource: 'media', operation, request, outcomes, ...more });

const owned = (stage: Stage, extra: { status?: Status; post?: number } = {}, tag = '') =>
  stage.world.media(stage.me, extra, tag);
const foreign = (stage: Stage, extra: { status?: Status; post?: number } = {}, tag = '') =>
  stage.world.media(stage.other, extra, tag);

const reads: Row[] = [
  row('list', () => get('/media'), everybody(200), { allow: { AEU: 'GET, POST', 'CS-': 'GET' } }),
  row('list context=edit', () => get('/media?context=edit'), { AEUC: 200, 'S-': 'rest_forbidden_context' }),
  ...['private', 'trash', 'draft', 'pending', 'future', 'publish', 'any'].map((status) =>
    row(
      `list status=${status}`,
      () => get(`/media?status=${status}`),
      { AEUC: 200, 'S-': '400 rest_invalid_param' },
      {
        check: expectForbiddenStatus,
      },
    ),
  ),
  row('list status=inherit', () => get('/media?status=inherit'), everybody(200)),
  row(
    'list context=edit shows what one may edit',
    async (stage) => {
      const items = { own: await owned(stage, {}, 'listed own'), other: await foreign(stage) };
      return get(`/media?context=edit&${include(items)}`, items);
    },
    { AE: ['own', 'other'], UC: ['own'], 'S-': 'rest_forbidden_context' },
  ),
  row(
    'list shows by the post they are attached to',
    async (stage) => {
      const items = {
        free: await foreign(stage),
        published: await foreign(stage, { post: await stage.others('posts', 'publish') }),
        draft: await foreign(stage, { post: await stage.others('posts', 'draft') }),
        private: await foreign(stage, { post: await stage.others('posts', 'private') }),
        page: await foreign(stage, { post: await stage.others('pages', 'draft') }),
        own: await stage.world.media(stage.other, { post: await stage.own('posts', 'draft', {}, 'with media') }),
      };
      return get(`/media?${include(items)}`, items);
    },
    {
      AE: ['free', 'published', 'draft', 'private', 'page', 'own'],
      UCS: ['free', 'published', 'own'],
      '-': ['free', 'published'],
    },
  ),
  row(
    'list parent=<hidden post>',
    async (stage) => {
      const parent = await stage.others('posts', 'draft');
      return get(`/media?parent=${parent}`, { draft: await foreign(stage, { post: parent }) });
    },
    { AE: ['draft'], 'UCS-': [] },
  ),
  row('read unattached', async (stage) => get(`/media/${await foreign(stage)}`), everybody(200), {
    allow: { AE: METHODS, 'UCS-': 'GET' },
  }),
  row('read own', async (stage) => get(`/media/${await owned(stage)}`), everybody(200), {
    allow: { AEUC: METHODS, 'S-': 'GET' },
  }),
  row(
    'read of a published post',
    async (stage) => get(`/media/${await foreign(stage, { post: await stage.others('posts', 'publish') })}`),
    everybody(200),
  ),
  ...(['draft', 'pending', 'private', 'future'] as const).flatMap((status) => [
    row(
      `read of others' ${status} post`,
      async (stage) => get(`/media/${await foreign(stage, { post: await stage.others('posts', status) })}`),
      { AE: 200, 'UCS-': 'rest_forbidden' },
    ),
    row(
      `read of own ${status} post`,
      async (stage) =>
        get(
          `/media/${await stage.world.media(stage.other, { post: await stage.own('posts', status, {}, 'with media') })}`,
        ),
      { AEUCS: 200, '-': 'rest_forbidden' },
    ),
    row(`read others' ${status}`, async (stage) => get(`/media/${await foreign(stage, { status })}`), {
      AE: 200,
      'UCS-': 'rest_forbidden',
    }),
    row(`read own ${status}`, async (stage) => get(`/media/${await owned(stage, { status })}`), {
      AEUCS: 200,
      '-': 'rest_forbidden',
    }),
  ]),
  row("read others' trash", async (stage) => get(`/media/${await foreign(stage, { status: 'trash' })}`), {
    AE: 200,
    'UCS-': 'rest_forbidden',
  }),
  row(
    "read published of others' draft post",
    async (stage) =>
      get(`/media/${await foreign(stage, { status: 'publish', post: await stage.others('posts', 'draft') })}`),
    everybody(200),
  ),
  row('read own context=edit', async (stage) => get(`/media/${await owned(stage)}?context=edit`), {
    AEUC: 200,
    'S-': 'rest_forbidden_context',
  }),
  row("read others' context=edit", async (stage) => get(`/media/${await foreign(stage)}?context=edit`), {
    AE: 200,
    'UCS-': 'rest_forbidden_context',
  }),
  row('read unknown', () => get('/media/999999?context=edit'), everybody('404 rest_post_invalid_id')),
];

const creates: Row[] = [
  row('create', () => upload(), { AEU: 201, 'CS-': 'rest_cannot_create' }),
  row('create without a file', () => post('/media', { title: 'x' }), {
    AEU: '400 rest_upload_no_data',
    'CS-': 'rest_cannot_create',
  }),
  row('create attached to own post', async ({ own }) => upload({ post: await own('posts', 'draft') }), {
    AEU: 201,
    'CS-': 'rest_cannot_create',
  }),
  ...(['publish', 'draft'] as const).map((status) =>
    row(
      `create attached to others' ${status} post`,
      async ({ others }) => upload({ post: await others('posts', status) }),
      {
        AE: 201,
        U: 'rest_cannot_edit',
        'CS-': 'rest_cannot_create',
      },
    ),
  ),
  row('create attached to a page', async ({ own }) => upload({ post: await own('pages', 'publish') }), {
    AE: 201,
    U: 'rest_cannot_edit',
    'CS-': 'rest_cannot_create',
  }),
  row('create attached to an unknown post', () => upload({ post: 999999 }), {
    AEU: 'rest_cannot_edit',
    'CS-': 'rest_cannot_create',
  }),
  // What everybody may see is no secret: a value that can never do is refused as such.
  row(
    'create attached to media',
    async (stage) => upload({ post: await owned(stage) }),
    everybody('400 rest_invalid_param'),
  ),
  row(
    "create attached to others' private media",
    async (stage) => upload({ post: await foreign(stage, { status: 'private' }) }),
    {
      AE: '400 rest_invalid_param',
      U: 'rest_cannot_edit',
      'CS-': 'rest_cannot_create',
    },
  ),
  row('create with another author', ({ other }) => upload({ author: other }), {
    AE: 201,
    'UCS-': 'rest_cannot_edit_others',
  }),
  row('create private', () => upload({ status: 'private' }), { AEU: 201, 'CS-': 'rest_cannot_create' }),
  row('create with a bad parameter', () => upload({ status: 'nonsense' }), everybody('400 rest_invalid_param')),
  row('create with an id', () => upload({ id: 5 }), everybody('400 rest_post_exists')),
];

const writes: Row[] = [
  row('update own', async (stage) => post(`/media/${await owned(stage)}`, { title: stage.world.text() }), {
    AEUC: 200,
    'S-': 'rest_cannot_edit',
  }),
  row("update others'", async (stage) => post(`/media/${await foreign(stage)}`, { title: stage.world.text() }), {
    AE: 200,
    'UCS-': 'rest_cannot_edit',
  }),
  ...(['draft', 'private'] as const).map((status) =>
    row(
      `update others' ${status}`,
      async (stage) => post(`/media/${await foreign(stage, { status })}`, { title: 'x' }),
      {
        AE: 200,
        'UCS-': 'rest_cannot_edit',
      },
    ),
  ),
  row(
    'update own published',
    async (stage) => post(`/media/${await owned(stage, { status: 'publish' })}`, { title: 'x' }),
    {
      AEU: 200,
      'CS-': 'rest_cannot_edit',
    },
  ),
  ...['publish', 'private', 'future'].map((status) =>
    row(`update own to ${status}`, async (stage) => post(`/media/${await owned(stage)}`, { status }), {
      AEU: 200,
      C: 'rest_cannot_publish',
      'S-': 'rest_cannot_edit',
    }),
  ),
  row('update own to draft', async (stage) => post(`/media/${await owned(stage)}`, { status: 'draft' }), {
    AEUC: 200,
    'S-': 'rest_cannot_edit',
  }),
  row(
    'update own with another author',
    async (stage) => post(`/media/${await owned(stage)}`, { author: stage.other }),
    {
      AE: 200,
      UC: 'rest_cannot_edit_others',
      'S-': 'rest_cannot_edit',
    },
  ),
  row(
    'update own, attached to own draft',
    async (stage) => post(`/media/${await owned(stage)}`, { post: await stage.own('posts', 'draft') }),
    { AEUC: 200, 'S-': 'rest_cannot_edit' },
  ),
  row(
    "update own, attached to others' post",
    async (stage) => post(`/media/${await owned(stage)}`, { post: await stage.others('posts', 'publish') }),
    { AE: 200, 'UCS-': 'rest_cannot_edit' },
  ),
  row(
    'update own, attached to media',
    async (stage) => post(`/media/${await owned(stage)}`, { post: await owned(stage, {}, 'parent') }),
    everybody('400 rest_invalid_param'),
  ),
  row(
    "update own, attached to others' private media",
    async (stage) => post(`/media/${await owned(stage)}`, { post: await foreign(stage, { status: 'private' }) }),
    {
      AE: '400 rest_invalid_param',
      'UCS-': 'rest_cannot_edit',
    },
  ),
  row(
    "update own of own draft, attached to others' post",
    async (stage) =>
      post(`/media/${await owned(stage, { post: await stage.own('posts', 'draft', {}, 'with media') })}`, {
        post: await stage.others('posts', 'publish'),
      }),
    { AE: 200, 'UCS-': 'rest_cannot_edit' },
  ),
  row(
    'update own of own draft, sent back',
    async (stage) => {
      const parent = await stage.own('posts', 'draft', {}, 'with media');
      return post(`/media/${await owned(stage, { post: parent })}`, { post: parent, title: stage.world.text() });
    },
    { AEUC: 200, 'S-': 'rest_cannot_edit' },
  ),
  row(
    'update own with an unknown post',
    async (stage) => post(`/media/${await owned(stage)}`, { post: 999999 }),
    everybody('rest_cannot_edit'),
  ),
  row(
    'delete own',
    async (stage) => del(`/media/${await owned(stage)}`),
    { AEUC: 200, 'S-': 'rest_cannot_delete' },
    {
      check: ({ body, status }) => status === 200 && expect(body.status).toBe('trash'),
    },
  ),
  row('delete own for good', async (stage) => del(`/media/${await owned(stage)}?force=true`), {
    AEUC: 200,
    'S-': 'rest_cannot_delete',
  }),
  row("delete others'", async (stage) => del(`/media/${await foreign(stage)}`), {
    AE: 200,
    'UCS-': 'rest_cannot_delete',
  }),
  row("delete others' for good", async (stage) => del(`/media/${await foreign(stage)}?force=true`), {
    AE: 200,
    'UCS-': 'rest_cannot_delete',
  }),
  row("delete others' trash", async (stage) => del(`/media/${await foreign(stage, { status: 'trash' })}`), {
    AE: '410 rest_already_trashed',
    'UCS-': 'rest_cannot_delete',
  }),
  row('update unknown', () => post('/media/999999', {}), everybody('404 rest_post_invalid_id')),
  row('delete unknown', () => del('/media/999999'), everybody('404 rest_post_invalid_id')),
  row(
    'update a post',
    async ({ others }) => post(`/media/${await others('posts', 'publish')}`, {}),
    everybody('404 rest_post_invalid_id'),
  ),
];

export const media: Row[] = [...reads, ...creates, ...writes];
