// The last account that can assign roles stays, however its deletion or its demotion comes about.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditData, fixData } from '../../../src/maintenance/check-data.js';
import { equals } from '../../../src/model/query.js';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const permissions = { rules: { read: true, edit: true, create: true, delete: true } };
const SCHEMAS = [
  { name: 'team', path: 'teams', fields: { title: { type: 'string' } }, permissions },
  {
    name: 'person',
    path: 'people',
    labels: { singular: 'Person', plural: 'People' },
    fields: {
      username: { type: 'string', required: true, columnLength: 60 },
      email: { type: 'string', format: 'email', required: true, columnLength: 100 },
      password: { type: 'password', required: true },
      roles: { type: 'strings', nullable: true },
      team: { type: 'reference', to: 'team', onDelete: 'cascade' },
      boss: { type: 'reference', to: 'person', onDelete: 'cascade' },
    },
    traits: { account: {} },
    permissions,
  },
];

let site: TestSite;
let as: Headers;
let first: number;
let second: number;
beforeAll(async () => {
  site = await startTestSchemas(SCHEMAS);
  ({ headers: as, id: first } = administrator(site));
  ({ id: second } = await makeActor(site, 'administrator'));
});
afterAll(() => site.close());
const change = (id: number, body: object) => site.send('POST', `/people/${id}`, { as, body });
const refused = { status: 409, body: { code: 'rest_item_in_use', data: { referenced_by: ['People'] } } };

it('a cascade deletes an administrator, but not the last ones', async () => {
  const team = (await site.send('POST', '/teams', { as, body: { title: 'Both' }, status: 201 })).body.id;
  for (const id of [first, second]) expect((await change(id, { team })).status).toBe(200);
  expect(await site.send('DELETE', `/teams/${team}`, { as })).toMatchObject(refused);
  await change(first, { team: 0, boss: second });
  expect(await site.send('DELETE', `/people/${second}`, { as })).toMatchObject(refused);
  await change(first, { boss: 0 });
  expect((await site.send('DELETE', `/teams/${team}`, { as })).status).toBe(200);
  expect((await site.send('GET', '/people', { as })).body.map(({ id }: { id: number }) => id)).toEqual([first]);
});

it.each([[null], [[]], ['']])('is not demoted by the roles %j', async (roles) => {
  expect((await change(first, { roles })).status).toBe(403);
  expect((await site.send('GET', `/people/${first}`, { as })).body.roles).toEqual(['administrator']);
});

it('check --data --fix keeps an administrator with a dangling team, and repairs the rest', async () => {
  const { models, store, site: served, writer } = site.site;
  const other = await makeActor(site, 'editor');
  const lose = (id: number) => writer.batch(({ tx }) => tx.update('people', { team: 999 }, equals('id', id)));
  for (const id of [first, other.id]) await lose(id);
  const findings = await auditData(models, store, served);
  expect(await fixData(findings, store)).toBe(findings.length - 1);
  expect((await site.send('GET', `/people/${first}`, { as })).status).toBe(200);
  expect((await site.send('GET', `/people/${other.id}`, { as })).status).toBe(404);
});

it('check --data --fix restores the keys of accounts, unless another account has them', async () => {
  const { models, store, site: served } = site.site;
  const [one, other] = [await makeActor(site, 'editor', 'one'), await makeActor(site, 'editor', 'other')];
  const write = (id: number, set: Record<string, string | null>) =>
    store.transaction((tx) => tx.update('people', set, equals('id', id)));
  const findings = async () => (await auditData(models, store, served)).filter(({ message }) => /_key/.test(message));
  const found = async () => (await findings()).map(({ message }) => message);
  expect(await found()).toEqual([]);
  // As an earlier release stored the keys of accounts whose address was emptied.
  await write(one.id, { email: '', email_key: 'null' });
  expect(await found()).toEqual([expect.stringMatching(new RegExp(`^person ${one.id}: email_key do not match`))]);
  expect(await fixData(await findings(), store)).toBe(1);
  expect(await found()).toEqual([]);
  const [same] = await store.reader.select({
    table: 'people',
    columns: ['email'],
    where: equals('id', other.id),
    order: [],
  });
  await write(one.id, { email: same!['email'] });
  expect(await fixData(await findings(), store)).toBe(0);
  expect(await found()).toHaveLength(1);
});
