// The baseline that Typecase is compared with: node:http, prepared statements and hand-written serialization for one
// resource, with the same responses byte for byte. Runs as a process of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Database from 'libsql';
import xxhash from 'xxhash-wasm';

type Value = string | number;
type Post = Value[];

const COLUMNS = [
  'id',
  'password',
  'date',
  'date_gmt',
  'slug',
  'status',
  'modified',
  'modified_gmt',
  'type',
  'title_rendered',
  'content_rendered',
  'author',
  'excerpt_rendered',
  'featured_media',
  'comment_status',
  'ping_status',
  'format',
  'sticky',
  'template',
  'liveblog_likes',
  'revision_count',
  'latest_revision',
  'row_version',
] as const;
const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index])) as Record<(typeof COLUMNS)[number], number>;
const PATH = '/cms/v2/posts';
const CURIES = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];
const FIXED = [
  'Content-Type',
  'application/json; charset=UTF-8',
  'Allow',
  'GET',
  'Vary',
  'Authorization, Accept-Encoding, Accept',
];
const PRETTY = new Set<Value>(['publish', 'private', 'inherit']);

const { DATABASE = '', HOST = '127.0.0.1', PORT = '0', PUBLIC_URL: home = '' } = process.env;
const base = `${home}/cms/v2`;
const { h64ToString } = await xxhash();
const root = `<${home}/>; rel="https://api.w.org/"`;
const database = new Database(DATABASE);
database.exec('PRAGMA cache_size = -32000');
database.exec('PRAGMA query_only = ON');

const select = `SELECT ${COLUMNS.map((name) => `"${name}"`).join(', ')} FROM "contents"`;
const version = prepare('PRAGMA data_version');
const counter = prepare('SELECT "n" FROM "typecase_counts" WHERE "scope" = ?');
const PUBLISHED = '"type" = ? AND "status" = ?';
const NEWEST_FIRST = 'ORDER BY "date" DESC, "id" DESC';
const page = prepare(`${select} WHERE ${PUBLISHED} ${NEWEST_FIRST} LIMIT ? OFFSET ?`);
/** Reads only the ids of the rows that it skips. */
const deepPage = prepare(
  `${select} JOIN (SELECT "id" AS "found" FROM "contents" WHERE ${PUBLISHED} ${NEWEST_FIRST} LIMIT ? OFFSET ?) ON "found" = "id" ${NEWEST_FIRST}`,
);
const account = prepare('SELECT "id", "password" FROM "users" WHERE "login_key" = ?');
const roles = prepare('SELECT "value" FROM "users_roles" WHERE "owner_id" = ?');
const one = prepare(`${select} WHERE "id" = ? AND "type" = ? LIMIT 1`);
const lists = new Map<string, (values: Value[]) => Value[][]>();

function prepare(sql: string): (values: Value[]) => Value[][] {
  const statement = database.prepare(sql).raw();
  return (values) => statement.all(values) as Value[][];
}

// One statement for each power of two, so that few statements serve lists of any length.
function among(sql: string, ids: Value[], order: string): Value[][] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  const key = `${sql} IN (${Array(size).fill('?').join(', ')}) ORDER BY ${order}`;
  let run = lists.get(key);
  if (!run) lists.set(key, (run = prepare(key)));
  return run([...ids, ...Array<Value>(size - ids.length).fill(ids.at(-1)!)]);
}

/** Posts with a term of each kind that is given, and how many there are. Totals are kept until the data changes. */
const TERMS: Record<string, string> = { categories: 'contents_categories', tags: 'contents_tags' };
const filters = new Map<string, { rows: (values: Value[]) => Value[][]; count: (values: Value[]) => Value[][] }>();
const totals = new Map<string, { version: Value; total: number }>();

function filtered(
  asked: URLSearchParams,
  perPage: number,
  offset: number,
): { items: number; rows: Post[] } | undefined {
  const names = Object.keys(TERMS).filter((name) => asked.has(name));
  if (names.length === 0) return undefined;
  let filter = filters.get(names.join());
  if (!filter) {
    const has = (name: string) =>
      `EXISTS (SELECT 1 FROM "${TERMS[name]}" WHERE "owner_id" = "contents"."id" AND "target_id" = ?)`;
    const where = `WHERE ${[PUBLISHED, ...names.map(has)].join(' AND ')}`;
    const rows = prepare(`${select} ${where} ${NEWEST_FIRST} LIMIT ? OFFSET ?`);
    filters.set(names.join(), (filter = { rows, count: prepare(`SELECT COUNT(*) FROM "contents" ${where}`) }));
  }
  const values: Value[] = ['post', 'publish', ...names.map((name) => Number(asked.get(name)))];
  const key = names.map((name) => `${name}=${asked.get(name)}`).join('&');
  const now = version([])[0]![0]!;
  let known = totals.get(key);
  if (known?.version !== now) totals.set(key, (known = { version: now, total: Number(filter.count(values)[0]![0]) }));
  return { items: known.total, rows: filter.rows([...values, perPage, offset]) };
}

/** Posts of an author since a date. */
const SINCE = `WHERE ${PUBLISHED} AND "author" = ? AND "date" >= ?`;
const since = prepare(`${select} ${SINCE} ${NEWEST_FIRST} LIMIT ? OFFSET ?`);
const countSince = prepare(`SELECT COUNT(*) FROM "contents" ${SINCE}`);

function byAuthor(author: string, date: string, perPage: number, offset: number): { items: number; rows: Post[] } {
  const values: Value[] = ['post', 'publish', Number(author), date];
  const now = version([])[0]![0]!;
  let known = totals.get(`${author} ${date}`);
  if (known?.version !== now)
    totals.set(`${author} ${date}`, (known = { version: now, total: Number(countSince(values)[0]![0]) }));
  return { items: known.total, rows: since([...values, perPage, offset]) };
}

/** The page behind a place in the list, and the place of the next one. The seal is not looked at. */
const behind = prepare(`${select} WHERE ${PUBLISHED} AND ("date", "id") < (?, ?) ${NEWEST_FIRST} LIMIT ?`);
const SEAL = '.0123456789012345678901';

function byCursor(cursor: string, perPage: number): { rows: Post[]; next: string | undefined } {
  const [date, id] = JSON.parse(Buffer.from(cursor.split('.')[0]!, 'base64url').toString()) as [string, number];
  const rows = behind(['post', 'publish', date, id, perPage + 1]);
  if (rows.length <= perPage) return { rows, next: undefined };
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1)!;
  const place = JSON.stringify([last[AT.date], last[AT.id]]);
  return { rows: shown, next: Buffer.from(place).toString('base64url') + SEAL };
}

/** Replaces the ids of categories by the categories. */
function expandCategories(views: { categories: Value[] }[]): void {
  const ids = [...new Set(views.flatMap(({ categories }) => categories))];
  if (ids.length === 0) return;
  const rows = among(
    'SELECT "id", "count", "description", "name", "slug", "parent" FROM "terms" WHERE "id"',
    ids,
    '"id"',
  );
  const found = new Map<Value, unknown>();
  for (const [id, count, description, name, slug, parent] of rows) {
    const link = `${home}/category/${slug}/`;
    found.set(id!, { id, count, description, link, name, slug, taxonomy: 'category', parent, meta: {} });
  }
  for (const view of views) view.categories = view.categories.map((id) => (found.get(id) ?? id) as Value);
}

let counted: { version: Value; total: number } | undefined;

function total(): number {
  const now = version([])[0]![0]!;
  if (counted?.version !== now) {
    counted = { version: now, total: Number(counter(['contents:["post","publish"]'])[0]?.[0] ?? 0) };
  }
  return counted.total;
}

/** Ids of the terms of each post, in the order of their names. */
function termsOf(table: string, ids: Value[]): Map<Value, Value[]> {
  const pairs = among(
    `SELECT "owner_id", "target_id" FROM "${table}" WHERE "owner_id"`,
    ids,
    '"owner_id", "target_id"',
  );
  const terms = new Map<Value, Value[]>();
  for (const [owner, term] of pairs) {
    const list = terms.get(owner!);
    if (list) list.push(term!);
    else terms.set(owner!, [term!]);
  }
  if (pairs.length > terms.size) {
    const found = among(
      'SELECT "id" FROM "terms" WHERE "id"',
      [...new Set(pairs.map((pair) => pair[1]!))],
      '"name_sort", "id"',
    );
    const position = new Map(found.map(([id], index) => [id!, index]));
    for (const list of terms.values()) list.sort((left, right) => position.get(left)! - position.get(right)!);
  }
  return terms;
}

function viewsOf(rows: Post[], hints: object): object[] {
  const ids = rows.map((row) => row[AT.id]!);
  const categories = ids.length > 0 ? termsOf('contents_categories', ids) : undefined;
  const tags = ids.length > 0 ? termsOf('contents_tags', ids) : undefined;
  return rows.map((row) => viewOf(row, categories?.get(row[AT.id]!) ?? [], tags?.get(row[AT.id]!) ?? [], hints));
}

function viewOf(row: Post, categories: Value[], tags: Value[], hints: object): object {
  const id = row[AT.id];
  const guarded = row[AT.password] !== '';
  return {
    id,
    date: row[AT.date],
    date_gmt: row[AT.date_gmt],
    guid: { rendered: `${home}/?p=${id}` },
    link: linkOf(row),
    modified: row[AT.modified],
    modified_gmt: row[AT.modified_gmt],
    slug: row[AT.slug],
    type: row[AT.type],
    title: { rendered: row[AT.title_rendered] },
    content: { rendered: guarded ? '' : row[AT.content_rendered], protected: guarded },
    author: row[AT.author],
    excerpt: { rendered: guarded ? '' : row[AT.excerpt_rendered], protected: guarded },
    featured_media: row[AT.featured_media],
    comment_status: row[AT.comment_status],
    ping_status: row[AT.ping_status],
    format: row[AT.format],
    meta: {},
    sticky: row[AT.sticky] === 1,
    template: row[AT.template],
    categories,
    tags,
    liveblog_likes: row[AT.liveblog_likes],
    _links: linksOf(row, hints),
  };
}

function linkOf(row: Post): string {
  const slug = row[AT.slug];
  if (slug === '' || !PRETTY.has(row[AT.status]!)) return `${home}/?p=${row[AT.id]}`;
  const date = String(row[AT.date]);
  return `${home}/${date.slice(0, 4)}/${date.slice(5, 7)}/${date.slice(8, 10)}/${slug}/`;
}

function linksOf(row: Post, hints: object): object {
  const id = row[AT.id];
  const self = `${base}/posts/${id}`;
  const latest = row[AT.latest_revision];
  const author = row[AT.author];
  const media = row[AT.featured_media];
  return {
    self: [{ href: self, ...hints }],
    collection: [{ href: `${base}/posts` }],
    'version-history': [{ count: row[AT.revision_count], href: `${self}/revisions` }],
    ...(latest ? { 'predecessor-version': [{ id: latest, href: `${self}/revisions/${latest}` }] } : {}),
    about: [{ href: `${base}/types/post` }],
    ...(author ? { author: [{ embeddable: true, href: `${base}/users/${author}` }] } : {}),
    replies: [{ embeddable: true, href: `${base}/comments?post=${id}` }],
    ...(media ? { 'wp:featuredmedia': [{ embeddable: true, href: `${base}/media/${media}` }] } : {}),
    'wp:attachment': [{ href: `${base}/media?parent=${id}` }],
    'wp:term': [
      { taxonomy: 'category', embeddable: true, href: `${base}/categories?post=${id}` },
      { taxonomy: 'post_tag', embeddable: true, href: `${base}/tags?post=${id}` },
    ],
    curies: CURIES,
  };
}

const DEEP = 100;

/** Looks the caller up, as a server with accounts must. The responses are those to anonymous callers. */
function identify(header: string): void {
  const [name] = Buffer.from(header.slice(6), 'base64').toString().split(':');
  const [found] = account([name!]);
  if (!found) throw new Error('There is no such account.');
  roles([found[0]!]);
}

function list(query: string, response: ServerResponse): void {
  const asked = new URLSearchParams(query);
  const perPage = Number(asked.get('per_page') ?? 10);
  const current = Number(asked.get('page') ?? 1);
  const offset = (current - 1) * perPage;
  const cursor = asked.get('cursor');
  const author = asked.get('author[eq]');
  if (cursor !== null) {
    const { rows, next } = byCursor(cursor, perPage);
    const query = new URLSearchParams(asked);
    if (next !== undefined) query.set('cursor', next);
    const link = next === undefined ? root : `${root}, <${base}/posts?${query}>; rel="next"`;
    const count = total();
    const pages = Math.ceil(count / perPage);
    return answer(response, viewsOf(rows, {}), 0, ['X-WP-Total', count, 'X-WP-TotalPages', pages, 'Link', link]);
  }
  const found =
    author === null ? filtered(asked, perPage, offset) : byAuthor(author, asked.get('date[gte]')!, perPage, offset);
  const items = found?.items ?? total();
  const pages = Math.ceil(items / perPage);
  const rows = found?.rows ?? (offset < DEEP ? page : deepPage)(['post', 'publish', perPage, offset]);
  const links = [root];
  if (current > 1) links.push(pageLink(asked, current - 1, 'prev'));
  if (current < pages) links.push(pageLink(asked, current + 1, 'next'));
  const views = viewsOf(rows, {});
  if (asked.has('expand')) expandCategories(views as { categories: Value[] }[]);
  answer(response, views, 0, ['X-WP-Total', items, 'X-WP-TotalPages', pages, 'Link', links.join(', ')]);
}

function pageLink(asked: URLSearchParams, number: number, rel: string): string {
  const query = new URLSearchParams(asked);
  query.set('page', String(number));
  return `<${base}/posts?${query}>; rel="${rel}"`;
}

function item(id: number, response: ServerResponse): void {
  const rows = one([id, 'post']);
  if (rows[0]?.[AT.status] !== 'publish') return missing(response);
  const [view] = viewsOf(rows, { targetHints: { allow: ['GET'] } });
  answer(response, view!, rows[0][AT.row_version]!, [
    'Link',
    `${root}, <${linkOf(rows[0])}>; rel="alternate"; type=text/html`,
  ]);
}

function answer(response: ServerResponse, body: object, itemVersion: Value, headers: (string | number)[]): void {
  const text = JSON.stringify(body);
  const tag = `"${itemVersion}-${h64ToString(text)}"`;
  if (response.req.headers['if-none-match'] === tag) {
    response.writeHead(304, [...FIXED, 'ETag', tag, ...headers] as string[]).end();
    return;
  }
  const size = ['Content-Length', Buffer.byteLength(text), 'ETag', tag];
  response.writeHead(200, [...FIXED, ...size, ...headers] as string[]);
  response.end(text);
}

function missing(response: ServerResponse): void {
  response.writeHead(404).end();
}

const server = createServer((request: IncomingMessage, response) => {
  const url = request.url ?? '';
  if (request.headers.authorization !== undefined) identify(request.headers.authorization);
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  if (path === PATH) list(mark < 0 ? '' : url.slice(mark + 1), response);
  else if (path.startsWith(`${PATH}/`)) item(Number(path.slice(PATH.length + 1)), response);
  else if (path === '/readyz') response.writeHead(200).end();
  else missing(response);
});
server.keepAliveTimeout = 65_000;
server.listen(Number(PORT), HOST);
process.once('SIGTERM', () => process.exit(0));
