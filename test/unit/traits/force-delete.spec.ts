import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { forceDeleteTrait } from '../../../src/traits/force-delete.trait.js';
import { codeOf, invent, type Invented } from './invented.js';

let site: Invented;
beforeAll(async () => {
  site = await invent(
    { name: 'key', path: 'keys', fields: {}, traits: { 'force-delete': { first: true } } },
    { name: 'lock', path: 'locks', fields: {}, traits: { 'force-delete': {} } },
  );
});
afterAll(() => site.close());

const CODE = 'rest_trash_not_supported';
it.each([
  ['remove', 'key', {}, CODE],
  ['remove', 'key', { force: false }, CODE],
  ['remove', 'lock', { force: true }, undefined],
  ['missing', 'key', {}, CODE],
  ['missing', 'key', { force: true }, undefined],
  ['missing', 'lock', {}, undefined],
] as const)('%s of a %s with %j', async (phase, resource, params, code) => {
  const hooks = site.hooks(forceDeleteTrait, resource);
  const op = site.op(resource, { kind: 'delete', params });
  expect(await codeOf(() => (phase === 'missing' ? hooks.missing!(op) : hooks.remove!({ id: 1 }, op)))).toBe(code);
});

it('the parameter is declared', () => expect(site.model('lock').deleteParams.has('force')).toBe(true));
