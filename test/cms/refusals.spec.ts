// Wild requests to every operation of the OpenAPI document: the status of each response is listed there for that operation.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeActor } from '../support/actors.js';
import { KnownPaths } from '../support/known-paths.js';
import { OpenApiDocument, type Operation } from '../support/openapi-document.js';
import type { Headers, Method, Sent } from '../support/send.js';
import { openFilledCms, type Cms } from './stage.js';

let cms: Cms;
let document: OpenApiDocument;
let known: KnownPaths;
let callers: Record<string, Headers>;

beforeAll(async () => {
  cms = await openFilledCms();
  const { admin, writer } = cms.actors;
  const scoped = await cms.site.send('POST', `/users/${writer.id}/application-passwords`, {
    as: admin.headers,
    body: { name: 'Tags', scope: { read_only: true, resources: ['tags'] } },
    status: 201,
  });
  const signed = Buffer.from(`${writer.username}:${scoped.body.password}`).toString('base64');
  callers = {
    admin: admin.headers,
    writer: writer.headers,
    reader: (await makeActor(cms.site, 'subscriber', 'reader')).headers,
    scoped: { Authorization: `Basic ${signed}` },
    nobody: {},
  };
  document = await OpenApiDocument.of(cms.site);
  known = await KnownPaths.of(
    cms.site,
    document.operations.map(({ path }) => path),
    admin.headers,
  );
}, 60_000);
afterAll(() => cms?.site.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const json = (body: unknown, headers: Headers = {}): Sent => ({
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const typed = (type: string, body: string): Sent => ({ headers: { 'Content-Type': type }, body });
const file = (name: string, type: string, content: string, headers: Headers = {}): Sent => ({
  headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"`, ...headers },
  body: content,
});

/** Bodies with values that some resource refuses; `{post}` stands for a post that takes comments. */
const VALUES = [
  {},
  [1],
  'x',
  { title: '\u0000', name: '\u0000', content: '\u0000' },
  { title: 't', content: 'c', name: 'n', author: 99_999 },
  { title: 't', content: 'c', name: 'n', parent: 99_999, post: 99_999, featured_media: 99_999 },
  { title: 't', content: 'c', name: 'n', categories: [99_999], tags: [99_999], template: 'none', date: '2020-13-01' },
  { title: 't', content: 'c', name: 'Alpha', key: '_key', value: {}, password: 'x', sticky: true, status: 'none' },
  { title: 't', content: 'c', password: 'x', sticky: true, status: 'draft' },
  {
    title: '',
    content: '',
    excerpt: '',
    name: '',
    key: '',
    slug: 'a/b',
    username: '',
    email: '',
    url: 'none',
    locale: 'x',
  },
  { username: 'admin', email: 'new@example.org', password: 'long enough 1', roles: ['none'] },
  { username: 'other', email: 'other@example.org', password: 'long enough 1', roles: ['subscriber'] },
  { name: 'Beta', slug: 'beta', key: 'a', value: 'b', events: [], url: 'http://127.0.0.1/' },
  { id: 1, type: 'none', meta: { none: 1 } },
  { post: '{post}', content: 'The same again', author_name: 'A', author_email: 'a@example.org' },
  { post: '{post}', content: 'The same again', author_name: 'A', author_email: 'a@example.org' },
];

const BAD_CREDENTIALS: Record<string, Sent> = {
  'wrong password': { as: { Authorization: 'Basic eDp5' } },
  'wrong token': { as: { Authorization: 'Bearer x' } },
};

const WILD: Record<string, Sent> = {
  'broken JSON': json('{'),
  'deep JSON': json('['.repeat(200) + ']'.repeat(200)),
  'no UTF-8': { headers: JSON_TYPE, body: Buffer.from('{"\xff":1}', 'latin1') },
  'another charset': typed('application/json; charset=latin1', '{}'),
  'another type': typed('application/xml', '<a/>'),
  'no type': typed('x;;', 'x'),
  'a form': typed('application/x-www-form-urlencoded', 'a=%&b[=1&title=x&name=y'),
  'a broken form': typed('multipart/form-data', 'x'),
  'no gzip': json('x', { 'Content-Encoding': 'gzip' }),
  'another encoding': json('x', { 'Content-Encoding': 'x' }),
  'a large body': json({ title: 'x'.repeat(9_000_000) }),
  'long texts': json({ title: 'x'.repeat(1_100_000), name: 'x'.repeat(300), username: 'x'.repeat(300) }),
  'another version': json({ title: 'x' }, { 'If-Match': '"x"' }),
  'no version': json({ title: 'x' }, { 'If-Match': 'x,,' }),
  'changed since': json({ title: 'x' }, { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
  'any version': json({ title: 'x' }, { 'If-None-Match': '*' }),
  'not modified': { headers: { 'If-Modified-Since': 'Sat, 01 Jan 2050 00:00:00 GMT' } },
  'an odd key': json({}, { 'Idempotency-Key': 'a'.repeat(300) }),
  'a key': json({ title: 'one', name: 'One', content: 'one', key: 'one' }, { 'Idempotency-Key': 'k' }),
  'the same key': json({ title: 'two', name: 'Two', content: 'two', key: 'two' }, { 'Idempotency-Key': 'k' }),
  'strictly, a parameter': { headers: { Prefer: 'handling=strict' }, query: { nonsense: 1 } },
  'strictly, a member': json({ nonsense: 1 }, { Prefer: 'handling=strict' }),
  'part of it': { headers: { Range: 'bytes=0-1' } },
  'as XML': { headers: { Accept: 'application/xml' } },
  'as CSV': { headers: { Accept: 'text/csv' } },
  'the context edit': { query: { context: 'edit' } },
  'another context': { query: { context: 'x' } },
  'a page beyond': { query: { page: 99_999 } },
  'a password': { query: { password: 'x' } },
  'wrong choices': { query: { _fields: 'a[', _embed: 'x', expand: 'x', cursor: 'x' } },
  'wrong groups': { query: { group: 'x', aggregate: 'y', filter: { x: 1 }, or: 'x' } },
  'a long URL': { query: { a: 'x'.repeat(20_000) } },
  'for good': { query: { force: 'x', reassign: 'x' } },
  'for good, to nobody': { query: { force: true, reassign: 99_999 } },
  'another sum': file('a.png', 'image/png', 'x', { 'Content-MD5': 'x' }),
  'a file that is not taken': file('a.svg', 'image/svg+xml', '<svg/>'),
  'a file without a name': typed('image/png', 'x'),
};

const ODD_KEYS = ['0', '99999999', 'x', '-1', '%00', '%2F', 'a.b', '9'.repeat(40), 'é'];

const isLarge = ({ body }: Sent) => Buffer.byteLength(String(body ?? '')) > 1_000_000;

/** What is sent to an operation: at a URL that exists everything, at others little. */
function* requestsTo({ path, method }: Operation): Generator<[target: string, name: string, sent: Sent, by: string]> {
  const at = known.at(path)[0] ?? path.replaceAll(/\{\w+\}/g, '1');
  const reads = method === 'get' || method === 'options';
  for (const [name, sent] of Object.entries(BAD_CREDENTIALS)) yield [at, name, sent, 'nobody'];
  for (const caller of Object.keys(callers)) {
    yield [at, 'nothing', {}, caller];
    // PUT and PATCH are the same as POST.
    for (const value of method === 'post' || method === 'delete' ? VALUES : []) {
      const text = JSON.stringify(value).replaceAll('"{post}"', String(cms.saved['post']));
      yield [at, text, json(text), caller];
    }
  }
  for (const [name, sent] of Object.entries(WILD)) {
    if (!(reads && isLarge(sent))) yield [at, name, sent, 'admin'];
    if (reads || method === 'post') yield [at, name, isLarge(sent) ? {} : sent, 'nobody'];
  }
  if (path.includes('{')) for (const key of ODD_KEYS) yield [path.replaceAll(/\{\w+\}/g, key), 'nothing', {}, 'admin'];
}

test('every status that an operation returns is described', async () => {
  const { admin } = cms.actors;
  // Otherwise the callers lose their rights halfway.
  const readOnlyPaths = new Set([
    ...Object.values(cms.actors).map(({ id }) => `/cms/v2/users/${id}`),
    '/cms/v2/users/me',
  ]);
  const wrong = new Map<string, string>();
  for (const operation of document.operations) {
    const method = operation.method.toUpperCase() as Method;
    for (const [target, name, sent, caller] of requestsTo(operation)) {
      if (!['GET', 'OPTIONS'].includes(method) && readOnlyPaths.has(target)) continue;
      if (/application-passwords/.test(target) && method === 'DELETE' && !target.includes(`/${admin.id}/`)) continue;
      const { status, text } = await cms.site.send(method, `/${target}`, { as: callers[caller]!, ...sent });
      const listed = String(status) in operation.described['responses'];
      if (listed && (status < 500 || status === 501)) continue;
      const key = `${method} ${operation.path} ${status}`;
      if (!wrong.has(key)) wrong.set(key, `${key}: ${name} as ${caller} at ${target}: ${text.slice(0, 150)}`);
    }
  }
  expect([...wrong.values()]).toEqual([]);
}, 300_000);
