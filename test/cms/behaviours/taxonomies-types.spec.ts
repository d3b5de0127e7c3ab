// Behaviours X-…: taxonomies and types, read-only registers.
import { expect } from '@jest/globals';
import { world, type Line } from './harness.js';

const { behaviour } = world({ actors: ['editor', 'author', 'contributor', 'subscriber'] });
const slugs =
  (...wanted: string[]) =>
  (body: object) => {
    expect(Array.isArray(body)).toBe(false);
    // The order of members is no contract.
    expect(Object.keys(body).sort()).toEqual(wanted.sort());
  };
// rest_namespace is new in the reference, the rest of its new members is not here.
const TAXONOMY = {
  view: ['name', 'slug', 'description', 'hierarchical', 'types', 'rest_base', 'rest_namespace'],
  embed: ['name', 'slug', 'rest_base', 'rest_namespace'],
};
const TYPE = {
  view: ['name', 'slug', 'description', 'hierarchical', 'taxonomies', 'rest_base', 'rest_namespace'],
  embed: ['name', 'slug', 'rest_base', 'rest_namespace'],
};

behaviour('X-01 taxonomies by slug', [
  ['GET /taxonomies', 200, { check: slugs('category', 'post_tag'), sends: { 'X-WP-Total': null } }],
  [
    'GET /taxonomies',
    200,
    {
      has: {
        category: {
          name: 'Categories',
          hierarchical: true,
          rest_base: 'categories',
          types: ['post'],
          _links: {
            collection: [{ href: 'http://api.test/cms/v2/taxonomies' }],
            'wp:items': [{ href: 'http://api.test/cms/v2/categories' }],
          },
        },
      },
    },
  ],
  ['GET /taxonomies?context=edit', 401, 'rest_cannot_view'],
  ['GET /taxonomies?context=edit as subscriber', 403, 'rest_cannot_view'],
  ['GET /taxonomies?context=edit as contributor', 200, { check: slugs('category', 'post_tag') }],
  ['GET /taxonomies?type=post', 200, { check: slugs('category', 'post_tag') }],
  ['GET /taxonomies?type=page', 200, { check: (body) => expect(body).toEqual({}) }],
  ['GET /taxonomies?type=wingding', 200, { check: (body) => expect(body).toEqual({}) }],
]);

behaviour('X-02 one taxonomy', [
  ['GET /taxonomies/category', 200, { members: TAXONOMY.view, has: { name: 'Categories', slug: 'category' } }],
  [
    'GET /taxonomies/category?context=edit as editor',
    200,
    {
      has: {
        capabilities: { manage_terms: 'manage_categories' },
        show_cloud: true,
        visibility: { public: true },
        labels: { singular_name: 'Category' },
      },
    },
  ],
  ['GET /taxonomies/category?context=edit', 401, 'rest_forbidden_context'],
  ['GET /taxonomies/category?context=edit as subscriber', 403, 'rest_forbidden_context'],
  ['GET /taxonomies/invalid', 404, 'rest_taxonomy_invalid'],
  ...['nav_menu', 'link_category', 'post_format'].flatMap((hidden): Line[] => [
    [`GET /taxonomies/${hidden}`, 401, 'rest_forbidden'],
    [`GET /taxonomies/${hidden} as subscriber`, 403, 'rest_forbidden'],
  ]),
]);

behaviour(
  'X-03 registers are not written',
  ['/taxonomies', '/taxonomies/category', '/types', '/types/post'].flatMap((path) =>
    ['POST', 'PUT', 'PATCH', 'DELETE'].map((verb): Line => [`${verb} ${path} as admin`, 404, 'rest_no_route']),
  ),
);

behaviour('X-04 _fields', [
  [
    'GET /taxonomies/category?_fields=name,slug',
    200,
    { check: (body) => expect(body).toEqual({ name: 'Categories', slug: 'category' }) },
  ],
  ['GET /taxonomies/category?_fields=types', 200, { check: (body) => expect(body).toEqual({ types: ['post'] }) }],
  [
    'GET /types/page?_fields=taxonomies,slug',
    200,
    { check: (body) => expect(body).toEqual({ slug: 'page', taxonomies: [] }) },
  ],
  ['GET /types?_fields=slug', 200, { check: (body) => expect(body.post).toEqual({ slug: 'post' }) }],
]);

behaviour('X-05 types by slug', [
  ['GET /types', 200, { check: slugs('post', 'page', 'attachment') }],
  [
    'GET /types',
    200,
    {
      has: {
        post: {
          name: 'Posts',
          rest_base: 'posts',
          taxonomies: ['category', 'post_tag'],
          _links: { 'wp:items': [{ href: 'http://api.test/cms/v2/posts' }] },
        },
        page: { hierarchical: true },
      },
    },
  ],
  ['GET /types/page', 200, { has: { slug: 'page', rest_base: 'pages', hierarchical: true } }],
  ['GET /types/invalid', 404, 'rest_type_invalid'],
  ['GET /types/revision', 401, 'rest_cannot_read_type'],
  ['GET /types/revision as subscriber', 403, 'rest_cannot_read_type'],
  [
    'GET /types/post?context=edit as editor',
    200,
    {
      has: {
        viewable: true,
        capabilities: { edit_posts: 'edit_posts' },
        supports: { title: true, 'post-formats': true },
        labels: { singular_name: 'Post' },
      },
    },
  ],
  ['GET /types/post?context=edit', 401, 'rest_forbidden_context'],
  ['GET /types?context=edit', 401, 'rest_cannot_view'],
  ['GET /types?context=edit as subscriber', 403, 'rest_cannot_view'],
  ['GET /types?context=edit as contributor', 200, { check: slugs('post', 'attachment') }],
  ['GET /types/page?context=edit as contributor', 403, 'rest_forbidden_context'],
]);

behaviour('X-06 members', [
  ...['category', 'post_tag'].flatMap((slug): Line[] => [
    [`GET /taxonomies/${slug}`, 200, { members: TAXONOMY.view, has: { rest_namespace: 'cms/v2' } }],
    [`GET /taxonomies/${slug}?context=embed`, 200, { members: TAXONOMY.embed }],
    [
      `GET /taxonomies/${slug}?context=edit as admin`,
      200,
      { members: [...TAXONOMY.view, 'capabilities', 'labels', 'show_cloud', 'visibility'] },
    ],
  ]),
  ...['post', 'page', 'attachment'].flatMap((slug): Line[] => [
    [`GET /types/${slug}`, 200, { members: TYPE.view, has: { rest_namespace: 'cms/v2' } }],
    [`GET /types/${slug}?context=embed`, 200, { members: TYPE.embed }],
    // The reference also has has_archive, icon, visibility, template.
    [
      `GET /types/${slug}?context=edit as admin`,
      200,
      { members: [...TYPE.view, 'capabilities', 'labels', 'supports', 'viewable'] },
    ],
  ]),
]);
