// The searched text of items that were there before a field got a rule.
import { expect, it } from '@jest/globals';
import { deriveRow } from '../../../src/engine/derive-row.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { collectProblems } from '../../support/collect-problems.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';

function searched(fields: Record<string, FieldSchema>): unknown {
  const { report, problems } = collectProblems('thing.json');
  const search = { fields: Object.keys(fields) };
  const schema = { name: 'thing', path: 'things', fields, search, permissions: { rules: { read: true } } };
  const model = compileModels([{ schema: extendSchema(schema, report), report }]).byName.get('thing')!;
  expect(problems).toEqual([]);
  return deriveRow(model, { id: 1, title: 'Open', pin: 'Secret', search_text: 'open secret' })['search_text'];
}

it.each<[string, Record<string, FieldSchema>, string]>([
  ['both are for everybody', { title: { type: 'string' }, pin: { type: 'string' } }, 'open\nsecret'],
  ['one has a rule', { title: { type: 'string' }, pin: { type: 'string', read: 'see' } }, 'open'],
  ['the only one has a rule', { pin: { type: 'string', read: 'see' } }, ''],
])('%s', (_about, fields, text) => {
  expect(searched(fields)).toBe(text);
});
