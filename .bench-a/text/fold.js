/**
 * Keys for comparing, sorting and searching without regard to case and accents.
 * Called when a search column is written and when a search is read: both sides must fold alike.
 */
import { plainLatin } from './latin.js';
const NOT_ASCII = /[^\p{ASCII}]/u;
/** Vowels of Indic scripts are marks too, and letters to their readers: only marks that are accents everywhere go. */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Script=Inherited}|\p{Script=Hebrew}|\p{Script=Arabic})\p{Mn}/gu;
const SEARCH_PARTS = /(-?)(?:"([^"]*)(?:"|$)|([^\s,"]+))/g;
const STOP_WORDS = new Set('about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '));
const MAX_TERMS = 9;
/** The key under which `Élan`, `elan` and `ELAN` are one (6.14). Folding a key again changes nothing. */
export function fold(text) {
    if (!NOT_ASCII.test(text))
        return text.toLowerCase();
    return plainLatin(text.normalize('NFKC').toLowerCase())
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFKC');
}
/** A search split into folded terms ("Search semantics" of section 6). */
export function searchTerms(search) {
    const folded = fold(search);
    const phrase = oneLine(folded.replaceAll('"', ' '));
    const include = new Set();
    const exclude = new Set();
    let count = 0;
    for (const [, minus, quoted, bare] of folded.matchAll(SEARCH_PARTS)) {
        const term = oneLine(quoted ?? bare ?? '');
        if (!isTelling(term))
            continue;
        if (++count > MAX_TERMS)
            break;
        (minus ? exclude : include).add(term);
    }
    if (count > 0 && count <= MAX_TERMS)
        return { include: [...include], exclude: [...exclude], phrase };
    return { include: phrase ? [phrase] : [], exclude: [], phrase };
}
function isTelling(term) {
    return term !== '' && !/^[a-z-]$/.test(term) && !STOP_WORDS.has(term);
}
function oneLine(text) {
    return text.split(/\s+/).filter(Boolean).join(' ');
}
