/**
 * Cuts HTML into text, tags and comments without building a tree.
 * Every file of this room that must not touch markup reads its input through here.
 */
export const VOID_TAGS = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const RAW_TAGS = new Set(['script', 'style', 'textarea', 'title']);
const TAG_NAME = /[a-z][^\s/<>"']*/iy;
const GREATER = 62;
const LESS = 60;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
/** Tokens in order; their texts joined give the input again. Never throws, linear time. */
export function* tokens(html) {
    const commentEnd = finder(html, '-->');
    const declarationEnd = finder(html, '>');
    let textStart = 0;
    let at = html.indexOf('<');
    while (at !== -1) {
        const token = markupAt(html, at, commentEnd, declarationEnd);
        if (!token) {
            at = html.indexOf('<', at + 1);
            continue;
        }
        if (at > textStart)
            yield { kind: 'text', text: html.slice(textStart, at), name: '' };
        yield token;
        textStart = at + token.text.length;
        if (token.kind === 'open' && RAW_TAGS.has(token.name)) {
            const end = rawEnd(html, textStart, token.name);
            if (end > textStart)
                yield { kind: 'raw', text: html.slice(textStart, end), name: '' };
            textStart = end;
        }
        at = html.indexOf('<', textStart);
    }
    if (textStart < html.length)
        yield { kind: 'text', text: html.slice(textStart), name: '' };
}
function markupAt(html, at, commentEnd, declarationEnd) {
    const next = html[at + 1];
    if (next === '!' && html.startsWith('--', at + 2)) {
        const end = commentEnd(at + 2);
        return end ? { kind: 'comment', text: html.slice(at, end), name: '' } : undefined;
    }
    if (next === '!' || next === '?') {
        const end = declarationEnd(at);
        return end ? { kind: 'declaration', text: html.slice(at, end), name: '' } : undefined;
    }
    const closing = next === '/';
    TAG_NAME.lastIndex = at + (closing ? 2 : 1);
    const name = TAG_NAME.exec(html)?.[0];
    if (name === undefined)
        return undefined;
    const end = tagEnd(html, TAG_NAME.lastIndex);
    if (!end)
        return undefined;
    return { kind: closing ? 'close' : 'open', text: html.slice(at, end), name: name.toLowerCase() };
}
/**
 * Position behind the `>` that ends a tag, 0 if there is none. Quotes may hide a `>`.
 * An unquoted `<` gives up: that bound is what keeps hostile quotes from costing quadratic time.
 */
function tagEnd(html, from) {
    let quote = 0;
    let hidden = 0;
    for (let i = from; i < html.length; i++) {
        const code = html.charCodeAt(i);
        if (quote) {
            if (code === quote)
                quote = 0;
            else if (code === GREATER && !hidden)
                hidden = i + 1;
        }
        else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE)
            quote = code;
        else if (code === GREATER)
            return i + 1;
        else if (code === LESS)
            break;
    }
    return hidden;
}
/** `indexOf` that remembers a miss, so that a thousand unfinished comments are not a thousand searches. */
function finder(html, what) {
    let missed = false;
    return (from) => {
        const found = missed ? -1 : html.indexOf(what, from);
        missed = found === -1;
        return missed ? 0 : found + what.length;
    };
}
function rawEnd(html, from, name) {
    const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    close.lastIndex = from;
    return close.exec(html)?.index ?? html.length;
}
