// Turns URLs and e-mail addresses in comments into links.
import { tokens } from './html-tokens.js';
import { StringBuilder } from './string-builder.js';

const WEB = /(?:https?|ftp):\/\/[^\s<>"'`]+|www\.[^\s<>"'`]+/gi;
const MAX_LENGTH = 2048;
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;
const LOCAL_CHARACTER = /[\w.+-]/;
const DOMAIN = /[a-z\d](?:[a-z\d-]{0,62})(?:\.[a-z\d](?:[a-z\d-]{0,62})){1,8}/iy;
const HANDS_OFF = new Set(['a', 'pre', 'code', 'script', 'style', 'textarea']);
const REL = 'nofollow ugc';

/** Links URLs and e-mail addresses outside links and code. */
export function clickable(html: string): string {
  if (!/:\/\/|www\.|@/i.test(html)) return html;
  const out = new StringBuilder();
  let untouched = 0;
  for (const token of tokens(html)) {
    out.add(token.kind === 'text' && untouched === 0 ? linkText(token.text) : token.text);
    if (!HANDS_OFF.has(token.name)) continue;
    if (token.kind === 'open') untouched++;
    else if (untouched > 0) untouched--;
  }
  return out.joined();
}

function linkText(text: string): string {
  let out = '';
  let done = 0;
  for (const match of text.matchAll(WEB)) {
    const url = withoutTrail(match[0]);
    if (url.length > MAX_LENGTH || /[\p{L}\p{N}/=@.]/u.test(text[match.index - 1] ?? ' ')) continue;
    if (/^(?:www\.|\w+:\/\/)[^\p{L}\p{N}[]*$/iu.test(url)) continue;
    out += mailLinked(text.slice(done, match.index)) + webLink(url);
    done = match.index + url.length;
  }
  return out + mailLinked(text.slice(done));
}

function webLink(url: string): string {
  const href = /^www\./i.test(url) ? `http://${url}` : url;
  return `<a href="${href}" rel="${REL}">${href}</a>`;
}

/**
 * Removes trailing punctuation, which belongs to the sentence, and a closing bracket that was opened before the
 * URL.
 */
function withoutTrail(match: string): string {
  const entity = match.search(/&(?:lt|gt|quot|nbsp|#0*3[49]);/i);
  let end = entity === -1 ? match.length : entity;
  let unopened = 0;
  for (let i = 0; i < end; i++) unopened += match[i] === ')' ? 1 : match[i] === '(' ? -1 : 0;
  for (; end > 0; end--) {
    if (match[end - 1] === ')' && unopened > 0) unopened--;
    else if (!'.,;:!?'.includes(match[end - 1]!)) break;
  }
  return match.slice(0, end);
}

function mailLinked(text: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > done && at - start < MAX_LOCAL_PART && LOCAL_CHARACTER.test(text[start - 1]!)) start--;
    while (start < at && text[start] === '.') start++;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0];
    if (start === at || domain === undefined || domain.length > MAX_DOMAIN) continue;
    const address = `${text.slice(start, at)}@${domain}`;
    out += `${text.slice(done, start)}<a href="mailto:${address}">${address}</a>`;
    done = at + 1 + domain.length;
  }
  return out + text.slice(done);
}
