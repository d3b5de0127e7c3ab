// The baseline of the comparison with Typecase: node:http, prepared statements and hand-written serialization for one
// resource, with the same responses to reads byte for byte. Runs as a separate process.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import xxhash from 'xxhash-wasm';
import { openSql, type Value } from './hand-written-sql.js';
import { withDifference } from '../src/text/difference.js';
import { HandWrittenWrites } from './hand-written-writes.js';

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
  'title',
  'title_rendered',
  'content',
  'content_rendered',
  'author',
  'excerpt',
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

const { DATABASE_URL = '', HOST = '127.0.0.1', PORT = '0', PUBLIC_URL: home = '' } = process.env;
const base = `${home}/cms/v2`;
const { h64ToString } = await xxhash();
const root = `<${home}/>; rel="https://api.w.org/"`;
const database = openSql(DATABASE_URL);
const writes = new HandWrittenWrites(database);

const select = `SELECT ${COLUMNS.map((name) => `"${name}"`).join(', ')} FROM "contents"`;
const PUBLISHED = '"type" = ? AND "status" = ?';
/** Order of the index, in which NULL is the smallest value. */
const NEWEST_FIRST = `ORDER BY "date" DESC${database.engine === 'postgres' ? ' NULLS LAST' : ''}, "id" DESC`;
const page = statement(`${select} WHERE ${PUBLISHED} ${NEWEST_FIRST} LIMIT ? OFFSET ?`);
/** Reads only the ids of the rows that it skips. */
const deepPage = statement(
  `${select} JOIN (SELECT "id" AS "found" FROM "contents" WHERE ${PUBLISHED} ${NEWEST_FIRST} LIMIT ? OFFSET ?) AS "page" ON "found" = "id" ${NEWEST_FIRST}`,
);
const account = statement('SELECT "id", "password" FROM "users" WHERE "login_key" = ?');
const roles = statement('SELECT "value" FROM "users_roles" WHERE "owner_id" = ?');
const one = statement(`${select} WHERE "id" = ? AND "type" = ? LIMIT 1`);
const pragma = statement('PRAGMA data_version');

type Statement = (values: Value[]) => Promise<Value[][]> | Value[][];

function statement(sql: string): Statement {
  return (values) => database.rows(sql, values);
}

/** A value that changes with the data; on a database server this process is the only writer. */
async function version(): Promise<Value> {
  return database.engine === 'sqlite' ? (await pragma([]))[0]![0]! : writes.version;
}

// One statement for each power of two, so that few statements serve lists of any length.
function among(sql: string, ids: Value[], order: string): Promise<Value[][]> | Value[][] {
  const size = 2 ** Math.ceil(Math.log2(ids.length));
  const text = `${sql} IN (${Array(size).fill('?').join(', ')}) ORDER BY ${order}`;
  return database.rows(text, [...ids, ...Array<Value>(size - ids.length).fill(ids.at(-1)!)]);
}

/** Parameters that filter by terms, with their join tables. */
const TERMS: Record<string, string> = { categories: 'contents_categories', tags: 'contents_tags' };
const totals = new Map<string, { version: Value; total: number }>();

interface Found {
  items: number;
  rows: Post[];
}

/** Posts with the given terms or the given word; undefined without either. Totals are cached until the data changes. */
async function filtered(params: URLSearchParams, perPage: number, offset: number): Promise<Found | undefined> {
  const names = Object.keys(TERMS).filter((name) => params.has(name));
  const word = params.get('search');
  if (names.length === 0 && word === null) return undefined;
  const has = (name: string) =>
    `EXISTS (SELECT 1 FROM "${TERMS[name]}" WHERE "owner_id" = "contents"."id" AND "target_id" = ?)`;
  const contains = word === null ? [] : containing(word);
  const where = `WHERE ${[PUBLISHED, ...names.map(has), ...contains.map(({ sql }) => sql)].join(' AND ')}`;
  const terms = names.map((name) => Number(params.get(name)));
  const values: Value[] = ['post', 'publish', ...terms, ...contains.map(({ value }) => value)];
  const rows = await database.rows(`${select} ${where} ${NEWEST_FIRST} LIMIT ? OFFSET ?`, [...values, perPage, offset]);
  return { items: await total(where, values), rows };
}

/** Conditions on a word of three letters or more. */
function containing(word: string): { sql: string; value: Value }[] {
  if (database.engine === 'postgres') return [{ sql: '"search_text" LIKE ?', value: `%${word}%` }];
  if (database.engine === 'mysql') return [{ sql: 'LOCATE(?, "search_text") > 0', value: word }];
  const trigrams = Array.from({ length: word.length - 2 }, (_, at) => `"${word.slice(at, at + 3)}"`);
  const texts = ['title', 'excerpt', 'content'].map((name) => `"${name}"`).join(' || char(10) || ');
  const found = '"id" IN (SELECT rowid FROM "contents_search_text_fts" WHERE "contents_search_text_fts" MATCH ?)';
  return [
    { sql: found, value: trigrams.join(' AND ') },
    { sql: `instr(CASE WHEN "search_text" = '' THEN LOWER(${texts}) ELSE "search_text" END, ?) > 0`, value: word },
  ];
}

async function total(where: string, values: readonly Value[]): Promise<number> {
  const key = JSON.stringify(values);
  const now = await version();
  let known = totals.get(key);
  if (known?.version !== now) {
    const [[n] = [0]] = await database.rows(`SELECT COUNT(*) FROM "contents" ${where}`, values);
    totals.set(key, (known = { version: now, total: Number(n) }));
  }
  return known.total;
}

const COUNTED = 'SELECT COALESCE(SUM("n"), 0) FROM "typecase_counts" WHERE "scope" LIKE ?';

/** Posts of an author since a date. */
const SINCE = `WHERE ${PUBLISHED} AND "author" = ? AND "date" >= ?`;
const since = statement(`${select} ${SINCE} ${NEWEST_FIRST} LIMIT ? OFFSET ?`);

async function byAuthor(author: string, date: string, perPage: number, offset: number): Promise<Found> {
  const values: Value[] = ['post', 'publish', Number(author), date];
  return { items: await total(SINCE, values), rows: await since([...values, perPage, offset]) };
}

/** The page after a cursor's position. The seal of the cursor is not checked. */
const behind = statement(`${select} WHERE ${PUBLISHED} AND ("date", "id") < (?, ?) ${NEWEST_FIRST} LIMIT ?`);
const SEAL = '.0123456789012345678901';

async function byCursor(cursor: string, perPage: number): Promise<{ rows: Post[]; next: string | undefined }> {
  const [date, id] = JSON.parse(Buffer.from(cursor.split('.')[0]!, 'base64url').toString()) as [string, number];
  const rows = await behind(['post', 'publish', date, id, perPage + 1]);
  if (rows.length <= perPage) return { rows, next: undefined };
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1)!;
  const place = JSON.stringify([last[AT.date], last[AT.id]]);
  return { rows: shown, next: Buffer.from(place).toString('base64url') + SEAL };
}

/** Replaces the ids of categories with the categories. */
async function expandCategories(views: { categories: Value[] }[]): Promise<void> {
  const ids = [...new Set(views.flatMap(({ categories }) => categories))];
  if (ids.length === 0) return;
  const rows = await among(
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

/** Number of published posts, from the row counts that every writer maintains in `typecase_counts`. */
let counted: { version: Value; total: number } | undefined;

async function published(): Promise<number> {
  const now = await version();
  if (counted?.version !== now) {
    const [[n] = [0]] = await database.rows(COUNTED, ['contents:["post","publish"]%']);
    counted = { version: now, total: Number(n) };
  }
  return counted.total;
}

/** Ids of the terms of each post, in the order of their names. */
async function termsOf(table: string, ids: Value[]): Promise<Map<Value, Value[]>> {
  const pairs = await among(
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
    const found = await among(
      'SELECT "id" FROM "terms" WHERE "id"',
      [...new Set(pairs.map((pair) => pair[1]!))],
      '"name_sort", "id"',
    );
    const position = new Map(found.map(([id], index) => [id!, index]));
    for (const list of terms.values()) list.sort((left, right) => position.get(left)! - position.get(right)!);
  }
  return terms;
}

async function viewsOf(rows: Post[], hints: object): Promise<object[]> {
  const ids = rows.map((row) => row[AT.id]!);
  const [categories, tags] =
    ids.length > 0 ? await Promise.all([termsOf('contents_categories', ids), termsOf('contents_tags', ids)]) : [];
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
    title: { rendered: textOf(row, 'title') },
    content: { rendered: guarded ? '' : textOf(row, 'content'), protected: guarded },
    author: row[AT.author],
    excerpt: { rendered: guarded ? '' : textOf(row, 'excerpt'), protected: guarded },
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

function textOf(row: Post, name: 'title' | 'content' | 'excerpt'): string | undefined {
  const source = row[AT[name]] || (name === 'excerpt' ? row[AT.content] : '');
  return withDifference(String(source), String(row[AT[`${name}_rendered`]]));
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

/** Looks up the caller, as a server with accounts must. Responses are the same as for anonymous callers. */
async function identify(header: string): Promise<Value> {
  const [name] = Buffer.from(header.slice(6), 'base64').toString().split(':');
  const [found] = await account([name!]);
  if (!found) throw new Error('There is no such account.');
  await roles([found[0]!]);
  return found[0]!;
}

async function list(query: string, response: ServerResponse): Promise<void> {
  const params = new URLSearchParams(query);
  const perPage = Number(params.get('per_page') ?? 10);
  const current = Number(params.get('page') ?? 1);
  const offset = (current - 1) * perPage;
  const cursor = params.get('cursor');
  const author = params.get('author[eq]');
  if (cursor !== null) {
    const { rows, next } = await byCursor(cursor, perPage);
    const onward = new URLSearchParams(params);
    if (next !== undefined) onward.set('cursor', next);
    const link = next === undefined ? root : `${root}, <${base}/posts?${onward}>; rel="next"`;
    const count = await published();
    const pages = Math.ceil(count / perPage);
    const views = await viewsOf(rows, {});
    return respond(response, views, 0, ['X-WP-Total', count, 'X-WP-TotalPages', pages, 'Link', link]);
  }
  const found = await (author === null
    ? filtered(params, perPage, offset)
    : byAuthor(author, params.get('date[gte]')!, perPage, offset));
  const items = found?.items ?? (await published());
  const pages = Math.ceil(items / perPage);
  const rows = found?.rows ?? (await (offset < DEEP ? page : deepPage)(['post', 'publish', perPage, offset]));
  const links = [root];
  if (current > 1) links.push(pageLink(params, current - 1, 'prev'));
  if (current < pages) links.push(pageLink(params, current + 1, 'next'));
  const views = await viewsOf(rows, {});
  if (params.has('expand')) await expandCategories(views as { categories: Value[] }[]);
  respond(response, views, 0, ['X-WP-Total', items, 'X-WP-TotalPages', pages, 'Link', links.join(', ')]);
}

function pageLink(params: URLSearchParams, number: number, rel: string): string {
  const query = new URLSearchParams(params);
  query.set('page', String(number));
  return `<${base}/posts?${query}>; rel="${rel}"`;
}

async function item(id: number, response: ServerResponse, status = 200): Promise<void> {
  const rows = await one([id, 'post']);
  if (rows[0]?.[AT.status] !== 'publish') return missing(response);
  const [view] = await viewsOf(rows, { targetHints: { allow: ['GET'] } });
  respond(
    response,
    view!,
    rows[0][AT.row_version]!,
    ['Link', `${root}, <${linkOf(rows[0])}>; rel="alternate"; type=text/html`],
    status,
  );
}

function respond(
  response: ServerResponse,
  body: object,
  itemVersion: Value,
  headers: (string | number)[],
  status = 200,
): void {
  const text = JSON.stringify(body);
  const tag = `"${itemVersion}-${h64ToString(text)}"`;
  if (response.req.headers['if-none-match'] === tag) {
    response.writeHead(304, [...FIXED, 'ETag', tag, ...headers] as string[]).end();
    return;
  }
  const size = ['Content-Length', Buffer.byteLength(text), 'ETag', tag];
  response.writeHead(status, [...FIXED, ...size, ...headers] as string[]);
  response.end(text);
}

function missing(response: ServerResponse): void {
  response.writeHead(404).end();
}

async function receive(request: IncomingMessage): Promise<Record<string, string>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, string>;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const { authorization } = request.headers;
  const caller = authorization === undefined ? 0 : await identify(authorization);
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const id = path.startsWith(`${PATH}/`) ? Number(path.slice(PATH.length + 1)) : undefined;
  if (request.method === 'POST') {
    const sent = await receive(request);
    if (id === undefined) return item(await writes.create(caller, sent), response, 201);
    await writes.update(id, caller, sent);
    return item(id, response);
  }
  if (path === PATH) return list(mark < 0 ? '' : url.slice(mark + 1), response);
  if (id !== undefined) return item(id, response);
  if (path === '/readyz') response.writeHead(200).end();
  else missing(response);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    // The load generator disconnects at the end of a round.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return;
    process.stderr.write(`${String(error)}\n`);
    response.writeHead(500).end();
  });
});
server.keepAliveTimeout = 65_000;
server.listen(Number(PORT), HOST);
process.once('SIGTERM', () => process.exit(0));
