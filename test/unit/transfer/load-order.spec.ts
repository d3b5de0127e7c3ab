// Files of terms are written before others, which keep their order.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shapesOf, type Shape } from '../../../src/transfer/dump/dump-shape.js';
import { ImportSummary } from '../../../src/transfer/import-summary.js';
import { termsFirst } from '../../../src/transfer/load/load-order.js';
import { invent, type Invented } from '../traits/invented.js';

let site: Invented;
let shapes: Map<string, Shape>;
beforeAll(async () => {
  const name = { type: 'string' } as const;
  const term = (resource: string) => ({
    name: resource,
    path: `${resource}s`,
    fields: { name },
    traits: { sluggable: { from: 'name' }, term: {} },
  });
  site = await invent(term('genre'), term('label'), { name: 'book', path: 'books', fields: { name } });
  shapes = shapesOf(site.models);
});
afterAll(() => site.close());

it.each([
  [['book', 'genre', 'label'], 'genre label book'],
  [['unknown', 'label', 'book', 'genre', 'label'], 'label genre label unknown book'],
  [[], ''],
])('%j', (names, ordered) => {
  const files = names.map((resource, at) => ({ resource, path: `${at}`, bytes: 1 }));
  const found = termsFirst(files, shapes);
  expect(found.map(({ resource }) => resource).join(' ')).toBe(ordered);
  expect(new Set(found)).toEqual(new Set(files));
});

it('a summary lists resources in the order of the files', () => {
  const summary = new ImportSummary();
  for (const resource of ['genre', 'other', 'book', 'file']) summary.count(resource, 'created');
  summary.sort(['file', 'book', 'genre', 'label']);
  expect([...summary.counts.keys()]).toEqual(['file', 'book', 'genre', 'other']);
});
