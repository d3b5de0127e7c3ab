// Input of callers without the right to unfiltered HTML: the stored and the shown form, read by a reference HTML
// parser.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { commentHtml, contentHtml, descriptionHtml, inlineHtml } from '../../../src/text/sanitize-html.js';
import { encodeName, plainText, stripTags } from '../../../src/text/plain.js';
import {
  renderCaption,
  renderComment,
  renderContent,
  renderDescription,
  renderExcerpt,
  renderTitle,
} from '../../../src/text/render.js';
import { runs } from '../../support/runs.js';

/** Every way from a hostile text to what a reader is shown. */
const SINKS: Record<string, (text: string) => string> = {
  'stored title': inlineHtml,
  'stored content': contentHtml,
  'stored comment': commentHtml,
  'stored description': descriptionHtml,
  'plain text': plainText,
  'stripped text': stripTags,
  name: encodeName,
  title: (text) => renderTitle(inlineHtml(text)),
  content: (text) => renderContent(contentHtml(text)),
  excerpt: (text) => renderExcerpt(contentHtml(text), ''),
  'made-up excerpt': (text) => renderExcerpt('', contentHtml(text)),
  caption: (text) => renderCaption(contentHtml(text)),
  'description of a file': (text) => renderDescription(contentHtml(text)),
  comment: (text) => renderComment(commentHtml(text)),
};
const everySink = Object.entries(SINKS);

const ELEMENTS = new Set(
  'script style iframe frame frameset object embed applet link meta base form input svg math noscript template xmp plaintext noembed noframes portal'.split(
    ' ',
  ),
);
const URL_ATTRIBUTES = new Set(
  'href src cite longdesc poster action formaction background data ping srcset xlink:href codebase manifest profile'.split(
    ' ',
  ),
);
const SCHEMES = /^(?:https?|ftps?|mailto|tel|sms|xmpp|webcal|news|ircs?|urn)$/;

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment;

/** What could run, of a text that stands in a page. */
function dangers(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if ('tagName' in node) {
      if (ELEMENTS.has(node.tagName)) found.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) if (isDangerous(name, value)) found.push(`${name}="${value}"`);
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parseFragment(html));
  return found;
}

function isDangerous(name: string, value: string): boolean {
  if (/^on|^srcdoc$|[^\w:.-]/.test(name)) return true;
  if (name === 'style') return /\\|url|expression|javascript|@import|behaviou?r|-moz-binding/i.test(value);
  // As the URL Standard reads a URL: controls and spaces around it go, tabs and line breaks within it too.
  // oxlint-disable-next-line no-control-regex
  const url = value.replace(/[\t\n\r]/g, '').replace(/^[\u0000-\u0020]+/, '');
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url)?.[1];
  return URL_ATTRIBUTES.has(name) && scheme !== undefined && !SCHEMES.test(scheme.toLowerCase());
}

describe('a URL', () => {
  const written = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&#x00000003a;alert(1)',
    'javascript&#58alert(1)',
    'javascript&#0000000000000000058alert(1)',
    '&#x000000000000000006a;avascript:alert(1)',
    '&#106avascript:alert(1)',
    'java&Tab;script:alert(1)',
    'java&NewLine;script&colon;alert(1)',
    '&#1;javascript:alert(1)',
    ' \u0000javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\u200bscript:alert(1)',
    'java&amp;#115;cript:alert(1)',
    'javascript&amp;amp;colon;alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'd&#97ta:text/html,x',
    '&#x6A;&#x61;&#x76;&#x61;&#x73;&#x63;&#x72;&#x69;&#x70;&#x74;&#x3A;alert(1)',
    'blob:x',
    'feed:javascript:alert(1)',
  ];
  const tags = (url: string) =>
    [`"${url}"`, `'${url}'`, url.replace(/[\s<>]/g, '')].flatMap((value) => [
      `<a href=${value}>x</a>`,
      `<img src=${value} srcset=${value} longdesc=${value}>`,
      `<video poster=${value} src=${value}></video>`,
      `<blockquote cite=${value}>x</blockquote>`,
      `<a ping=${value} formaction=${value} xlink:href=${value} action=${value} background=${value} data=${value}>x</a>`,
    ]);

  it.each(written)('%j is dropped everywhere', (url) => {
    for (const tag of tags(url)) {
      for (const [sink, show] of everySink)
        expect({ sink, tag, found: dangers(show(tag)) }).toEqual({ sink, tag, found: [] });
      expect(contentHtml(tag)).not.toMatch(/(?:href|src|srcset|cite|poster|longdesc)=/);
    }
  });

  it.each([
    'https://x.test/a?b=1&amp;c=2#d:e',
    'http&#58;//x.test/',
    '/path:with:colons',
    '?q=javascript:x',
    '#javascript:',
    'mailto:a@b.test?subject=a&amp;body=b',
    'page.html',
    './a:b',
  ])('%j is kept', (url) => {
    const tag = `<a href="${url}">x</a>`;
    for (const filter of [contentHtml, inlineHtml, descriptionHtml]) expect(filter(tag)).toBe(tag);
  });
});

describe('a style', () => {
  it.each([
    'background:url(javascript:alert(1))',
    'background:u\\72l(javascript:alert(1))',
    'width:expression(alert(1))',
    'width:expr/**/ession(alert(1))',
    'width:expression/**/(alert(1))',
    'width:&#101;xpression(alert(1))',
    'background&#58;url(x)',
    '-moz-binding:url(x)',
    'behavior:url(x)',
    'color:red&#x3b;background:url(x)',
    'background-image:image-set("x" 1x)',
    '@import "x"',
  ])('%j is dropped', (style) => {
    for (const quote of ['"', "'"]) {
      if (style.includes(quote)) continue;
      const html = contentHtml(`<p style=${quote}${style}${quote}>x</p>`);
      expect(dangers(html)).toEqual([]);
      expect(html).not.toMatch(/url|expression|binding|behavior|import|image-set/i);
    }
  });
});

describe('malformed markup', () => {
  it.each([
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><script>alert(1)</script></template>',
    '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
    '<title><a title="</title><img src=x onerror=alert(1)>">',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!---><img src=x onerror=alert(1)>-->',
    '<!-- --!><img src=x onerror=alert(1)>-->',
    '<![CDATA[><img src=x onerror=alert(1)>]]>',
    '<?xml ><img src=x onerror=alert(1)>?>',
    '<a href="x" title="<img src=x onerror=alert(1)>',
    "<a title='\"><img src=x onerror=alert(1)>'>x",
    '<img src="x` `<script>alert(1)</script>"` `>',
    '<im\0g src=x onerror=alert(1)>',
    '<a\0 href="java\0script:alert(1)">x</a>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '</p/onmouseover=alert(1)>',
    '<p/onclick=alert(1)//>',
    '<a href="x"onclick="alert(1)">',
    '<form><button formaction=javascript:alert(1)>x',
    '<table><td><a href=javascript:alert(1)>',
    '\ufdd00\ufdd1<!-- x --><img src=x onerror=alert(1)>',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '<p title="&quot;><script>alert(1)</script>">',
    'www.x.test/"onmouseover="alert(1)',
    'http://x.test/&quot;onmouseover=alert(1)',
    'a\'b@c.test"onclick=alert(1)',
  ])('%j is not executable', (html) => {
    for (const [sink, show] of everySink) expect({ sink, found: dangers(show(html)) }).toEqual({ sink, found: [] });
  });
});

describe('hostile fragments', () => {
  const shreds = fc.constantFrom(
    ...'<>"\'=/ -!&;:ax\n\t\0`\\(',
    '<script',
    '</script>',
    '<style>',
    '</style>',
    '<!--',
    '-->',
    '--!>',
    '<svg>',
    '<math>',
    '<mtext>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '<textarea>',
    '</textarea>',
    '<title>',
    '</title>',
    '<table>',
    '<td>',
    '<p style="',
    'background:',
    'url(',
    'expression(',
    'onerror=',
    ' href=',
    ' src=',
    ' srcset=',
    'javascript',
    '&colon;',
    '&#x00000003a;',
    '&#106',
    '&Tab;',
    '&NewLine;',
    '&amp;',
    '&lt;',
    '&quot;',
    '&#34;',
    'alert(1)',
    '<a',
    '<img',
    '<b>',
    '</a>',
    'http://x.test/',
    'www.x.test',
    'a@b.test',
    '<!-- wp:a -->',
    '<![CDATA[',
    ']]>',
    '%3C',
    '\n\n',
    '<br>',
    '<pre>',
    '\ufdd00\ufdd1',
  );

  it.each(everySink)('are not executable: %s', (_, show) => {
    const hostile = fc.array(shreds, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (html) => {
        expect(dangers(show(html))).toEqual([]);
      }),
      { numRuns: runs(800) },
    );
  });
});

it('the detector finds executable markup', () => {
  expect(dangers('<a href="java&Tab;script&colon;alert(1)">')).toHaveLength(1);
  expect(dangers('<img src=x onerror=alert(1)><script></script><p style="background:url(x)">')).toHaveLength(3);
});
