// Folded keys for comparing, sorting and searching without regard to case and accents.
// Stored values and search terms must be folded alike.
import { plainLatin } from './transliterate.js';
import { normalize, separablePieces } from './normalize.js';

const NOT_ASCII = /[^\p{ASCII}]/u;
/**
 * Vowel signs of Indic scripts are combining marks too, but letters to their readers: only marks that are accents in
 * every script are removed.
 */
const ACCENTS = /(?![\u3099\u309a])(?=\p{Script=Inherited}|\p{Script=Hebrew}|\p{Script=Arabic})\p{Mn}/gu;
/** Characters that are folded at a time: patterns with a match for every character need a multiple of the memory. */
const PIECE_LENGTH = 32 * 1024;
const SEARCH_PARTS = /(-?)(?:"([^"]*)(?:"|$)|([^\s,"]+))/g;
const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);
const MAX_TERMS = 9;

export interface SearchTerms {
  /** Terms that must all occur. */
  include: string[];
  /** Terms that must not occur. */
  exclude: string[];
  /** The whole search, for ordering by relevance. */
  phrase: string;
}

/** The key under which `Élan`, `elan` and `ELAN` are equal. Idempotent. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  if (text.length <= PIECE_LENGTH) return foldPiece(text);
  let folded = '';
  for (const piece of separablePieces(text, PIECE_LENGTH)) folded += foldPiece(piece);
  return folded;
}

/** The key under which texts are equal that differ only in case, accents or both, as `ignore` says. */
export function foldFor(text: string, ignore: readonly ('case' | 'accents')[]): string {
  const [letters, accents] = [ignore.includes('case'), ignore.includes('accents')];
  if (letters && accents) return fold(text);
  const bare = accents ? normalize(text, 'NFD').replace(ACCENTS, '') : text;
  return normalize(letters ? bare.toLowerCase() : bare, 'NFC');
}

function foldPiece(text: string): string {
  const letters = plainLatin(normalize(text, 'NFKC').toLowerCase());
  const bare = normalize(letters, 'NFKD').replace(ACCENTS, '').toLowerCase().replaceAll('ς', 'σ');
  return normalize(bare, 'NFKC');
}

/** Splits a search into folded terms. */
export function searchTerms(search: string): SearchTerms {
  const folded = fold(search);
  // A search of nothing but quotation marks looks for them: it must not find everything.
  const phrase = oneLine(folded.replaceAll('"', ' ')) || oneLine(folded);
  const include = new Set<string>();
  const exclude = new Set<string>();
  let count = 0;
  for (const [, minus, quoted, bare] of folded.matchAll(SEARCH_PARTS)) {
    const term = oneLine(quoted ?? bare ?? '');
    if (!isTelling(term)) continue;
    if (++count > MAX_TERMS) break;
    (minus ? exclude : include).add(term);
  }
  if (count > 0 && count <= MAX_TERMS) return { include: [...include], exclude: [...exclude], phrase };
  return { include: phrase ? [phrase] : [], exclude: [], phrase };
}

function isTelling(term: string): boolean {
  return term !== '' && !/^[a-z-]$/.test(term) && !STOP_WORDS.has(term);
}

function oneLine(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}
