// The WXR import on a writer in memory: what becomes of each part, running it again, refusals, interruptions.
import { existsSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { ImportProblem } from '../../../src/transfer/import-problem.js';
import { formatSummary, type ImportSummary } from '../../../src/transfer/import-summary.js';
import { importWxr, type WxrImportOptions } from '../../../src/transfer/wxr/wxr-import.js';
import { MemoryWriter, SAMPLE, type Call } from './memory-writer.js';
import { fileOf, itemXml, wxr } from './wxr-files.js';

let writer: MemoryWriter;
beforeEach(() => {
  writer = new MemoryWriter();
});

const run = (file: string, options?: WxrImportOptions) => importWxr(file, writer.asWriter, options);
const counts = (summary: ImportSummary) =>
  Object.fromEntries(
    [...summary.counts].map(([name, { created, updated, skipped }]) => [name, [created, updated, skipped]]),
  );
const call = (resource: string, id: number) =>
  writer.calls.find((each) => each.resource === resource && each.id === id)!;
const meta = (id: number) =>
  writer
    .rows('contents_meta')
    .filter((row) => row['owner_id'] === id)
    .map(({ key, value, structured }) => [key, value, structured]);

describe('the sample', () => {
  it('is counted', async () => {
    expect(counts(await run(SAMPLE))).toEqual({
      user: [2, 0, 0],
      category: [3, 0, 0],
      tag: [3, 0, 0],
      post: [4, 0, 0],
      page: [2, 0, 0],
      attachment: [2, 0, 0],
      comment: [4, 0, 0],
      meta: [6, 0, 0],
    });
  });

  it('creates accounts', async () => {
    await run(SAMPLE);
    expect(call('user', 12)).toMatchObject({
      values: {
        username: 'tom.keel',
        email: 'tom@almanac.example',
        name: 'Tom Keel',
        first_name: 'Tom',
        last_name: 'Keel',
        nickname: 'tom.keel',
        roles: ['author'],
      },
      options: { id: 12, columns: { password: 'hash' } },
    });
  });

  it('creates the tree of categories whatever its order in the file', async () => {
    await run(SAMPLE);
    const order = writer.calls
      .filter(({ resource }) => resource === 'category')
      .map(({ id, values }) => [id, values['parent']]);
    expect(order).toEqual([
      [40, 0],
      [41, 40],
      [42, 41],
    ]);
    expect(call('tag', 52).values).toMatchObject({ name: 'Τόποι', slug: '%cf%84%cf%8c%cf%80%ce%bf%ce%b9' });
    expect(call('tag', 51).values).toMatchObject({ name: 'Maps & charts' });
  });

  it('creates posts', async () => {
    await run(SAMPLE);
    const { values, options } = call('post', 100);
    expect(values).toMatchObject({
      title: 'Spring tide at the old pier',
      slug: 'spring-tide',
      status: 'publish',
      sticky: true,
      format: 'image',
      author: 11,
      password: '',
      date_gmt: '2024-03-10T08:30:00Z',
      categories: [40],
      tags: [50],
      excerpt: 'High water, and a photograph of it.',
      comment_status: 'open',
      meta: { mood: 'calm', readings: ['4.81', '4.90'].map(Number) },
    });
    expect(options).toMatchObject({
      as: 11,
      columns: {
        date: '2024-03-10T08:30:00',
        date_gmt: '2024-03-10T08:30:00',
        date_floating: 0,
        modified: '2024-03-11T10:00:00',
        modified_gmt: '2024-03-11T10:00:00',
      },
    });
    expect(meta(100)).toEqual([['_edit_last', '11', 0]]);
    expect(call('post', 101).values).toMatchObject({ password: 'barnacle', sticky: false, categories: [42] });
  });

  it('creates drafts without a date, and trashed items', async () => {
    await run(SAMPLE);
    expect(call('post', 102)).toMatchObject({
      values: { status: 'draft', slug: '' },
      options: { columns: { date_floating: 1, date: '2024-05-20T10:00:00' } },
    });
    const trashed = call('post', 103);
    expect(trashed.values['status']).toBeUndefined();
    expect(trashed.options.columns).toMatchObject({
      status: 'trash',
      trashed_status: 'private',
      trashed_slug: 'club-minutes',
      trashed_at: '2024-01-16T10:13:20',
    });
    expect(meta(103)).toEqual([]);
  });

  it.each(['253402300800', '999999999999999', '-5', 'soon'])(
    'does not use %s as the time of a deletion',
    async (time) => {
      const meta = `<wp:postmeta><wp:meta_key>_wp_trash_meta_time</wp:meta_key><wp:meta_value>${time}</wp:meta_value></wp:postmeta>`;
      const summary = await run(fileOf(wxr(itemXml({ status: 'trash' }, meta))));
      expect(counts(summary)['post']).toEqual([1, 0, 0]);
      expect(call('post', 10).options.columns!['trashed_at']).toBeUndefined();
    },
  );

  it('creates attachments', async () => {
    await run(SAMPLE);
    expect(call('attachment', 300)).toMatchObject({
      values: {
        title: 'Lamp at high water',
        description: 'Taken from the steps.',
        caption: 'The lamp at dawn',
        alt_text: 'A lamp above dark water',
        post: 100,
      },
      options: { columns: { file: '2024/03/lamp.jpg', mime_type: 'image/jpeg' } },
    });
    expect(JSON.parse(call('attachment', 300).options.columns!['media_details'])).toEqual({
      width: 1600,
      height: 1200,
      file: '2024/03/lamp.jpg',
      sizes: {},
    });
    expect(call('attachment', 300).values['status']).toBeUndefined();
    expect(call('attachment', 301)).toMatchObject({
      options: { columns: { file: '2024/03/tide-table.pdf', mime_type: 'application/pdf' } },
    });
    expect(meta(301)).toEqual([
      ['_source_url', 'https://almanac.example/wp-content/uploads/2024/03/tide-table.pdf', 0],
    ]);
  });

  it('creates comments, replies after their parents', async () => {
    await run(SAMPLE);
    const order = writer.calls
      .filter(({ resource }) => resource === 'comment')
      .map(({ id, values, options }) => [
        id,
        values['post'],
        values['parent'],
        values['author'],
        options.columns!['status'],
        options.columns!['type'],
      ]);
    expect(order).toEqual([
      [501, 100, 0, 0, 'approved', 'comment'],
      [503, 100, 0, 0, 'approved', 'pingback'],
      [504, 100, 0, 0, 'spam', 'comment'],
      [502, 100, 501, 11, 'approved', 'comment'],
    ]);
    expect(call('comment', 501)).toMatchObject({
      values: { author_ip: '203.0.113.7', author_url: 'https://reader.example' },
      options: { columns: { date: '2024-03-10T11:00:00' } },
    });
  });

  it('completes parents and featured images in a third step without changing dates', async () => {
    await run(SAMPLE);
    expect(call('page', 201).values).not.toHaveProperty('parent');
    expect(writer.row('contents', { id: 201 })).toMatchObject({
      parent: 200,
      slug: 'hours',
      date: '2024-02-01T09:00:00',
      modified: '2024-02-01T09:00:00',
    });
    expect(writer.row('contents', { id: 100 })).toMatchObject({ featured_media: 300, modified: '2024-03-11T10:00:00' });
  });
});

describe('a repeated import', () => {
  it('changes nothing', async () => {
    await run(SAMPLE);
    const before = structuredClone(writer.tables);
    const summary = await run(SAMPLE);
    expect(summary.changed).toBe(false);
    expect(writer.tables).toEqual(before);
    expect(summary.counts.get('post')!.reasons).toEqual(new Map([['unchanged', 4]]));
  });

  it('updates what has changed in the file and nothing else', async () => {
    const two = (title: string) =>
      fileOf(wxr(itemXml({ title, post_id: 1 }) + itemXml({ post_id: 2, post_name: 'b' })));
    await run(two('Old'));
    writer.calls = [];
    expect(counts(await run(two('New')))['post']).toEqual([0, 1, 1]);
    expect(writer.calls).toMatchObject([{ kind: 'update', id: 1, values: { title: 'New' } }]);
    expect(writer.calls[0]!.options.columns).not.toHaveProperty('modified');
  });

  it('updates meta', async () => {
    const entry = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`;
    await run(fileOf(wxr(itemXml({}, entry('a', '1') + entry('a', '2') + entry('b', 'x')))));
    writer.rows('contents_meta').push({ id: 99, owner_id: 10, key: 'own', value: 'kept', structured: 0 });
    await run(fileOf(wxr(itemXml({}, entry('a', '1') + entry('a', '3') + entry('b', 'x')))));
    expect(meta(10)).toEqual([
      ['b', 'x', 0],
      ['own', 'kept', 0],
      ['a', '1', 0],
      ['a', '3', 0],
    ]);
  });

  it.each([1, 2, 4, 9, 14, 19])('completes an import that was interrupted at write %i', async (at) => {
    const whole = new MemoryWriter();
    await importWxr(SAMPLE, whole.asWriter);
    let writes = 0;
    writer.before = () => (++writes === at ? new Error('power cut') : undefined);
    await expect(run(SAMPLE)).rejects.toThrow('power cut');
    writer.before = () => undefined;
    await run(SAMPLE);
    for (const table of ['contents', 'terms', 'users', 'comments'])
      expect(new Set(writer.rows(table))).toEqual(new Set(whole.rows(table)));
    expect((await run(SAMPLE)).changed).toBe(false);
  });

  it.each(['rest_unavailable', 'rest_insufficient_storage'])(
    'is preceded by an import that ends where the database fails: %s',
    async (code) => {
      writer.before = () => new ResourceError(code, { status: code === 'rest_unavailable' ? 503 : 507 });
      await expect(run(SAMPLE)).rejects.toMatchObject({ code });
      writer.before = () => undefined;
      expect(counts(await run(SAMPLE))['post']).toEqual([4, 0, 0]);
    },
  );

  it('recreates items that were deleted on the site', async () => {
    await run(SAMPLE);
    writer.tables.set(
      'contents',
      writer.rows('contents').filter(({ id }) => id !== 101),
    );
    expect(counts(await run(SAMPLE))['post']).toEqual([1, 0, 3]);
    expect(writer.row('contents', { id: 101 })).toBeDefined();
  });

  it('separates the imports of two sites', async () => {
    await run(fileOf(wxr(itemXml())));
    const summary = await run(fileOf(wxr(itemXml(), { link: 'https://other.example' })));
    expect(counts(summary)['post']).toEqual([1, 0, 0]);
    expect(writer.rows('contents').map(({ id }) => id)).toEqual([10, 11]);
  });

  it('links files of one export to those imported before', async () => {
    await run(fileOf(wxr(itemXml({ post_id: 5, post_type: 'page' }))));
    await run(fileOf(wxr(itemXml({ post_id: 6, post_type: 'page', post_parent: 5 }))));
    expect(writer.row('contents', { id: 6 })).toMatchObject({ parent: 5 });
  });
});

describe('existing items of the site', () => {
  const author =
    '<wp:author><wp:author_id>3</wp:author_id><wp:author_login>ann</wp:author_login><wp:author_email>Ann@x.example</wp:author_email></wp:author>';
  const category =
    '<wp:category><wp:term_id>7</wp:term_id><wp:category_nicename>uncategorized</wp:category_nicename><wp:cat_name>None</wp:cat_name></wp:category>';

  it.each([
    { username: 'ann', email: 'other@x.example' },
    { username: 'other', email: 'Ann@x.example' },
  ])('include the account %j, which is used unchanged', async (user) => {
    writer.rows('users').push({ id: 1, ...user, roles: ['administrator'] });
    const summary = await run(fileOf(wxr(author + itemXml())));
    expect(counts(summary)['user']).toEqual([0, 0, 1]);
    expect(writer.row('contents', { id: 10 })).toMatchObject({ author: 1 });
    await run(
      fileOf(
        wxr(author.replace('</wp:author>', '<wp:author_first_name>New</wp:author_first_name></wp:author>') + itemXml()),
      ),
    );
    expect(writer.rows('users')).toEqual([{ id: 1, ...user, roles: ['administrator'] }]);
  });

  it('include a category of the same slug, which is used', async () => {
    writer.rows('terms').push({ id: 1, taxonomy: 'category', slug: 'uncategorized', name: 'Uncategorized' });
    await run(
      fileOf(wxr(category + itemXml({}, '<category domain="category" nicename="uncategorized">None</category>'))),
    );
    expect(writer.rows('terms')).toHaveLength(1);
    expect(writer.row('contents', { id: 10 })).toMatchObject({ categories: [1] });
  });

  it('keep their ids: imported items get ids above all ids of the file', async () => {
    writer.rows('contents').push({ id: 10, type: 'post' });
    await run(
      fileOf(
        wxr(
          itemXml() +
            itemXml({ post_id: 12, post_type: 'page', post_parent: 11 }) +
            itemXml({ post_id: 11, post_type: 'page' }),
        ),
      ),
    );
    expect(writer.rows('contents').map(({ id }) => id)).toEqual([10, 13, 12, 11]);
  });

  it('do not merge two items with the same id in the file', async () => {
    const file = fileOf(wxr(itemXml({ title: 'One' }) + itemXml({ title: 'Two' }) + itemXml({ post_id: 11 })));
    await run(file);
    expect(writer.rows('contents').map(({ id, title }) => [id, title])).toEqual([
      [10, 'One'],
      [12, 'Two'],
      [11, 'A title'],
    ]);
    expect((await run(file)).changed).toBe(false);
  });
});

describe('skipped parts', () => {
  it.each([
    [
      'a type the site has not',
      itemXml({ post_type: 'nav_menu_item' }),
      'nav_menu_item',
      'no such resource on this site',
    ],
    [
      'a type that would reach other resources',
      itemXml({ post_type: 'user' }),
      'user',
      'no such resource on this site',
    ],
    ['an automatic draft', itemXml({ status: 'auto-draft' }), 'post', 'status auto-draft'],
    ['a revision in disguise', itemXml({ status: 'inherit' }), 'post', 'status inherit'],
    ['an item without a type', itemXml({ post_type: '' }), 'item', 'no post type'],
  ])('%s', async (_name, xml, resource, reason) => {
    const summary = await run(fileOf(wxr(xml)));
    expect(summary.counts.get(resource)!.reasons.get(reason)).toBe(1);
    expect(writer.rows('contents')).toEqual([]);
  });

  it.each([
    ['an unknown status', { status: 'wc-pending' }, /status/],
    ['a date that is none', { post_date: '2024-13-01 00:00:00' }, /date is not a date/],
    // Without it everybody could read the text.
    ['a password that is too long', { post_password: 'x'.repeat(256) }, /password must have at most 255/],
    ['the thirtieth of February', { post_date_gmt: '2024-02-30 00:00:00' }, /date_gmt is not a date/],
  ])('%s is refused with its line, and the rest is imported', async (_name, fields, reason) => {
    const summary = await run(fileOf(wxr(itemXml(fields) + '\n' + itemXml({ post_id: 11 }))));
    expect(summary.refused).toEqual([
      { resource: 'post', line: 4, label: '10 "A title"', reason: expect.stringMatching(reason) },
    ]);
    expect(counts(summary)['post']).toEqual([1, 0, 1]);
  });

  it('include objects that the site refuses, with their dependent parts', async () => {
    const comment =
      '<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>x</wp:comment_content></wp:comment>';
    writer.before = ({ values }: Call) => (values['title'] === 'Bad' ? new ResourceError('empty_content') : undefined);
    const items = [1, 2, 3].map((post_id) =>
      itemXml({ post_id, title: post_id === 2 ? 'Bad' : 'Good' }, comment.replace('>1<', `>${post_id}<`)),
    );
    const summary = await run(fileOf(wxr(items.join('\n'))));
    expect(writer.rows('contents').map(({ id }) => id)).toEqual([1, 3]);
    expect(writer.rows('comments').map(({ id }) => id)).toEqual([1, 3]);
    expect(summary.refused).toMatchObject([{ resource: 'post', line: 5 }]);
    expect(summary.counts.get('comment')!.reasons.get('its item was not imported')).toBe(1);
  });

  it('include values of comments that are invalid', async () => {
    const odd =
      '<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_author>Zoe</wp:comment_author><wp:comment_author_email>no mail</wp:comment_author_email><wp:comment_author_IP>999.1.1.1</wp:comment_author_IP><wp:comment_content>x</wp:comment_content><wp:comment_approved>0</wp:comment_approved></wp:comment>';
    const summary = await run(fileOf(wxr(itemXml({}, odd))));
    expect(writer.rows('comments')).toMatchObject([{ author_name: 'Zoe', status: 'hold' }]);
    expect([...summary.notes.keys()].join()).toMatch(/author_email.*author_ip/);
  });

  it('do not turn other comments into replies to one without an id', async () => {
    const comment = (text: string, more = '') =>
      `<wp:comment>${more}<wp:comment_content>${text}</wp:comment_content></wp:comment>`;
    const reply = '<wp:comment_id>7</wp:comment_id><wp:comment_parent>7</wp:comment_parent>';
    await run(fileOf(wxr(itemXml({}, comment('one') + comment('two') + comment('three', reply)))));
    expect(writer.rows('comments').map(({ content, parent }) => [content, parent])).toEqual([
      ['one', 0],
      ['two', 0],
      ['three', 0],
    ]);
  });

  it('do not include terms that occur only on items', async () => {
    const carried = ['b">Bee', 'c-2">Sea', 'd">Dee']
      .map((end) => `<category domain="post_tag" nicename="${end}</category>`)
      .join('');
    const listed = ['b', 'c']
      .map(
        (slug) =>
          `<wp:tag><wp:tag_slug>${slug}</wp:tag_slug><wp:tag_name>${slug === 'c' ? 'Sea' : 'Bee'}</wp:tag_name></wp:tag>`,
      )
      .join('');
    const summary = await run(fileOf(wxr(listed + itemXml({}, carried))));
    expect(writer.rows('terms').map(({ slug, name }) => [slug, name])).toEqual([
      ['b', 'Bee'],
      ['c', 'Sea'],
      ['c-2', 'Sea'],
      ['d', 'Dee'],
    ]);
    expect(writer.row('contents', { id: 10 })!['tags']).toHaveLength(3);
    expect([...summary.notes.keys()]).toEqual([]);
    writer = new MemoryWriter();
    await run(fileOf(wxr(itemXml({}, carried))));
    expect(writer.rows('terms').map(({ slug }) => slug)).toEqual(['b', 'c-2', 'd']);
  });

  it('include missing parents', async () => {
    await run(fileOf(wxr(itemXml({ post_type: 'page', post_parent: 4711 }))));
    expect(writer.row('contents', { id: 10 })).toMatchObject({ parent: 0 });
  });
});

describe('an import', () => {
  it('sanitizes author names, and creates authors that no author entry lists', async () => {
    await run(
      fileOf(
        wxr(
          itemXml({ creator: '&gt;ann' }) +
            itemXml({ post_id: 11, creator: 'ann&gt;' }) +
            itemXml({ post_id: 12, creator: 'bob' }),
        ),
      ),
    );
    expect(writer.rows('users')).toMatchObject([{ username: 'ann', email: 'ann@import.invalid' }, { username: 'bob' }]);
    expect(writer.rows('contents').map(({ author }) => author)).toEqual([1, 1, 2]);
  });

  it('imports items and terms of types that the site has', async () => {
    writer = new MemoryWriter([
      { name: 'genre', path: 'genres', fields: { name: { type: 'string' }, slug: { type: 'slug' } } },
      {
        name: 'book',
        path: 'books',
        fields: { title: { type: 'string' }, genres: { type: 'references', to: 'genre' } },
      },
    ]);
    const term =
      '<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>genre</wp:term_taxonomy><wp:term_slug>crime</wp:term_slug><wp:term_name>Crime</wp:term_name></wp:term>';
    await run(
      fileOf(wxr(term + itemXml({ post_type: 'book' }, '<category domain="genre" nicename="crime">Crime</category>'))),
    );
    expect(writer.rows('books')).toMatchObject([{ id: 10, title: 'A title', genres: [3] }]);
  });

  it('writes in bounded transactions', async () => {
    await run(fileOf(wxr(Array.from({ length: 250 }, (_, n) => itemXml({ post_id: n + 1 })).join('\n'))));
    expect(Math.max(...writer.transactions)).toBe(100);
    await run(
      fileOf(
        wxr(
          Array.from({ length: 4 }, (_, n) => itemXml({ post_id: n + 900, content: 'x'.repeat(3_000_000) })).join('\n'),
        ),
      ),
    );
    expect(writer.transactions.slice(-2)).toEqual([2, 2]);
  });

  it('writes nothing in a dry run, and predicts the counts', async () => {
    const foretold = await run(SAMPLE, { dryRun: true });
    expect(writer.calls).toEqual([]);
    expect(writer.rows('typecase_imports')).toEqual([]);
    expect(counts(foretold)).toEqual(counts(await run(SAMPLE)));
    expect((await run(SAMPLE, { dryRun: true })).changed).toBe(false);
  });

  it('writes nothing of an invalid file', async () => {
    const file = fileOf(wxr(itemXml()).replace('</channel>', ''));
    await expect(run(file)).rejects.toBeInstanceOf(ImportProblem);
    expect(writer.tables.size).toBe(0);
  });

  it('reports its progress over both passes', async () => {
    const seen: number[] = [];
    await run(SAMPLE, { onProgress: (done, total) => seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('downloads files once, on request', async () => {
    const asked: string[] = [];
    const lamp = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#fc0' } })
      .jpeg()
      .toBuffer();
    const fetchFile = async (url: string, path: string) => {
      asked.push(url);
      if (url.endsWith('.pdf')) throw new Error('the server returned 404');
      writeFileSync(path, lamp);
    };
    Object.assign(writer.site, { imageSizes: { small: { width: 30 } } });
    const summary = await run(SAMPLE, { files: true, fetchFile });
    expect(asked).toHaveLength(2);
    expect(counts(summary)['file']).toEqual([1, 0, 1]);
    expect(summary.refused).toMatchObject([{ resource: 'file', reason: 'the server returned 404' }]);
    expect(writer.stored).toEqual(['2024/03/lamp.jpg', '2024/03/lamp-30x20.jpg']);
    const row = writer.row('contents', { file: '2024/03/lamp.jpg' })!;
    expect(row['mime_type']).toBe('image/jpeg');
    expect(JSON.parse(row['media_details'])).toMatchObject({
      file: '2024/03/lamp.jpg',
      width: 60,
      sizes: { small: { file: 'lamp-30x20.jpg', width: 30, height: 20 } },
    });
    await run(SAMPLE, { files: true, fetchFile });
    expect(asked).toHaveLength(3);
  });

  it('stores no file whose content does not match its name', async () => {
    const fetchFile = async (_url: string, path: string) => writeFileSync(path, '<script>alert(1)</script>');
    const summary = await run(SAMPLE, { files: true, fetchFile });
    expect(writer.stored).toEqual(['2024/03/tide-table.pdf']);
    expect(summary.refused).toMatchObject([
      { resource: 'file', reason: 'The content of the file is not an image, although its name says so.' },
    ]);
  });

  it('prints an aligned table with reasons', async () => {
    const text = formatSummary(
      await run(fileOf(wxr(itemXml() + itemXml({ post_type: 'nav_menu_item', post_id: 11 })))),
    );
    expect(text.split('\n').slice(0, 4)).toEqual([
      '               created  updated  skipped',
      'user                 1        0        0',
      'nav_menu_item        0        0        1',
      'post                 1        0        0',
    ]);
    expect(text).toContain('nav_menu_item: 1 no such resource on this site');
  });

  const data = '../shared/data/themeunittestdata.wordpress.xml';
  (existsSync(data) ? it : it.skip)('imports the theme unit test data', async () => {
    const summary = await run(data);
    expect(counts(summary)).toMatchObject({
      user: [2, 0, 0],
      category: [68, 0, 0],
      tag: [114, 0, 0],
      post: [58, 0, 0],
      page: [21, 0, 0],
      attachment: [37, 0, 0],
      comment: [33, 0, 0],
      nav_menu_item: [0, 0, 70],
    });
    expect(summary.refusedCount).toBe(0);
    expect((await run(data)).changed).toBe(false);
  });
});
