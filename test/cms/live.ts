// What live requests of specification.spec.ts use: URLs of the items of stage.ts, a value for every body field, the effect of every list parameter.

/** URLs of each section below the namespace. */
export const PATHS: Record<string, { collection: string; item: string }> = {
  Posts: { collection: '/posts', item: '/posts/{post}' },
  Pages: { collection: '/pages', item: '/pages/{page}' },
  Media: { collection: '/media', item: '/media/{media}' },
  Comments: { collection: '/comments', item: '/comments/{comment}' },
  Users: { collection: '/users', item: '/users/{writer}' },
  Tags: { collection: '/tags', item: '/tags/{tag}' },
  Categories: { collection: '/categories', item: '/categories/{category}' },
  'Post meta': { collection: '/posts/{post}/meta', item: '/posts/{post}/meta/{entry}' },
  'Post revisions': { collection: '/posts/{post}/revisions', item: '/posts/{post}/revisions/{revision}' },
  Taxonomies: { collection: '/taxonomies', item: '/taxonomies/category' },
  'Post types': { collection: '/types', item: '/types/post' },
};

/** What a field shows that is in no response. */
export const NEVER = Symbol('never');

/** A value to send; `shows` is what the response has when it differs. */
export interface Sample {
  send: unknown;
  shows?: unknown;
  with?: Record<string, unknown>;
  path?: string;
}

const content: Record<string, Sample> = {
  date: { send: '2024-01-11T08:30:00' },
  date_gmt: { send: '2024-01-12T08:30:00' },
  slug: { send: 'Of its Own', shows: 'of-its-own' },
  title: { send: 'Changed', shows: { raw: 'Changed', rendered: 'Changed' } },
  author: { send: '{writer}' },
  comment_status: { send: 'closed' },
  ping_status: { send: 'open' },
  meta: { send: {} },
  template: { send: '' },
};

const texts: Record<string, Sample> = {
  ...content,
  status: { send: 'publish' },
  password: { send: 'open sesame' },
  content: { send: 'New text', shows: { raw: 'New text', rendered: '<p>New text</p>\n', block_version: 0 } },
  excerpt: { send: 'In short', shows: { raw: 'In short', rendered: '<p>In short</p>\n' } },
  featured_media: { send: '{media}' },
};

const named: Record<string, Sample> = {
  name: { send: 'Fish & <b>chips</b>', shows: 'Fish &amp; chips' },
  description: { send: 'Some <b>words</b>' },
  slug: { send: 'Of its Own', shows: 'of-its-own' },
  meta: { send: {} },
};

/** A value for every body field. */
export const SAMPLES: Record<string, Record<string, Sample>> = {
  Posts: {
    ...texts,
    // The other one is sticky.
    password: { send: 'open sesame', path: '/posts/{draft}' },
    format: { send: 'quote' },
    sticky: { send: true, with: { password: '' } },
    categories: { send: ['{sub}'] },
    tags: { send: ['{idle}'] },
    liveblog_likes: { send: 7 },
  },
  Pages: {
    ...texts,
    password: { send: 'open sesame' },
    parent: { send: '{page}', path: '/pages/{child}' },
    menu_order: { send: -4 },
  },
  Media: {
    ...content,
    slug: { send: 'Grey by Name', shows: 'grey-by-name' },
    status: { send: 'private' },
    alt_text: { send: 'A <b>grey</b> square', shows: 'A grey square' },
    caption: { send: 'Below it', shows: { raw: 'Below it', rendered: '<p>Below it</p>\n' } },
    description: { send: 'More', shows: { raw: 'More' } },
    post: { send: '{other}' },
  },
  Comments: {
    author: { send: '{writer}' },
    author_email: { send: 'ann@example.org' },
    author_ip: { send: '2001:db8::1' },
    author_name: { send: 'Ann <i>B.</i>', shows: 'Ann B.' },
    author_url: { send: 'https://example.org/ann' },
    author_user_agent: { send: 'curl/8' },
    content: { send: 'Changed', shows: { raw: 'Changed', rendered: '<p>Changed</p>\n' } },
    date: { send: '2024-01-11T08:30:00' },
    date_gmt: { send: '2024-01-12T08:30:00' },
    parent: { send: '{comment}', path: '/comments/{under}' },
    post: { send: '{other}', path: '/comments/{held}' },
    status: { send: 'hold', path: '/comments/{held}' },
    meta: { send: {} },
  },
  Users: {
    username: { send: 'writer' },
    email: { send: 'writer@example.com' },
    password: { send: 'another long password', shows: NEVER },
    name: { send: 'Wendy <i>W.</i>', shows: 'Wendy W.' },
    first_name: { send: 'Wendy' },
    last_name: { send: 'Writer' },
    url: { send: 'https://example.org/wendy' },
    description: { send: 'Writes <b>much</b>' },
    locale: { send: 'en_US' },
    nickname: { send: 'W' },
    slug: { send: 'Wendy W', shows: 'wendy-w' },
    roles: { send: ['author', 'editor'] },
    meta: { send: {} },
  },
  Tags: named,
  Categories: { ...named, parent: { send: '{category}', path: '/categories/{sub}' } },
  'Post meta': { key: { send: 'size <b>', shows: 'size' }, value: { send: 'as <b>sent</b>' } },
};

/** What a list with this query holds, and does not. */
export interface Effect {
  param: string;
  finds: string[];
  leaves?: string[];
  /** Stands first. */
  first?: string;
}

const effect = (param: string, finds: string[], leaves: string[] = [], first?: string): Effect => ({
  param,
  finds,
  leaves,
  ...(first ? { first } : {}),
});

const articles = (one: string, other: string, hidden: string): Record<string, Effect> => ({
  'context=edit': effect('context', [one, other]),
  'page=2&per_page=1&orderby=date&order=asc': effect('page', [other], [one]),
  'per_page=1&order=asc&orderby=date': effect('per_page', [one], [other]),
  'search=juicy': effect('search', [one], [other]),
  'after=2024-02-01T00:00:00': effect('after', [other], [one]),
  'before=2024-02-01T00:00:00': effect('before', [one], [other]),
  [`author={admin}`]: effect('author', [one === 'page' ? other : one], [one === 'page' ? one : other]),
  [`author_exclude={admin}`]: effect('author_exclude', [one === 'page' ? one : other], [one === 'page' ? other : one]),
  [`exclude={${one}}`]: effect('exclude', [other], [one]),
  [`include={${one}}`]: effect('include', [one], [other]),
  'offset=1&order=asc&orderby=date': effect('offset', [other], [one]),
  'order=asc': effect('order', [one, other], [], one),
  'orderby=title&order=asc': effect('orderby', [one, other], [], one),
  [`slug=${{ post: 'apricot', page: 'about' }[one]}`]: effect('slug', [one], [other]),
  'status=draft': effect('status', [hidden], [one, other]),
});

const terms = (one: string, other: string): Record<string, Effect> => ({
  'context=edit': effect('context', [one, other]),
  'page=2&per_page=1&orderby=id&order=desc': effect('page', [one], [other]),
  'per_page=1': effect('per_page', [one], [other]),
  'search=appl': effect('search', [one], [other]),
  [`exclude={${one}}`]: effect('exclude', [other], [one]),
  [`include={${one}}`]: effect('include', [one], [other]),
  'offset=1': effect('offset', [other], [one]),
  'order=desc': effect('order', [one, other], []),
  'orderby=id&order=asc': effect('orderby', [one, other], []),
  'hide_empty=true': effect('hide_empty', [one], [other]),
  'post={post}': effect('post', [one], [other]),
  'slug=apple': effect('slug', [one], [other]),
});

/** A list request for every list parameter; they run before anything is changed. */
export const EFFECTS: Record<string, Record<string, Effect>> = {
  Posts: {
    ...articles('post', 'other', 'draft'),
    'filter[name]=apricot': effect('filter', ['post'], ['other']),
    'categories={category}': effect('categories', ['post'], ['other']),
    'categories_exclude={category}': effect('categories_exclude', ['other'], ['post']),
    'tags={tag}': effect('tags', ['post'], ['other']),
    'tags_exclude={tag}': effect('tags_exclude', ['other'], ['post']),
    'sticky=true': effect('sticky', ['post'], ['other']),
    'sticky=false': effect('sticky', ['other'], ['post']),
  },
  Pages: {
    ...articles('page', 'child', 'pageDraft'),
    'menu_order=3': effect('menu_order', ['page'], ['child']),
    'parent={page}': effect('parent', ['child'], ['page']),
    'parent=0': effect('parent', ['page'], ['child']),
    'parent_exclude={page}': effect('parent_exclude', ['page'], ['child']),
  },
  Media: {
    'context=edit': effect('context', ['media', 'file']),
    'page=2&per_page=1&order=asc': effect('page', ['file'], ['media']),
    'per_page=1&order=asc': effect('per_page', ['media'], ['file']),
    'search=juicy': effect('search', ['media'], ['file']),
    'after=2024-02-01T00:00:00': effect('after', ['file'], ['media']),
    'before=2024-02-01T00:00:00': effect('before', ['media'], ['file']),
    'author={admin}': effect('author', ['media'], ['file']),
    'author_exclude={admin}': effect('author_exclude', ['file'], ['media']),
    'exclude={media}': effect('exclude', ['file'], ['media']),
    'include={media}': effect('include', ['media'], ['file']),
    'offset=1&order=asc': effect('offset', ['file'], ['media']),
    'order=asc': effect('order', ['media', 'file'], [], 'media'),
    'orderby=title&order=desc': effect('orderby', ['media', 'file'], [], 'file'),
    'slug=notes': effect('slug', ['file'], ['media']),
    'status=private': effect('status', [], ['media', 'file']),
    'parent={post}': effect('parent', ['media'], ['file']),
    'parent_exclude={post}': effect('parent_exclude', ['file'], ['media']),
    'media_type=image': effect('media_type', ['media'], ['file']),
    'mime_type=text/plain': effect('mime_type', ['file'], ['media']),
  },
  Comments: {
    'context=edit': effect('context', ['comment', 'reply'], ['held']),
    'page=2&per_page=1&order=asc': effect('page', ['under'], ['comment', 'reply']),
    'per_page=1&order=asc': effect('per_page', ['comment'], ['reply', 'under']),
    'search=juicy': effect('search', ['comment'], ['reply']),
    'after=2024-03-01T00:00:00': effect('after', ['reply'], ['comment', 'under']),
    'before=2024-02-01T00:00:00': effect('before', ['comment'], ['reply', 'under']),
    'author={writer}': effect('author', ['reply'], ['comment']),
    'author_exclude={writer}': effect('author_exclude', ['comment'], ['reply']),
    'author_email=writer@example.org': effect('author_email', ['reply'], ['comment']),
    'exclude={comment}': effect('exclude', ['reply'], ['comment']),
    'include={comment}': effect('include', ['comment'], ['reply']),
    'offset=1&order=asc': effect('offset', ['under', 'reply'], ['comment']),
    'order=asc': effect('order', ['comment', 'reply'], [], 'comment'),
    'orderby=post&order=desc': effect('orderby', ['comment', 'reply'], [], 'reply'),
    'parent={comment}': effect('parent', ['under'], ['comment', 'reply']),
    'parent_exclude={comment}': effect('parent_exclude', ['comment', 'reply'], ['under']),
    'post={other}': effect('post', ['reply'], ['comment']),
    'status=hold': effect('status', ['held'], ['comment', 'reply']),
    'type=pingback': effect('type', [], ['comment', 'reply']),
    'password=any': effect('password', ['comment', 'reply']),
  },
  Users: {
    'context=edit': effect('context', ['admin', 'writer']),
    'page=2&per_page=1&orderby=id': effect('page', ['writer'], ['admin']),
    'per_page=1&orderby=id': effect('per_page', ['admin'], ['writer']),
    'search=writ': effect('search', ['writer'], ['admin']),
    'exclude={admin}': effect('exclude', ['writer'], ['admin']),
    'include={admin}': effect('include', ['admin'], ['writer']),
    'offset=1&orderby=id': effect('offset', ['writer'], ['admin']),
    'order=desc': effect('order', ['admin', 'writer'], [], 'writer'),
    'orderby=id&order=desc': effect('orderby', ['admin', 'writer'], [], 'writer'),
    'slug=writer': effect('slug', ['writer'], ['admin']),
    'roles=author,editor': effect('roles', ['writer'], ['admin']),
    'who=authors': effect('who', ['admin', 'writer']),
  },
  Tags: terms('tag', 'idle'),
  Categories: {
    ...Object.fromEntries(Object.entries(terms('category', 'sub')).filter(([, { param }]) => param !== 'offset')),
    'parent={category}': effect('parent', ['sub'], ['category']),
  },
  'Post meta': { 'context=edit': effect('context', ['entry']) },
  'Post revisions': { 'context=edit': effect('context', ['revision']) },
  Taxonomies: {
    'context=edit': effect('context', ['category', 'post_tag']),
    'type=post': effect('type', ['category', 'post_tag']),
    'type=page': effect('type', [], ['category', 'post_tag']),
  },
  'Post types': { 'context=edit': effect('context', ['post', 'page', 'attachment']) },
};

// The category is called Alpha, the tag Apple: both are found by a word of their own.
EFFECTS['Categories']!['search=alph'] = EFFECTS['Categories']!['search=appl']!;
delete EFFECTS['Categories']!['search=appl'];
EFFECTS['Categories']!['slug=alpha'] = EFFECTS['Categories']!['slug=apple']!;
delete EFFECTS['Categories']!['slug=apple'];
