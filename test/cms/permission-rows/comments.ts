// Rows of the matrix for comments: by state, by who wrote it, and by the state and owner of the post below which it stands.
import { del, everybody, get, include, post, type Row, type Stage } from '../permission-cells.js';
import { PASSWORD, type Status } from '../permission-world.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const opened = encodeURIComponent(PASSWORD);

type State = 'approved' | 'hold' | 'spam' | 'trash';
const UNAPPROVED: State[] = ['hold', 'spam', 'trash'];

const row = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'check' | 'after' | 'allow'> = {},
): Row => ({ resource: 'comments', operation, request, outcomes, ...more });

// By a stranger, on a stranger's post.
const foreign = ({ world, other }: Stage, state: State, status?: Status, extra?: object) =>
  world.comment(other, state, { of: other, ...(status ? { status } : {}), ...(extra ? { extra } : {}) });
// By a stranger, on a post of the caller.
const below = ({ world, other, me }: Stage, state: State, status?: Status) =>
  world.comment(other, state, { of: me, ...(status ? { status } : {}) }, 'below own');
// By the caller, on a stranger's post.
const written = ({ world, other, me }: Stage, state: State, status?: Status) =>
  world.comment(me, state, { of: other, ...(status ? { status } : {}) }, 'written');

/** Takes the comment away again: callers who do not moderate are held to one in fifteen seconds. */
const withdraw: NonNullable<Row['after']> = ({ body }, { world }) => world.must(del(`/comments/${body.id}?force=true`));

const lists: Row[] = [
  row('list', () => get('/comments'), everybody(200)),
  row('list context=edit', () => get('/comments?context=edit'), { AE: 200, 'UCS-': 'rest_forbidden_context' }),
  row('list post=0', () => get('/comments?post=0'), { AE: 200, 'UCS-': 'rest_cannot_read' }),
  row('list post=<unknown>', () => get('/comments?post=999999'), everybody([])),
  ...['author=1', 'author_exclude=1', 'author_email=a@example.org', 'type=pingback', 'type=all'].map((query) =>
    row(`list ${query}`, () => get(`/comments?${query}`), { AEUC: 200, 'S-': 'rest_forbidden_param' }),
  ),
  ...['hold', 'spam', 'trash', 'all', 'any'].map((status) =>
    row(`list status=${status}`, () => get(`/comments?status=${status}`), { AEUC: 200, 'S-': 'rest_forbidden_param' }),
  ),
  row('list status=approve type=comment', () => get('/comments?status=approve&type=comment'), everybody(200)),
  row('list author_email that is none', () => get('/comments?author_email=none'), everybody('400 rest_invalid_param')),
  ...(['draft', 'private', 'future'] as const).map((status) =>
    row(`list post=<others' ${status}>`, async ({ others }) => get(`/comments?post=${await others('posts', status)}`), {
      AE: 200,
      'UCS-': 'rest_cannot_read_post',
    }),
  ),
  row('list post=<own draft>', async ({ own }) => get(`/comments?post=${await own('posts', 'draft')}`), {
    AEUCS: 200,
    '-': 'rest_cannot_read_post',
  }),
  row(
    'list post=<protected>',
    async ({ others }) => get(`/comments?post=${await others('posts', 'publish', { password: PASSWORD })}`),
    { AE: 200, 'UCS-': 'rest_cannot_read_post' },
  ),
  row(
    'list post=<protected> with its password',
    async ({ others }) =>
      get(`/comments?post=${await others('posts', 'publish', { password: PASSWORD })}&password=${opened}`),
    everybody(200),
  ),
  row(
    'list post=<protected>,<open> with its password',
    async ({ others }) =>
      get(
        `/comments?post=${await others('posts', 'publish', { password: PASSWORD })},${await others('posts', 'publish')}&password=${opened}`,
      ),
    { AE: 200, 'UCS-': 'rest_cannot_read_post' },
  ),
  row(
    'list shows by the post',
    async (stage) => {
      const items = {
        open: await foreign(stage, 'approved'),
        held: await foreign(stage, 'hold'),
        private: await foreign(stage, 'approved', 'private'),
        protected: await foreign(stage, 'approved', undefined, { password: PASSWORD }),
        own: await below(stage, 'approved', 'private'),
        written: await written(stage, 'approved', 'private'),
        trashed: await foreign(stage, 'approved', 'trash'),
      };
      return get(`/comments?${include(items)}`, items);
    },
    {
      AE: ['open', 'private', 'protected', 'own', 'written'],
      UCS: ['open', 'own'],
      '-': ['open'],
    },
  ),
  row(
    'list status=any shows what one may read',
    async (stage) => {
      const items = {
        open: await foreign(stage, 'approved'),
        foreign: await foreign(stage, 'hold'),
        spam: await foreign(stage, 'spam'),
        below: await below(stage, 'hold'),
        draft: await below(stage, 'hold', 'draft'),
        written: await written(stage, 'hold'),
      };
      return get(`/comments?status=any&${include(items)}`, items);
    },
    {
      AE: ['open', 'foreign', 'spam', 'below', 'draft', 'written'],
      U: ['open', 'below', 'draft', 'written'],
      C: ['open', 'draft', 'written'],
      'S-': 'rest_forbidden_param',
    },
  ),
];

const reads: Row[] = [
  row('read approved', async (stage) => get(`/comments/${await foreign(stage, 'approved')}`), everybody(200), {
    allow: { AE: METHODS, 'UCS-': 'GET' },
  }),
  row(
    'read approved below own published',
    async (stage) => get(`/comments/${await below(stage, 'approved')}`),
    everybody(200),
    {
      allow: { AEU: METHODS, 'CS-': 'GET' },
    },
  ),
  row(
    'read approved context=edit',
    async (stage) => get(`/comments/${await foreign(stage, 'approved')}?context=edit`),
    {
      AE: 200,
      'UCS-': 'rest_forbidden_context',
    },
  ),
  row('read below own context=edit', async (stage) => get(`/comments/${await below(stage, 'approved')}?context=edit`), {
    AE: 200,
    'UCS-': 'rest_forbidden_context',
  }),
  ...UNAPPROVED.flatMap((state) => [
    row(`read others' ${state}`, async (stage) => get(`/comments/${await foreign(stage, state)}`), {
      AE: 200,
      'UCS-': 'rest_cannot_read',
    }),
    row(`read ${state} below own published`, async (stage) => get(`/comments/${await below(stage, state)}`), {
      AEU: 200,
      'CS-': 'rest_cannot_read',
    }),
    row(`read ${state} below own draft`, async (stage) => get(`/comments/${await below(stage, state, 'draft')}`), {
      AEUC: 200,
      'S-': 'rest_cannot_read',
    }),
    row(`read own ${state}`, async (stage) => get(`/comments/${await written(stage, state)}`), {
      AEUCS: 200,
      '-': 'rest_cannot_read',
    }),
  ]),
  ...(['draft', 'private', 'future'] as const).map((status) =>
    row(
      `read approved below others' ${status}`,
      async (stage) => get(`/comments/${await foreign(stage, 'approved', status)}`),
      {
        AE: 200,
        'UCS-': 'rest_cannot_read',
      },
    ),
  ),
  row(
    "read own below others' private",
    async (stage) => get(`/comments/${await written(stage, 'approved', 'private')}`),
    {
      AE: 200,
      UCS: 'rest_cannot_read_post',
      '-': 'rest_cannot_read',
    },
  ),
  row('read below own private', async (stage) => get(`/comments/${await below(stage, 'approved', 'private')}`), {
    AEUCS: 200,
    '-': 'rest_cannot_read',
  }),
  row(
    'read below protected',
    async (stage) => get(`/comments/${await foreign(stage, 'approved', undefined, { password: PASSWORD })}`),
    { AE: 200, 'UCS-': 'rest_cannot_read' },
  ),
  row(
    'read below protected with its password',
    async (stage) =>
      get(`/comments/${await foreign(stage, 'approved', undefined, { password: PASSWORD })}?password=${opened}`),
    everybody(200),
  ),
  row('read below a trashed post', async (stage) => get(`/comments/${await foreign(stage, 'approved', 'trash')}`), {
    AE: null,
    'UCS-': 'rest_cannot_read',
  }),
  row('read unknown', () => get('/comments/999999'), everybody('404 rest_comment_invalid_id')),
  row(
    'read unknown context=edit',
    () => get('/comments/999999?context=edit'),
    everybody('404 rest_comment_invalid_id'),
  ),
];

const creates: Row[] = [
  row(
    'create',
    async ({ others, world }) => post('/comments', { post: await others('posts', 'publish'), content: world.text() }),
    { AEUCS: 201, '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  row(
    'create as oneself, of the own address',
    async ({ others, world, me }) =>
      post('/comments', {
        post: await others('posts', 'publish'),
        content: world.text(),
        author: me,
        author_ip: '127.0.0.1',
      }),
    { AEUCS: 201, '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  row(
    'create on own draft',
    async ({ own, world }) => post('/comments', { post: await own('posts', 'draft'), content: world.text() }),
    { AEUCS: '403 rest_comment_draft_post', '-': 'rest_comment_login_required' },
  ),
  row(
    'create with another author, address and status',
    async ({ others, world }) =>
      post('/comments', {
        post: await others('posts', 'publish'),
        content: world.text(),
        author: world.peer.id,
        author_ip: '192.0.2.9',
        status: 'hold',
      }),
    { AE: 201, UCS: 'rest_comment_invalid_author', '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  row(
    'create with another address and status',
    async ({ others, world }) =>
      post('/comments', {
        post: await others('posts', 'publish'),
        content: world.text(),
        author_ip: '192.0.2.9',
        status: 'hold',
      }),
    { AE: 201, UCS: 'rest_comment_invalid_author_ip', '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  ...['hold', 'approved', 'spam'].map((status) =>
    row(
      `create with status ${status}`,
      async ({ others, world }) =>
        post('/comments', { post: await others('posts', 'publish'), content: world.text(), status }),
      { AE: 201, UCS: 'rest_comment_invalid_status', '-': 'rest_comment_login_required' },
      { after: withdraw },
    ),
  ),
  row('create without a post', ({ world }) => post('/comments', { content: world.text() }), {
    AEUCS: '403 rest_comment_invalid_post_id',
    '-': 'rest_comment_login_required',
  }),
  row('create on post 0', ({ world }) => post('/comments', { post: 0, content: world.text() }), {
    AEUCS: '403 rest_comment_invalid_post_id',
    '-': 'rest_comment_login_required',
  }),
  row('create on an unknown post', ({ world }) => post('/comments', { post: 999999, content: world.text() }), {
    AEUCS: '403 rest_comment_invalid_post_id',
    '-': 'rest_comment_login_required',
  }),
  row(
    'create on a trashed post',
    async ({ others, world }) => post('/comments', { post: await others('posts', 'trash'), content: world.text() }),
    { AEUCS: '403 rest_comment_trash_post', '-': 'rest_comment_login_required' },
  ),
  ...(['private', 'pending', 'future'] as const).map((status) =>
    row(
      `create on others' ${status} post`,
      async ({ others, world }) => post('/comments', { post: await others('posts', status), content: world.text() }),
      { AE: 201, UCS: 'rest_cannot_read_post', '-': 'rest_comment_login_required' },
      { after: withdraw },
    ),
  ),
  row(
    'create on a protected post',
    async ({ others, world }) =>
      post('/comments', { post: await others('posts', 'publish', { password: PASSWORD }), content: world.text() }),
    { AE: 201, UCS: 'rest_cannot_read_post', '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  row(
    'create on a protected post with its password',
    async ({ others, world }) =>
      post('/comments', {
        post: await others('posts', 'publish', { password: PASSWORD }),
        content: world.text(),
        password: PASSWORD,
      }),
    { AEUCS: 201, '-': 'rest_comment_login_required' },
    { after: withdraw },
  ),
  row(
    'create on a closed post',
    async ({ others, world }) =>
      post('/comments', {
        post: await others('posts', 'publish', { comment_status: 'closed' }),
        content: world.text(),
      }),
    { AEUCS: '403 rest_comment_closed', '-': 'rest_comment_login_required' },
  ),
  row('create without content', async ({ others }) => post('/comments', { post: await others('posts', 'publish') }), {
    AEUCS: '400 rest_comment_content_invalid',
    '-': 'rest_comment_login_required',
  }),
  row(
    'create with an id',
    async ({ others }) => post('/comments', { id: 5, post: await others('posts', 'publish'), content: 'x' }),
    {
      AEUCS: '400 rest_comment_exists',
      '-': 'rest_comment_login_required',
    },
  ),
  row(
    'create with a bad parameter',
    () => post('/comments', { content: 'x', author_ip: 'nowhere' }),
    everybody('400 rest_invalid_param'),
  ),
];

const changes = (verb: 'update' | 'delete'): Row[] => {
  const refusal = verb === 'update' ? 'rest_cannot_edit' : 'rest_cannot_delete';
  const ask = async (id: Promise<number>, { world }: Stage) =>
    verb === 'update'
      ? post(`/comments/${await id}`, { content: world.text() })
      : del(`/comments/${await id}?force=true`);
  return [
    ...(['approved', 'hold', 'spam'] as const).flatMap((state) => [
      row(`${verb} others' ${state}`, (stage) => ask(foreign(stage, state), stage), { AE: 200, 'UCS-': refusal }),
      row(`${verb} ${state} below own published`, (stage) => ask(below(stage, state), stage), {
        AEU: 200,
        'CS-': refusal,
      }),
      row(`${verb} ${state} below own draft`, (stage) => ask(below(stage, state, 'draft'), stage), {
        AEUC: 200,
        'S-': refusal,
      }),
      row(`${verb} own ${state}`, (stage) => ask(written(stage, state), stage), { AE: 200, 'UCS-': refusal }),
    ]),
    row(`${verb} below others' private`, (stage) => ask(foreign(stage, 'approved', 'private'), stage), {
      AE: 200,
      'UCS-': refusal,
    }),
    row(`${verb} unknown`, (stage) => ask(Promise.resolve(999999), stage), everybody('404 rest_comment_invalid_id')),
  ];
};

const rest: Row[] = [
  row(
    'update status below own published',
    async (stage) => post(`/comments/${await below(stage, 'hold')}`, { status: 'approved' }),
    {
      AEU: 200,
      'CS-': 'rest_cannot_edit',
    },
  ),
  row(
    'update with an unknown post',
    async (stage) => post(`/comments/${await foreign(stage, 'approved')}`, { post: 999999 }),
    {
      AE: '403 rest_comment_invalid_post_id',
      'UCS-': 'rest_cannot_edit',
    },
    { allow: { AE: METHODS, 'UCS-': 'GET' } },
  ),
  row(
    'update with a bad parameter',
    async (stage) => post(`/comments/${await foreign(stage, 'approved')}`, { status: 'nonsense' }),
    everybody('400 rest_invalid_param'),
  ),
  row('delete to the trash', async (stage) => del(`/comments/${await foreign(stage, 'approved')}`), {
    AE: 200,
    'UCS-': 'rest_cannot_delete',
  }),
  row('delete trashed', async (stage) => del(`/comments/${await foreign(stage, 'trash')}`), {
    AE: '410 rest_already_trashed',
    'UCS-': 'rest_cannot_delete',
  }),
];

// What is made in a caller's name counts as his previous comment: he creates before that.
export const comments: Row[] = [...creates, ...lists, ...reads, ...changes('update'), ...changes('delete'), ...rest];
