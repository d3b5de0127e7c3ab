// How far a permission reaches: every item, none, one's own, or some. Conditions are often tautologies ("mine and
// published, mine and not published, or not mine"): all combinations of the values that a condition names are tried.
import type { Predicate } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';

/** Every item, those of the caller, those that the rules select, none. */
export type Extent = 'all' | 'own' | 'some' | 'none';

/** A column or another condition, and what it can be. */
interface Variable {
  key: string;
  values: readonly unknown[];
}

/** Maximum number of combinations that are tried; with more the result is `some`. */
const MOST = 20_000;
/** Any value that the condition does not name, and null. */
const OTHER = Symbol('other');
const NULL = Symbol('null');

/** How far a condition reaches for the caller with this id; 0 has no items of its own. */
export function extentOf(predicate: Predicate, caller: number): Extent {
  if (predicate.op === 'true') return 'all';
  if (predicate.op === 'false') return 'none';
  const variables = variablesOf(predicate);
  if (variables.reduce((product, { values }) => product * values.length, 1) > MOST) return 'some';
  const own = new Set<boolean>();
  const others = new Set<boolean>();
  for (const given of combinations(variables)) {
    const isOwn = caller > 0 && [...given.values()].includes(caller);
    (isOwn ? own : others).add(holds(predicate, given));
  }
  const all = new Set([...own, ...others]);
  if (all.size === 1) return all.has(true) ? 'all' : 'none';
  return own.size === 1 && own.has(true) && !others.has(true) ? 'own' : 'some';
}

function variablesOf(predicate: Predicate): Variable[] {
  const found = new Map<string, Set<unknown>>();
  const add = (key: string, ...values: readonly unknown[]) => {
    const known = found.get(key) ?? new Set();
    for (const value of values) known.add(value);
    found.set(key, known);
  };
  const visit = (part: Predicate): void => {
    if (part.op === 'and' || part.op === 'or') return part.of.forEach(visit);
    if (part.op === 'not') return visit(part.of);
    if (part.op === 'true' || part.op === 'false') return undefined;
    if (part.op === 'eq') return add(part.column, OTHER, part.value);
    if (part.op === 'in') return add(part.column, OTHER, ...part.values);
    if (part.op === 'null') return add(part.column, OTHER, NULL);
    return add(JSON.stringify(part), true, false);
  };
  visit(predicate);
  return [...found].map(([key, values]) => ({ key, values: [...values] }));
}

function* combinations([first, ...rest]: readonly Variable[]): Generator<Map<string, unknown>> {
  if (!first) return yield new Map();
  for (const given of combinations(rest)) for (const value of first.values) yield new Map(given).set(first.key, value);
}

function holds(part: Predicate, given: ReadonlyMap<string, unknown>): boolean {
  switch (part.op) {
    case 'true':
    case 'false':
      return part.op === 'true';
    case 'and':
      return part.of.every((each) => holds(each, given));
    case 'or':
      return part.of.some((each) => holds(each, given));
    case 'not':
      return !holds(part.of, given);
    case 'eq':
      return given.get(part.column) === part.value;
    case 'in':
      return part.values.includes(given.get(part.column) as Scalar);
    case 'null':
      return given.get(part.column) === NULL;
    default:
      return given.get(JSON.stringify(part)) === true;
  }
}
