// The WXR reader: what it finds, how little it keeps, and what it says of files that are broken or hostile.
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ImportProblem } from '../../../src/transfer/import-problem.js';
import type { WxrItem } from '../../../src/transfer/wxr-file/wxr-events.js';
import { readWxr } from '../../../src/transfer/wxr-file/wxr-reader.js';
import { ownText } from '../../../src/transfer/wxr-file/wxr-text.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { runs } from '../../support/runs.js';
import { eventsOf, fileOf, freshPath, itemXml, wxr } from './wxr-files.js';

const SAMPLE = 'examples/sample.wxr.xml';
const THEME_DATA = '../shared/data/themeunittestdata.wordpress.xml';

function countBy<T>(values: T[], name: (value: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[name(value)] = (counts[name(value)] ?? 0) + 1;
  return counts;
}

describe('the reader', () => {
  it('returns every part of the sample, with lines and texts', async () => {
    const events = await eventsOf(SAMPLE);
    expect(countBy(events, ({ type }) => type)).toEqual({ site: 1, author: 2, category: 3, tag: 3, item: 8 });
    const [site] = events;
    expect(site).toMatchObject({
      title: 'The Harbour Almanac',
      version: '1.2',
      baseBlogUrl: 'https://almanac.example',
    });
    const post = events.find((event): event is WxrItem => event.type === 'item' && event.id === '100')!;
    expect(post.content).toContain('survive: ]]> done.');
    expect(post.terms.map(({ domain, slug }) => `${domain}:${slug}`)).toEqual([
      'category:boats',
      'post_tag:tides',
      'post_format:post-format-image',
    ]);
    expect(post.meta.map(({ key }) => key)).toEqual(['_thumbnail_id', 'mood', 'readings', '_edit_last']);
    expect(post.comments.map(({ id, parent, kind }) => [id, parent, kind])).toEqual([
      ['502', '501', 'comment'],
      ['501', '0', 'comment'],
      ['503', '0', 'pingback'],
      ['504', '0', ''],
    ]);
    expect(post.line).toBeGreaterThan(50);
    expect(post.comments[0]!.line).toBeGreaterThan(post.line);
  });

  it.each(['', '\n', '\r\n\r\n\t', '\ufeff\n \ufeff'])('accepts %j before the XML declaration', async (blanks) => {
    const content = wxr(itemXml());
    const [, plain] = await eventsOf(await fileOf(content));
    const [, item] = await eventsOf(await fileOf(blanks + content));
    expect(item).toMatchObject({ type: 'item', line: plain!.line + blanks.split('\n').length - 1 });
  });

  (existsSync(THEME_DATA) ? it : it.skip)('counts the theme unit test data', async () => {
    const events = await eventsOf(THEME_DATA);
    const items = events.filter((event): event is WxrItem => event.type === 'item');
    expect(countBy(events, ({ type }) => type)).toEqual({
      site: 1,
      author: 2,
      category: 68,
      tag: 110,
      term: 7,
      item: 186,
    });
    expect(countBy(items, ({ postType }) => postType)).toEqual({
      post: 58,
      page: 21,
      attachment: 37,
      nav_menu_item: 70,
    });
    expect(items.flatMap(({ comments }) => comments)).toHaveLength(33);
    expect(Object.values(countBy(items, ({ id }) => id)).filter((times) => times > 1)).toHaveLength(18);
  });

  it.each([
    ['1.0', 'http://wordpress.org'],
    ['1.1', 'http://wordpress.org'],
    ['1.2', 'https://wordpress.org'],
    ['1.2', 'https://www.wordpress.org'],
  ])('accepts version %s as %s', async (version, host) => {
    const events = await eventsOf(fileOf(wxr(itemXml(), { version, host })));
    expect(events.at(-1)).toMatchObject({ type: 'item', id: '10', creator: 'ann', content: 'Some text' });
  });

  it('uses namespaces instead of prefixes', async () => {
    const text = wxr(itemXml())
      .replaceAll('wp:', 'w:')
      .replaceAll('xmlns:wp=', 'xmlns:w=')
      .replaceAll('content:encoded', 'c:encoded')
      .replace('xmlns:content', 'xmlns:c');
    expect((await eventsOf(fileOf(text))).at(-1)).toMatchObject({ id: '10', content: 'Some text' });
  });

  it('ignores elements of other namespaces, and of the same name elsewhere', async () => {
    const odd =
      '<x:post_id xmlns:x="urn:x">99</x:post_id><post_id>98</post_id><wp:constructor>1</wp:constructor><div><wp:post_id>97</wp:post_id></div>';
    expect((await eventsOf(fileOf(wxr(itemXml({}, odd))))).at(-1)).toMatchObject({ id: '10' });
  });

  it('decodes the five entities of XML, character references and split CDATA', async () => {
    const title =
      'a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos; &#233;&#x1F600; <![CDATA[ <raw> ]]]]><![CDATA[> end]]>';
    expect((await eventsOf(fileOf(wxr(itemXml({ title }))))).at(-1)).toMatchObject({
      title: `a & b <c> "d" 'e' é😀  <raw> ]]> end`,
    });
  });

  it('reads gzipped files, whatever their name, and a byte order mark', async () => {
    const packed = fileOf(gzipSync(`\uFEFF${wxr(itemXml())}`), 'export.dat');
    expect(await eventsOf(packed)).toHaveLength(2);
  });

  it('reports the number of bytes read', async () => {
    const text = wxr(itemXml());
    const seen: number[] = [];
    await eventsOf(fileOf(text), { onBytes: (read) => seen.push(read) });
    expect(seen.at(-1)).toBe(Buffer.byteLength(text));
  });
});

describe('refused files', () => {
  const good = wxr(itemXml());
  const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>';
  const cases: { name: string; content: string | Buffer; line: number; reason: RegExp }[] = [
    { name: 'an empty file', content: '', line: 1, reason: /root element/ },
    { name: 'blank lines', content: '\n \n', line: 3, reason: /root element/ },
    { name: 'plain text', content: 'hello there', line: 1, reason: /text data outside|root/ },
    { name: 'JSON', content: '{"posts": []}', line: 1, reason: /text data|root/ },
    { name: 'HTML', content: '<html><body>no</body></html>', line: 1, reason: /begins with <html>/ },
    {
      name: 'an Atom feed',
      content: '<feed xmlns="http://www.w3.org/2005/Atom"/>',
      line: 1,
      reason: /not a WordPress export/,
    },
    {
      name: 'a plain RSS feed',
      content: '<rss version="2.0"><channel><title>x</title>\n<item><title>y</title></item></channel></rss>',
      line: 2,
      reason: /wxr_version is missing/,
    },
    { name: 'an RSS feed without a channel', content: '<rss version="2.0"></rss>', line: 1, reason: /no channel/ },
    {
      name: 'an unknown version',
      content: wxr('', { version: '2.0' }),
      line: 3,
      reason: /WXR version 2\.0 is not known/,
    },
    { name: 'a truncated file', content: good.slice(0, good.indexOf('<wp:status>')), line: 4, reason: /unclosed tag/ },
    {
      name: 'a file cut inside CDATA',
      content: good.slice(0, good.indexOf('Some text') + 4),
      line: 4,
      reason: /unexpected end|unclosed/,
    },
    { name: 'tags that cross', content: wxr('<item>\n<title>x</item></title>'), line: 5, reason: /tag/ },
    {
      name: 'a bare ampersand',
      content: wxr('\n<item><title>a & b</title></item>'),
      line: 6,
      reason: /last tag before stands in line 5/,
    },
    { name: 'an unknown entity', content: wxr(itemXml({ title: 'a&nbsp;b' })), line: 4, reason: /entity/ },
    {
      name: 'a control character',
      content: wxr(itemXml({ title: 'a\u0008b' })),
      line: 4,
      reason: /disallowed character/,
    },
    {
      name: 'an unbound prefix',
      content: good.replace(/ xmlns:dc="[^"]*"/, ''),
      line: 4,
      reason: /unbound namespace prefix/,
    },
    {
      name: 'a DOCTYPE',
      content: good.replace('<rss', '<!DOCTYPE rss SYSTEM "http://evil.example/x.dtd">\n<rss'),
      line: 2,
      reason: /DOCTYPE is not allowed/,
    },
    {
      name: 'an entity bomb',
      content: good.replace('<rss', `${bomb}<rss`).replace('A title', '&b;'),
      line: 2,
      reason: /DOCTYPE is not allowed/,
    },
    {
      name: 'an external entity',
      content: good.replace('<rss', '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss'),
      line: 2,
      reason: /DOCTYPE is not allowed/,
    },
    { name: 'bottomless nesting', content: wxr('<a>'.repeat(5000)), line: 4, reason: /nested deeper/ },
    { name: 'a second document', content: `${good}\n${good}`, line: 6, reason: /./ },
    {
      name: 'another declared encoding',
      content: Buffer.from(good.replace('UTF-8', 'ISO-8859-1').replace('A title', 'caf\u00e9'), 'latin1'),
      line: 1,
      reason: /encoding is ISO-8859-1/,
    },
    {
      name: 'bytes that are not UTF-8',
      content: Buffer.from(good.replace('A title', 'caf\u00e9'), 'latin1'),
      line: 4,
      reason: /not UTF-8/,
    },
    { name: 'UTF-16', content: Buffer.from(`\uFEFF${good}`, 'utf16le'), line: 1, reason: /UTF-16/ },
    {
      name: 'a damaged gzip file',
      content: gzipSync(good).subarray(0, 200),
      line: 0,
      reason: /gzip data is damaged|cut off/,
    },
    { name: 'gzip of something else', content: gzipSync('no xml'), line: 1, reason: /text data|root/ },
  ];

  it.each(cases)('$name', async ({ content, line, reason }) => {
    const file = fileOf(content);
    const problem = await eventsOf(file).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(ImportProblem);
    expect((problem as ImportProblem).reason).toMatch(reason);
    expect((problem as ImportProblem).file).toBe(file);
    if (line > 0) expect((problem as ImportProblem).line).toBe(line);
  });

  it.each([
    ['a missing file', '/nowhere/at/all.xml', /no such file/],
    ['a folder', '/tmp', /folder/],
  ])('%s', async (_name, path, reason) => {
    await expect(eventsOf(path)).rejects.toMatchObject({ line: 0, reason: expect.stringMatching(reason) });
  });

  it('a part without end', async () => {
    const file = fileOf(wxr(itemXml({ content: 'x'.repeat(3_000_000) })));
    await expect(eventsOf(file, { maxPart: 1_000_000 })).rejects.toMatchObject({
      reason: expect.stringMatching(/longer than 1000000/),
    });
    expect(await eventsOf(file)).toHaveLength(2);
  });
});

describe('the memory of the reader', () => {
  it('suffices for a text of 8 MiB', async () => {
    const content = 'word '.repeat((8 * 1024 * 1024) / 5);
    const item = (await eventsOf(fileOf(wxr(itemXml({ content }))))).at(-1) as WxrItem;
    expect(item.content).toHaveLength(content.length);
  });

  it('stays small for a large file', async () => {
    const items = runs(5_000, 1_000);
    const file = freshPath('large.xml');
    const stream = createWriteStream(file);
    const [head, tail] = wxr('@@').split('@@') as [string, string];
    stream.write(head);
    for (let id = 1; id <= items; id += 1) {
      if (!stream.write(itemXml({ post_id: id, content: `item ${id} `.repeat(6000) }))) await once(stream, 'drain');
    }
    stream.end(tail);
    await finished(stream);
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    const slugs: string[] = [];
    let most = 0;
    for await (const event of readWxr(file)) {
      if (event.type !== 'item') continue;
      slugs.push(ownText(event.slug));
      if (slugs.length % 250 === 0) most = Math.max(most, heap() - before);
    }
    expect(slugs).toHaveLength(items);
    // Of some 60 MB, or more.
    expect(most).toBeLessThan(40 * 1024 * 1024);
  });
});
