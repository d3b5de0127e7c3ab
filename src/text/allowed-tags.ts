// The two allow-lists of HTML: for titles, comments and descriptions, and for content.
import type { IOptions } from 'sanitize-html';

type Attributes = Record<string, string[]>;

export interface AllowList {
  tags: ReadonlySet<string>;
  attributes: NonNullable<IOptions['allowedAttributes']>;
  comments: boolean;
}

const INLINE_ATTRIBUTES: Attributes = {
  a: ['href', 'title'],
  abbr: ['title'],
  acronym: ['title'],
  blockquote: ['cite'],
  del: ['datetime'],
  q: ['cite'],
};

const GLOBAL = ['class', 'id', 'dir', 'lang', 'title', 'role', 'hidden', 'style', 'aria-*', 'data-*'];
const CELL = [
  'abbr',
  'align',
  'axis',
  'bgcolor',
  'colspan',
  'headers',
  'height',
  'nowrap',
  'rowspan',
  'scope',
  'valign',
  'width',
];
const ROWS = ['align', 'valign'];
const PLAYER = ['autoplay', 'controls', 'loop', 'muted', 'preload', 'src'];

const WIDE_ATTRIBUTES: Attributes = {
  '*': GLOBAL,
  a: ['href', 'target', 'rel', 'rev', 'name', 'download', 'hreflang', 'type'],
  area: ['alt', 'coords', 'href', 'nohref', 'shape', 'target'],
  audio: PLAYER,
  blockquote: ['cite'],
  br: ['clear'],
  button: ['disabled', 'name', 'type', 'value'],
  caption: ['align'],
  col: [...ROWS, 'span', 'width'],
  colgroup: [...ROWS, 'span', 'width'],
  del: ['cite', 'datetime'],
  details: ['open', 'align'],
  div: ['align'],
  figure: ['align'],
  font: ['color', 'face', 'size'],
  h1: ['align'],
  h2: ['align'],
  h3: ['align'],
  h4: ['align'],
  h5: ['align'],
  h6: ['align'],
  hr: ['align', 'noshade', 'size', 'width'],
  img: 'align alt border decoding height hspace loading longdesc sizes src srcset usemap vspace width'.split(' '),
  ins: ['cite', 'datetime'],
  label: ['for'],
  legend: ['align'],
  li: ['align', 'value'],
  map: ['name'],
  menu: ['type'],
  ol: ['reversed', 'start', 'type'],
  p: ['align'],
  pre: ['width'],
  q: ['cite'],
  table: 'align bgcolor border cellpadding cellspacing rules summary width'.split(' '),
  tbody: ROWS,
  td: CELL,
  textarea: ['cols', 'disabled', 'name', 'readonly', 'rows'],
  tfoot: ROWS,
  th: CELL,
  thead: ROWS,
  tr: [...ROWS, 'bgcolor'],
  track: ['default', 'kind', 'label', 'src', 'srclang'],
  ul: ['type'],
  video: [...PLAYER, 'height', 'playsinline', 'poster', 'width'],
};

const INLINE_TAGS = 'a abbr acronym b blockquote cite code del em i q s strike strong';

const WIDE_TAGS =
  'address a abbr acronym area article aside audio b bdo big blockquote br button caption cite code col colgroup del dd ' +
  'dfn details div dl dt em fieldset figure figcaption font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label ' +
  'legend li main map mark menu nav ol p pre q rb rp rt rtc ruby s samp span section small strike strong sub summary sup ' +
  'table tbody td textarea tfoot th thead title tr track tt u ul var video';

export const INLINE: AllowList = {
  tags: new Set(INLINE_TAGS.split(' ')),
  attributes: INLINE_ATTRIBUTES,
  comments: false,
};

export const COMMENT: AllowList = {
  ...INLINE,
  attributes: { ...INLINE_ATTRIBUTES, a: ['href', 'title', 'rel'] },
};

/** Comments are kept in content: block delimiters and `<!--more-->` are comments. */
export const WIDE: AllowList = { tags: new Set(WIDE_TAGS.split(' ')), attributes: WIDE_ATTRIBUTES, comments: true };
