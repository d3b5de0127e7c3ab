// Behaviours C-…: comments. Reading comes first, on content that stays as seeded.
import { describe, expect } from '@jest/globals';
import { argsOf, schemaOf, withBrokenTable, world, type Line } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const VIEW = [
  'id',
  'post',
  'parent',
  'author',
  'author_name',
  'author_url',
  'date',
  'date_gmt',
  'content',
  'link',
  'status',
  'type',
  'author_avatar_urls',
  'meta',
];
const EDIT = [...VIEW, 'author_email', 'author_ip', 'author_user_agent'];
const say = (saveAs: string, body: object, as = 'admin'): Line => [
  'POST /comments as ' + as,
  201,
  { body: { content: `Words of ${saveAs}.`, ...body }, saveAs },
];

describe('reading', () => {
  const { behaviour, saved } = world({
    actors: ['editor', 'author', 'contributor', 'subscriber', 'sam:subscriber'],
    seed: [
      ['POST /posts as author', 201, { body: { title: 'Open', status: 'publish' }, saveAs: 'open' }],
      ['POST /posts as admin', 201, { body: { title: 'Other', status: 'publish' }, saveAs: 'other' }],
      [
        'POST /posts as admin',
        201,
        { body: { title: 'Locked', status: 'publish', password: 'sesame' }, saveAs: 'locked' },
      ],
      ['POST /posts as author', 201, { body: { title: 'Private', status: 'private' }, saveAs: 'secret' }],
      ['POST /posts as admin', 201, { body: { title: 'Gone', status: 'publish' }, saveAs: 'gone' }],
      say('one', {
        post: '{open}',
        date: '2020-01-01T10:00:00',
        status: 'approved',
        author_name: 'Findme',
        author_email: 'find@example.org',
      }),
      say('two', { post: '{open}', date: '2021-01-01T10:00:00', status: 'approved', author: '{sam}' }),
      say('reply', { post: '{open}', parent: '{one}', date: '2022-01-01T10:00:00' }),
      say('far', { post: '{other}', date: '2023-01-01T10:00:00', content: 'Something else entirely.' }),
      say('behind', { post: '{locked}', date: '2020-06-01T10:00:00' }),
      say('inside', { post: '{secret}', date: '2020-07-01T10:00:00' }),
      say('held', { post: '{open}', date: '2020-08-01T10:00:00', status: 'hold', author: '{sam}' }),
      say('spam', { post: '{open}', date: '2020-09-01T10:00:00', status: 'spam' }),
    ],
  });
  const OPEN = ['far', 'reply', 'two', 'one'];

  behaviour('C-01 parameters of the list', [
    [
      'OPTIONS /comments',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'after',
            'author',
            'author_email',
            'author_exclude',
            'before',
            'context',
            'exclude',
            'include',
            'offset',
            'order',
            'orderby',
            'page',
            'parent',
            'parent_exclude',
            'password',
            'per_page',
            'post',
            'search',
            'status',
            'type',
          ]),
      },
    ],
  ]);

  behaviour('C-02 approved ones by default', [
    ['GET /comments', 200, { items: OPEN, sends: { 'X-WP-Total': '4' } }],
    ['GET /comments?status=hold as editor', 200, { items: ['held'] }],
  ]);

  behaviour('C-03 comments of a protected post', [
    ['GET /comments?post={locked}&password=sesame', 200, { items: ['behind'] }],
    ['GET /comments?password=sesame', 200, { items: OPEN }],
    ['GET /comments?post={locked},{open}&password=sesame', 401, 'rest_cannot_read_post'],
    ['GET /comments?post={locked}&password=wrong', 401, 'rest_cannot_read_post'],
    ['GET /comments as subscriber', 200, { lacks: ['behind'] }],
    ['GET /comments as editor', 200, { holds: ['behind', 'inside'] }],
  ]);

  behaviour('C-04 private posts, no post, posts that are not there', [
    ['GET /comments', 200, { lacks: ['inside'] }],
    ['GET /comments as subscriber', 200, { lacks: ['inside'] }],
    ['GET /comments as author', 200, { holds: ['inside'] }],
    ['GET /comments?post=987654', 200, { items: [] }],
    ['GET /comments?post=0 as admin', 200, { items: [] }],
    ['GET /comments?post=0', 401, 'rest_cannot_read'],
    ['GET /comments?post=0 as author', 403, 'rest_cannot_read'],
  ]);

  behaviour('C-05 edit context', [
    ['GET /comments?context=edit', 401, 'rest_forbidden_context'],
    ['GET /comments?context=edit as author', 403, 'rest_forbidden_context'],
    [
      'GET /comments?context=edit as admin',
      200,
      { check: (body) => expect(Object.keys(body[0])).toEqual(expect.arrayContaining(['author_email', 'author_ip'])) },
    ],
  ]);

  behaviour('C-06 post', [
    ['GET /comments?post={other}', 200, { items: ['far'] }],
    ['GET /comments?post={other},{open}', 200, { items: OPEN }],
    ['GET /comments?post=slug', 400, invalid('post')],
  ]);

  behaviour('C-07 include, exclude, offset, order', [
    ['GET /comments?include={one},{far}', 200, { items: ['far', 'one'] }],
    ['GET /comments?include={one},{far}&orderby=include', 200, { items: ['one', 'far'] }],
    ['GET /comments?include=garbage', 400, invalid('include')],
    ['GET /comments?exclude={one},{far}', 200, { items: ['reply', 'two'] }],
    ['GET /comments?exclude=garbage', 400, invalid('exclude')],
    ['GET /comments?offset=2', 200, { items: ['two', 'one'] }],
    ['GET /comments?offset=2&per_page=1', 200, { items: ['two'] }],
    ['GET /comments?offset=garbage', 400, invalid('offset')],
    ['GET /comments?order=asc', 200, { items: [...OPEN].reverse() }],
    ['GET /comments?order=asc&orderby=id', 200, { items: ['one', 'two', 'reply', 'far'] }],
    ['GET /comments?order=garbage', 400, invalid('order')],
    ['GET /comments?orderby=garbage', 400, invalid('orderby')],
  ]);

  behaviour('C-08 a private post as filter', [
    ['GET /comments?post={secret}', 401, 'rest_cannot_read_post'],
    ['GET /comments?post={secret} as subscriber', 403, 'rest_cannot_read_post'],
    ['GET /comments?post={secret} as author', 200, { items: ['inside'] }],
  ]);

  behaviour('C-09 author filters', [
    ['GET /comments?author={sam} as editor', 200, { items: ['two'] }],
    ['GET /comments?author={sam},{admin} as editor', 200, { holds: ['two', 'far'] }],
    ['GET /comments?author={sam}', 401, 'rest_forbidden_param'],
    ['GET /comments?author_exclude={admin} as editor', 200, { lacks: ['far'], holds: ['two'] }],
    ['GET /comments?author_exclude={admin}', 401, 'rest_forbidden_param'],
    ['GET /comments?author_email=find@example.org as editor', 200, { items: ['one'] }],
    ['GET /comments?author_email=find@example.org as subscriber', 403, 'rest_forbidden_param'],
    ['GET /comments?author=sam as editor', 400, invalid('author')],
    ['GET /comments?author_exclude=sam as editor', 400, invalid('author_exclude')],
    ['GET /comments?author_email=no as editor', 400, invalid('author_email')],
    ['GET /comments?status=hold&type=pingback', 401, 'rest_forbidden_param'],
  ]);

  behaviour('C-10 parent and parent_exclude', [
    ['GET /comments?parent={one}', 200, { items: ['reply'] }],
    ['GET /comments?parent=0', 200, { items: ['far', 'two', 'one'] }],
    ['GET /comments?parent={one},0', 200, { items: OPEN }],
    ['GET /comments?parent_exclude={one}', 200, { items: ['far', 'two', 'one'] }],
    ['GET /comments?parent=x', 400, invalid('parent')],
    ['GET /comments?parent_exclude=x', 400, invalid('parent_exclude')],
  ]);

  behaviour('C-11 search', [
    ['GET /comments?search=entirely', 200, { items: ['far'] }],
    ['GET /comments?search=findme', 200, { items: ['one'] }],
    ['GET /comments?search=nowhere', 200, { items: [] }],
  ]);

  behaviour('C-12 pagination headers', [
    [
      'GET /comments?per_page=3',
      200,
      { sends: { 'X-WP-Total': '4', 'X-WP-TotalPages': '2', Link: /page=2>; rel="next"$/ } },
    ],
    ['GET /comments?per_page=3&page=2', 200, { items: ['one'], sends: { Link: /page=1>; rel="prev"$/ } }],
    ['GET /comments?per_page=3&page=9', 200, { items: [], sends: { 'X-WP-Total': '4', Link: /page=2>; rel="prev"$/ } }],
    ['GET /comments?per_page=101', 400, invalid('per_page')],
  ]);

  behaviour('C-13 after and before', [
    ['GET /comments?after=2021-01-01T10:00:00', 200, { items: ['far', 'reply'] }],
    ['GET /comments?before=2021-01-01T10:00:00', 200, { items: ['one'] }],
    ['GET /comments?after=x', 400, invalid('after')],
    ['GET /comments?before=x', 400, invalid('before')],
  ]);

  behaviour('C-20 one comment', [
    [
      'GET /comments/{two}',
      200,
      {
        members: VIEW,
        has: {
          post: '{open}',
          author: '{sam}',
          content: { rendered: '<p>Words of two.</p>\n' },
          status: 'approved',
          type: 'comment',
          link: expect.stringMatching(/#comment-\d+$/),
        },
        hasNot: ['content.raw'],
      },
    ],
    [
      'GET /comments/{two}?_fields=id,status',
      200,
      { check: (body) => expect(body).toEqual({ id: saved['two'], status: 'approved' }) },
    ],
    [
      'GET /comments/{two}',
      200,
      { check: ({ author_avatar_urls: urls }) => expect(Object.keys(urls)).toEqual(['24', '48', '96']) },
    ],
    ['GET /comments/{two}?context=edit as admin', 200, { members: EDIT }],
    ['GET /comments/{two}?context=edit', 401, 'rest_forbidden_context'],
    [
      'GET /comments/{two}?context=embed',
      200,
      {
        members: [
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
        ],
      },
    ],
  ]);

  behaviour('C-21 unknown, orphaned, unapproved, own', [
    ['GET /comments/987654', 404, 'rest_comment_invalid_id'],
    ['GET /comments/{held}', 401, 'rest_cannot_read'],
    ['GET /comments/{held} as subscriber', 403, 'rest_cannot_read'],
    ['GET /comments/{held} as sam', 200],
    ['GET /comments/{held} as author', 200],
    ['GET /comments/{inside}', 401],
    // The trash of the post takes its comments along.
    say('late', { post: '{gone}' }),
    ['DELETE /posts/{gone} as admin', 200],
    ['GET /comments/{late}', 401],
    ['DELETE /posts/{gone}?force=true as admin', 200],
    // The reference keeps such comments: 404 rest_post_invalid_id. Here they are deleted with their post.
    ['GET /comments/{late} as admin', 404, 'rest_comment_invalid_id'],
  ]);

  behaviour('C-22 children', [
    [
      'GET /comments/{one}',
      200,
      {
        has: {
          _links: {
            children: [{ embeddable: true, href: 'http://api.test/cms/v2/comments?parent={one}' }],
            up: [{ embeddable: true, post_type: 'post' }],
          },
        },
      },
    ],
    [
      'GET /comments/{reply}',
      200,
      {
        has: { _links: { 'in-reply-to': [{ embeddable: true, href: 'http://api.test/cms/v2/comments/{one}' }] } },
        hasNot: ['_links.children'],
      },
    ],
    say('parent', { post: '{other}' }),
    say('child', { post: '{other}', parent: '{parent}' }),
    ['GET /comments/{parent}', 200, { has: { _links: { children: [{}] } } }],
    ['DELETE /comments/{child} as admin', 200],
    ['GET /comments/{parent}', 200, { hasNot: ['_links.children'] }],
    ['DELETE /comments/{child}?force=true as admin', 200],
    ['GET /comments/{parent}', 200, { hasNot: ['_links.children'] }],
    ['DELETE /comments/{parent}?force=true as admin', 200],
  ]);

  behaviour('C-23 the password of the post', [
    ['GET /comments/{behind}', 401, 'rest_cannot_read'],
    ['GET /comments/{behind}?password=sesame', 200],
    ['GET /comments/{behind}?password=wrong', 401],
    ['GET /comments/{behind} as editor', 200],
  ]);

  behaviour('C-61 properties of the schema', [
    [
      'OPTIONS /comments',
      200,
      {
        check: (body) => {
          expect(schemaOf(body).title).toBe('comment');
          expect(Object.keys(schemaOf(body).properties).sort()).toEqual([...EDIT].sort());
        },
      },
    ],
  ]);
});

describe('writing', () => {
  const site = world({
    actors: ['editor', 'author', 'contributor', 'subscriber', 'sam:subscriber', 'kim:subscriber', 'moderator'],
    roles: { moderator: ['read', 'moderate_comments'] },
    seed: [
      ['POST /posts as author', 201, { body: { title: 'Open', status: 'publish' }, saveAs: 'open' }],
      ['POST /posts as admin', 201, { body: { title: 'Other', status: 'publish' }, saveAs: 'other' }],
      ['POST /posts as admin', 201, { body: { title: 'Draft' }, saveAs: 'draft' }],
      ['POST /posts as admin', 201, { body: { title: 'Private', status: 'private' }, saveAs: 'secret' }],
      [
        'POST /posts as admin',
        201,
        { body: { title: 'Locked', status: 'publish', password: 'sesame' }, saveAs: 'locked' },
      ],
      [
        'POST /posts as admin',
        201,
        { body: { title: 'Closed', status: 'publish', comment_status: 'closed' }, saveAs: 'closed' },
      ],
      ['POST /posts as admin', 201, { body: { title: 'Trash', status: 'publish' }, saveAs: 'trash' }],
      ['DELETE /posts/{trash} as admin', 200],
      say('mine', { post: '{open}' }),
      say('hidden', { post: '{secret}' }),
      ['POST /users/{sam} as admin', 200, { body: { name: 'Sam S.', url: 'https://sam.example' } }],
    ],
  });
  const { behaviour, saved } = site;
  let said = 0;
  const send = (as: string, status: number, body: object, more: Line[2] = {}): Line => [
    `POST /comments as ${as}`,
    status,
    {
      body: { post: '{open}', content: `Saying ${++said}.`, ...body },
      ...(typeof more === 'string' ? { code: more } : more),
    },
  ];
  const edit = (as: string, status: number, body: object, more: Line[2] = {}): Line => [
    `POST /comments/{mine} as ${as}`,
    status,
    { body, ...(typeof more === 'string' ? { code: more } : more) },
  ];

  const GUEST = { author_name: 'Jo', author_email: 'jo@example.org', author_url: 'https://jo.example' };
  behaviour('C-30 moderators give everything', [
    send(
      'editor',
      201,
      {
        ...GUEST,
        author_ip: '139.130.4.5',
        author_user_agent: 'curl/8',
        content: { raw: 'Raw words' },
        status: 'hold',
        date: '2014-11-07T10:14:25',
      },
      {
        members: EDIT,
        has: {
          ...GUEST,
          author: 0,
          author_ip: '139.130.4.5',
          author_user_agent: 'curl/8',
          content: { raw: 'Raw words' },
          status: 'hold',
          date: '2014-11-07T10:14:25',
          date_gmt: '2014-11-07T10:14:25',
        },
        check: ({ id }, { headers }) => expect(headers['location']).toBe(`http://api.test/cms/v2/comments/${id}`),
      },
    ),
    send(
      'editor',
      201,
      { date_gmt: '2016-12-12T18:00:00-01:00' },
      { has: { date: '2016-12-12T19:00:00', date_gmt: '2016-12-12T19:00:00' } },
    ),
    send('editor', 201, { date: '2016-12-12T18:00:00-01:00' }, { has: { date: '2016-12-12T19:00:00' } }),
    send('editor', 400, { id: 7 }, 'rest_comment_exists'),
  ]);

  behaviour('C-31 name and e-mail', [
    send('editor', 400, { author_email: 'jo@example.org' }, 'rest_comment_author_data_required'),
    send('editor', 400, { author_name: '', author_email: 'jo@example.org' }, 'rest_comment_author_data_required'),
    send('editor', 400, { author_name: 'Jo' }, 'rest_comment_author_data_required'),
    send('editor', 400, { author_name: 'Jo', author_email: '' }, 'rest_comment_author_data_required'),
    send('editor', 400, { author_name: 'Jo', author_email: 'a@b' }, invalid('author_email')),
  ]);

  behaviour('C-32 content', [
    send('editor', 400, { content: undefined }, 'rest_comment_content_invalid'),
    ...['', '   ', '\t\n'].map((content) => send('editor', 400, { content }, 'rest_comment_content_invalid')),
    send('editor', 201, { content: '0' }, { has: { content: { raw: '0' } } }),
  ]);

  behaviour(
    'C-33 invalid dates',
    ['date', 'date_gmt'].map((name) =>
      send('editor', 400, { [name]: 'foo-bar' }, { ...invalid(name), details: { [name]: 'rest_invalid_date' } }),
    ),
  );

  behaviour('C-34 author data', [
    send(
      'admin',
      201,
      { author: '{sam}' },
      {
        has: {
          author: '{sam}',
          author_name: 'Sam S.',
          author_url: 'https://sam.example',
          author_email: 'sam@example.org',
        },
      },
    ),
    send('subscriber', 201, {}, { has: { author: '{subscriber}' }, members: VIEW }),
    send('editor', 201, {}, { has: { author: '{editor}', author_email: 'editor@example.org' } }),
  ]);

  behaviour('C-35 types, e-mails, authors', [
    send('editor', 201, { type: 'comment' }, { has: { type: 'comment' } }),
    send('editor', 400, { type: 'foo' }, 'rest_invalid_comment_type'),
    send('editor', 400, { ...GUEST, author_email: 'hello:)' }, invalid('author_email')),
    send('subscriber', 403, { author: '{sam}' }, 'rest_comment_invalid_author'),
  ]);

  behaviour('C-36 post, status, address, agent', [
    send('editor', 400, { post: 'some-slug' }, invalid('post')),
    send('subscriber', 403, { status: 'approved' }, 'rest_comment_invalid_status'),
    send('editor', 400, { status: 'nonsense' }, invalid('status')),
    send(
      'editor',
      201,
      { author_ip: '139.130.4.5', author_user_agent: 'Mine' },
      { has: { author_ip: '139.130.4.5', author_user_agent: 'Mine' } },
    ),
    send(
      'editor',
      201,
      {},
      { headers: { 'User-Agent': 'Header/1' }, has: { author_user_agent: 'Header/1', author_ip: '127.0.0.1' } },
    ),
    send('contributor', 201, { author_ip: '127.0.0.1' }),
    send('editor', 400, { author_ip: '867.5309' }, invalid('author_ip')),
    send('author', 403, { author_ip: '139.130.4.5' }, 'rest_comment_invalid_author_ip'),
  ]);

  behaviour('C-37 what cannot be commented on', [
    send('admin', 403, { post: undefined }, 'rest_comment_invalid_post_id'),
    send('admin', 403, { post: 0 }, 'rest_comment_invalid_post_id'),
    send('admin', 403, { post: 987654 }, 'rest_comment_invalid_post_id'),
    send('admin', 403, { post: '{draft}' }, 'rest_comment_draft_post'),
    send('admin', 403, { post: '{trash}' }, 'rest_comment_trash_post'),
    send('subscriber', 403, { post: '{secret}' }, 'rest_cannot_read_post'),
    send('subscriber', 403, { post: '{locked}' }, 'rest_cannot_read_post'),
    send('kim', 201, { post: '{locked}', password: 'sesame' }),
    send('admin', 201, { content: 'Once.' }),
    send('admin', 409, { content: 'Once.' }, 'comment_duplicate'),
    send('admin', 403, { post: '{closed}' }, 'rest_comment_closed'),
    [
      'POST /comments',
      401,
      { body: { post: '{open}', content: 'Guest.', ...GUEST }, code: 'rest_comment_login_required' },
    ],
  ]);

  behaviour('C-38 unknown authors; quick writing', [
    send('admin', 400, { author: 987654 }, 'rest_comment_author_invalid'),
    send('admin', 201, {}),
    send('admin', 201, {}),
  ]);

  const LONG: [string, object][] = [
    ['comment_author_column_length', { author_name: 'n'.repeat(246), author_email: 'jo@example.org' }],
    ['comment_author_email_column_length', { author_name: 'Jo', author_email: `${'n'.repeat(100)}@example.org` }],
    ['comment_author_url_column_length', { ...GUEST, author_url: `https://example.org/${'n'.repeat(200)}` }],
    ['comment_content_column_length', { content: 'n'.repeat(65_526) }],
  ];
  behaviour(
    'C-39 lengths',
    LONG.flatMap(([code, body]) => [send('admin', 400, body, code), edit('admin', 400, body, code)]),
  );

  behaviour('C-40 anonymous callers', [
    ['POST /comments', 401, { body: { post: '{open}', content: 'Hi' }, code: 'rest_comment_login_required' }],
  ]);

  behaviour('C-50 updates', [
    edit(
      'admin',
      200,
      {
        ...GUEST,
        author: '{sam}',
        content: 'New words',
        date: '2014-11-07T10:14:25',
        author_ip: '10.0.0.1',
        status: 'hold',
      },
      {
        has: {
          author: '{sam}',
          content: { raw: 'New words' },
          date: '2014-11-07T10:14:25',
          author_ip: '10.0.0.1',
          status: 'hold',
        },
        members: EDIT,
      },
    ),
    edit('admin', 200, { status: 'approve' }, { has: { status: 'approved', content: { raw: 'New words' } } }),
    edit(
      'admin',
      200,
      { date_gmt: '2015-05-07T10:14:25' },
      { has: { date_gmt: '2015-05-07T10:14:25', date: '2015-05-07T10:14:25' } },
    ),
    edit('admin', 200, { author_email: 'other@example.org' }, { has: { author_email: 'other@example.org' } }),
    edit('admin', 200, { author_name: '' }, { has: { author_name: '' } }),
    edit('admin', 200, { author_email: '' }, { has: { author_email: '' } }),
    edit('admin', 200, { author_name: 'Only' }, { has: { author_name: 'Only' } }),
    edit('admin', 200, { status: 'spam' }, { has: { status: 'spam' } }),
    edit('admin', 200, { status: 'unspam' }, { has: { status: 'approved' } }),
  ]);

  behaviour('C-51 empty updates', [
    edit('admin', 200, {}, { has: { content: { raw: 'New words' }, post: '{open}', author_ip: '10.0.0.1' } }),
    edit('admin', 200, { content: 'New words' }),
    edit('admin', 400, { content: '' }, 'rest_comment_content_invalid'),
    edit('admin', 400, { content: '  ' }, 'rest_comment_content_invalid'),
  ]);

  behaviour('C-52 refused updates', [
    edit('admin', 404, { type: 'pingback' }, 'rest_comment_invalid_type'),
    edit('admin', 200, { content: { raw: 'As object' } }, { has: { content: { raw: 'As object' } } }),
    ...['date', 'date_gmt'].map((name) => edit('admin', 400, { [name]: 'foo' }, invalid(name))),
    ['POST /comments/987654 as admin', 404, { body: { content: 'x' }, code: 'rest_comment_invalid_id' }],
    edit('admin', 403, { post: 987654 }, 'rest_comment_invalid_post_id'),
    ['POST /comments/{mine}', 401, { body: { content: 'x' }, code: 'rest_cannot_edit' }],
    edit('subscriber', 403, { content: 'x' }, 'rest_cannot_edit'),
    edit('moderator', 200, { content: 'Moderated' }, { has: { content: { raw: 'Moderated' } } }),
    ['POST /comments/{hidden} as author', 403, { body: { content: 'x' }, code: 'rest_cannot_edit' }],
  ]);

  behaviour('C-53 a failing storage', async () => {
    await withBrokenTable(site.site, 'comments', 'UPDATE', () =>
      site.run([edit('admin', 500, { content: 'Lost' }, 'rest_comment_failed_edit')]),
    );
    await withBrokenTable(site.site, 'comments', 'INSERT', () =>
      site.run([send('admin', 500, { content: 'Lost' }, 'rest_comment_failed_create')]),
    );
  });

  const WILD = '<div>div</div> <strong>strong</strong> <script>oh noes</script>';
  const BACK = String.raw`\o/ ¯\_(ツ)_/¯`;
  behaviour(
    'C-54 round trips',
    ['editor', 'admin'].flatMap((as) =>
      [WILD, BACK].map((text) =>
        edit(
          as,
          200,
          { content: text, author_name: BACK, author_user_agent: BACK },
          { has: { content: { raw: text }, author_name: BACK, author_user_agent: BACK } },
        ),
      ),
    ),
  );

  behaviour('C-60 deleting', [
    say('bin', { post: '{open}' }),
    ['DELETE /comments/{bin} as subscriber', 403, 'rest_cannot_delete'],
    ['DELETE /comments/{bin}', 401, 'rest_cannot_delete'],
    ['DELETE /comments/{bin} as editor', 200, { has: { id: '{bin}', status: 'trash', post: '{open}' } }],
    ['DELETE /comments/{bin} as editor', 410, 'rest_already_trashed'],
    [
      'DELETE /comments/{bin}?force=true as editor',
      200,
      { has: { deleted: true, previous: { post: '{open}' } }, hasNot: ['previous._links'] },
    ],
    ['DELETE /comments/987654 as editor', 404, 'rest_comment_invalid_id'],
  ] satisfies Line[]);

  behaviour('C-30 what a reply gets', [
    say('root', { post: '{open}' }),
    send('admin', 201, { parent: '{root}' }, { has: { parent: '{root}' } }),
    // The reference takes any number.
    send('admin', 400, { parent: 987654 }, 'rest_comment_invalid_parent'),
    ['GET /comments/{root}', 200, { check: () => expect(saved['root']).toBeDefined() }],
  ]);
});

describe('without avatars', () => {
  const { behaviour } = world({ environment: { SITE_SHOW_AVATARS: 'off' } });
  behaviour('C-61 no avatars when switched off', [
    ['POST /posts as admin', 201, { body: { title: 'Open', status: 'publish' }, saveAs: 'open' }],
    say('plain', { post: '{open}' }),
    ['GET /comments/{plain}', 200, { hasNot: ['author_avatar_urls'] }],
    ['GET /users/{admin} as admin', 200, { hasNot: ['avatar_urls'] }],
    [
      'OPTIONS /comments',
      200,
      { check: (body) => expect(Object.keys(schemaOf(body).properties)).not.toContain('author_avatar_urls') },
    ],
    [
      'OPTIONS /users',
      200,
      { check: (body) => expect(Object.keys(schemaOf(body).properties)).not.toContain('avatar_urls') },
    ],
  ]);
});
