// Limits of search texts. Matching may cost the product of both lengths, so all searches share one limit.
import { fold } from './fold.js';

/** Maximum length of a search text in characters, as sent and folded. */
export const MAX_SEARCH_TERM = 200;

/** The folded search text; undefined when it has more than `MAX_SEARCH_TERM` characters. */
export function foldSearchTerm(text: string): string | undefined {
  // A character has at most two code units: longer texts need not be folded.
  if (text.length > MAX_SEARCH_TERM * 2) return undefined;
  const folded = fold(text);
  return folded.length > MAX_SEARCH_TERM && Array.from(folded).length > MAX_SEARCH_TERM ? undefined : folded;
}
