import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { filledTrait } from '../../../src/traits/filled.trait.js';
import { codeOf, draftOf, invent, type Invented } from './invented.js';

let site: Invented;
beforeAll(async () => {
  const fields = { title: { type: 'string' }, body: { type: 'text', column: 'words' } } as const;
  site = await invent({ name: 'leaf', path: 'leaves', fields, traits: { filled: { fields: ['title', 'body'] } } });
});
afterAll(() => site.close());

it.each([
  ['nothing is given', {}, undefined, 'empty_content'],
  ['only spaces are given', { title: ' ', words: '\n' }, undefined, 'empty_content'],
  ['one of them is given', { words: 'x' }, undefined, undefined],
  ['the other is there already', { title: '' }, { title: 'a', words: 'b' }, undefined],
  ['the last one is taken away', { title: '' }, { title: 'a', words: '' }, 'empty_content'],
])('when %s', async (_name, row, current, code) => {
  const { input } = site.hooks(filledTrait, 'leaf');
  expect(await codeOf(() => input!(draftOf(row), site.op('leaf'), current))).toBe(code);
});

it('imported items may be empty', async () => {
  const { input } = site.hooks(filledTrait, 'leaf');
  expect(await codeOf(() => input!(draftOf({}), site.op('leaf', { trusted: {} })))).toBeUndefined();
});
