import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { authoredTrait } from '../../../src/traits/authored.trait.js';
import { draftOf, invent, type Invented } from './invented.js';

let site: Invented;
beforeAll(async () => {
  site = await invent(
    { name: 'person', path: 'people', fields: { called: { type: 'string' } } },
    {
      name: 'poem',
      path: 'poems',
      fields: { poet: { type: 'reference', to: 'person', column: 'poet_id' } },
      traits: { authored: { field: 'poet' } },
    },
  );
});
afterAll(() => site.close());

it.each([
  ['a new item belongs to the caller', {}, undefined, false, { poet_id: 7 }],
  ['a new item without an author belongs to the caller', { poet_id: 0 }, undefined, false, { poet_id: 7 }],
  ['a new item may belong to another', { poet_id: 3 }, undefined, false, { poet_id: 3 }],
  ['an imported item may have no author', {}, undefined, true, {}],
  ['a change leaves the owner', {}, { poet_id: 3 }, false, {}],
  ['a change cannot take the owner away', { poet_id: 0 }, { poet_id: 3 }, false, {}],
  ['a change may give it to another', { poet_id: 4 }, { poet_id: 3 }, false, { poet_id: 4 }],
])('%s', (_name, row, current, imported, wanted) => {
  const draft = draftOf(row);
  const op = site.op('poem', { kind: current ? 'update' : 'create', ...(imported ? { trusted: {} } : {}) });
  void site.hooks(authoredTrait, 'poem').input!(draft, op, current);
  expect(draft.row).toEqual(wanted);
});
