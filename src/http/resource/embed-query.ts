// The `_embed` parameter.
import type { Parameters } from '../request/parse-query.js';

/** The relations to embed: all, or those with these names. */
export type Relations = 'all' | ReadonlySet<string>;

/** Values that select every relation. */
const ALL = new Set(['', '0', '1', 'true']);

/** The relations that a request wants embedded; undefined for none. A list, or text with commas or spaces between. */
export function relationsOf(query: Parameters): Relations | undefined {
  const requested: unknown = query['_embed'];
  if (requested === undefined) return undefined;
  const texts = [requested].flat().filter((part): part is string => typeof part === 'string');
  if (texts.length === 1 && ALL.has(texts[0]!)) return 'all';
  const names = texts.flatMap((text) => text.split(/[\s,]+/)).filter((name) => name !== '');
  return names.length === 0 ? 'all' : new Set(names);
}
