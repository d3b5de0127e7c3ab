// Faults that clients of the API have run into: one group of requests per fault.
import { expect } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { REFERENCE_SCHEMAS, argsOf, world, type Line } from './behaviours/harness.js';

const { behaviour } = world({
  schemas: REFERENCE_SCHEMAS,
  environment: { SITE_TIMEZONE: 'Europe/Berlin', UPLOAD_LIMIT: '1kb' },
  actors: ['editor', 'subscriber'],
  seed: [
    ['POST /posts as admin', 201, { body: { title: 'First', status: 'publish' }, saveAs: 'post' }],
    ['POST /posts as admin', 201, { body: { title: 'Sticky', status: 'publish', sticky: true }, saveAs: 'sticky' }],
    ['POST /posts as admin', 201, { body: { title: 'Hidden' }, saveAs: 'draft' }],
    ['POST /pages as admin', 201, { body: { title: 'Über uns', status: 'publish', slug: 'about' }, saveAs: 'page' }],
    ['POST /comments as admin', 201, { body: { post: '{post}', content: 'One' } }],
    ['POST /comments as admin', 201, { body: { post: '{post}', content: 'Two' } }],
    ['POST /comments as admin', 201, { body: { post: '{post}', content: 'Three' } }],
    ['POST /tags as admin', 201, { body: { name: 'Résumé', slug: 'cv' }, saveAs: 'tag' }],
    ['POST /tags as admin', 201, { body: { name: 'Second' } }],
    ['POST /tags as admin', 201, { body: { name: 'Third' } }],
  ],
});

const ALL = 'GET, POST, PUT, PATCH, DELETE';
const broken = { headers: { 'Content-Type': 'application/json' }, raw: '{"title"' };

behaviour('Allow stands on every error of a known route', [
  ['POST /posts as admin', 400, { ...broken, code: 'rest_invalid_json', sends: { Allow: 'GET, POST' } }],
  ['POST /posts/{post} as admin', 400, { ...broken, sends: { Allow: ALL } }],
  ['POST /posts/{post} as subscriber', 400, { ...broken, sends: { Allow: 'GET' } }],
  ['POST /posts/{post}/meta as admin', 400, { ...broken, sends: { Allow: 'GET, POST' } }],
  ['POST /posts/no-number as admin', 400, { ...broken, sends: { Allow: null } }],
  ['POST /nothing as admin', 400, { ...broken, sends: { Allow: null } }],
  [
    'POST /posts as admin',
    415,
    { headers: { 'Content-Type': 'text/xml' }, raw: '<a/>', sends: { Allow: 'GET, POST' } },
  ],
  ['GET /posts/987654', 404, { sends: { Allow: 'GET' } }],
  ['GET /posts/987654 as admin', 404, { sends: { Allow: ALL } }],
  ['DELETE /posts/987654 as admin', 404, { sends: { Allow: ALL } }],
  ['GET /posts/987654/revisions as admin', 404, { sends: { Allow: 'GET' } }],
  ['GET /posts?context=nonsense as admin', 400, { sends: { Allow: 'GET, POST' } }],
  ['GET /posts/987654?context=nonsense', 400, { sends: { Allow: 'GET' } }],
]);

const packed = (type: string, text: string, encoding = 'gzip') => ({
  headers: {
    'Content-Type': type,
    'Content-Disposition': 'attachment; filename="a.txt"',
    'Content-Encoding': encoding,
  },
  raw: encoding === 'gzip' ? gzipSync(text) : Buffer.from(text),
});
const PART = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nPacked\r\n--b--\r\n';

behaviour('files and forms of several parts have no encoding', [
  ['POST /media as admin', 415, { ...packed('text/plain', 'words'), code: 'rest_unsupported_media_type' }],
  ['POST /media as admin', 415, { ...packed('multipart/form-data; boundary=b', PART) }],
  ['POST /tags as admin', 415, { ...packed('multipart/form-data; boundary=b', PART) }],
  ['GET /media', 200, { check: (body) => expect(body).toEqual([]) }],
  ['POST /media as admin', 201, { ...packed('text/plain', 'words', 'identity') }],
  ['POST /tags as admin', 201, { ...packed('application/json', '{"name":"Packed"}'), has: { name: 'Packed' } }],
]);

behaviour('only a missing permission takes a method out of Allow', [
  [
    'POST /posts/{sticky} as editor',
    400,
    { body: { password: 'x' }, code: 'rest_invalid_field', sends: { Allow: ALL } },
  ],
  ['GET /users?roles=editor', 401, { sends: { Allow: null } }],
  ['GET /posts?status=draft', 400, { code: 'rest_invalid_param', sends: { Allow: 'GET' } }],
  ['GET /posts/{draft}', 401, { sends: { Allow: null } }],
]);

behaviour('generated_slug is made from the title, unique as a slug', [
  ['GET /pages/{page}?context=edit as admin', 200, { has: { slug: 'about', generated_slug: 'uber-uns' } }],
  ['POST /pages as admin', 201, { body: { title: 'Other', slug: 'uber-uns' } }],
  ['GET /pages/{page}?context=edit as admin', 200, { has: { slug: 'about', generated_slug: 'uber-uns-2' } }],
  [
    'GET /pages?slug=about&context=edit&_fields=generated_slug as admin',
    200,
    { check: (body) => expect(body).toEqual([{ generated_slug: 'uber-uns-2' }]) },
  ],
  ['POST /pages as admin', 201, { body: { title: 'Sole' }, has: { generated_slug: 'sole' }, saveAs: 'sole' }],
  ['GET /pages/{page}?_fields=slug as admin', 200, { hasNot: ['generated_slug'] }],
]);

behaviour('a sticky post takes no password in the request that unsticks it', [
  ['POST /posts/{sticky} as admin', 400, { body: { sticky: false, password: 'x' }, code: 'rest_invalid_field' }],
  ['POST /posts/{sticky} as admin', 200, { body: { sticky: false, password: '' }, has: { sticky: false } }],
  ['POST /posts/{sticky} as admin', 200, { body: { password: 'x' }, has: { password: 'x' } }],
]);

behaviour('an impossible date has a code of its own', [
  [
    'POST /posts as admin',
    400,
    {
      body: { title: 'x', date: '2024-13-01T00:00:00' },
      code: 'invalid_date',
      params: ['date'],
      details: { date: 'invalid_date' },
    },
  ],
  [
    'POST /posts as admin',
    400,
    { body: { title: 'x', date_gmt: 'soon' }, code: 'rest_invalid_param', details: { date_gmt: 'rest_invalid_date' } },
  ],
  [
    'POST /posts as admin',
    400,
    { body: { title: 'x', date: '2024-02-30T00:00:00', status: 'lost' }, code: 'rest_invalid_param' },
  ],
]);

behaviour('an unknown template is an invalid parameter', [
  [
    'POST /posts as admin',
    400,
    {
      body: { title: 'x', template: 'wide.php' },
      code: 'rest_invalid_param',
      has: { data: { params: { template: 'template must be "".' } } },
      details: { template: 'rest_invalid_param' },
    },
  ],
  [
    'POST /posts/{post} as admin',
    400,
    { body: { template: 'wide.php' }, code: 'rest_invalid_param', details: { template: 'rest_invalid_param' } },
  ],
]);

behaviour('OPTIONS of users/me has no id and a link to itself', [
  [
    'OPTIONS /users/me as editor',
    200,
    {
      has: { _links: { self: [{ href: expect.stringMatching(/\/users\/me$/) }] } },
      check: (body) => {
        expect(argsOf(body, 'GET')).not.toHaveProperty('id');
        expect(argsOf(body, 'POST')).not.toHaveProperty('id');
      },
    },
  ],
  ['OPTIONS /users/{editor} as editor', 200, { check: (body) => expect(argsOf(body, 'GET')).toHaveProperty('id') }],
]);

behaviour('with offset, comments link pages from page, terms from the offset, rounded up', [
  ['GET /comments?per_page=1&offset=2', 200, { sends: { Link: /^[^,]*, <[^>]*page=2>; rel="next"$/ } }],
  ['GET /tags?per_page=2&offset=1', 200, { sends: { Link: /^[^,]*, <[^>]*page=1>; rel="prev"$/ } }],
]);

behaviour('zeros before an id are read over', [
  ['GET /posts/000{post}', 200, { has: { id: '{post}' } }],
  ['GET /posts/00{post}/revisions as admin', 200],
  ['GET /posts/0', 404, 'rest_post_invalid_id'],
]);

behaviour('a meta key with several values takes a list in one text', [
  [
    'POST /posts/{post} as admin',
    200,
    { body: { meta: { keywords: 'red, green blue' } }, has: { meta: { keywords: ['red', 'green', 'blue'] } } },
  ],
  ['POST /posts/{post} as admin', 200, { body: { meta: { keywords: '' } }, has: { meta: { keywords: [] } } }],
  ['POST /posts/{post} as admin', 400, { body: { meta: { keywords: { a: 1 } } }, code: 'rest_invalid_type' }],
]);

behaviour('names of terms that differ in accents are two, those that differ in case are one', [
  ['POST /tags as admin', 400, { body: { name: 'RÉSUMÉ' }, code: 'term_exists' }],
  ['POST /tags as admin', 400, { body: { name: 're\u0301sume\u0301' }, code: 'term_exists' }],
  ['POST /tags as admin', 201, { body: { name: 'Resume' } }],
  ['POST /tags as admin', 400, { body: { name: 'resume' }, code: 'term_exists' }],
  ['POST /tags/{tag} as admin', 200, { body: { name: 'RéSumé' } }],
  ['POST /tags/{tag} as admin', 400, { body: { name: 'Resume' }, code: 'term_exists' }],
]);

const dated = (sent: object, local: string, gmt: string): Line => [
  'POST /posts as admin',
  201,
  {
    body: { title: 'Clock', ...sent },
    has: { date: local, date_gmt: gmt, modified: local, modified_gmt: gmt },
    saveAs: 'clock',
  },
];

behaviour('the hours of a clock change', [
  dated({ date: '2024-03-31T02:30:00' }, '2024-03-31T03:30:00', '2024-03-31T01:30:00'),
  dated({ date: '2024-10-27T02:30:00' }, '2024-10-27T02:30:00', '2024-10-27T01:30:00'),
  dated({ date_gmt: '2024-10-27T00:30:00' }, '2024-10-27T02:30:00', '2024-10-27T00:30:00'),
  dated({ date: '2024-10-27T02:30:00+02:00' }, '2024-10-27T02:30:00', '2024-10-27T00:30:00'),
  // The date that is shown may be sent back, and does not move.
  [
    'POST /posts/{clock} as admin',
    200,
    { body: { date: '2024-10-27T02:30:00' }, has: { date_gmt: '2024-10-27T00:30:00' } },
  ],
  [
    'POST /posts/{clock} as admin',
    200,
    { body: { date: '2024-10-27T02:30:00+01:00' }, has: { date_gmt: '2024-10-27T01:30:00' } },
  ],
]);

const upload = {
  headers: { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="a.txt"' },
  raw: 'x'.repeat(1500),
};

behaviour('an upload over the limit is too large', [
  ['POST /media as admin', 413, { ...upload, code: 'rest_upload_file_too_big', sends: { Allow: 'GET, POST' } }],
]);

const DATED = { date: '2024-01-01T10:00:00', date_gmt: '2024-01-01T09:00:00' };

behaviour('an empty date is no date, of whatever it is', [
  ['POST /comments as admin', 201, { body: { post: '{post}', content: 'Local', date: DATED.date }, saveAs: 'local' }],
  ...['posts', 'pages', 'comments'].flatMap((path) =>
    ['date', 'date_gmt'].map((name): Line => {
      const body = { post: '{post}', title: 'T', content: 'C', [name]: '' };
      return [
        `POST /${path} as admin`,
        400,
        { body, code: 'rest_invalid_param', details: { [name]: 'rest_invalid_date' } },
      ];
    }),
  ),
  ['POST /comments/{local} as admin', 400, { body: { date: '' } }],
  ['POST /comments/{local} as admin', 400, { body: { ...DATED, date_gmt: '' } }],
  ['GET /comments/{local}', 200, { has: DATED }],
]);

const askedOf = (name: string, wanted: string | RegExp) => ({
  check: ({ data }: { data: { params: Record<string, string> } }) =>
    expect(data.params[name]).toEqual(expect.stringMatching(wanted)),
});

behaviour('an operator that a field lacks is named, where a parameter has the name of the field too', [
  ['GET /posts?author[foo]=1', 400, askedOf('author', /no operator "foo".*author\[ne\].*, author alone\.$/)],
  ['GET /posts?status[like]=x', 400, askedOf('status', /no operator "like". Allowed: status alone\.$/)],
  ['GET /posts?status[like]=x as admin', 400, askedOf('status', /no operator "like". Allowed: status\[eq\]/)],
  ['GET /posts?sticky[gt]=1', 400, askedOf('sticky', /no operator "gt"/)],
]);

behaviour('a list of moments as one text may have blanks before the times of day', [
  ['GET /posts?date[in]=2020-01-01%2000:00:00', 200, { items: [] }],
  ['GET /posts?date[in]=2020-01-01%2000:00:00,2020-01-02T00:00:00', 200, { items: [] }],
  ['GET /posts?date[in]=2020-01-01%2000:00:00%202020-01-02%2000:00:00', 200, { items: [] }],
  ['GET /posts?date[between]=2020-01-01%2000:00:00,%202020-01-02%2000:00:00', 200, { items: [] }],
  ['GET /posts?date[in]=2020-01-01%20x', 400, {}],
]);
