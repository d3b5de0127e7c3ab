import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { commentHtml, contentHtml, descriptionHtml, inlineHtml } from '../../../src/text/sanitize-html.js';
import { expectLinear } from '../../support/growth.js';
import { runs } from '../../support/runs.js';

const filters = { inlineHtml, contentHtml, commentHtml, descriptionHtml };
const everyFilter = Object.entries(filters);
const SHRUG = '\\o/ ¯\\_(ツ)_/¯';

describe('the vectors of 25.1', () => {
  const first = '<div>div</div> <strong>strong</strong> <script>oh noes</script>';
  const second = '<a href="#" target="_blank" unfiltered=true>link</a>';

  it('apply to titles', () => {
    expect(inlineHtml(first)).toBe('div <strong>strong</strong> oh noes');
    expect(inlineHtml(second)).toBe('<a href="#">link</a>');
  });

  it('apply to content', () => {
    expect(contentHtml(first)).toBe('<div>div</div> <strong>strong</strong> oh noes');
    expect(contentHtml(second)).toBe('<a href="#" target="_blank">link</a>');
  });

  it.each(everyFilter)('hold for backslashes: %s', (_, filter) => expect(filter(SHRUG)).toBe(SHRUG));
});

describe('contentHtml', () => {
  it.each([
    ['a & b &amp; c &eacute; &#8217;', 'a &amp; b &amp; c &eacute; &#8217;'],
    ['1 < 2 and 2 > 1', '1 &lt; 2 and 2 &gt; 1'],
    ['<p onclick="x()">y</p>', '<p>y</p>'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java&#115;cript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\nscript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="mailto:a@b.test?subject=x:y">x</a>', '<a href="mailto:a@b.test?subject=x:y">x</a>'],
    ['<a href="/x?a=1&b=2">x</a>', '<a href="/x?a=1&amp;b=2">x</a>'],
    ['<img src=x onerror=alert(1)>', '<img src="x" />'],
    ['<img src="data:text/html,x" alt="">', '<img alt="" />'],
    ['<iframe src="https://x.test"></iframe>after', 'after'],
    ['<p style="color: red; position: fixed; background: url(x)">x</p>', '<p style="color: red">x</p>'],
    ['<p style="width: expression(alert(1))">x</p>', '<p>x</p>'],
    [
      '<p class="lead" data-a="1" aria-label="x" hidden>x</p>',
      '<p class="lead" data-a="1" aria-label="x" hidden>x</p>',
    ],
    [
      '<!-- wp:paragraph {"align":"left"} -->\n<p>x</p>\n<!-- /wp:paragraph -->',
      '<!-- wp:paragraph {"align":"left"} -->\n<p>x</p>\n<!-- /wp:paragraph -->',
    ],
    ['one<!--more-->two', 'one<!--more-->two'],
    ['<!-- <script>x</script> -->y', 'y'],
    ['<p>open <b>ends', '<p>open <b>ends</b></p>'],
    ['</div></p>stray', 'stray'],
    ['<script><img src=x onerror=alert(1)></script>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<svg><style><img src=x onerror=alert(1)></style></svg>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<textarea></textarea><b>x</b></textarea>', '<textarea></textarea><b>x</b>'],
    ['<h2 id="a" align="center">x</h2>', '<h2 id="a" align="center">x</h2>'],
  ])('%j becomes %j', (html, clean) => expect(contentHtml(html)).toBe(clean));
});

describe('lists of images', () => {
  it.each([
    ['a.jpg', 'a.jpg'],
    ['a.jpg 320w, b,c.jpg 640w 480h', 'a.jpg 320w, b,c.jpg 640w 480h'],
    ['a.jpg 1x,b.jpg 1.5x , c.jpg,', 'a.jpg 1x, b.jpg 1.5x, c.jpg'],
    [',a.jpg 2z, b.jpg 0w, c.jpg -1x, d.jpg 1w 2x, e.jpg (2x, f.jpg 2x', 'f.jpg 2x'],
  ])('%s', (written, kept) => {
    expect(contentHtml(`<img srcset="${written}">`)).toBe(`<img srcset="${kept}" />`);
    expect(contentHtml(`<img srcset="${kept}">`)).toBe(`<img srcset="${kept}" />`);
  });

  it.each([
    ['a.jpg 1.33333333333333x', 'a.jpg 1.33333333333333x'],
    ['a.jpg 0.00000015x', 'a.jpg 1.5e-7x'],
    ['a.jpg 1234567890w', 'a.jpg 1234567890w'],
    ['a.jpg 20h 10w', 'a.jpg 10w 20h'],
  ])('with sizes of many digits, or in another order: %s', (written, kept) => {
    expect(contentHtml(`<img srcset="${written}">`)).toBe(`<img srcset="${kept}" />`);
    expect(contentHtml(`<img srcset="${kept}">`)).toBe(`<img srcset="${kept}" />`);
  });

  it('without an image are left out', () => {
    expect(contentHtml('<img srcset="a.jpg 2z"><img srcset=",, ,">')).toBe('<img /><img />');
  });

  it('cause no output of the process, whatever is wrong with them', () => {
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const pieces = fc.constantFrom(
      'a',
      'b.jpg',
      ' ',
      ',',
      '\n',
      '1w',
      '1x',
      '0w',
      '-',
      '.',
      'h',
      '(',
      ')',
      '&#32;',
      '9'.repeat(25),
      '.0000000',
      'e-7',
      '2x',
      '\u00a0',
    );
    try {
      fc.assert(
        fc.property(fc.array(pieces), (list) => {
          const once = contentHtml(`<img srcset="${list.join('')}">`);
          expect(contentHtml(once)).toBe(once);
          expect(log).not.toHaveBeenCalled();
        }),
        { numRuns: runs(2_000) },
      );
    } finally {
      log.mockRestore();
    }
  });
});

describe('restricted sets of tags', () => {
  it('mark the links of comments', () => {
    expect(commentHtml('<a href="https://x.test" rel="me" class="c">x</a>')).toBe(
      '<a href="https://x.test" rel="nofollow ugc">x</a>',
    );
    expect(commentHtml('<p>Hi <em>you</em></p><!--x-->')).toBe('Hi <em>you</em>');
  });

  it('keep the markup of descriptions', () => {
    expect(descriptionHtml('With <b>bold</b> & <img src="x">')).toBe('With <b>bold</b> &amp; ');
  });
});

describe('hostile input', () => {
  const shreds = fc.constantFrom(
    ...'<>"\'=/ -!&;:ax\n',
    '<script',
    '</script>',
    '<style>',
    '<!--',
    '-->',
    'onerror=',
    'javascript:',
    '<a href=',
    '<img src=',
    '&#106;',
    '<svg>',
    '<textarea>',
    '</textarea>',
    '<title>',
    'alert(1)',
    '\ufdd00\ufdd1',
    '<p style="',
    'url(',
    '<![CDATA[',
    ']]>',
    '<b ',
    '<x:y ',
  );

  it.each(everyFilter)('contains nothing executable afterwards: %s', (_, filter) => {
    fc.assert(
      fc.property(fc.array(shreds, { maxLength: 40 }), (parts) => {
        const clean = filter(parts.join(''));
        for (const tag of clean.replace(/<!--[^<>]*-->/g, '').match(/<[^>]*>/g) ?? []) {
          expect(tag).toMatch(/^<\/?[a-z][a-z0-9]*(?: [^\s"'<>/=]+(?:="[^"<>]*")?)*(?: \/)?>$/);
          expect(tag).not.toMatch(
            /<\/?(?:script|style|iframe|object|svg)|\son\w+=|(?:href|src|cite)="\s*javascript:|style="[^"]*(?:url|expression)\(/i,
          );
        }
        expect(filter(clean)).toBe(clean);
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe.each<[string, (count: number) => string]>([
  ['nested tags', (count) => '<b>'.repeat(count)],
  ['stray ends', (count) => '<b>'.repeat(count) + '</i>'.repeat(count)],
  ['half tags', (count) => '<a '.repeat(count)],
  ['open comments', (count) => '<!--'.repeat(count)],
  ['open quotes', (count) => '<a b="'.repeat(count)],
  ['mixed quotes', (count) => `${`<a '">`.repeat(count)}'`],
  ['attributes', (count) => `<a ${'b=c '.repeat(count)}>`],
  ['ampersands', (count) => '&'.repeat(count)],
  ['spaces in a tag', (count) => `<a ${' '.repeat(count)}x`],
  ['styles', (count) => `<p style="${'color:red;('.repeat(count)}">`],
])('the time of %s grows in proportion to their number', (_, html) => {
  it.each(everyFilter)('in %s', (_name, filter) => expectLinear(html, filter));
});
