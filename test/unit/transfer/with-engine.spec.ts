// The WXR import through the real engine, traits and store, on the shipped schemas.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { CHEAP_HASHES } from '../../support/start-test-site.js';
import { readConfig } from '../../../src/config/config.js';
import type { WxrItem } from '../../../src/transfer/wxr-file/wxr-events.js';
import { importWxr } from '../../../src/transfer/wxr/wxr-import.js';
import { auditData } from '../../../src/maintenance/check-data.js';
import { and, oneOf, TRUE, type Row } from '../../../src/model/query.js';
import { openSite, type OpenSite } from '../../../src/server/open-site.js';
import { SAMPLE } from './memory-writer.js';
import { eventsOf, fileOf, itemXml, wxr } from './wxr-files.js';

const THEME_DATA = '../shared/data/themeunittestdata.wordpress.xml';

let folder: string;
let open: OpenSite;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-import-'));
  const config = readConfig(
    {
      DATABASE_URL: `sqlite:${folder}/site.sqlite?synchronous=normal`,
      MEDIA_URL: `file:${folder}/media`,
      SCHEMAS_DIR: 'schemas',
      ADMIN_PASSWORD: 'correct horse battery',
      ...CHEAP_HASHES,
    },
    false,
  );
  open = await openSite(config, { warn: () => {} } as never);
});

afterEach(async () => {
  await open?.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = (resource: string): Promise<Row[]> => {
  const model = open.models.byName.get(resource)!;
  return open.store.reader.select({
    table: model.table!.name,
    columns: model.allColumns,
    where: and(TRUE, model.rowScope),
    order: [{ column: 'id', direction: 'asc' }],
  });
};

async function everything(): Promise<Record<string, Row[]>> {
  const all: Record<string, Row[]> = {};
  for (const [name, table] of open.models.tables) {
    all[name] = await open.store.reader.select({
      table: name,
      columns: [...table.columns.keys()],
      where: TRUE,
      order: [],
    });
  }
  return all;
}

describe('the sample', () => {
  it('is imported completely', async () => {
    const summary = await importWxr(SAMPLE, open.writer);
    expect(summary.refused).toEqual([]);
    const posts = await rows('post');
    expect(
      posts.map(({ id, slug, status, sticky, password, format }) => [id, slug, status, sticky, password, format]),
    ).toEqual([
      [100, 'spring-tide', 'publish', 1, '', 'image'],
      [101, 'boathouse-key', 'publish', 0, 'barnacle', 'standard'],
      [102, '', 'draft', 0, '', 'standard'],
      [103, 'club-minutes__trashed', 'trash', 0, '', 'standard'],
    ]);
    expect(posts[0]).toMatchObject({
      date: '2024-03-10T08:30:00',
      modified: '2024-03-11T10:00:00',
      featured_media: 300,
    });
    expect(posts[2]).toMatchObject({ date: '2024-05-20T10:00:00', date_floating: 1 });
    expect(posts[3]).toMatchObject({ trashed_status: 'private', trashed_slug: 'club-minutes' });
    expect(await rows('page')).toMatchObject([
      { id: 200, path: 'harbour' },
      { id: 201, parent: 200, slug: 'hours', path: 'harbour/hours', modified: '2024-02-01T09:00:00' },
    ]);
    expect(await rows('attachment')).toMatchObject([
      { id: 300, parent: 100, status: 'inherit', mime_type: 'image/jpeg', alt_text: 'A lamp above dark water' },
      { id: 301, parent: 0 },
    ]);
    expect(
      (await rows('comment')).map(({ id, post, parent, status, type, author_name }) => [
        id,
        post,
        parent,
        status,
        type,
        author_name,
      ]),
    ).toEqual([
      [501, 100, 0, 'approved', 'comment', 'Pelle'],
      [502, 100, 501, 'approved', 'comment', 'Inês Duarte'],
      [503, 100, 0, 'approved', 'pingback', expect.any(String)],
      [504, 100, 0, 'spam', 'comment', 'Buy now'],
    ]);
    expect((await rows('user')).map(({ username, slug, name }) => [username, slug, name])).toEqual([
      ['admin', 'admin', expect.any(String)],
      ['ines', 'ines', 'Inês Duarte'],
      ['tom.keel', 'tom-keel', 'Tom Keel'],
    ]);
  });

  it('changes nothing when it is imported again', async () => {
    await importWxr(SAMPLE, open.writer);
    const before = await everything();
    expect((await importWxr(SAMPLE, open.writer)).changed).toBe(false);
    expect(await everything()).toEqual(before);
  });
});

it('creates an account for every author, whatever their names contain', async () => {
  const names = ['tom keel', 'tom-keel', 'tom@keel', 'j..r.', '.j', 'x'.repeat(60), '@ '.repeat(30).trim()];
  const items = names.map((creator, n) => itemXml({ post_id: 10 + n, creator }));
  const summary = await importWxr(fileOf(wxr(items.join('\n'))), open.writer);
  expect(summary.refused).toEqual([]);
  const users = (await rows('user')).slice(1);
  expect(users.map(({ username }) => username)).toEqual(names);
  expect((await rows('post')).map(({ author }) => author)).toEqual(users.map(({ id }) => id));
});

it('refuses an item with a duplicate unique value, and imports the others', async () => {
  const schemas = join(folder, 'schemas');
  cpSync('schemas', schemas, { recursive: true });
  const title = { type: 'string', required: true, minLength: 1, unique: true };
  writeFileSync(join(schemas, 'book.json'), JSON.stringify({ name: 'book', path: 'books', fields: { title } }));
  const books = await openSite(
    readConfig({ DATABASE_URL: `sqlite:${folder}/books.sqlite`, SCHEMAS_DIR: schemas, ...CHEAP_HASHES }, false),
    { warn: () => {} } as never,
  );
  try {
    const items = ['Dunes', 'Dunes', 'Reefs'].map((name, n) => {
      const id = `<wp:comment_id>${n + 1}</wp:comment_id>`;
      const comment = `<wp:comment>${id}<wp:comment_content>x</wp:comment_content></wp:comment>`;
      return itemXml({ post_id: 10 + n, post_type: 'book', title: name }, comment);
    });
    const summary = await importWxr(fileOf(wxr(items.join('\n'))), books.writer);
    expect(summary.refused).toMatchObject([{ resource: 'book', line: 5, reason: 'Another item has this title.' }]);
    const query = { table: 'books', columns: ['id', 'title'], where: TRUE, order: [] };
    expect(await books.store.reader.select(query)).toEqual([
      { id: 10, title: 'Dunes' },
      { id: 12, title: 'Reefs' },
    ]);
    expect(summary.counts.get('comment')!.reasons.get('its item was not imported')).toBe(1);
  } finally {
    await books.close();
  }
});

(existsSync(THEME_DATA) ? describe : describe.skip)('the theme unit test data', () => {
  it('is imported completely, and unchanged by a second import', async () => {
    const summary = await importWxr(THEME_DATA, open.writer);
    expect(summary.refused).toEqual([]);
    const [posts, pages, attachments] = [await rows('post'), await rows('page'), await rows('attachment')];
    expect(
      [posts, pages, attachments, await rows('category'), await rows('tag'), await rows('comment')].map(
        ({ length }) => length,
      ),
    ).toEqual([58, 21, 37, 68, 114, 33]);
    const byId = new Map([...posts, ...pages, ...attachments].map((row) => [String(row['id']), row]));
    const items = (await eventsOf(THEME_DATA)).filter(
      (event): event is WxrItem => event.type === 'item' && event.postType !== 'nav_menu_item',
    );
    const expected = items.map(({ id, slug, parent, postType, date, dateGmt, sticky, content, status }) => ({
      id,
      slug,
      parent: postType === 'post' ? 0 : Number(parent),
      date: date.replace(' ', 'T'),
      date_gmt: dateGmt.replace(' ', 'T'),
      sticky: Number(sticky),
      content,
      status,
    }));
    const found = items.map(({ id }) => {
      const row = byId.get(id)!;
      return Object.fromEntries(Object.keys(expected[0]!).map((name) => [name, name === 'id' ? id : (row[name] ?? 0)]));
    });
    expect(found).toEqual(expected);
    for (const [resource, field] of [
      ['category', 'categories'],
      ['tag', 'tags'],
    ] as const)
      await checkCounts(resource, field, posts);
    const before = await everything();
    expect((await importWxr(THEME_DATA, open.writer)).changed).toBe(false);
    expect(await everything()).toEqual(before);
  });

  async function checkCounts(resource: string, field: string, posts: Row[]): Promise<void> {
    const { table } = open.models.byName.get('post')!.fields.get(field)!.many!;
    const published = posts.filter(({ status }) => status === 'publish').map(({ id }) => id as number);
    const pairs = await open.store.reader.select({
      table,
      columns: ['owner_id', 'target_id'],
      where: oneOf('owner_id', published),
      order: [],
    });
    for (const { id, count } of await rows(resource))
      expect([id, count]).toEqual([id, pairs.filter((pair) => pair['target_id'] === id).length]);
  }
});

describe('an export with types named like resources of the site that are not content', () => {
  it.each(['settings', 'audit-log', 'webhook', 'webhook-delivery', 'post-revision', 'status'])(
    'imports no items of the type %s',
    async (type) => {
      const before = await everything();
      const summary = await importWxr(
        fileOf(wxr(itemXml({ post_id: 77, post_type: type, creator: '', title: 'Taken over' }))),
        open.writer,
      );
      expect(summary.counts.get(type)!.reasons.get('no such resource on this site')).toBe(1);
      expect(await everything()).toEqual(before);
    },
  );

  it('creates no account from a term', async () => {
    const term =
      '<wp:term><wp:term_id>94</wp:term_id><wp:term_taxonomy>user</wp:term_taxonomy><wp:term_slug>evil</wp:term_slug><wp:term_name>Evil</wp:term_name></wp:term>';
    const before = await rows('user');
    const summary = await importWxr(fileOf(wxr(term)), open.writer);
    expect(summary.counts.get('user')!.reasons.get('no such resource on this site')).toBe(1);
    expect(await rows('user')).toEqual(before);
  });
});

it('keeps authors apart whose usernames have letters of other alphabets', async () => {
  const names = ['Иван', 'Пётр', 'anna-Иванова', 'anna-Петрова', 'josé', 'tom'];
  const items = names.map((creator, n) => itemXml({ post_id: 10 + n, post_name: `p${n}`, creator }));
  const file = fileOf(wxr(items.join('\n')));
  expect((await importWxr(file, open.writer)).refused).toEqual([]);
  const users = (await rows('user')).slice(1);
  expect(users.map(({ username }) => username)).toEqual([
    expect.stringMatching(/^user-[0-9a-f]{10}$/),
    expect.stringMatching(/^user-[0-9a-f]{10}$/),
    expect.stringMatching(/^anna--[0-9a-f]{10}$/),
    expect.stringMatching(/^anna--[0-9a-f]{10}$/),
    'jose',
    'tom',
  ]);
  expect((await rows('post')).map(({ author }) => author)).toEqual(users.map(({ id }) => id));
  expect((await importWxr(file, open.writer)).changed).toBe(false);
});

it('keeps the author of items whose account has no usable address or name', async () => {
  const author = (login: string, email: string, name: string) =>
    `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_email>${email}</wp:author_email><wp:author_display_name>${name}</wp:author_display_name></wp:author>`;
  const authors = author('dev', 'dev@localhost', 'Dev') + author('long', 'long@example.org', 'n'.repeat(300));
  const items = itemXml({ creator: 'dev' }) + itemXml({ post_id: 11, post_name: 'b', creator: 'long' });
  const file = fileOf(wxr(authors + items));
  const summary = await importWxr(file, open.writer);
  expect(summary.refused).toEqual([]);
  expect([...summary.notes.keys()]).toEqual([
    expect.stringMatching(/^user: email \(/),
    expect.stringMatching(/^user: name \(/),
  ]);
  const [, dev, long] = await rows('user');
  expect([dev, long]).toMatchObject([
    { username: 'dev', name: 'Dev', email: 'dev@import.invalid' },
    { username: 'long', name: 'long', email: 'long@example.org' },
  ]);
  expect((await rows('post')).map(({ author: id }) => id)).toEqual([dev!['id'], long!['id']]);
  expect((await importWxr(file, open.writer)).changed).toBe(false);
});

it('gives a page its own slug although a page that moves below its parent later had it', async () => {
  const page = (id: number, slug: string, parent = 0) =>
    itemXml({ post_id: id, post_type: 'page', post_name: slug, post_parent: parent });
  const file = fileOf(wxr(page(10, 'team', 12) + page(11, 'team') + page(12, 'about')));
  await importWxr(file, open.writer);
  const expected = [
    { id: 10, path: 'about/team', modified: '2024-01-02T03:04:05' },
    { id: 11, path: 'team', modified: '2024-01-02T03:04:05' },
    { id: 12, path: 'about' },
  ];
  expect(await rows('page')).toMatchObject(expected);
  expect((await importWxr(file, open.writer)).changed).toBe(false);
  expect(await rows('page')).toMatchObject(expected);
});

it('gives changed items the slugs of the export, although others had them before', async () => {
  const posts = (...slugs: string[]) =>
    fileOf(wxr(slugs.map((slug, at) => itemXml({ post_id: 10 + at, post_name: slug })).join('')));
  await importWxr(posts('one', 'two', 'three'), open.writer);
  const turned = posts('two', 'three', 'one');
  await importWxr(turned, open.writer);
  expect((await rows('post')).map(({ slug }) => slug)).toEqual(['two', 'three', 'one']);
  expect((await importWxr(turned, open.writer)).changed).toBe(false);
});

it('does not permanently hide comments of an item that is not in the trash', async () => {
  const comment = (id: number) =>
    `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Zoe</wp:comment_author><wp:comment_content>${id}</wp:comment_content><wp:comment_approved>post-trashed</wp:comment_approved></wp:comment>`;
  const there = itemXml({}, comment(1));
  const trashed = itemXml({ post_id: 11, status: 'trash', post_name: 'b__trashed' }, comment(2));
  await importWxr(fileOf(wxr(there + trashed)), open.writer);
  expect((await rows('comment')).map(({ id, status }) => [id, status])).toEqual([
    [1, 'trash'],
    [2, 'post-trashed'],
  ]);
});

it('keeps modification dates when it completes an interrupted import', async () => {
  // Exports before WordPress 5.7 have no date of the last change.
  const thumbnail =
    '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>30</wp:meta_value></wp:postmeta>';
  const file = fileOf(
    wxr(
      itemXml({ post_id: 10 }, thumbnail) +
        itemXml({ post_id: 11, post_type: 'page', post_name: 'below', post_parent: 12 }) +
        itemXml({ post_id: 12, post_type: 'page', post_name: 'above' }) +
        itemXml({ post_id: 30, post_type: 'attachment', status: 'inherit', post_name: 'image' }),
    ),
  );
  // The items are written, and what they refer to is missing: that is the next step.
  const { store } = open.writer;
  const analyze = store.analyze;
  store.analyze = () => Promise.reject(new Error('power cut'));
  await expect(importWxr(file, open.writer)).rejects.toThrow('power cut');
  store.analyze = analyze;
  expect((await importWxr(file, open.writer)).refused).toEqual([]);
  expect(await rows('post')).toMatchObject([
    { featured_media: 30, modified: '2024-01-02T03:04:05', revision_count: 0 },
  ]);
  expect(await rows('page')).toMatchObject([
    { slug: 'below', parent: 12, modified: '2024-01-02T03:04:05' },
    { slug: 'above', parent: 0, modified: '2024-01-02T03:04:05' },
  ]);
  expect((await importWxr(file, open.writer)).changed).toBe(false);
});

it('recomputes values that depend on a downloaded file, such as sort keys', async () => {
  const attachment_url =
    '<wp:attachment_url>https://src.example/wp-content/uploads/2024/01/lamp.png</wp:attachment_url>';
  const fields = { post_type: 'attachment', status: 'inherit' };
  const file = fileOf(
    wxr(itemXml({ ...fields, post_id: 1 }, attachment_url) + itemXml({ ...fields, post_id: 2 }, attachment_url)),
  );
  const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fc0' } })
    .png()
    .toBuffer();
  await importWxr(file, open.writer);
  const versions = (await rows('attachment')).map((row) => Number(row['row_version']));
  const fetchFile = async (_url: string, path: string) => writeFileSync(path, image);
  expect((await importWxr(file, open.writer, { files: true, fetchFile })).refused).toEqual([]);
  const found = await rows('attachment');
  // The second one could not have the name that it came with.
  expect(found.map((row) => row['file'])).toEqual(['2024/01/lamp.png', '2024/01/lamp-1.png']);
  expect(found.map((row) => row['row_version'])).toEqual(versions.map((version) => version + 1));
  expect((await auditData(open.models, open.store)).map(({ message }) => message)).toEqual([]);
});

it('two concurrent imports store each file once', async () => {
  const attachment = { post_id: 30, post_type: 'attachment', status: 'inherit', post_name: 'red' };
  const attachment_url =
    '<wp:attachment_url>https://src.example/wp-content/uploads/2024/01/red.png</wp:attachment_url>';
  const file = fileOf(wxr(itemXml(attachment, attachment_url)));
  await importWxr(file, open.writer);
  const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const waiting: (() => void)[] = [];
  // Both have looked whether the file is there before either stores it.
  const fetchFile = async (_url: string, path: string) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 2) for (const each of waiting.splice(0)) each();
    });
    writeFileSync(path, image);
  };
  const both = await Promise.all([1, 2].map(() => importWxr(file, open.writer, { files: true, fetchFile })));
  expect(both.map(({ refused }) => refused)).toEqual([[], []]);
  expect(both.map(({ counts }) => counts.get('file')!.created).sort()).toEqual([0, 1]);
  const stored = readdirSync(`${folder}/media/2024/01`).filter((name) => name.startsWith('red'));
  const [item] = await rows('attachment');
  expect(stored).toEqual([String(item!['file']).split('/').at(-1)]);
});
