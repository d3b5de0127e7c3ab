// What the decisions add to the specification: dashes filled, members of objects, types and defaults of parameters. Compared by specification.spec.ts.

/** How the specification's three ways of naming a resource belong together. */
export interface Naming {
  /** Title of its table of fields. */
  resource: string;
  /** Title of its section of endpoints. */
  section: string;
  /** Title of its schema in OPTIONS. */
  title: string;
  /** Fields beyond the specification that a decision adds. */
  more?: Record<string, { type: string; readOnly: boolean; contexts: string[] }>;
}

const NAMESPACE = { rest_namespace: { type: 'string', readOnly: true, contexts: ['view', 'edit', 'embed'] } };

export const NAMES: Naming[] = [
  { resource: 'post', section: 'Posts', title: 'post' },
  { resource: 'page', section: 'Pages', title: 'page' },
  { resource: 'attachment', section: 'Media', title: 'attachment' },
  { resource: 'comment', section: 'Comments', title: 'comment' },
  { resource: 'user', section: 'Users', title: 'user' },
  { resource: 'tag', section: 'Tags', title: 'tag' },
  { resource: 'category', section: 'Categories', title: 'category' },
  { resource: 'post meta entry', section: 'Post meta', title: 'meta' },
  { resource: 'post revision', section: 'Post revisions', title: 'post-revision' },
  { resource: 'taxonomy', section: 'Taxonomies', title: 'taxonomy', more: NAMESPACE },
  { resource: 'type', section: 'Post types', title: 'type', more: NAMESPACE },
];

const all = ['view', 'edit', 'embed'];
const shown = ['view', 'edit'];
const edit = ['edit'];
const each = (contexts: string[], ...names: string[]) => Object.fromEntries(names.map((name) => [name, contexts]));

/** Contexts where the specification has a dash. */
export const CONTEXTS: Record<string, Record<string, string[]>> = {
  post: { ...each(all, 'link', 'featured_media'), ...each(shown, 'meta', 'template') },
  page: {
    ...each(all, 'date', 'id', 'link', 'slug', 'type', 'title', 'author', 'excerpt', 'featured_media'),
    ...each(
      shown,
      'date_gmt',
      'guid',
      'modified',
      'modified_gmt',
      'parent',
      'content',
      'comment_status',
      'ping_status',
      'menu_order',
      'meta',
      'template',
    ),
    ...each(edit, 'status', 'password', 'permalink_template', 'generated_slug'),
  },
  attachment: { ...each(all, 'link'), ...each(edit, 'permalink_template', 'generated_slug') },
  comment: {
    ...each(
      all,
      'id',
      'parent',
      'author',
      'author_name',
      'author_url',
      'date',
      'content',
      'link',
      'type',
      'author_avatar_urls',
    ),
    ...each(shown, 'post', 'date_gmt', 'status', 'meta'),
    ...each(edit, 'author_email', 'author_ip', 'author_user_agent'),
  },
  user: {
    ...each(all, 'id', 'name', 'url', 'description', 'slug', 'link', 'avatar_urls'),
    ...each(
      edit,
      'username',
      'first_name',
      'last_name',
      'email',
      'nickname',
      'locale',
      'roles',
      'registered_date',
      'capabilities',
      'extra_capabilities',
    ),
    ...each([], 'password'),
    ...each(shown, 'meta'),
  },
  tag: each(all, 'link'),
  category: {
    ...each(all, 'id', 'link', 'name', 'slug', 'taxonomy'),
    ...each(shown, 'count', 'description', 'parent', 'meta'),
  },
  'post meta entry': each(all, 'id', 'key', 'value'),
  'post revision': {
    ...each(all, 'author', 'date', 'id', 'parent', 'slug', 'title', 'excerpt'),
    ...each(shown, 'date_gmt', 'guid', 'modified', 'modified_gmt', 'content'),
  },
  taxonomy: {
    ...each(all, 'name', 'slug', 'rest_base'),
    ...each(shown, 'description', 'hierarchical', 'types'),
    ...each(edit, 'capabilities', 'labels', 'show_cloud', 'visibility'),
  },
  type: {
    ...each(all, 'name', 'slug', 'rest_base'),
    ...each(shown, 'description', 'hierarchical', 'taxonomies'),
    ...each(edit, 'capabilities', 'labels', 'supports', 'viewable'),
  },
};

/** Enums where the specification says "not shown". */
export const ENUMS: Record<string, Record<string, string[]>> = {
  page: {
    status: ['publish', 'future', 'draft', 'pending', 'private'],
    comment_status: ['open', 'closed'],
    ping_status: ['open', 'closed'],
  },
  category: { taxonomy: ['category', 'post_tag', 'nav_menu', 'link_category', 'post_format'] },
};

const TEXT = { raw: edit, rendered: all };
const GUARDED = { ...TEXT, protected: all };

/** Members of objects by context. */
export const MEMBERS: Record<string, Record<string, Record<string, string[]>>> = {
  post: {
    guid: { raw: edit, rendered: shown },
    title: TEXT,
    content: { raw: edit, rendered: shown, protected: all, block_version: edit },
    excerpt: GUARDED,
  },
  page: {
    guid: { raw: edit, rendered: shown },
    title: TEXT,
    content: { raw: edit, rendered: shown, protected: all, block_version: edit },
    excerpt: GUARDED,
  },
  attachment: {
    guid: { raw: edit, rendered: shown },
    title: TEXT,
    caption: TEXT,
    description: { raw: edit, rendered: shown },
  },
  comment: { content: TEXT },
};

/** A parameter as decided; what the specification states goes first. */
export interface DecidedParam {
  type: string;
  items?: string;
  format?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
}

const ids: DecidedParam = { type: 'array', items: 'integer', default: [] };
const texts: DecidedParam = { type: 'array', items: 'string' };
const date: DecidedParam = { type: 'string', format: 'date-time' };
const text: DecidedParam = { type: 'string' };

const paged: Record<string, DecidedParam> = {
  context: { type: 'string', default: 'view', enum: ['view', 'embed', 'edit'] },
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
  search: text,
  exclude: ids,
  include: ids,
  offset: { type: 'integer', minimum: 0 },
  order: { type: 'string', default: 'desc', enum: ['asc', 'desc'] },
};
const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit', 'any'];
const authored = { after: date, before: date, author: ids, author_exclude: ids, slug: texts };
const asc: DecidedParam = { type: 'string', default: 'asc', enum: ['asc', 'desc'] };
const termOrder = ['id', 'include', 'name', 'slug', 'term_group', 'description', 'count'];
const contextOnly = { context: paged['context']! };

/** List parameters. */
export const PARAMS: Record<string, Record<string, DecidedParam>> = {
  Posts: {
    ...paged,
    ...authored,
    orderby: { type: 'string', default: 'date', enum: ['date', 'id', 'include', 'title', 'slug'] },
    status: { type: 'array', items: 'string', default: 'publish', enum: statuses },
    filter: { type: 'object' },
    categories: ids,
    categories_exclude: ids,
    tags: ids,
    tags_exclude: ids,
    sticky: { type: 'boolean' },
  },
  Pages: {
    ...paged,
    ...authored,
    orderby: {
      type: 'string',
      default: 'date',
      enum: [
        'author',
        'date',
        'id',
        'include',
        'modified',
        'parent',
        'relevance',
        'slug',
        'include_slugs',
        'title',
        'menu_order',
      ],
    },
    status: { type: 'array', items: 'string', default: 'publish', enum: statuses },
    menu_order: { type: 'integer' },
    parent: ids,
    parent_exclude: ids,
  },
  Media: {
    ...paged,
    ...authored,
    orderby: { type: 'string', default: 'date', enum: ['date', 'relevance', 'id', 'include', 'title', 'slug'] },
    status: {
      type: 'array',
      items: 'string',
      default: 'inherit',
      enum: statuses.filter((status) => status !== 'auto-draft'),
    },
    parent: ids,
    parent_exclude: ids,
    media_type: { type: 'string', default: null, enum: ['image', 'video', 'audio', 'application'] },
    mime_type: { type: 'string', default: null },
  },
  Comments: {
    ...paged,
    after: date,
    before: date,
    author: { type: 'array', items: 'integer' },
    author_exclude: { type: 'array', items: 'integer' },
    author_email: { type: 'string', format: 'email', default: null },
    orderby: {
      type: 'string',
      default: 'date_gmt',
      enum: ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'],
    },
    parent: ids,
    parent_exclude: ids,
    post: ids,
    status: { type: 'string', default: 'approve' },
    type: { type: 'string', default: 'comment' },
    password: text,
  },
  Users: {
    ...paged,
    order: asc,
    orderby: {
      type: 'string',
      default: 'name',
      enum: ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'],
    },
    slug: texts,
    roles: texts,
    who: { type: 'string', enum: ['authors'] },
  },
  Tags: {
    ...paged,
    order: asc,
    orderby: { type: 'string', default: 'name', enum: termOrder },
    hide_empty: { type: 'boolean', default: false },
    post: { type: 'integer', default: null },
    slug: texts,
  },
  Categories: {
    ...Object.fromEntries(Object.entries(paged).filter(([name]) => name !== 'offset')),
    order: asc,
    orderby: { type: 'string', default: 'name', enum: termOrder },
    hide_empty: { type: 'boolean', default: false },
    parent: { type: 'integer' },
    post: { type: 'integer', default: null },
    slug: texts,
  },
  'Post meta': { context: { type: 'string', default: 'edit', enum: ['view', 'embed', 'edit'] } },
  'Post revisions': contextOnly,
  Taxonomies: { ...contextOnly, type: text },
  'Post types': contextOnly,
};

/** List parameters that a decision adds to the specification. */
export const MORE_PARAMS: Record<string, string[]> = { 'Post revisions': ['page', 'per_page'] };

/** Parameters of reading one item that a decision adds. */
export const MORE_ITEM_PARAMS: Record<string, string[]> = { 'Post revisions': ['diff'] };

/** Body fields that the specification leaves out. */
export const MORE_BODIES: Record<string, { name: string; required: boolean }[]> = {
  'Post meta': [
    { name: 'key', required: true },
    { name: 'value', required: false },
  ],
};
