/**
 * Text that must hold no markup: names, alternative texts, user agents, term names.
 * Called by the text fields when a value is written, and by automatic excerpts.
 */
import { encodeAmpersands } from './entity.js';
import { tokens } from './markup.js';
const HEX = /[\da-f]/i;
const TO_SPACE = /[\s\p{Cc}\u2028\u2029]+/gu;
/** Without tags, and without what stands inside script and style; a `<` that begins no tag becomes `&lt;`. */
export function stripTags(value) {
    if (!value.includes('<'))
        return value;
    let out = '';
    let opened = '';
    for (const token of tokens(value)) {
        if (token.kind === 'open')
            opened = token.name;
        // A `<` left standing could form a new tag with what follows once the tags between are gone.
        const readable = token.kind === 'text' || (token.kind === 'raw' && opened !== 'script' && opened !== 'style');
        if (readable)
            out += token.text.replaceAll('<', '&lt;');
    }
    return out;
}
/** One line of text: no tags, control characters, line breaks, doubled spaces or percent-encoded octets (25.7). */
export function plainText(value) {
    const line = stripTags(value).replace(TO_SPACE, ' ');
    return line.includes('%') ? withoutOctets(line).replace(TO_SPACE, ' ').trim() : line.trim();
}
/** How a term's name is stored: plain text whose `&`, `<` and `>` are entities, none of them twice (16.11). */
export function encodeName(value) {
    return encodeAmpersands(plainText(value), '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
/** Goes on until none is left: `%%4141` must not leave `%41` behind. */
function withoutOctets(text) {
    const kept = [];
    for (const character of text) {
        kept.push(character);
        const n = kept.length;
        if (n > 2 && kept[n - 3] === '%' && HEX.test(kept[n - 2]) && HEX.test(character))
            kept.length = n - 3;
    }
    return kept.join('');
}
