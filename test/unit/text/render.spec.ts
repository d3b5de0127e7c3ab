import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  hasBlocks,
  renderCaption,
  renderComment,
  renderContent,
  renderDescription,
  renderExcerpt,
  renderTitle,
} from '../../../src/text/render.js';
import { expectLinear } from '../../support/growth.js';
import { runs } from '../../support/runs.js';
import { anyText } from '../../support/any-text.js';

const renderers = {
  renderTitle,
  renderContent,
  renderComment,
  renderExcerpt: (content: string) => renderExcerpt('', content),
  renderCaption,
};

describe('renderTitle (25.3)', () => {
  it.each([
    ['', ''],
    ['  spaced ', 'spaced'],
    ['Hello "World" & <em>friends</em>', 'Hello &#8220;World&#8221; &#038; <em>friends</em>'],
    ["It's a dog's life -- or not...", 'It&#8217;s a dog&#8217;s life &#8212; or not&#8230;'],
    ['one--two---three - four', 'one&#8211;two&#8212;three &#8211; four'],
    [
      "'single' and 'nested \"double\" here'",
      '&#8216;single&#8217; and &#8216;nested &#8220;double&#8221; here&#8217;',
    ],
    ["She said \"don't say 'x'\"", 'She said &#8220;don&#8217;t say &#8216;x&#8217;&#8221;'],
    ["'tis the season, rock 'n' roll, get 'em", '&#8217;tis the season, rock &#8217;n&#8217; roll, get &#8217;em'],
    ["the '90s and Class of '99", 'the &#8217;90s and Class of &#8217;99'],
    ['6\'2" tall, 12" wide', '6&#8242;2&#8243; tall, 12&#8243; wide'],
    ['"a 12" record"', '&#8220;a 12&#8243; record&#8221;'],
    ['the "42" answer', 'the &#8220;42&#8221; answer'],
    ["``quoted''", '&#8220;quoted&#8221;'],
    ['9x9 but 0x99 and a3x4', '9&#215;9 but 0x99 and a3x4'],
    ['(c) 2024 Name (tm)', '(c) 2024 Name &#8482;'],
    ['AT&T &amp; &#39; &copy; &', 'AT&#038;T &amp; &#39; &copy; &#038;'],
    ['"<em>Hi</em>", he said', '&#8220;<em>Hi</em>&#8221;, he said'],
    ["<em>dog</em>'s", '<em>dog</em>&#8217;s'],
    ['<a title="it\'s" href="?a&b">x</a>', '<a title="it\'s" href="?a&#038;b">x</a>'],
    ['<code>"a" -- b</code> "c"', '<code>"a" -- b</code> &#8220;c&#8221;'],
    ['xn--abc', 'xn--abc'],
    ['\\o/ ¯\\_(ツ)_/¯', '\\o/ ¯\\_(ツ)_/¯'],
  ])('%j becomes %j', (raw, rendered) => expect(renderTitle(raw)).toBe(rendered));
});

describe('renderContent (25.4)', () => {
  it.each([
    ['', ''],
    ['\n \n', ''],
    ['hello', '<p>hello</p>\n'],
    ['one\n\ntwo\r\n\r\nthree', '<p>one</p>\n<p>two</p>\n<p>three</p>\n'],
    ['one\ntwo', '<p>one<br />\ntwo</p>\n'],
    ['one<br>\ntwo', '<p>one<br />\ntwo</p>\n'],
    ['one<br><br/>two', '<p>one</p>\n<p>two</p>\n'],
    ['one\n\n\n\ntwo\n', '<p>one</p>\n<p>two</p>\n'],
    ['text\n<ul><li>one</li><li>two</li></ul>', '<p>text</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n'],
    [
      '<ul>\n<li>one\n<ul>\n<li>two</li>\n</ul>\n</li>\n</ul>',
      '<ul>\n<li>one\n<ul>\n<li>two</li>\n</ul>\n</li>\n</ul>\n',
    ],
    ['<p>ok</p>alert(1)', '<p>ok</p>\n<p>alert(1)</p>\n'],
    ['<p>a\n\nb</p>', '<p>a</p>\n<p>b</p>\n'],
    ['<div>\ntext\n</div>', '<div>\ntext\n</div>\n'],
    ['<div>\n\na\n\nb\n\n</div>', '<div>\n<p>a</p>\n<p>b</p>\n</div>\n'],
    ['<div>a\n\nb</div>', '<div><p>a</p>\n<p>b</p></div>\n'],
    ['<blockquote>said</blockquote>', '<blockquote><p>said</p></blockquote>\n'],
    ['<blockquote><p>said</p></blockquote>', '<blockquote>\n<p>said</p>\n</blockquote>\n'],
    ['<h2>Head</h2>\ntext', '<h2>Head</h2>\n<p>text</p>\n'],
    ['a\n<hr />\nb', '<p>a</p>\n<hr />\n<p>b</p>\n'],
    ['<pre>a\n\n"b"</pre>', '<pre>a\n\n"b"</pre>\n'],
    ['x <pre>y', '<p>x <pre>y</p>\n'],
    ['<script>\n\nlet a = "b";\n</script>', '<p><script>\n\nlet a = "b";\n</script></p>\n'],
    ['one\n<!--more-->\ntwo', '<p>one<br />\n<!--more--><br />\ntwo</p>\n'],
    ['<strong>a</strong>\n<em>b</em>', '<p><strong>a</strong><br />\n<em>b</em></p>\n'],
    ['<p></p>', ''],
    ["<!-- wp:paragraph -->\n<p>It's</p>\n<!-- /wp:paragraph -->", '\n<p>It&#8217;s</p>\n'],
    ['<!-- wp:spacer {"h":1} /-->\n\nfree\n\ntext<!-- kept -->', '\n\nfree\n\ntext<!-- kept -->'],
  ])('%j becomes %j', (raw, rendered) => expect(renderContent(raw)).toBe(rendered));

  it('supports block markup (10.3)', () => {
    expect(hasBlocks('<!-- wp:paragraph -->')).toBe(true);
    expect(hasBlocks('<!-- more -->')).toBe(false);
  });
});

describe('renderExcerpt (25.5)', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

  it.each([
    ['', '', ''],
    ['Given', 'ignored', '<p>Given</p>\n'],
    ['', '<p>ok</p>alert(1)', '<p>ok alert(1)</p>\n'],
    ['', '<h2>A</h2><p>b<em>c</em> & d</p><script>x</script>', '<p>A bc &#038; d</p>\n'],
    ['', '<<b>script>alert(1)</script>', '<p>&lt;script>alert(1)</p>\n'],
    ['', words(55), `<p>${words(55)}</p>\n`],
    ['', words(56), `<p>${words(55)} [&hellip;]</p>\n`],
  ])('%j over %j', (excerpt, content, rendered) => expect(renderExcerpt(excerpt, content)).toBe(rendered));
});

describe('renderComment (25.6)', () => {
  const link = (href: string, text = href): string => `<a href="${href}" rel="nofollow ugc">${text}</a>`;

  it.each([
    ['Hi', '<p>Hi</p>\n'],
    ['see https://x.test/a_(b), ok?', `<p>see ${link('https://x.test/a_(b)')}, ok?</p>\n`],
    ['(https://x.test/a)', `<p>(${link('https://x.test/a')})</p>\n`],
    ['www.x.test.', `<p>${link('http://www.x.test')}.</p>\n`],
    ['https://x.test/a--b?c=1&d=800x600', `<p>${link('https://x.test/a--b?c=1&#038;d=800x600')}</p>\n`],
    ['mail me@x.test!', '<p>mail <a href="mailto:me@x.test">me@x.test</a>!</p>\n'],
    ['<a href="https://x.test">https://x.test</a>', '<p><a href="https://x.test">https://x.test</a></p>\n'],
    ['@ http:// www. a@b', '<p>@ http:// www. a@b</p>\n'],
    ['"https://x.test"', `<p>&#8220;${link('https://x.test')}&#8221;</p>\n`],
  ])('%j becomes %j', (raw, rendered) => expect(renderComment(raw)).toBe(rendered));
});

describe('captions and descriptions of files (13.28)', () => {
  it('are rendered as excerpt and content without additions', () => {
    expect(renderCaption('')).toBe('');
    expect(renderCaption('A "view"')).toBe('<p>A &#8220;view&#8221;</p>\n');
    expect(renderDescription('a\n\nb')).toBe('<p>a</p>\n<p>b</p>\n');
  });
});

describe('any input', () => {
  it('is rendered without exceptions, and deterministically', () => {
    const shreds = fc.constantFrom(
      ...'<>"\'-.x5 \n&;(@',
      '<p>',
      '</p>',
      '<br>',
      '<pre>',
      '</pre>',
      '<li>',
      '<!--',
      '-->',
      '<b>',
      '</b>',
      '://',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(shreds, { maxLength: 40 }).map((parts) => parts.join('')),
          anyText(),
        ),
        (raw) => {
          for (const render of Object.values(renderers)) expect(render(raw)).toBe(render(raw));
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});

describe.each<[string, (count: number) => string]>([
  ['quotes', (count) => '"'.repeat(count)],
  ['apostrophes', (count) => "'".repeat(count + 1)],
  ['open tags', (count) => '<p'.repeat(count)],
  ['unclosed pre', (count) => '<pre>'.repeat(count)],
  ['breaks', (count) => '<br> '.repeat(count)],
  ['newlines', (count) => '\n a'.repeat(count)],
  ['spaces', (count) => ' '.repeat(count) + 'x'],
  ['digits', (count) => '1.'.repeat(count) + 'x1'],
  ['crosses', (count) => '1x'.repeat(count)],
  ['dashes', (count) => '-'.repeat(count)],
  ['at signs', (count) => 'a@'.repeat(count)],
  ['letters of a local part', (count) => 'a'.repeat(count) + '@'],
  ['URLs', (count) => 'http://'.repeat(count)],
  ['brackets in a URL', (count) => `http://x.test/${')'.repeat(count)}`],
  ['shreds of a word', (count) => 'a<b></b>'.repeat(count)],
  ['blank parts', (count) => '<b>\n</b>'.repeat(count)],
  ['comments', (count) => '<!--'.repeat(count)],
  ['ampersands', (count) => '&#'.repeat(count)],
])('the time of %s grows in proportion to their number', (_, text) => {
  it.each(Object.entries(renderers))('in %s', (_name, render) => expectLinear(text, render));
});
