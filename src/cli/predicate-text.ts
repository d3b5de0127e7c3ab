// Predicates as readable text.
import type { Predicate } from '../model/query.js';

/** Placeholder for the id of the caller in explanations. */
export const ANY_CALLER = Number.MAX_SAFE_INTEGER;

/** A predicate as readable text. */
export function predicateText(predicate: Predicate): string {
  switch (predicate.op) {
    case 'true':
      return 'yes';
    case 'false':
      return 'no';
    case 'and':
    case 'or':
      return `(${predicate.of.map(predicateText).join(` ${predicate.op} `)})`;
    case 'not':
      return `not ${predicateText(predicate.of)}`;
    case 'in':
      return `${predicate.column} in [${predicate.values.map((value) => valueText(value)).join(', ')}]`;
    case 'null':
      return `${predicate.column} is null`;
    case 'exists':
      return `${predicate.table} where ${predicate.inner} = ${predicate.outer} and ${predicateText(predicate.where)}`;
    case 'contains':
      return `${predicate.column} contains ${predicate.value}`;
    case 'affix':
      return `${predicate.column} ${predicate.at}s with ${predicate.value}`;
    case 'tuple':
      return `(${predicate.columns.join(', ')}) ${predicate.compare} (${predicate.values.map(valueText).join(', ')})`;
    case 'datePart':
      return `${predicate.part} of ${predicate.column} = ${predicate.value}`;
    case 'columns':
      return `${predicate.left} ${predicate.compare} ${predicate.right}`;
    default:
      return `${predicate.column} ${predicate.op} ${valueText(predicate.value)}`;
  }
}

function valueText(value: unknown): string {
  return value === ANY_CALLER ? 'the caller' : JSON.stringify(value);
}
