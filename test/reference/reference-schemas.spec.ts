// The schemas of the replay are the shipped ones plus the reference's meta keys; after a change to schemas/ make them anew.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { referenceSchemas, target } from './make-schemas.mjs';

test('test/reference/schemas equals the output of `node test/reference/make-schemas.mjs`', () => {
  const names = readdirSync(target).filter((name) => name.endsWith('.json'));
  const stored = names.map((name) => [name, JSON.parse(readFileSync(join(target, name), 'utf8'))]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(referenceSchemas()));
});
