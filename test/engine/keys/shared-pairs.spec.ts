// Two resources of one table with lists of references of the same name, which share the table of their pairs.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData, fixData } from '../../../src/maintenance/check-data.js';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const animal = (name: string) => ({
  name,
  path: `${name}s`,
  storage: { table: 'animals', where: { kind: name } },
  fields: { name: { type: 'string' }, friends: { type: 'references', to: name }, labels: { type: 'strings' } },
});

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas([animal('cat'), animal('dog')]);
  as = administrator(site).headers;
});
afterAll(() => site.close());

const add = async (path: string, body: object): Promise<number> =>
  (await site.send('POST', path, { as, body, status: 201 })).body.id;
const audit = () => auditData(site.site.models, site.site.store);

it('check --data --fix keeps the pairs of each, and removes those that lead nowhere', async () => {
  const tom = await add('/cats', { name: 'Tom', labels: ['grey'] });
  const kit = await add('/cats', { name: 'Kit', friends: [tom], labels: ['white'] });
  const rex = await add('/dogs', { name: 'Rex', labels: ['black'] });
  const fido = await add('/dogs', { name: 'Fido', friends: [rex] });
  expect(await audit()).toEqual([]);
  await site.site.store.transaction(async (tx) => {
    await tx.insert('animals_friends', { owner_id: fido, target_id: tom });
    await tx.insert('animals_friends', { owner_id: 4711, target_id: rex });
    await tx.insert('animals_labels', { owner_id: 4712, value: 'lost', position: 0 });
    // An item of a resource that the schemas do not have now.
    await tx.insert('animals', { id: 900, kind: 'bird', name: 'Polly', row_version: 1 });
    await tx.insert('animals_friends', { owner_id: 900, target_id: 900 });
  });
  const found = await audit();
  expect(found.map(({ message }) => message).sort()).toEqual([
    `cat 4711: friends pairs it with ${rex}, one of which does not exist`,
    'cat 4712: labels pairs it with lost, one of which does not exist',
    `dog ${fido}: friends pairs it with ${tom}, one of which does not exist`,
  ]);
  expect(await fixData(found, site.site.store)).toBe(3);
  expect(await audit()).toEqual([]);
  const friends = async (path: string) => (await site.send('GET', path, { as, status: 200 })).body.friends;
  expect(await friends(`/cats/${kit}`)).toEqual([tom]);
  expect(await friends(`/dogs/${fido}`)).toEqual([rex]);
});
