// Items below a parent that is hidden: every response is that of a parent that does not exist.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const missing = 'rest_crate_invalid_id';
const hidden = { needs: { rule: 'read' }, error: missing };
const reader = { type: 'reference', to: 'account', nullable: true };
const SCHEMAS = [
  {
    name: 'crate',
    path: 'crates',
    fields: { owner: { type: 'reference', to: 'account', default: '$me' } },
    permissions: {
      rules: { read: { is: { owner: '$me' } }, create: true, edit: { is: { owner: '$me' } } },
      retrieve: [hidden],
      update: [hidden],
      delete: [hidden],
    },
  },
  ...[
    // One whose rule asks for more of the parent, or for something else, and one that leaves it to the engine.
    ['bottle', { through: 'crate', rule: 'read' }],
    ['label', true],
    // One that a caller may read who may not read the parent.
    ['note', { any: [{ through: 'crate', rule: 'read' }, { is: { reader: '$me' } }] }],
  ].map(([name, read]) => ({
    name: String(name),
    path: `${name}s`,
    parent: { resource: 'crate', param: 'crate_id', field: 'crate' },
    fields: { crate: { type: 'reference', to: 'crate', readOnly: true }, text: { type: 'string' }, reader },
    permissions: { rules: { read, create: { signedIn: true }, edit: { through: 'crate', rule: 'edit' } } },
  })),
];

let site: TestSite;
let stranger: Headers;
let crate = 0;
let bottle = 0;
let label = 0;
let note = 0;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  const as = administrator(site).headers;
  const subscriber = await makeActor(site, 'subscriber');
  stranger = subscriber.headers;
  const add = async (path: string, body = {}) => (await site.send('POST', path, { as, body, status: 201 })).body.id;
  crate = await add('/crates');
  bottle = await add(`/crates/${crate}/bottles`);
  label = await add(`/crates/${crate}/labels`);
  note = await add(`/crates/${crate}/notes`, { reader: subscriber.id });
});
afterAll(() => site.close());

const ABSENT = 99_999;
const unnumbered = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\d+/g, '0'));

it.each([
  ['GET', '/:id'],
  ['PATCH', '/:id'],
  ['DELETE', '/:id'],
  ['OPTIONS', '/:id'],
  ['GET', '/:id?context=edit'],
  ['GET', `/${ABSENT}`],
  ['GET', ''],
  ['POST', ''],
] as const)('%s %s below a hidden parent is refused as below a missing one', async (method, end) => {
  const writes = method === 'PATCH' || method === 'POST';
  const items = Object.entries({ bottles: bottle, labels: label, notes: note });
  for (const below of items.map(([name, id]) => name + end.replace(':id', `${id}`)))
    for (const as of [undefined, stranger]) {
      const sent = { ...(as && { as }), ...(writes && { body: { text: 'x' } }) };
      const there = await site.send(method, `/crates/${crate}/${below}`, sent);
      const nowhere = await site.send(method, `/crates/${ABSENT}/${below}`, sent);
      expect([there.status, unnumbered(there.body)]).toEqual([nowhere.status, unnumbered(nowhere.body)]);
      expect(there.headers['allow']).toBe(nowhere.headers['allow']);
      if (method !== 'OPTIONS') expect(there.body.code).toBe(missing);
    }
});
