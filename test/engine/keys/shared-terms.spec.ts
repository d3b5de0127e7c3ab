// Two resources, and two fields of one, whose items are classified by the same terms: a term counts them all.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData, fixData } from '../../../src/maintenance/check-data.js';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const topics = { type: 'references', to: 'topic', filterable: 'in' };
const classified = (name: string, fields: Record<string, object>) => ({
  name,
  path: `${name}s`,
  fields: {
    title: { type: 'string' },
    status: { type: 'string', enum: ['publish', 'draft'], default: 'draft', filterable: 'in' },
    ...fields,
  },
  traits: { classified: { fields: Object.keys(fields) } },
});

const SCHEMAS = [
  {
    name: 'topic',
    path: 'topics',
    fields: { name: { type: 'string', required: true } },
    traits: { term: {}, sluggable: { from: 'name' } },
  },
  classified('note', { topics }),
  classified('film', { topics, others: topics }),
];

let site: TestSite;
let as: Headers;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  as = administrator(site).headers;
});
afterAll(() => site.close());

const add = async (path: string, body: object): Promise<number> =>
  (await site.send('POST', path, { as, body, status: 201 })).body.id;
const audit = () => auditData(site.site.models, site.site.store);

it('check --data, and the totals of lists, follow', async () => {
  const topic = await add('/topics', { name: 'Fruit' });
  await add('/notes', { status: 'publish', topics: [topic] });
  await add('/films', { status: 'publish', topics: [topic], others: [topic] });
  await add('/films', { status: 'publish', topics: [topic] });
  await add('/films', { status: 'draft', topics: [topic] });
  const count = async () => (await site.send('GET', `/topics/${topic}`, { as, status: 200 })).body.count;
  expect(await count()).toBe(4);
  expect(await audit()).toEqual([]);
  const total = async (path: string) =>
    (await site.send('GET', `${path}?topics=${topic}&status=publish`, { as, status: 200 })).headers['x-wp-total'];
  expect([await total('/notes'), await total('/films')]).toEqual(['1', '2']);
  await site.site.store.transaction((tx) => tx.update('topics', { count: 9 }, { op: 'true' }));
  const found = await audit();
  expect(found.map(({ message }) => message)).toEqual([`topic ${topic}: count is 9 and should be 4`]);
  expect(await fixData(found, site.site.store)).toBe(1);
  expect(await count()).toBe(4);
});
