// Plain text without markup: names, alternative texts, user agents, term names.
import { encodeAmpersands } from './entity.js';
import { tokens } from './html-tokens.js';
import { StringBuilder } from './string-builder.js';

const HEX = /[\da-f]/i;
const TO_SPACE = /[\s\p{Cc}\u2028\u2029]+/gu;

/** Removes tags and the content of script and style; a `<` that begins no tag becomes `&lt;`. */
export function stripTags(value: string): string {
  if (!value.includes('<')) return value;
  const out = new StringBuilder();
  let opened = '';
  for (const token of tokens(value)) {
    if (token.kind === 'open') opened = token.name;
    // A remaining `<` could form a new tag with the following text once the tags between are removed.
    const readable = token.kind === 'text' || (token.kind === 'raw' && opened !== 'script' && opened !== 'style');
    if (readable) out.add(token.text.replaceAll('<', '&lt;'));
  }
  return out.joined();
}

/** One line of text: no tags, control characters, line breaks, repeated spaces or percent-encoded octets. */
export function plainText(value: string): string {
  const line = stripTags(value).replace(TO_SPACE, ' ');
  return line.includes('%') ? withoutOctets(line).replace(TO_SPACE, ' ').trim() : line.trim();
}

/** Stored form of a term's name: plain text with `&`, `<` and `>` as entities, never encoded twice. */
export function encodeName(value: string): string {
  return encodeAmpersands(plainText(value), '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Repeats until none is left: `%%4141` must not become `%41`. */
function withoutOctets(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    kept.push(character);
    const n = kept.length;
    if (n > 2 && kept[n - 3] === '%' && HEX.test(kept[n - 2]!) && HEX.test(character)) kept.length = n - 3;
  }
  return kept.join('');
}
