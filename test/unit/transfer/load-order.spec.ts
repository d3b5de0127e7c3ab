// Files of a load are written in an order in which items that others refer to come first.
import { expect, it } from '@jest/globals';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { shapesOf } from '../../../src/transfer/dump/dump-shape.js';
import { referredFirst } from '../../../src/transfer/load/load-order.js';
import { collectProblems } from '../../support/collect-problems.js';

const { report } = collectProblems('library.json');
const schema = (name: string, fields: ResourceSchema['fields']) => ({
  schema: { name, path: `${name}s`, fields: { id: { type: 'id' as const }, ...fields } },
  report,
});
const models = compileModels([
  schema('book', { writer: { type: 'reference', to: 'person' }, shelves: { type: 'references', to: 'shelf' } }),
  schema('person', { favourite: { type: 'reference', to: 'book' } }),
  schema('shelf', { room: { type: 'reference', to: 'room' } }),
  schema('room', {}),
]);

it.each([
  [['book', 'person', 'shelf'], 'person shelf book'],
  [['book', 'room', 'shelf'], 'room shelf book'],
  [['room', 'shelf'], 'room shelf'],
  [['person', 'book'], 'book person'],
  [['unknown', 'shelf', 'room', 'shelf'], 'unknown room shelf shelf'],
  [[], ''],
])('%j', (names, ordered) => {
  const files = names.map((resource, at) => ({ resource, path: `${at}`, bytes: 1 }));
  const found = referredFirst(files, shapesOf(models));
  expect(found.map(({ resource }) => resource).join(' ')).toBe(ordered);
  expect([...new Set(found)]).toHaveLength(files.length);
});
