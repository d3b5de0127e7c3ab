// Rows of the matrix for users, the caller's own account, and application passwords.
import { expect } from '@jest/globals';
import { del, everybody, get, include, post, type Row, type Stage } from '../permission-cells.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

const row = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'check' | 'after' | 'allow'> = {},
): Row => ({ resource: 'users', operation, request, outcomes, ...more });

const account = ({ world }: Stage, extra: object = {}) => {
  const username = world.text().replaceAll(' ', '').toLowerCase();
  return { username, email: `${username}@example.org`, password: 'a password of its own', ...extra };
};

const lists: Row[] = [
  row('list', () => get('/users'), everybody(200), { allow: { A: 'GET, POST', 'EUCS-': 'GET' } }),
  row('list context=embed', () => get('/users?context=embed'), everybody(200)),
  row('list context=edit', () => get('/users?context=edit'), { A: 200, 'EUCS-': 'rest_forbidden_context' }),
  row('list roles=', () => get('/users?roles=author'), { A: 200, 'EUCS-': 'rest_user_cannot_view' }),
  ...['email', 'registered_date'].map((name) =>
    row(`list orderby=${name}`, () => get(`/users?orderby=${name}`), { A: 200, 'EUCS-': 'rest_forbidden_orderby' }),
  ),
  ...['id', 'name', 'slug', 'url'].map((name) =>
    row(`list orderby=${name}`, () => get(`/users?orderby=${name}`), everybody(200)),
  ),
  row('list who=authors', () => get('/users?who=authors'), { AEUC: 200, 'S-': 'rest_forbidden_who' }),
  row('list who=nonsense', () => get('/users?who=nonsense'), everybody('400 rest_invalid_param')),
  row(
    'list shows',
    async ({ world }) => {
      const items = {
        writer: await world.user('post'),
        pager: await world.user('page'),
        silent: await world.user(),
        drafter: await world.user('draft'),
        hidden: await world.user('private post'),
      };
      return get(`/users?${include(items)}`, items);
    },
    { A: ['writer', 'pager', 'silent', 'drafter', 'hidden'], 'EUCS-': ['writer', 'pager'] },
  ),
];

const reads: Row[] = [
  ...['view', 'embed', 'edit'].map((context) =>
    row(`read self context=${context}`, ({ me }) => get(`/users/${me}?context=${context}`), { AEUCS: 200, '-': null }),
  ),
  row(
    'read self',
    ({ me }) => get(`/users/${me}`),
    { A: null, EUCS: 200, '-': null },
    { allow: { EUCS: 'GET, POST, PUT, PATCH', A: '', '-': '' } },
  ),
  ...(['post', 'page'] as const).map((kind) =>
    row(
      `read other with a published ${kind}`,
      async ({ world }) => get(`/users/${await world.user(kind)}`),
      everybody(200),
      {
        allow: { A: METHODS, 'EUCS-': 'GET' },
      },
    ),
  ),
  row(
    'read other with a published post context=embed',
    async ({ world }) => get(`/users/${await world.user('post')}?context=embed`),
    everybody(200),
  ),
  row('read other with a private post', async ({ world }) => get(`/users/${await world.user('private post')}`), {
    AE: 200,
    'UCS-': 'rest_user_cannot_view',
  }),
  ...([undefined, 'draft'] as const).map((kind) =>
    row(
      `read other with ${kind ? 'a draft' : 'nothing'}`,
      async ({ world }) => get(`/users/${await world.user(kind)}`),
      {
        A: 200,
        'EUCS-': 'rest_user_cannot_view',
      },
      { allow: { A: METHODS, 'EUCS-': '' } },
    ),
  ),
  ...([undefined, 'post'] as const).map((kind) =>
    row(
      `read other with ${kind ?? 'nothing'} context=edit`,
      async ({ world }) => get(`/users/${await world.user(kind)}?context=edit`),
      {
        A: 200,
        'EUCS-': 'rest_forbidden_context',
      },
    ),
  ),
  row('read unknown', () => get('/users/999999'), everybody('404 rest_user_invalid_id')),
  row('read unknown context=edit', () => get('/users/999999?context=edit'), everybody('404 rest_user_invalid_id')),
];

const writes: Row[] = [
  row('create', (stage) => post('/users', account(stage)), { A: 201, 'EUCS-': 'rest_cannot_create_user' }),
  row('create with a role', (stage) => post('/users', account(stage, { roles: ['subscriber'] })), {
    A: 201,
    'EUCS-': 'rest_cannot_create_user',
  }),
  row('create with an id', (stage) => post('/users', account(stage, { id: 5 })), {
    A: '400 rest_user_exists',
    'EUCS-': 'rest_cannot_create_user',
  }),
  row('create with an unknown role', (stage) => post('/users', account(stage, { roles: ['wizard'] })), {
    A: '400 rest_user_invalid_role',
    'EUCS-': 'rest_cannot_create_user',
  }),
  row('create with nothing', () => post('/users', {}), everybody('400 rest_missing_callback_param'), {
    check: ({ body }) => expect([...body.data.params].sort()).toEqual(['email', 'password', 'username']),
  }),
  row(
    'create with a bad e-mail',
    (stage) => post('/users', account(stage, { email: 'none' })),
    everybody('400 rest_invalid_param'),
  ),
  row(
    'create with a bad name',
    (stage) => post('/users', account(stage, { username: '<b>' })),
    everybody('400 rest_invalid_param'),
  ),
  row('update self', ({ me }) => post(`/users/${me}`, { description: 'About me.' }), {
    AEUCS: 200,
    '-': 'rest_cannot_edit',
  }),
  row(
    'update self with an own role',
    ({ me, letter }) =>
      post(`/users/${me}`, {
        roles: [
          { A: 'administrator', E: 'editor', U: 'author', C: 'contributor', S: 'subscriber', '-': 'author' }[letter],
        ],
      }),
    {
      AEUCS: 200,
      '-': null,
    },
  ),
  row('update self to administrator', ({ me }) => post(`/users/${me}`, { roles: ['administrator'] }), {
    A: 200,
    'EUCS-': 'rest_cannot_edit_roles',
  }),
  row(
    'update self to subscriber and administrator',
    ({ me }) => post(`/users/${me}`, { roles: ['subscriber', 'administrator'], name: 'x' }),
    {
      A: null,
      'EUCS-': 'rest_cannot_edit_roles',
    },
  ),
  row('update other', async ({ world }) => post(`/users/${await world.user('post')}`, { description: 'x' }), {
    A: 200,
    'EUCS-': 'rest_cannot_edit',
  }),
  row('update other with nothing', async ({ world }) => post(`/users/${await world.user('post')}`, {}), {
    A: 200,
    'EUCS-': 'rest_cannot_edit',
  }),
  row('update the roles of other', async ({ world }) => post(`/users/${await world.user()}`, { roles: ['author'] }), {
    A: 200,
    'EUCS-': 'rest_cannot_edit_roles',
  }),
  row(
    'update other with an unknown role',
    async ({ world }) => post(`/users/${await world.user()}`, { roles: ['wizard'] }),
    {
      A: '400 rest_user_invalid_role',
      'EUCS-': 'rest_cannot_edit_roles',
    },
  ),
  row(
    'update other with a bad e-mail',
    async ({ world }) => post(`/users/${await world.user()}`, { email: 'none' }),
    everybody('400 rest_invalid_param'),
  ),
  row('update unknown', () => post('/users/999999', { name: 'x' }), everybody('404 rest_user_invalid_id')),
  row(
    'update the roles of unknown',
    () => post('/users/999999', { roles: ['author'] }),
    everybody('404 rest_user_invalid_id'),
  ),
  row(
    'delete without reassign',
    async ({ world }) => del(`/users/${await world.user()}?force=true`),
    everybody('400 rest_missing_callback_param'),
  ),
  row(
    'delete with a bad reassign',
    async ({ world }) => del(`/users/${await world.user()}?force=true&reassign=somebody`),
    everybody('400 rest_invalid_param'),
  ),
  row('delete without force', async ({ world }) => del(`/users/${await world.user()}?reassign=1`), {
    A: '501 rest_trash_not_supported',
    'EUCS-': 'rest_user_cannot_delete',
  }),
  row(
    'delete to an unknown heir',
    async ({ world }) => del(`/users/${await world.user()}?force=true&reassign=999999`),
    {
      A: '400 rest_user_invalid_reassign',
      'EUCS-': 'rest_user_cannot_delete',
    },
  ),
  row('delete', async ({ world }) => del(`/users/${await world.user(undefined, 'to delete')}?force=true&reassign=1`), {
    A: 200,
    'EUCS-': 'rest_user_cannot_delete',
  }),
  row(
    'delete by body',
    async ({ world }) => del(`/users/${await world.user('draft', 'to delete')}`, { force: true, reassign: false }),
    {
      A: 200,
      'EUCS-': 'rest_user_cannot_delete',
    },
  ),
  row(
    'delete self',
    ({ me }) => del(`/users/${me}?force=true&reassign=false`),
    {
      A: '403 rest_user_cannot_delete',
      'EUCS-': 'rest_user_cannot_delete',
    },
    { allow: { A: METHODS, EUCS: 'GET, POST, PUT, PATCH', '-': 'GET' } },
  ),
  row('delete unknown', () => del('/users/999999?force=true&reassign=1'), everybody('404 rest_user_invalid_id')),
  row(
    'me',
    () => get('/users/me'),
    { AEUCS: 200, '-': '401 rest_not_logged_in' },
    {
      check: ({ body, status }, { me }) => status === 200 && expect(body.id).toBe(me),
    },
  ),
  row('me context=edit', () => get('/users/me?context=edit'), { AEUCS: 200, '-': '401 rest_not_logged_in' }),
  row('update me', () => post('/users/me', { description: 'Me.' }), { AEUCS: 200, '-': '401 rest_not_logged_in' }),
  row('update my roles', () => post('/users/me', { roles: ['administrator'] }), {
    A: 200,
    EUCS: 'rest_cannot_edit_roles',
    '-': '401 rest_not_logged_in',
  }),
  row(
    'delete me',
    () => del('/users/me?force=true&reassign=false'),
    {
      A: '403 rest_user_cannot_delete',
      EUCS: 'rest_user_cannot_delete',
      '-': '401 rest_not_logged_in',
    },
    { allow: { A: METHODS, EUCS: 'GET, POST, PUT, PATCH', '-': 'GET' } },
  ),
];

const keys = (
  operation: string,
  request: Row['request'],
  outcomes: Row['outcomes'],
  more: Pick<Row, 'after' | 'check'> = {},
): Row => ({
  ...row(operation, request, outcomes, more),
  resource: 'application passwords',
});

/** Makes one as the administrator and gives its id. */
const key = async ({ world }: Stage, user: number): Promise<string> => {
  const made = await world.must(post(`/users/${user}/application-passwords`, { name: world.text() }));
  return made.body.uuid;
};

const applicationPasswords: Row[] = [
  keys('list own', ({ me }) => get(`/users/${me}/application-passwords`), {
    AEUCS: 200,
    '-': 'rest_cannot_list_application_passwords',
  }),
  keys('list mine', () => get('/users/me/application-passwords'), { AEUCS: 200, '-': '401 rest_not_logged_in' }),
  keys("list other's", async ({ world }) => get(`/users/${await world.user('post')}/application-passwords`), {
    A: 200,
    'EUCS-': 'rest_cannot_list_application_passwords',
  }),
  keys('list of unknown', () => get('/users/999999/application-passwords'), everybody('404 rest_user_invalid_id')),
  keys(
    'create own',
    ({ me, world }) => post(`/users/${me}/application-passwords`, { name: world.text() }),
    {
      AEUCS: 201,
      '-': 'rest_cannot_create_application_passwords',
    },
    { after: ({ body }) => expect(body.password).toMatch(/^\w{4}( \w{4})+$/) },
  ),
  keys(
    "create other's",
    async ({ world }) => post(`/users/${await world.user('post')}/application-passwords`, { name: world.text() }),
    {
      A: 201,
      'EUCS-': 'rest_cannot_create_application_passwords',
    },
  ),
  keys(
    'create without a name',
    async ({ world }) => post(`/users/${await world.user('post')}/application-passwords`, {}),
    everybody('400 rest_missing_callback_param'),
  ),
  keys(
    'create of unknown',
    () => post('/users/999999/application-passwords', { name: 'x' }),
    everybody('404 rest_user_invalid_id'),
  ),
  keys(
    'read own',
    async (stage) => get(`/users/${stage.me}/application-passwords/${await key(stage, stage.me)}`),
    {
      AEUCS: 200,
      '-': 'rest_cannot_read_application_password',
    },
    { check: ({ body }) => expect(body).not.toHaveProperty('password') },
  ),
  keys(
    "read other's",
    async (stage) => {
      const user = await stage.world.user('post');
      return get(`/users/${user}/application-passwords/${await key(stage, user)}`);
    },
    { A: 200, 'EUCS-': 'rest_cannot_read_application_password' },
  ),
  keys(
    'update own',
    async (stage) =>
      post(`/users/${stage.me}/application-passwords/${await key(stage, stage.me)}`, { name: 'Renamed' }),
    {
      AEUCS: 200,
      '-': 'rest_cannot_edit_application_password',
    },
  ),
  keys(
    "update other's",
    async (stage) => {
      const user = await stage.world.user('post');
      return post(`/users/${user}/application-passwords/${await key(stage, user)}`, { name: 'Renamed' });
    },
    { A: 200, 'EUCS-': 'rest_cannot_edit_application_password' },
  ),
  keys('delete own', async (stage) => del(`/users/${stage.me}/application-passwords/${await key(stage, stage.me)}`), {
    AEUCS: 200,
    '-': 'rest_cannot_delete_application_password',
  }),
  keys(
    "delete other's",
    async (stage) => {
      const user = await stage.world.user('post');
      return del(`/users/${user}/application-passwords/${await key(stage, user)}`);
    },
    { A: 200, 'EUCS-': 'rest_cannot_delete_application_password' },
  ),
  keys("delete all of other's", async ({ world }) => del(`/users/${await world.user('post')}/application-passwords`), {
    A: 200,
    'EUCS-': 'rest_cannot_delete_application_passwords',
  }),
  keys(
    'read of another user than named',
    async (stage) => get(`/users/${stage.me}/application-passwords/${await key(stage, stage.world.people.A.id)}`),
    {
      A: 200,
      EUCS: '404 rest_application_password_not_found',
      '-': null,
    },
  ),
  keys('read unknown', ({ me }) => get(`/users/${me}/application-passwords/00000000-0000-4000-8000-000000000000`), {
    AEUCS: '404 rest_application_password_not_found',
    '-': null,
  }),
  keys('introspect', ({ me }) => get(`/users/${me}/application-passwords/introspect`), { AEUCS: 200, '-': null }),
];

export const users: Row[] = [...lists, ...reads, ...writes, ...applicationPasswords];
