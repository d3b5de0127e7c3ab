// Parses argument values into texts, integers and lists. Invalid values are left out.
import { toInteger, toList } from '../../values/coerce.js';

/** Maximum number of list members; the rest is dropped. */
export const MAX_VALUES = 100;

/** Characters that databases cannot store. With the u flag only lone surrogates match. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** A non-empty text; undefined for anything that is not a scalar. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return String(value).replace(UNSTORABLE, '') || undefined;
}

/** The members of a list; a scalar is split at commas and whitespace. */
export function valuesOf(value: unknown): unknown[] {
  const members = typeof value === 'object' && value !== null ? Object.values(value) : (toList(value) ?? []);
  return members.slice(0, MAX_VALUES);
}

/** The integers of a list. */
export function integersOf(value: unknown): number[] {
  const numbers = valuesOf(value).map((member) => toInteger(typeof member === 'object' ? undefined : member));
  return [...new Set(numbers.filter((number): number is number => Number.isSafeInteger(number)))];
}

/** A non-negative integer. */
export function countOf(value: unknown): number | undefined {
  const number = toInteger(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
