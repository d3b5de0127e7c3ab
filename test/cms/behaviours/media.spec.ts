// Behaviours M-…: media. Files are an image of four points and short texts.
import { describe, expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argsOf, PNG, schemaOf, REFERENCE_SCHEMAS, world, type Line, type More, type World } from './harness.js';

const invalid = (...params: string[]) => ({ code: 'rest_invalid_param', params });
const md5 = createHash('md5').update(PNG).digest('hex');
const named = (filename: string, type = 'image/png') => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${filename}"`,
});
const upload = (as: string, status: number, more: More & { query?: string } = {}): Line => [
  `POST /media${more.query ?? ''} as ${as}`,
  status,
  { raw: PNG, ...more, headers: { ...named('canola.png'), ...more.headers } },
];
/** As a form with a part named file. */
function form(
  { site, actors }: World,
  as: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
  file: Buffer | null = PNG,
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'canola.png');
  return site.send('POST', '/media', { as: actors[as]!.headers, headers, body });
}

/** Bytes with a name and no type, which no client library sends. */
async function untyped({ site, actors }: World, as: string, bytes: Buffer): Promise<{ status: number; body: unknown }> {
  const { port } = site.server.address() as AddressInfo;
  const request = httpRequest({
    port,
    method: 'POST',
    path: `${site.base}/media`,
    headers: { ...actors[as]!.headers, 'Content-Disposition': 'attachment; filename=a.png' },
  });
  request.end(bytes);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, body: JSON.parse((await response.toArray()).join('')) };
}

const VIEW = [
  'id',
  'date',
  'date_gmt',
  'guid',
  'modified',
  'modified_gmt',
  'slug',
  'type',
  'link',
  'title',
  'author',
  'comment_status',
  'ping_status',
  'meta',
  'template',
  'alt_text',
  'caption',
  'description',
  'media_type',
  'mime_type',
  'media_details',
  'post',
  'source_url',
];
const EDIT = [...VIEW, 'status', 'permalink_template', 'generated_slug'];

describe('reading', () => {
  const { behaviour, saved } = world({
    actors: ['editor', 'author', 'contributor', 'subscriber'],
    seed: [
      ['POST /posts as author', 201, { body: { title: 'Open', status: 'publish' }, saveAs: 'open' }],
      ['POST /posts as author', 201, { body: { title: 'Draft', status: 'draft' }, saveAs: 'draft' }],
      ['POST /posts as editor', 201, { body: { title: 'Private', status: 'private' }, saveAs: 'secret' }],
      upload('author', 201, {
        query: '?post={open}&title=Of+open&date=2020-01-01T10:00:00',
        headers: named('findable-name.png'),
        saveAs: 'ofOpen',
      }),
      upload('author', 201, { query: '?post={draft}&title=Of+draft&date=2021-01-01T10:00:00', saveAs: 'ofDraft' }),
      upload('editor', 201, { query: '?post={secret}&title=Of+private&date=2022-01-01T10:00:00', saveAs: 'ofPrivate' }),
      upload('admin', 201, {
        query: '?title=Alone&date=2023-01-01T10:00:00',
        headers: named('notes.txt', 'text/plain'),
        raw: 'Some notes.',
        saveAs: 'alone',
      }),
      upload('admin', 201, { query: '?title=Hidden&date=2024-01-01T10:00:00&status=private', saveAs: 'hidden' }),
    ],
  });
  const OPEN = ['alone', 'ofOpen'];

  behaviour('M-02 parameters of list and item', [
    [
      'OPTIONS /media',
      200,
      {
        check: (body) =>
          expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual([
            'after',
            'author',
            'author_exclude',
            'before',
            'context',
            'exclude',
            'include',
            'media_type',
            'mime_type',
            'offset',
            'order',
            'orderby',
            'page',
            'parent',
            'parent_exclude',
            'per_page',
            'search',
            'slug',
            'status',
          ]),
      },
    ],
    [
      'OPTIONS /media/{alone}',
      200,
      { check: (body) => expect(Object.keys(argsOf(body, 'GET')).sort()).toEqual(['context', 'id', 'password']) },
    ],
  ]);

  behaviour('M-03 Allow', [
    ['OPTIONS /media', 200, { sends: { Allow: 'GET' } }],
    ['OPTIONS /media as author', 200, { sends: { Allow: 'GET, POST' } }],
    ['OPTIONS /media as contributor', 200, { sends: { Allow: 'GET' } }],
  ]);

  behaviour('M-04 media of hidden posts', [
    ['GET /media', 200, { items: OPEN, sends: { 'X-WP-Total': '2' } }],
    ['GET /media as subscriber', 200, { items: OPEN }],
    ['GET /media as editor', 200, { items: ['alone', 'ofPrivate', 'ofDraft', 'ofOpen'] }],
  ]);

  behaviour('M-05 media_type', [
    ['GET /media?media_type=video', 200, { items: [] }],
    ['GET /media?media_type=image', 200, { items: ['ofOpen'] }],
    ...['audio', 'application'].map((type): Line => [`GET /media?media_type=${type}`, 200, { items: [] }]),
    // The reference also has text.
    ['GET /media?media_type=text', 400, invalid('media_type')],
    ['GET /media?media_type=cat', 400, invalid('media_type')],
  ]);

  behaviour('M-06 mime_type', [
    ['GET /media?mime_type=image/png', 200, { items: ['ofOpen'] }],
    ['GET /media?mime_type=image/jpeg', 200, { items: [] }],
    // The reference ignores a type that it does not know.
    ['GET /media?mime_type=image/cat', 200, { items: [] }],
  ]);

  behaviour('M-07 parent', [
    ['GET /media?parent={open}', 200, { items: ['ofOpen'] }],
    ['GET /media?parent=0', 200, { items: ['alone'] }],
    ['GET /media?parent_exclude={open}', 200, { items: ['alone'] }],
    ['GET /media?parent=987654', 200, { items: [] }],
  ]);

  behaviour('M-08 status', [
    // The reference refuses publish and draft to everybody: no attachment has them there. Here media may.
    ['GET /media?status=draft', 400, { ...invalid('status'), details: { status: 'rest_forbidden_status' } }],
    ['GET /media?status=nonsense as admin', 400, { ...invalid('status') }],
    ['GET /media?status=private', 400, { ...invalid('status'), details: { status: 'rest_forbidden_status' } }],
    ['GET /media?status=private as admin', 200, { items: ['hidden'] }],
    [
      'GET /media?status=private,inherit as admin',
      200,
      { items: ['hidden', 'alone', 'ofPrivate', 'ofDraft', 'ofOpen'] },
    ],
    ['GET /media?status[]=private&status[]=trash as admin', 200, { items: ['hidden'] }],
  ]);

  behaviour('M-09 after and before', [
    ['GET /media?after=2020-01-01T10:00:00', 200, { items: ['alone'] }],
    ['GET /media?before=2023-01-01T10:00:00', 200, { items: ['ofOpen'] }],
    ['GET /media?after=foo', 400, invalid('after')],
    ['GET /media?before=foo', 400, invalid('before')],
  ]);

  behaviour('M-10 a page beyond the last', [['GET /media?page=2', 400, 'rest_post_invalid_page_number']]);

  behaviour('M-12 a file follows its post', [
    ['GET /media/{ofPrivate}', 401, 'rest_forbidden'],
    ['GET /media/{ofPrivate} as subscriber', 403, 'rest_forbidden'],
    ['GET /media/{ofDraft}', 401, 'rest_forbidden'],
    ['GET /media/{ofPrivate} as editor', 200],
    ['GET /media/{alone}', 200],
    // A deleted post hides nothing.
    ['POST /posts as admin', 201, { body: { title: 'Short-lived' }, saveAs: 'gone' }],
    upload('admin', 201, { query: '?post={gone}', saveAs: 'orphan' }),
    ['DELETE /posts/{gone}?force=true as admin', 200],
    ['GET /media/{orphan}', 200],
    ['DELETE /media/{orphan}?force=true as admin', 200],
  ]);

  behaviour('M-22 search finds the file name', [
    ['GET /media?search=findable-name', 200, { items: ['ofOpen'] }],
    ['GET /media?search=alone', 200, { items: ['alone'] }],
  ]);

  behaviour('M-23 links', [
    [
      'GET /media/{ofOpen}',
      200,
      {
        members: VIEW,
        check: ({ _links: links, media_details: details, source_url: source }) => {
          expect(links).toMatchObject({
            self: [{ href: `http://api.test/cms/v2/media/${saved['ofOpen']}` }],
            collection: [{ href: 'http://api.test/cms/v2/media' }],
            about: [{ href: 'http://api.test/cms/v2/types/attachment' }],
            author: [{ embeddable: true, href: `http://api.test/cms/v2/users/${saved['author']}` }],
            replies: [{ embeddable: true, href: `http://api.test/cms/v2/comments?post=${saved['ofOpen']}` }],
          });
          expect(Object.keys(links)).not.toContain('wp:attachment');
          expect(details).toMatchObject({
            width: 2,
            height: 2,
            file: expect.stringMatching(/^\d{4}\/\d\d\/findable-name\.png$/),
          });
          expect(source).toBe(`http://api.test/uploads/${details.file}`);
        },
      },
    ],
  ]);

  behaviour('M-25 properties of the schema', [
    [
      'OPTIONS /media',
      200,
      {
        check: (body) => {
          const { title, properties } = schemaOf(body);
          expect(title).toBe('attachment');
          // The reference adds class_list and missing_image_sizes.
          expect(Object.keys(properties).sort()).toEqual([...EDIT].sort());
          expect(properties.media_type.enum).toEqual(['image', 'file']);
        },
      },
    ],
  ]);
});

describe('writing', () => {
  const site = world({
    schemas: REFERENCE_SCHEMAS,
    actors: ['editor', 'author', 'contributor', 'subscriber'],
    seed: [
      ['POST /posts as editor', 201, { body: { title: 'Of the editor', status: 'publish' }, saveAs: 'post' }],
      upload('editor', 201, { saveAs: 'editors' }),
      upload('author', 201, { saveAs: 'authors' }),
    ],
  });
  const { behaviour } = site;
  const disposition = (text: string, status: number, more: More = {}): Line =>
    upload('editor', status, { headers: { 'Content-Disposition': text }, ...more });
  const takes = (text: string, file: RegExp): Line =>
    disposition(text, 201, { check: ({ media_details: details }) => expect(details.file).toMatch(file) });
  const refuses = (text: string): Line => disposition(text, 400, { code: 'rest_upload_invalid_disposition' });

  behaviour('M-01 Content-Disposition in its forms', [
    takes('attachment; filename="foo.png"', /\/foo\.png$/),
    takes('attachment; filename=foo1.png', /\/foo1\.png$/),
    takes('attachment;filename="foo2.png"', /\/foo2\.png$/),
    takes('inline; filename="foo3.png"', /\/foo3\.png$/),
    takes('form-data; name="myfile"; filename="foo4.png"', /\/foo4\.png$/),
    takes('attachment; foo="bar"; filename="foo5.png"; size=12', /\/foo5\.png$/),
    takes('attachment; filename=my foo.png', /\/my-foo\.png$/),
    // Of a path the last part counts, for the title too.
    ...['../../etc/path one.png', 'C:\\fake\\path one.png'].map((path) =>
      disposition(`attachment; filename="${path}"`, 201, { has: { title: { raw: 'path one' } } }),
    ),
    ...['filename=foo.png', 'unknown', 'attachment', 'attachment; foo=bar', 'form-data; name="myfile"'].map(refuses),
  ]);

  behaviour('M-13 raw and multipart uploads', async (world) => {
    await world.run([
      upload('author', 201, {
        query: '?title=My+title&caption=Its+caption&description=Its+words&alt_text=Alt',
        members: EDIT,
        has: {
          title: { raw: 'My title' },
          caption: { raw: 'Its caption' },
          description: { raw: 'Its words' },
          alt_text: 'Alt',
          media_type: 'image',
          mime_type: 'image/png',
          status: 'inherit',
          author: '{author}',
          post: null,
          comment_status: 'open',
          ping_status: 'closed',
        },
        check: ({ id }, { headers }) =>
          expect(headers).toMatchObject({
            location: `http://api.test/cms/v2/media/${id}`,
            'x-wp-upload-attachment-id': String(id),
          }),
      }),
      upload('author', 201, {
        has: { title: { raw: 'canola', rendered: 'canola' }, slug: expect.stringMatching(/^canola/) },
      }),
      upload('author', 201, { headers: { 'Content-MD5': md5 } }),
      upload('author', 412, { headers: { 'Content-MD5': 'abc123' }, code: 'rest_upload_hash_mismatch' }),
    ]);
    expect(await form(world, 'author', { title: 'By form', alt_text: 'Words' })).toMatchObject({
      status: 201,
      body: { title: { raw: 'By form' }, alt_text: 'Words', mime_type: 'image/png' },
    });
    expect(await form(world, 'author', {}, { 'Content-MD5': md5 })).toMatchObject({
      status: 201,
      body: { title: { raw: 'canola' } },
    });
    expect(await form(world, 'author', {}, { 'Content-MD5': 'abc123' })).toMatchObject({
      status: 412,
      body: { code: 'rest_upload_hash_mismatch' },
    });
  });

  behaviour('M-13 an upload repeated with its Idempotency-Key', async (world) => {
    const keyed = (filename: string) => ({ headers: { ...named(filename), 'Idempotency-Key': 'upload' } });
    await world.run([
      upload('author', 201, { ...keyed('one.png'), saveAs: 'once' }),
      upload('author', 201, { ...keyed('one.png'), sends: { 'Idempotency-Replayed': 'true' }, has: { id: '{once}' } }),
      upload('author', 422, { ...keyed('two.png'), code: 'rest_idempotency_key_reused' }),
    ]);
  });

  behaviour('M-14 nothing to upload', async (world) => {
    await world.run([
      ['POST /media as editor', 400, { raw: '', headers: named('a.png'), code: 'rest_upload_no_data' }],
      ['POST /media as editor', 400, { body: { title: 'x' }, code: 'rest_upload_no_data' }],
      [
        'POST /media as editor',
        400,
        { raw: PNG, headers: { 'Content-Type': 'image/png' }, code: 'rest_upload_no_content_disposition' },
      ],
    ]);
    expect(await untyped(world, 'editor', PNG)).toMatchObject({
      status: 400,
      body: { code: 'rest_upload_no_content_type' },
    });
    expect(await form(world, 'editor', { title: 'x' }, {}, null)).toMatchObject({
      status: 400,
      body: { code: 'rest_upload_no_data' },
    });
  });

  behaviour('M-15 rights', [
    upload('contributor', 403, { code: 'rest_cannot_create' }),
    upload('subscriber', 403, { code: 'rest_cannot_create' }),
    ['POST /media', 401, { raw: PNG, headers: named('a.png'), code: 'rest_cannot_create' }],
    upload('author', 403, { query: '?post={post}', code: 'rest_cannot_edit' }),
    upload('author', 403, { query: '?post=987654', code: 'rest_cannot_edit' }),
    upload('editor', 400, { query: '?post={editors}', code: 'rest_invalid_param' }),
    upload('editor', 201, { query: '?post={post}', has: { post: '{post}' } }),
  ]);

  behaviour('M-16 alt_text is plain', [
    upload('author', 201, {
      query: `?alt_text=${encodeURIComponent('<script>alert(document.cookie)</script>A <b>word</b>')}`,
      has: { alt_text: 'A word' },
    }),
    [
      'POST /media/{authors} as author',
      200,
      { body: { alt_text: 'Two\n <i>lines</i>' }, has: { alt_text: 'Two lines' } },
    ],
  ]);

  behaviour('M-17 meta with the upload', [
    upload('author', 201, { query: '?meta[photographer]=Ann', has: { meta: { photographer: 'Ann' } } }),
  ]);

  behaviour('M-18 updating', [
    [
      'POST /media/{authors} as author',
      200,
      {
        body: { title: 'T', description: 'D', caption: { raw: 'C' }, alt_text: 'A' },
        has: { title: { raw: 'T' }, description: { raw: 'D' }, caption: { raw: 'C' }, alt_text: 'A' },
      },
    ],
    ['POST /posts as author', 201, { body: { title: 'Own', status: 'publish' }, saveAs: 'own' }],
    ['POST /media/{authors} as author', 200, { body: { post: '{own}' }, has: { post: '{own}' } }],
    ['POST /media/{authors} as author', 200, { body: { post: 0 }, has: { post: null } }],
    ['POST /media/{authors} as author', 400, { body: { post: '{editors}' }, code: 'rest_invalid_param' }],
    ['POST /media/{authors} as author', 403, { body: { post: '{post}' }, code: 'rest_cannot_edit' }],
    ['POST /media/{editors} as author', 403, { body: { caption: 'x' }, code: 'rest_cannot_edit' }],
    ['POST /media/{editors}', 401, { body: { caption: 'x' }, code: 'rest_cannot_edit' }],
    ['POST /media/987654 as editor', 404, { body: { caption: 'x' }, code: 'rest_post_invalid_id' }],
  ]);

  behaviour('M-19 status=inherit only where it stands', [
    ['POST /media/{authors} as author', 200, { body: { status: 'inherit' }, has: { status: 'inherit' } }],
    upload('author', 201, { query: '?status=private', has: { status: 'private' }, saveAs: 'own' }),
    ['POST /media/{own} as author', 400, { body: { status: 'inherit' }, ...invalid('status') }],
    upload('author', 400, { query: '?status=inherit', ...invalid('status') }),
  ]);

  const WILD = '<div>div</div> <strong>strong</strong> <script>oh noes</script>';
  const BACK = String.raw`\o/ ¯\_(ツ)_/¯`;
  const sent = (text: string) => ({ title: text, description: text, caption: text });
  behaviour('M-20 round trips', [
    [
      'POST /media/{authors} as author',
      200,
      { body: sent(BACK), has: { title: { raw: BACK }, description: { raw: BACK }, caption: { raw: BACK } } },
    ],
    [
      'POST /media/{authors} as author',
      200,
      {
        body: sent(WILD),
        has: {
          title: { raw: 'div <strong>strong</strong> oh noes' },
          description: { raw: '<div>div</div> <strong>strong</strong> oh noes' },
          caption: { raw: '<div>div</div> <strong>strong</strong> oh noes' },
        },
      },
    ],
    [
      'POST /media/{editors} as editor',
      200,
      { body: sent(WILD), has: { title: { raw: WILD }, description: { raw: WILD }, caption: { raw: WILD } } },
    ],
  ]);

  behaviour('M-21 deleting', [
    upload('author', 201, { saveAs: 'bin' }),
    ['DELETE /media/{bin} as contributor', 403, 'rest_cannot_delete'],
    ['DELETE /media/{editors} as author', 403, 'rest_cannot_delete'],
    // The reference: 501 rest_trash_not_supported.
    ['DELETE /media/{bin} as author', 200, { has: { status: 'trash' } }],
    ['DELETE /media/{bin} as author', 410, 'rest_already_trashed'],
    ['DELETE /media/{bin}?force=true as author', 200, { has: { deleted: true, previous: { id: '{bin}' } } }],
    ['GET /media/{bin} as author', 404, 'rest_post_invalid_id'],
  ]);
});
