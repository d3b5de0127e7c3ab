// Every way of asking a list: each parameter of each collection with values that name hidden things. Used by the leak suite.
import type { LeakWorld } from './leak-world.js';

type Asked = Record<string, unknown>;

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
const ODD_FIELDS = [
  'id,title.raw,content.raw,excerpt.raw',
  'password,status,guid.raw,author.email',
  'id,_links.self.href,_links.up.post_type,meta._private',
  'title.rendered.length,__proto__,constructor.name,title.__proto__',
  'author_email,author_ip,author_user_agent,content.raw,email,username,roles,capabilities,first_name',
];
const PROTOCOL: Asked[] = [
  { _embed: '' },
  { _embed: 'author,replies,wp:term,wp:featuredmedia,up,children,in-reply-to' },
  { _envelope: 1 },
  { cursor: '' },
  ...ODD_FIELDS.map((_fields) => ({ _fields })),
  { context: 'embed' },
  { context: 'edit' },
  { context: 'edit', _fields: ODD_FIELDS[0] },
  { context: 'edit', _embed: '' },
];

const orders = (keys: string[], more: Asked = {}): Asked[] =>
  keys.flatMap((orderby) => [
    { orderby, order: 'asc', ...more },
    { orderby, order: 'desc', ...more },
  ]);
const pages = (size: number): Asked[] => [
  { per_page: size, page: 1 },
  { per_page: size, page: 2 },
  { per_page: size, offset: 1 },
  { per_page: 1, offset: 3 },
];

/** Parameters by collection. */
export function listAddresses(world: LeakWorld): Record<string, Asked[]> {
  const items = [...world.planted, ...world.media];
  const ids = items.map(({ id }) => id);
  const slugs = items.map(({ slug }) => slug);
  const words = ['draft', 'private', 'future', 'trash'].flatMap((status) => {
    const item = world.planted.find((each) => each.status === status)!;
    return [item.title, item.text];
  });
  const locked = world.planted.filter(({ password }) => password !== '');
  const authors = [...new Set(items.map(({ author }) => author))];
  const ghost = world.users['ghost']!;
  const tags = world.planted.flatMap(({ tag }) => (tag ? [tag] : []));
  const common: Asked[] = [
    {},
    ...pages(3),
    ...PROTOCOL,
    { include: ids },
    { include: ids, orderby: 'include' },
    { exclude: ids.slice(0, 3) },
    { search: 'zq' },
    { search: 'e' },
  ];
  const content: Asked[] = [
    ...common,
    ...STATUSES.map((status) => ({ status })),
    ...STATUSES.map((status) => ({ status, context: 'edit' })),
    { status: 'any' },
    { status: 'inherit' },
    { status: STATUSES.join(',') },
    { status: 'publish,private', search: 'zq' },
    ...words.map((search) => ({ search })),
    ...words.map((search) => ({ search, status: 'any' })),
    ...locked.map(({ text }) => ({ search: text })),
    { search: `"${locked[0]!.text}"` },
    { search: `-${locked[0]!.text}` },
    { slug: slugs },
    { slug: slugs, status: 'any' },
    { author: authors },
    { author: ghost.id },
    { author_exclude: authors.slice(0, 1) },
    { after: '2000-01-01T00:00:00' },
    { before: '2100-01-01T00:00:00' },
    { after: '2098-01-01T00:00:00' },
    { parent: ids.slice(0, 100) },
    { parent: [0] },
    { parent_exclude: [0] },
    { menu_order: 0 },
  ];
  const filters: Asked[] = [
    { post_status: 'any' },
    { post_status: 'private' },
    { post_status: ['draft', 'private', 'trash'] },
    { p: ids[0] },
    { post__in: ids.slice(0, 90) },
    { post__in: ids.slice(0, 90), orderby: 'post__in' },
    { name: slugs[0] },
    { title: world.planted[0]!.title },
    { s: locked[0]!.text },
    { s: locked[0]!.text, exact: 1 },
    { s: words[0], sentence: 1 },
    { author_name: ghost.slug },
    { author: -ghost.id },
    { tag: 'tag-1', tag__in: tags },
    { cat: world.category },
    { category__and: [world.category] },
    { perm: 'editable', post_status: 'any' },
    { perm: 'readable', post_status: 'any' },
    { nopaging: true, posts_per_page: -1 },
    { showposts: 1000, posts_per_archive_page: 1000 },
    { orderby: 'comment_count', order: 'DESC' },
    { orderby: 'rand' },
    { orderby: 'none' },
    { orderby: 'modified title parent menu_order' },
    { year: 2099 },
    { m: '2099' },
    { date_query: [{ after: '2098-01-01', column: 'post_modified' }] },
    { date_query: { relation: 'OR', 0: { before: '2200-01-01' }, 1: { year: 2099 } } },
    { post_type: 'page' },
    { post_type: 'revision', post_status: 'inherit' },
    { fields: 'ids' },
    { meta_key: 'x', meta_value: 'y' },
    { meta_query: [{ key: '_x', compare: 'EXISTS' }] },
    { post_password: locked[0]!.password },
    { has_password: true },
    { ignore_sticky_posts: false },
    { post_parent: ids[0], post_mime_type: 'image/png' },
  ].map((filter) => ({ filter }));
  return {
    '/posts': [
      ...content,
      ...orders(['date', 'id', 'title', 'slug']),
      ...orders(['title'], { status: 'any' }),
      ...filters,
      { categories: world.category },
      { categories_exclude: world.category },
      { tags },
      { tags_exclude: tags.slice(0, 5) },
      { tags, status: 'private' },
      { sticky: true },
      { sticky: false },
    ],
    '/pages': [
      ...content,
      ...orders(['author', 'date', 'id', 'modified', 'parent', 'slug', 'title', 'menu_order']),
      { orderby: 'relevance', search: 'zq' },
      { orderby: 'include_slugs', slug: slugs },
      { filter: { post_status: 'any' } },
    ],
    '/media': [
      ...content,
      ...orders(['date', 'id', 'title', 'slug']),
      { orderby: 'relevance', search: 'zq' },
      ...['image', 'video', 'audio', 'application'].map((media_type) => ({ media_type })),
      { mime_type: 'image/png' },
      { mime_type: 'image/png', status: 'private' },
      { parent: world.planted.map(({ id }) => id) },
      { search: '.png' },
    ],
    '/comments': [
      ...common,
      ...orders(['date', 'date_gmt', 'id', 'post', 'parent', 'type']),
      ...['approve', 'approved', 'hold', 'spam', 'trash', 'all', 'any', '0', '1', 'post-trashed'].map((status) => ({
        status,
      })),
      { status: 'any', type: 'all', context: 'edit' },
      { type: 'all' },
      { type: 'pingback' },
      ...world.planted
        .filter(({ id }) => world.comments.some(({ post }) => post === id))
        .map(({ id }) => ({ post: id })),
      ...locked.map(({ id, password }) => ({ post: id, password })),
      { post: locked[0]!.id, password: 'wrong' },
      { post: locked[0]!.id, password: [locked[0]!.password] },
      { post: locked.map(({ id }) => id), password: locked[0]!.password },
      { password: locked[0]!.password },
      { post: 0 },
      { post: locked[0]!.id, password: locked[0]!.password, status: 'any' },
      { post: locked[0]!.id, password: locked[0]!.password, search: 'guestmail' },
      { include: world.comments.map(({ id }) => id) },
      { include: world.comments.map(({ id }) => id), status: 'any' },
      { parent: world.comments.map(({ id }) => id).slice(0, 90) },
      { parent_exclude: [0] },
      { author: authors },
      { author_exclude: [0] },
      { author_email: world.comments[0]!.email },
      ...world.comments.slice(0, 4).flatMap(({ email, word }) => [{ search: email }, { search: word }]),
      { search: '203.0.113.1' },
      { search: '203.0.113.' },
      { search: 'leak.test' },
      { after: '2000-01-01T00:00:00' },
    ],
    '/users': [
      ...common,
      ...orders(['id', 'name', 'registered_date', 'slug', 'email', 'url']),
      { orderby: 'include_slugs', slug: [ghost.slug] },
      { orderby: 'username' },
      { orderby: 'password' },
      { who: 'authors' },
      { who: 'authors', search: 'zq' },
      { who: 'authors', search: '@' },
      { roles: 'administrator' },
      { roles: ['author', 'subscriber'] },
      { capabilities: 'edit_posts' },
      { slug: [ghost.slug, 'admin'] },
      { include: [...authors, ghost.id, world.users['lurker']!.id] },
      { has_published_posts: false },
      ...Object.values(world.users).flatMap(({ login, email, word }) => [
        { search: login },
        { search: email },
        { search: word },
        { search: `*${email}*` },
      ]),
      { search: 'leak.test' },
      { search: '@' },
      { search: 'admin@example.org' },
      { search: String(ghost.id) },
      { email: ghost.email },
      { username: ghost.login },
    ],
    '/tags': [
      ...common.filter((asked) => !('include' in asked)),
      ...orders(['id', 'name', 'slug', 'term_group', 'description', 'count']),
      { include: tags },
      { hide_empty: true },
      ...world.planted.filter(({ kind }) => kind === 'post').map(({ id }) => ({ post: id })),
    ],
    '/categories': [
      ...common.filter((asked) => !('include' in asked)),
      ...orders(['count', 'name']),
      { hide_empty: true },
      { parent: world.category },
      ...world.planted.slice(0, 4).map(({ id }) => ({ post: id })),
    ],
    '/search': [{ search: 'zq' }, { search: words[0] }, { search: locked[0]!.text }, { type: 'term' }],
    '/types': PROTOCOL,
    '/taxonomies': PROTOCOL,
    '/statuses': PROTOCOL,
  };
}
