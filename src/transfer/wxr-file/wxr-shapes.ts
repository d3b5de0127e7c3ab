// The elements of an export that are read, and their property names.

/** An element that becomes an object: its text elements, nested objects, attributes and own text. */
export interface Shape {
  /** Property by element. */
  texts: Record<string, string>;
  /** List property and shape by element. */
  lists: Record<string, [property: string, shape: Shape]>;
  /** Property by attribute. */
  attributes?: Record<string, string>;
  /** Property of the element's own text. */
  self?: string;
  /** Constant properties. */
  fixed?: Record<string, string>;
}

const meta = (key: string, value: string): Shape => ({ texts: { [key]: 'key', [value]: 'value' }, lists: {} });

const term = (type: string, texts: Record<string, string>, taxonomy: string): Shape => ({
  fixed: { type, taxonomy, parent: '' },
  texts: { 'wp:term_id': 'id', ...texts },
  lists: { 'wp:termmeta': ['meta', meta('wp:meta_key', 'wp:meta_value')] },
});

const comment: Shape = {
  texts: {
    'wp:comment_id': 'id',
    'wp:comment_author': 'author',
    'wp:comment_author_email': 'authorEmail',
    'wp:comment_author_url': 'authorUrl',
    'wp:comment_author_IP': 'authorIp',
    'wp:comment_agent': 'agent',
    'wp:comment_date': 'date',
    'wp:comment_date_gmt': 'dateGmt',
    'wp:comment_content': 'content',
    'wp:comment_approved': 'approved',
    'wp:comment_type': 'kind',
    'wp:comment_parent': 'parent',
    'wp:comment_user_id': 'userId',
  },
  lists: { 'wp:commentmeta': ['meta', meta('wp:meta_key', 'wp:meta_value')] },
};

const item: Shape = {
  fixed: { type: 'item' },
  texts: {
    title: 'title',
    link: 'link',
    pubDate: 'published',
    guid: 'guid',
    'dc:creator': 'creator',
    'content:encoded': 'content',
    'excerpt:encoded': 'excerpt',
    'wp:post_id': 'id',
    'wp:post_type': 'postType',
    'wp:post_date': 'date',
    'wp:post_date_gmt': 'dateGmt',
    'wp:post_modified': 'modified',
    'wp:post_modified_gmt': 'modifiedGmt',
    'wp:post_name': 'slug',
    'wp:status': 'status',
    'wp:post_parent': 'parent',
    'wp:menu_order': 'menuOrder',
    'wp:post_password': 'password',
    'wp:is_sticky': 'sticky',
    'wp:comment_status': 'commentStatus',
    'wp:ping_status': 'pingStatus',
    'wp:attachment_url': 'attachmentUrl',
  },
  lists: {
    category: ['terms', { texts: {}, lists: {}, attributes: { domain: 'domain', nicename: 'slug' }, self: 'name' }],
    'wp:postmeta': ['meta', meta('wp:meta_key', 'wp:meta_value')],
    'wp:comment': ['comments', comment],
  },
};

/** Elements of the channel that describe the site. */
export const SITE: Shape = {
  fixed: { type: 'site' },
  texts: {
    title: 'title',
    link: 'link',
    description: 'description',
    language: 'language',
    'wp:wxr_version': 'version',
    'wp:base_site_url': 'baseSiteUrl',
    'wp:base_blog_url': 'baseBlogUrl',
  },
  lists: {},
};

/** Elements of the channel that become one event each. */
export const PARTS: Record<string, Shape> = {
  'wp:author': {
    fixed: { type: 'author' },
    texts: {
      'wp:author_id': 'id',
      'wp:author_login': 'login',
      'wp:author_email': 'email',
      'wp:author_display_name': 'displayName',
      'wp:author_first_name': 'firstName',
      'wp:author_last_name': 'lastName',
    },
    lists: {},
  },
  'wp:category': term(
    'category',
    {
      'wp:category_nicename': 'slug',
      'wp:category_parent': 'parent',
      'wp:cat_name': 'name',
      'wp:category_description': 'description',
    },
    'category',
  ),
  'wp:tag': term(
    'tag',
    { 'wp:tag_slug': 'slug', 'wp:tag_name': 'name', 'wp:tag_description': 'description' },
    'post_tag',
  ),
  'wp:term': term(
    'term',
    {
      'wp:term_taxonomy': 'taxonomy',
      'wp:term_slug': 'slug',
      'wp:term_parent': 'parent',
      'wp:term_name': 'name',
      'wp:term_description': 'description',
    },
    '',
  ),
  item,
};

/** A new object of a shape with all properties empty. */
export function blank(shape: Shape, line: number): Record<string, any> {
  const made: Record<string, any> = { line };
  for (const property of Object.values(shape.texts)) made[property] = '';
  for (const property of Object.values(shape.attributes ?? {})) made[property] = '';
  for (const [property] of Object.values(shape.lists)) made[property] = [];
  if (shape.self) made[shape.self] = '';
  return Object.assign(made, shape.fixed);
}
