// Rows of the matrix for what hangs below a post or page: meta entries and revisions.
import { del, everybody, get, post, type Row, type Stage } from '../permission-cells.js';
import type { Status } from '../permission-world.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';

type More = Pick<Row, 'allow' | 'check'>;
const rowsOf =
  (resource: string) =>
  (operation: string, request: Row['request'], outcomes: Row['outcomes'], more: More = {}): Row => ({
    resource,
    operation,
    request,
    outcomes,
    ...more,
  });

// Whose parent in which state, and who may edit (and so delete) it.
const PARENTS: { whose: 'own' | 'others'; status: Status; editors: string; rest: string }[] = [
  { whose: 'own', status: 'publish', editors: 'AEU', rest: 'CS-' },
  { whose: 'own', status: 'draft', editors: 'AEUC', rest: 'S-' },
  { whose: 'own', status: 'future', editors: 'AEU', rest: 'CS-' },
  { whose: 'own', status: 'private', editors: 'AEUC', rest: 'S-' },
  { whose: 'others', status: 'publish', editors: 'AE', rest: 'UCS-' },
  { whose: 'others', status: 'draft', editors: 'AE', rest: 'UCS-' },
  { whose: 'others', status: 'private', editors: 'AE', rest: 'UCS-' },
];

const meta = rowsOf('meta');

const metaRows: Row[] = [
  ...PARENTS.flatMap(({ whose, status, editors, rest }) => {
    const of = `of ${whose} ${status}`;
    const parent = (stage: Stage) => stage[whose]('posts', status, {}, 'with meta');
    const entry = async (stage: Stage) => {
      const id = await parent(stage);
      return `/posts/${id}/meta/${await stage.world.meta(id)}`;
    };
    const who = (success: number) => ({ [editors]: success, [rest]: 'rest_forbidden' });
    return [
      meta(`list ${of}`, async (stage) => get(`/posts/${await parent(stage)}/meta`), who(200), {
        allow: { [editors]: 'GET, POST', [rest]: '' },
      }),
      meta(
        `list ${of} context=view`,
        async (stage) => get(`/posts/${await parent(stage)}/meta?context=view`),
        who(200),
      ),
      meta(`read ${of}`, async (stage) => get(await entry(stage)), who(200), {
        allow: { [editors]: METHODS, [rest]: '' },
      }),
      meta(
        `create ${of}`,
        async (stage) => post(`/posts/${await parent(stage)}/meta`, { key: 'size', value: 'big' }),
        who(201),
      ),
      meta(`update ${of}`, async (stage) => post(await entry(stage), { value: stage.world.text() }), who(200)),
      meta(`delete ${of}`, async (stage) => del(`${await entry(stage)}?force=true`), who(200)),
      meta(`delete ${of} without force`, async (stage) => del(await entry(stage)), {
        [editors]: '501 rest_trash_not_supported',
        [rest]: 'rest_forbidden',
      }),
    ];
  }),
  meta('list of an unknown post', () => get('/posts/999999/meta'), everybody('404 rest_post_invalid_id')),
  meta(
    'create of an unknown post',
    () => post('/posts/999999/meta', { key: 'x' }),
    everybody('404 rest_post_invalid_id'),
  ),
  meta(
    'list of a page',
    async ({ others }) => get(`/posts/${await others('pages', 'publish')}/meta`),
    everybody('404 rest_post_invalid_id'),
  ),
  meta(
    'create without a key',
    async ({ others }) => post(`/posts/${await others('posts', 'publish')}/meta`, {}),
    everybody('400 rest_missing_callback_param'),
  ),
  meta(
    'create of a protected key',
    async ({ others }) => post(`/posts/${await others('posts', 'publish')}/meta`, { key: '_secret' }),
    {
      AE: '403 rest_meta_protected',
      'UCS-': 'rest_forbidden',
    },
  ),
  meta(
    'update to a protected key',
    async ({ others, world }) => {
      const id = await others('posts', 'publish', {}, 'with meta');
      return post(`/posts/${id}/meta/${await world.meta(id)}`, { key: '_secret' });
    },
    { AE: '403 rest_meta_protected', 'UCS-': 'rest_forbidden' },
  ),
  meta('read an unknown entry', async ({ others }) => get(`/posts/${await others('posts', 'publish')}/meta/999999`), {
    AE: '404 rest_meta_invalid_id',
    'UCS-': 'rest_forbidden',
  }),
  meta(
    'read an entry of another post',
    async ({ others, world }) => {
      const id = await others('posts', 'publish', {}, 'with meta');
      return get(`/posts/${await others('posts', 'publish')}/meta/${await world.meta(id)}`);
    },
    { AE: '400 rest_meta_post_mismatch', 'UCS-': 'rest_forbidden' },
  ),
  meta(
    'read an entry of another post below an own one',
    async ({ own, others, world }) => {
      const id = await others('posts', 'publish', {}, 'with meta');
      return get(`/posts/${await own('posts', 'draft', {}, 'mine')}/meta/${await world.meta(id)}`);
    },
    { AEUC: '400 rest_meta_post_mismatch', 'S-': 'rest_forbidden' },
  ),
  meta(
    'delete an entry of another post below an own one',
    async ({ own, others, world }) => {
      const id = await others('posts', 'publish', {}, 'with meta');
      return del(`/posts/${await own('posts', 'draft', {}, 'mine')}/meta/${await world.meta(id)}?force=true`);
    },
    { AEUC: '400 rest_meta_post_mismatch', 'S-': 'rest_forbidden' },
  ),
];

const revisionRows = (kind: 'posts' | 'pages'): Row[] => {
  const row = rowsOf(kind === 'posts' ? 'post revisions' : 'page revisions');
  return [
    ...PARENTS.flatMap(({ whose, status, ...who }) => {
      const [editors, rest] = kind === 'posts' ? [who.editors, who.rest] : ['AE', 'UCS-'];
      const of = `of ${whose} ${status}`;
      const parent = (stage: Stage) => stage[whose](kind, status, {}, 'with revisions');
      const item = async (stage: Stage) => {
        const id = await parent(stage);
        return `/${kind}/${id}/revisions/${await stage.world.revision(kind, id)}`;
      };
      const reading = { [editors]: 200, [rest]: 'rest_cannot_read' };
      return [
        row(`list ${of}`, async (stage) => get(`/${kind}/${await parent(stage)}/revisions`), reading, {
          allow: { [editors]: 'GET', [rest]: '' },
        }),
        row(
          `list ${of} context=edit`,
          async (stage) => get(`/${kind}/${await parent(stage)}/revisions?context=edit`),
          reading,
        ),
        row(`read ${of}`, async (stage) => get(await item(stage)), reading, {
          allow: { [editors]: 'GET, DELETE', [rest]: '' },
        }),
        row(`read ${of} context=edit`, async (stage) => get(`${await item(stage)}?context=edit`), reading),
        row(`read ${of} diff`, async (stage) => get(`${await item(stage)}?diff=true`), reading),
        row(`delete ${of}`, async (stage) => del(await item(stage)), { [editors]: 200, [rest]: 'rest_cannot_delete' }),
        row(`restore ${of}`, async (stage) => post(`${await item(stage)}/restore`), {
          [editors]: 200,
          [rest]: 'rest_cannot_edit',
        }),
      ];
    }),
    row('list of an unknown parent', () => get(`/${kind}/999999/revisions`), everybody('404 rest_post_invalid_parent')),
    row(
      'read of an unknown parent',
      () => get(`/${kind}/999999/revisions/5`),
      everybody('404 rest_post_invalid_parent'),
    ),
    row(
      'delete of an unknown parent',
      () => del(`/${kind}/999999/revisions/5`),
      everybody('404 rest_post_invalid_parent'),
    ),
    row(
      'list of the other kind',
      async ({ others }) => get(`/${kind}/${await others(kind === 'posts' ? 'pages' : 'posts', 'publish')}/revisions`),
      everybody('404 rest_post_invalid_parent'),
    ),
    row('read unknown', async ({ others }) => get(`/${kind}/${await others(kind, 'publish')}/revisions/999999`), {
      AE: '404 rest_post_invalid_id',
      'UCS-': 'rest_cannot_read',
    }),
    row(
      'read of another parent',
      async ({ others, world }) => {
        const id = await others(kind, 'publish', {}, 'with revisions');
        return get(`/${kind}/${await others(kind, 'publish')}/revisions/${await world.revision(kind, id)}`);
      },
      { AE: '404 rest_revision_parent_id_mismatch', 'UCS-': 'rest_cannot_read' },
    ),
    row(
      'read of another parent below an own one',
      async ({ own, others, world }) => {
        const id = await others(kind, 'publish', {}, 'with revisions');
        return get(`/${kind}/${await own(kind, 'draft', {}, 'mine')}/revisions/${await world.revision(kind, id)}`);
      },
      kind === 'posts'
        ? { AEUC: '404 rest_revision_parent_id_mismatch', 'S-': 'rest_cannot_read' }
        : { AE: '404 rest_revision_parent_id_mismatch', 'UCS-': 'rest_cannot_read' },
    ),
    row(
      'create',
      async ({ others }) => post(`/${kind}/${await others(kind, 'publish')}/revisions`, {}),
      everybody('404 rest_no_route'),
    ),
    row(
      'update',
      async ({ others, world }) => {
        const id = await others(kind, 'publish', {}, 'with revisions');
        return post(`/${kind}/${id}/revisions/${await world.revision(kind, id)}`, {});
      },
      everybody('404 rest_no_route'),
    ),
  ];
};

export const metaAndRevisions: Row[] = [...metaRows, ...revisionRows('posts'), ...revisionRows('pages')];
