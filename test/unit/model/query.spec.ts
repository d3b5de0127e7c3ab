// Predicates: which of them search texts.
import { expect, it } from '@jest/globals';
import { searchesTexts, type Predicate } from '../../../src/model/query.js';

const contains = (value: string): Predicate => ({ op: 'contains', column: 'folded', value });
const all: Predicate = { op: 'true' };

it.each<[string, Predicate, boolean]>([
  ['a search', contains('x'), true],
  ['one among others', { op: 'and', of: [all, { op: 'or', of: [contains('x')] }] }, true],
  ['its negation', { op: 'not', of: contains('x') }, true],
  ['one in another table', { op: 'exists', table: 'books', outer: 'id', inner: 'id', where: contains('x') }, true],
  ['an equality', { op: 'eq', column: 'id', value: 1 }, false],
  ['everything', all, false],
])('%s', (_name, where, searches) => expect(searchesTexts(where)).toBe(searches));
