/**
 * Typographic quotes, dashes and ellipses as numeric entities (25.3), in text and never in tags or code.
 * Called by render.ts; quotes.ts decides about the quotes.
 */
import { encodeAmpersands } from './entity.js';
import { tokens } from './markup.js';
import { isDigit, isSpaceAt, isSpaceBefore, QuoteReader, settle } from './quotes.js';
const VERBATIM_TAGS = new Set(['pre', 'code', 'kbd', 'tt', 'script', 'style']);
const WORTH_READING = /[&'"`(x]|--|\.\.\.|-/;
const SPECIAL = /\.\.\.|``|''|["'x]|-+|\(tm\)|&(?!(?:#\d{1,8}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/gi;
const ADDRESS = /^(?:https?|ftp):\/\/\S+$/;
const FIXED = { '...': '&#8230;', '``': '&#8220;', "''": '&#8221;', '&': '&#038;' };
const EN_DASH = '&#8211;';
const EM_DASH = '&#8212;';
/** HTML with its text set typographically. Deterministic, linear, and fond of text that has nothing to set. */
export function typography(html) {
    if (!WORTH_READING.test(html))
        return html;
    const verbatim = new VerbatimDepth();
    let out = '';
    let carried = false;
    let endsWord = false;
    for (const token of tokens(html)) {
        if (token.kind === 'text' && !verbatim.inside) {
            out += setText(token.text, carried);
            endsWord = /[\p{L}\p{N}.,!?)]$/u.test(token.text.slice(-2));
        }
        else
            out += token.kind === 'open' || token.kind === 'close' ? encodeAmpersands(token.text, '&#038;') : token.text;
        verbatim.pass(token);
        // A quote behind `</em>` belongs to the word in front of it; behind `<em>` a new beginning is likelier.
        carried = token.kind === 'close' && endsWord;
    }
    return out;
}
/** Inside how many elements whose text is shown as typed. */
class VerbatimDepth {
    depth = 0;
    get inside() {
        return this.depth > 0;
    }
    pass(token) {
        if (!VERBATIM_TAGS.has(token.name))
            return;
        if (token.kind === 'open')
            this.depth++;
        else if (this.depth > 0)
            this.depth--;
    }
}
function setText(text, carried) {
    if (!WORTH_READING.test(text))
        return text;
    // An address that stands alone between tags is shown as it is.
    if (ADDRESS.test(text))
        return encodeAmpersands(text, '&#038;');
    const quotes = new QuoteReader(text, carried);
    const pieces = [];
    let done = 0;
    for (const match of text.matchAll(SPECIAL)) {
        const at = match.index;
        pieces.push(text.slice(done, at));
        done = at + match[0].length;
        if (match[0] === '"' || match[0] === "'")
            quotes.read(at, pieces.push('') - 1);
        else
            pieces.push(FIXED[match[0]] ?? setOther(text, at, match[0]));
    }
    pieces.push(text.slice(done));
    settle(quotes.marks, pieces);
    return pieces.join('');
}
function setOther(text, at, written) {
    if (written[0] === '-')
        return dashes(text, at, written.length);
    if (written === 'x')
        return isTimes(text, at) ? '&#215;' : written;
    return written === '(tm)' && text[at - 1] === ' ' ? '&#8482;' : written;
}
function dashes(text, at, length) {
    const end = at + length;
    const free = (at === 0 || isSpaceBefore(text, at)) && (end === text.length || isSpaceAt(text, end));
    if (length === 1)
        return free ? EN_DASH : '-';
    if (length === 2)
        return free ? EM_DASH : text.endsWith('xn', at) ? '--' : EN_DASH;
    return EM_DASH.repeat(Math.floor(length / 3)) + ['', '-', EN_DASH][length % 3];
}
/** `3x4` multiplies; `0x4` is a number and `a3x4` a name. */
function isTimes(text, at) {
    if (!isDigit(text[at - 1]) || !isDigit(text[at + 1]))
        return false;
    let start = at - 1;
    while (isNumberPart(text[start - 1]))
        start--;
    while (!isDigit(text[start]))
        start++;
    let end = at + 1;
    while (isNumberPart(text[end]))
        end++;
    const zero = start === at - 1 && text[start] === '0';
    return !zero && !isWord(text[start - 1]) && !isWord(text[end]);
}
function isNumberPart(character) {
    return isDigit(character) || character === '.' || character === ',';
}
function isWord(character) {
    return character !== undefined && /\w/.test(character);
}
