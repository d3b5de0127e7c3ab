// Requests that were played but are not shown, as far as later responses tell what they did. They are played in their place and not
// compared, so that the shown ones meet the state they met then. `id`: the id that the item got.
import type { Recording } from './content.js';

/** Requests that came before a shown one. */
export interface Hidden {
  before: string;
  requests: (Recording['request'] & { id?: number })[];
}

const post = (as: string, url: string, body: object, id?: number) => ({
  method: 'POST',
  url: `{base}{ns}/${url}`,
  as,
  body,
  ...(id === undefined ? {} : { id }),
});
const remove = (as: string, url: string) => ({ method: 'DELETE', url: `{base}{ns}/${url}`, as });

export const HIDDEN: Hidden[] = [
  // Pages: another page of the same name at the top, one more change, the way into the trash.
  {
    before: 'pages.loop',
    requests: [post('editor', 'pages', { title: 'Lab page', status: 'publish', slug: 'lab-page' }, 5002)],
  },
  { before: 'pages.trash-again', requests: [remove('editor', 'pages/5000')] },

  // Posts that later requests change.
  {
    before: 'posts-write.create-title-rendered',
    requests: [
      post(
        'admin',
        'posts',
        {
          title: 'Lab post',
          content: 'Some <em>text</em>\n\nTwo paragraphs.',
          excerpt: 'Short',
          status: 'publish',
          slug: 'lab-post',
          format: 'aside',
          categories: [2, 3],
          tags: [18],
          meta: { subtitle: 'Sub', rating: 4 },
        },
        5008,
      ),
      post('admin', 'posts', { title: 'Lab post', slug: 'lab-post', status: 'publish' }, 5009),
    ],
  },
  {
    before: 'posts-write.create-contributor-publish',
    requests: [
      post(
        'author',
        'posts',
        {
          title: 'Unsafe alert(1)',
          content: '<p>ok</p><script>alert(1)</script>',
          status: 'publish',
          slug: 'unsafe-alert1',
        },
        5013,
      ),
      post('contributor', 'posts', { title: 'Contributor again', status: 'pending' }, 5015),
    ],
  },
  {
    // Something that the counts of the default category tell of.
    before: 'posts-write.create-slug-sanitised',
    requests: [1, 2, 3].map((n) => post('admin', 'posts', { title: `Published ${n}`, status: 'publish' })),
  },
  {
    before: 'posts-write.create-date-offset',
    requests: [post('admin', 'posts', { title: 'Dated', date: '2020-02-29T10:00:00', status: 'publish' }, 5035)],
  },
  {
    before: 'posts-write.meta-multi',
    requests: [post('admin', 'posts/5046', { meta: { subtitle: null, rating: null } }, 5049)],
  },
  {
    before: 'posts-write.update-patch',
    requests: [
      post('admin', 'posts/5008', { title: 'Lab post changed' }, 5053),
      post('admin', 'posts/5008', { title: 'Lab post put' }, 5054),
    ],
  },
  { before: 'posts-write.update-author-own', requests: [post('admin', 'posts/1001', { content: 'Changed' }, 5056)] },
  {
    before: 'posts-write.update-sticky-password',
    requests: [post('admin', 'posts/5008', { categories: [6], tags: [], format: 'standard', sticky: true })],
  },
  { before: 'posts-write.update-context-view', requests: [post('admin', 'posts/5008', { excerpt: 'Again' }, 5064)] },
  { before: 'posts-write.contributor-own-published', requests: [remove('admin', 'posts/5008?force=true')] },
  {
    before: 'revisions.update-meta-no-revision',
    requests: [post('editor', 'posts/1014', { content: 'Changed once' }, 5067)],
  },

  // Terms.
  { before: 'tags.update-slug', requests: [post('editor', 'tags/101', { name: 'Lab Term Renamed', description: '' })] },
  {
    before: 'categories.create-dup',
    requests: [
      post(
        'editor',
        'categories',
        { name: 'Lab Term', description: 'With <b>bold</b>', meta: { color: 'green' } },
        106,
      ),
    ],
  },
  {
    before: 'categories.update-slug',
    requests: [
      post('editor', 'categories/106', { name: 'Lab Term Renamed', description: '' }),
      post('editor', 'categories', { name: 'Lab Child', parent: 106 }, 109),
    ],
  },
  { before: 'categories.gone', requests: [remove('editor', 'categories/106?force=true')] },

  // Comments.
  {
    before: 'comments.create-dup',
    requests: [
      post('admin', 'comments', { post: 1003, content: 'Hello from an <em>admin</em> <script>x</script>' }, 501),
      post('admin', 'comments', { post: 1003, content: 'A reply', parent: 501 }, 502),
    ],
  },
  { before: 'comments.update-hold', requests: [post('admin', 'comments/501', { content: 'Changed' })] },
  { before: 'comments.trash', requests: [post('admin', 'comments/501', { post: 1005 })] },

  // Users.
  {
    before: 'users.create-dup-login',
    requests: [
      post(
        'admin',
        'users',
        {
          username: 'labuser',
          email: 'labuser@example.test',
          password: 'pw',
          first_name: 'Lab',
          last_name: 'User',
          url: 'https://lab.example.test',
          nickname: 'labby',
          roles: ['author'],
          meta: { pronouns: 'she/her' },
        },
        50,
      ),
    ],
  },

  {
    before: 'users.delete-editor',
    requests: [post('admin', 'posts', { title: 'By the lab user', author: 50, status: 'publish' })],
  },

  // The life of a post.
  { before: 'life.draft', requests: [post('editor', 'tags', { name: 'Life tag' }, 114)] },
  { before: 'life.pending', requests: [post('author', 'posts/5079', { content: 'Third' }, 5081)] },
  { before: 'life.term-count', requests: [post('editor', 'posts/5079', { status: 'publish' })] },
  { before: 'life.private-hidden', requests: [post('editor', 'posts/5079', { status: 'private' })] },
  { before: 'life.comment-in-trash', requests: [remove('editor', 'posts/5079')] },
  { before: 'life.post-without-tag', requests: [remove('editor', 'tags/114?force=true')] },
  { before: 'life.post-default-cat', requests: [remove('editor', 'categories/113?force=true')] },
  { before: 'life.revision-gone', requests: [remove('editor', 'posts/5079?force=true')] },
];

/** The requests that come before one that is shown. */
export function hiddenBefore(name: string): Hidden['requests'] {
  return HIDDEN.filter((hidden) => hidden.before === name).flatMap((hidden) => hidden.requests);
}
