// Rules are built of parts that cancel each other out for many callers: "their own, and published or not, or not their
// own" is every row. What is decided in this way needs no query.
import { and, FALSE, not, or, type Predicate, TRUE } from '../../model/query.js';

/** Maximum number of conditions whose combinations are all tried; a part with more stays as it is. */
const MAX_CONDITIONS = 6;

/** The same predicate with `true` or `false` in place of the parts that are constant. */
export function foldConstants(predicate: Predicate): Predicate {
  switch (predicate.op) {
    case 'and':
      return foldIfConstant(and(...predicate.of.map(foldConstants)));
    case 'or':
      return foldIfConstant(or(...predicate.of.map(foldConstants)));
    case 'not':
      return not(foldConstants(predicate.of));
    default:
      return predicate;
  }
}

function foldIfConstant(predicate: Predicate): Predicate {
  const conditions = new Map<string, number>();
  const holds = compile(predicate, conditions);
  if (conditions.size > MAX_CONDITIONS) return predicate;
  const first = holds(0);
  for (let truths = 1; truths < 2 ** conditions.size; truths++) if (holds(truths) !== first) return predicate;
  return first ? TRUE : FALSE;
}

/** Whether a predicate holds where the conditions hold whose bits are set; each condition gets the number of a bit. */
function compile(predicate: Predicate, conditions: Map<string, number>): (truths: number) => boolean {
  switch (predicate.op) {
    case 'true':
      return () => true;
    case 'false':
      return () => false;
    case 'not': {
      const part = compile(predicate.of, conditions);
      return (truths) => !part(truths);
    }
    case 'and': {
      const parts = predicate.of.map((part) => compile(part, conditions));
      return (truths) => parts.every((part) => part(truths));
    }
    case 'or': {
      const parts = predicate.of.map((part) => compile(part, conditions));
      return (truths) => parts.some((part) => part(truths));
    }
    default: {
      const text = JSON.stringify(predicate);
      const bit = conditions.get(text) ?? conditions.size;
      conditions.set(text, bit);
      return (truths) => (truths & (1 << bit)) !== 0;
    }
  }
}
