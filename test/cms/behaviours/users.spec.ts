// Behaviours U-…: users. Reading comes first, on accounts that stay as seeded.
import { describe, expect } from '@jest/globals';
import { argsOf, PNG, schemaOf, world, type Line, type More } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const VIEW = ['id', 'name', 'url', 'description', 'link', 'slug', 'avatar_urls', 'meta'];
const EDIT = [
  ...VIEW,
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
];
const IMAGE = {
  raw: PNG,
  headers: { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="a.png"' },
};

describe('reading', () => {
  const { behaviour, saved } = world({
    actors: [
      'editor',
      'ann:author',
      'bob:author',
      'cat:editor',
      'dan:author',
      'eve:subscriber',
      'nobody:',
      'mia:author',
    ],
    seed: [
      ['POST /posts as ann', 201, { body: { title: 'Published', status: 'publish' }, saveAs: 'post' }],
      ['POST /posts as bob', 201, { body: { title: 'Draft' }, saveAs: 'draft' }],
      ['POST /pages as cat', 201, { body: { title: 'Page', status: 'publish' }, saveAs: 'page' }],
      ['POST /posts as dan', 201, { body: { title: 'Private', status: 'private' }, saveAs: 'private' }],
      ['POST /media as mia', 201, { ...IMAGE, saveAs: 'image' }],
      ['POST /users/{ann} as admin', 200, { body: { name: 'Ann', url: 'https://b.example', slug: 'zeta' } }],
      ['POST /users/{cat} as admin', 200, { body: { name: 'Cat', url: 'https://a.example', slug: 'alpha' } }],
    ],
  });
  // Who has published, by name: what others may see.
  const SEEN = ['ann', 'cat'];

  behaviour('U-01 parameters of the list', [
    // The reference also has capabilities, has_published_posts, search_columns.
    [
      'OPTIONS /users',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'context',
            'exclude',
            'include',
            'offset',
            'order',
            'orderby',
            'page',
            'per_page',
            'roles',
            'search',
            'slug',
            'who',
          ]),
      },
    ],
  ]);

  behaviour('U-02 administrators see all; edit context', [
    ['GET /users as admin', 200, { only: ['admin', 'ann', 'bob', 'cat', 'dan', 'editor', 'eve', 'mia', 'nobody'] }],
    [
      'GET /users?context=edit as admin',
      200,
      {
        check: (body) =>
          body.forEach((user: object) => expect(Object.keys(user).sort()).toEqual([...EDIT, '_links'].sort())),
      },
    ],
    ['GET /users?context=edit', 401, 'rest_forbidden_context'],
    ['GET /users?context=edit as editor', 403, 'rest_forbidden_context'],
  ]);

  behaviour('U-03 others see published authors', [
    [
      'GET /users',
      200,
      {
        items: SEEN,
        sends: { 'X-WP-Total': '2' },
        check: (body) => expect(Object.keys(body[0]).sort()).toEqual([...VIEW, '_links'].sort()),
      },
    ],
    ['GET /users as editor', 200, { items: SEEN }],
    ['GET /users?include={bob},{ann}', 200, { items: ['ann'] }],
    ['GET /users?search=bob', 200, { items: [] }],
  ]);

  behaviour('U-04 headers, per_page, beyond the end', [
    [
      'GET /users?per_page=4 as admin',
      200,
      { sends: { 'X-WP-Total': '9', 'X-WP-TotalPages': '3', Link: /page=2>; rel="next"$/ } },
    ],
    [
      'GET /users?per_page=4&page=3 as admin',
      200,
      { sends: { Link: /page=2>; rel="prev"$/ }, check: (body) => expect(body).toHaveLength(1) },
    ],
    [
      'GET /users?per_page=4&page=9 as admin',
      200,
      { items: [], sends: { 'X-WP-Total': '9', Link: /page=3>; rel="prev"$/ } },
    ],
    ['GET /users?per_page=101 as admin', 400, invalid('per_page')],
  ]);

  behaviour('U-05 orderby', [
    ['GET /users?orderby=name&order=desc', 200, { items: ['cat', 'ann'] }],
    ['GET /users?orderby=url', 200, { items: ['cat', 'ann'] }],
    ['GET /users?orderby=slug', 200, { items: ['cat', 'ann'] }],
    ['GET /users?orderby=slug&order=desc', 200, { items: ['ann', 'cat'] }],
    ['GET /users?orderby=email&include={ann},{bob} as admin', 200, { items: ['ann', 'bob'] }],
    ['GET /users?orderby=registered_date&order=asc&include={ann},{bob} as admin', 200, { items: ['ann', 'bob'] }],
    ...['email', 'registered_date'].flatMap((by): Line[] => [
      [`GET /users?orderby=${by}`, 401, 'rest_forbidden_orderby'],
      [`GET /users?orderby=${by} as editor`, 403, 'rest_forbidden_orderby'],
    ]),
    ['GET /users?orderby=include&include={cat},{ann}', 200, { items: ['cat', 'ann'] }],
    ['GET /users?orderby=garbage', 400, invalid('orderby')],
  ]);

  behaviour('U-06 offset, include, exclude, search, slug', [
    ['GET /users?offset=1', 200, { items: ['cat'] }],
    ['GET /users?offset=1&per_page=2 as admin', 200, { check: (body) => expect(body).toHaveLength(2) }],
    ['GET /users?offset=x', 400, invalid('offset')],
    ['GET /users?include={cat}', 200, { items: ['cat'] }],
    ['GET /users?include=x', 400, invalid('include')],
    ['GET /users?exclude={cat}', 200, { items: ['ann'] }],
    ['GET /users?exclude=x', 400, invalid('exclude')],
    ['GET /users?search=an', 200, { items: ['ann'] }],
    ['GET /users?search=yololololo', 200, { items: [] }],
    ['GET /users?slug=zeta', 200, { items: ['ann'] }],
    ['GET /users?slug[]=zeta&slug[]=alpha', 200, { items: ['ann', 'cat'] }],
    ['GET /users?slug=zeta,alpha,none', 200, { items: ['ann', 'cat'] }],
  ]);

  behaviour('U-07 roles', [
    ['GET /users?roles=author as admin', 200, { only: ['ann', 'bob', 'dan', 'mia'] }],
    ['GET /users?roles=author,subscriber as admin', 200, { only: ['ann', 'bob', 'dan', 'mia', 'eve'] }],
    ['GET /users?roles=author', 401, 'rest_user_cannot_view'],
    ['GET /users?roles=author as editor', 403, 'rest_user_cannot_view'],
    ['GET /users?roles=ilovesteak,author as admin', 200, { only: ['ann', 'bob', 'dan', 'mia'] }],
    ['GET /users?roles=steakisgood as admin', 200, { items: [] }],
  ]);

  behaviour('U-08 who=authors', [
    ['GET /users?who=authors as editor', 200, { only: ['admin', 'ann', 'bob', 'cat', 'dan', 'editor', 'mia'] }],
    ['GET /users?who=subscribers as admin', 400, invalid('who')],
    ['GET /users?who=authors as eve', 403, 'rest_forbidden_who'],
    ['GET /users?who=authors', 401, 'rest_forbidden_who'],
  ]);

  behaviour('U-10 one user', [
    [
      'GET /users/{ann}',
      200,
      {
        members: VIEW,
        has: {
          name: 'Ann',
          slug: 'zeta',
          link: 'http://site.test/author/zeta/',
          _links: {
            self: [{ href: 'http://api.test/cms/v2/users/{ann}' }],
            collection: [{ href: 'http://api.test/cms/v2/users' }],
          },
        },
      },
    ],
    ['GET /users/{cat}', 200],
    ['GET /users/{eve} as eve', 200],
    ['GET /users/987654', 404, 'rest_user_invalid_id'],
    ['GET /users/{eve}', 401, 'rest_user_cannot_view'],
    ['GET /users/{eve} as editor', 403, 'rest_user_cannot_view'],
    ['GET /users/{bob}', 401, 'rest_user_cannot_view'],
    ['GET /users/{dan}', 401, 'rest_user_cannot_view'],
    ['GET /users/{dan} as editor', 200],
    ['GET /users/{ann}?context=edit', 401, 'rest_forbidden_context'],
    ['GET /users/{ann}?context=edit as editor', 403, 'rest_forbidden_context'],
    ['GET /users/{ann}?context=edit as admin', 200, { members: EDIT, hasNot: ['password'] }],
    ['GET /users/{ann}?context=embed', 200, { members: VIEW.filter((name) => name !== 'meta') }],
  ]);

  behaviour('U-11 users/me', [
    ['GET /users/me as eve', 200, { has: { id: '{eve}' } }],
    ['GET /users/me?context=edit as eve', 200, { has: { username: 'eve', roles: ['subscriber'] } }],
    ['GET /users/me', 401, 'rest_not_logged_in'],
    // As everywhere: 400 precedes 401.
    ['GET /users/me?context=banana', 400, { code: 'rest_invalid_param', params: ['context'] }],
    ['PUT /users/me', 400, { body: { email: 'no address' }, code: 'rest_invalid_param' }],
  ]);

  behaviour('U-12 avatars; no capabilities', [
    [
      'GET /users/{ann}',
      200,
      { check: ({ avatar_urls: urls }) => expect(Object.keys(urls)).toEqual(['24', '48', '96']) },
    ],
    [
      'GET /users/{nobody}?context=edit as admin',
      200,
      { check: (user) => expect([user.roles, user.capabilities, user.extra_capabilities]).toEqual([[], {}, {}]) },
    ],
  ]);

  behaviour('U-32 properties of the schema', [
    [
      'OPTIONS /users',
      200,
      {
        check: (body) => {
          const { title, properties } = schemaOf(body);
          expect(title).toBe('user');
          expect(Object.keys(properties).sort()).toEqual([...EDIT, 'password'].sort());
          expect(Object.keys(properties.avatar_urls.properties)).toEqual(['24', '48', '96']);
          expect(saved['ann']).toBeGreaterThan(0);
        },
      },
    ],
  ]);
});

describe('writing', () => {
  const { behaviour, saved } = world({
    actors: ['editor', 'author', 'contributor', 'subscriber', 'second:administrator', 'promoter:promoter+contributor'],
    roles: { promoter: ['read', 'promote_users'] },
  });
  const PASSWORD = 'long enough words';
  let made = 0;
  const create = (body: object, status: number, more: Line[2] = {}, as = 'admin'): Line => {
    const name = `user${++made}`;
    return [
      `POST /users as ${as}`,
      status,
      {
        body: { username: name, email: `${name}@example.com`, password: PASSWORD, ...body },
        ...(typeof more === 'string' ? { code: more } : more),
      },
    ];
  };
  const edit = (id: string, body: object, status: number, more: Line[2] = {}, as = 'admin'): Line => [
    `POST /users/{${id}} as ${as}`,
    status,
    { body, ...(typeof more === 'string' ? { code: more } : more) } as More,
  ];

  behaviour('U-20 creating', [
    [
      'POST /users as admin',
      201,
      {
        body: {
          username: 'jane',
          email: 'jane@example.com',
          password: PASSWORD,
          first_name: 'Jane',
          last_name: 'Doe',
          nickname: 'JD',
          slug: 'Jane D',
          description: 'New API User',
          url: 'https://jane.example',
          roles: ['editor'],
          locale: 'en_US',
        },
        members: EDIT,
        has: {
          username: 'jane',
          name: 'Jane Doe',
          nickname: 'JD',
          slug: 'jane-d',
          roles: ['editor'],
          description: 'New API User',
          registered_date: expect.stringMatching(/\+00:00$/),
        },
        saveAs: 'jane',
        check: ({ id }, { headers }) => expect(headers['location']).toBe(`http://api.test/cms/v2/users/${id}`),
      },
    ],
    create({}, 201, { has: { roles: ['subscriber'], locale: 'en_US' }, saveAs: 'plain' }),
    create({ roles: [] }, 201, { has: { roles: [] } }),
    ...['¯\\_(ツ)_/¯', 'admin<b>', 'a/b'].map((username) =>
      create({ username }, 400, { ...invalid('username'), details: { username: 'rest_user_invalid_username' } }),
    ),
    create({ email: 'notanemail' }, 400, { ...invalid('email'), details: { email: 'rest_invalid_email' } }),
    create({ roles: ['superhero'] }, 400, 'rest_user_invalid_role'),
    create({}, 403, 'rest_cannot_create_user', 'author'),
    create({ id: 7 }, 400, 'rest_user_exists'),
    create({ username: 'jane' }, 400, 'existing_user_login'),
    create({ email: 'JANE@example.com' }, 400, 'existing_user_email'),
    create({ password: 'no\\backslash' }, 400, {
      ...invalid('password'),
      details: { password: 'rest_user_invalid_password' },
    }),
    create({ password: '' }, 400, invalid('password')),
    [
      'POST /users as admin',
      400,
      { body: { username: 'x' }, code: 'rest_missing_callback_param', params: ['email', 'password'] },
    ],
    ['POST /users', 400, { body: {}, code: 'rest_missing_callback_param', params: ['email', 'password', 'username'] }],
    [
      'POST /users',
      401,
      { body: { username: 'anon', email: 'anon@example.com', password: PASSWORD }, code: 'rest_cannot_create_user' },
    ],
  ]);

  behaviour('U-21 updating', [
    edit('jane', { first_name: 'Janet', description: 'Changed' }, 200, {
      has: { first_name: 'Janet', last_name: 'Doe', description: 'Changed', name: 'Jane Doe' },
    }),
    edit('jane', {}, 200, { has: { first_name: 'Janet' } }),
    edit('jane', { email: 'PLAIN@example.org'.replace('PLAIN', 'Editor') }, 400, 'rest_user_invalid_email'),
    edit('jane', { email: 'Jane@Example.com' }, 200, { has: { email: expect.stringMatching(/^jane@example\.com$/i) } }),
    edit('jane', { locale: 'klingon' }, 400, invalid('locale')),
    edit('jane', { locale: 'en_US' }, 200, { has: { locale: 'en_US' } }),
    edit('jane', { locale: '' }, 200, { has: { locale: 'en_US' } }),
    edit('jane', { username: 'other' }, 400, 'rest_user_invalid_argument'),
    edit('jane', { username: 'jane' }, 200),
    edit('jane', { slug: 'author' }, 400, 'rest_user_invalid_slug'),
    edit('jane', { roles: ['author'] }, 200, { has: { roles: ['author'] } }),
    edit('jane', { roles: 'author,editor' }, 200, {
      check: ({ roles }) => expect([...roles].sort()).toEqual(['author', 'editor']),
    }),
    edit('jane', { roles: ['superhero'] }, 400, 'rest_user_invalid_role'),
    edit('author', { roles: ['administrator'] }, 403, 'rest_cannot_edit_roles', 'author'),
    edit('author', { first_name: 'Own' }, 200, { has: { first_name: 'Own' } }, 'author'),
    edit('jane', { first_name: 'x' }, 403, 'rest_cannot_edit', 'author'),
    ['POST /users/{jane}', 401, { body: { first_name: 'x' }, code: 'rest_cannot_edit' }],
    edit('admin', { roles: ['subscriber'] }, 403, 'rest_user_invalid_role'),
    ['POST /users/987654 as admin', 404, { body: { first_name: 'x' }, code: 'rest_user_invalid_id' }],
    ...['no\\backslash', ''].map((password) =>
      edit('jane', { password }, 400, { ...invalid('password'), details: { password: 'rest_user_invalid_password' } }),
    ),
  ]);

  behaviour('U-22 roles alone', [
    // Who may give roles and not read accounts learns no more of them than before.
    edit('plain', { roles: ['contributor'] }, 200, { members: ['id'] }, 'promoter'),
    // Who may not edit users gives no more than he has himself; the reference lets him give any role.
    edit('plain', { roles: ['administrator'] }, 403, 'rest_user_invalid_role', 'promoter'),
    edit('plain', { roles: ['author'], first_name: 'x' }, 403, 'rest_cannot_edit', 'promoter'),
    edit('plain', { first_name: 'x' }, 403, 'rest_cannot_edit', 'promoter'),
  ]);

  const BACK = String.raw`\o/ ¯\_(ツ)_/¯`;
  const NAMES = ['name', 'first_name', 'last_name', 'nickname'];
  const all = (text: string) => Object.fromEntries(NAMES.map((name) => [name, text]));
  behaviour(
    'U-23 names and descriptions',
    ['admin', 'author'].flatMap((as) => [
      edit(as, { ...all(BACK), description: BACK }, 200, { has: { ...all(BACK), description: BACK } }, as),
      edit(
        as,
        {
          ...all('<div>div</div> <strong>strong</strong> <script>oh noes</script>'),
          description: '<div>div</div> <strong>strong</strong>',
        },
        200,
        { has: { ...all('div strong'), description: 'div <strong>strong</strong>' } },
        as,
      ),
    ]),
  );

  behaviour('U-30 deleting', [
    ...['leaves', 'stays', 'heir', 'drops', 'frees', 'empty'].map((saveAs) =>
      create({ roles: ['author'], name: saveAs }, 201, { saveAs }),
    ),
    ...['leaves', 'drops', 'frees', 'empty'].map((author): Line => [
      'POST /posts as admin',
      201,
      { body: { title: author, status: 'publish', author: `{${author}}` }, saveAs: `${author}Post` },
    ]),
    ['DELETE /users/{stays} as admin', 400, { code: 'rest_missing_callback_param', params: ['reassign'] }],
    ['DELETE /users/{stays}', 400, 'rest_missing_callback_param'],
    ['DELETE /users/{stays}?reassign=false as admin', 501, 'rest_trash_not_supported'],
    ['DELETE /users/{stays}?reassign=false&force=false as admin', 501, 'rest_trash_not_supported'],
    ['DELETE /users/{stays}?reassign=false&force=true as editor', 403, 'rest_user_cannot_delete'],
    ['DELETE /users/{stays}?reassign=false&force=true', 401, 'rest_user_cannot_delete'],
    ['DELETE /users/987654?reassign=false&force=true as admin', 404, 'rest_user_invalid_id'],
    ['DELETE /users/{stays}?reassign=987654&force=true as admin', 400, 'rest_user_invalid_reassign'],
    ['DELETE /users/{stays}?reassign={stays}&force=true as admin', 400, 'rest_user_invalid_reassign'],
    ['DELETE /users/{stays}?reassign=null&force=true as admin', 400, invalid('reassign')],
    [
      'DELETE /users/{leaves}?reassign={heir}&force=true as admin',
      200,
      {
        has: { deleted: true, previous: { id: '{leaves}', name: 'leaves' } },
        hasNot: ['previous.password', 'previous._links'],
      },
    ],
    ['GET /posts/{leavesPost}', 200, { has: { author: '{heir}' } }],
    ['DELETE /users/{drops} as admin', 200, { body: { reassign: false, force: true }, has: { deleted: true } }],
    ['GET /posts/{dropsPost}?context=edit as admin', 200, { has: { status: 'trash' } }],
    ['DELETE /users/{empty}?reassign=&force=true as admin', 200],
    ['GET /posts/{emptyPost}?context=edit as admin', 200, { has: { status: 'trash' } }],
    ['DELETE /users/{frees}?reassign=0&force=true as admin', 200],
    ['GET /posts/{freesPost}', 200, { has: { author: 0 }, hasNot: ['_links.author'] }],
    create({ name: 'textual' }, 201, { saveAs: 'textual' }),
    [
      'DELETE /users/{textual}?reassign=false&force=true as admin',
      200,
      { check: () => expect(saved['heir']).toBeDefined() },
    ],
  ]);

  behaviour('U-31 deleting oneself', [
    ['DELETE /users/me?reassign=false&force=true as second', 200, { has: { deleted: true } }],
    ['DELETE /users/me?reassign=false&force=true', 401, 'rest_not_logged_in'],
    ['DELETE /users/me?force=true', 400, { code: 'rest_missing_callback_param', params: ['reassign'] }],
    ['DELETE /users/me?reassign=false&force=maybe', 400, { code: 'rest_invalid_param', params: ['force'] }],
    ['DELETE /users/me?reassign=false&force=true as author', 403, 'rest_user_cannot_delete'],
  ]);
});
