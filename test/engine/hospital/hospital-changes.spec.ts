// A filled hospital whose schemas become stricter: existing data stays, and contradictions are reported.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { runSql, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { SCHEMAS } from './stage.js';

let folder: string;
let database: FreshDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-changes-'));
  cpSync(SCHEMAS, folder, { recursive: true });
  database = await freshDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const start = (environment = {}): Promise<TestSite> =>
  startTestSite(folder, { DATABASE_URL: database.url, ROLES_FILE: join(SCHEMAS, '../roles.json'), ...environment });
const change = (name: string, edit: (schema: any) => void): void => {
  const path = join(folder, `${name}.json`);
  const schema = JSON.parse(readFileSync(path, 'utf8'));
  edit(schema);
  writeFileSync(path, JSON.stringify(schema));
};

describe('a filled database', () => {
  const ids: number[] = [];
  // The account is made at the first startup alone.
  let headers: Headers;

  it('is filled', async () => {
    change('bed', (schema) => delete schema.unique);
    change('ward', (schema) => delete schema.fields.name.unique);
    const site = await start();
    ({ headers } = administrator(site));
    const send = (path: string, body: object) => site.send('POST', path, { as: headers, body, status: 201 });
    for (const name of ['East', 'EAST', 'West']) ids.push((await send('/wards', { name })).body.id);
    await send('/beds', { ward: ids[0], number: 1 });
    await send('/beds', { ward: ids[1], number: 1 });
    await site.close();
  });

  it('refuses unique constraints that values violate, and names the values', async () => {
    change('ward', (schema) => (schema.fields.name.unique = { ignore: ['case'] }));
    await expect(start()).rejects.toThrow(
      new RegExp(`wards.*: create index: 1 value of name occurs in more than one row: ids ${ids[0]}, ${ids[1]} `),
    );
  });

  it('is unchanged after the refusal', async () => {
    const [ward] = await runSql(database.url, 'SELECT * FROM wards LIMIT 1');
    expect(Object.keys(ward!).filter((name) => name.endsWith('_unique'))).toEqual([]);
  });

  it('accepts the constraints once the values are unique', async () => {
    change('ward', (schema) => delete schema.fields.name.unique);
    const before = await start();
    await before.send('PATCH', `/wards/${ids[1]}`, { as: headers, body: { name: 'North' }, status: 200 });
    await before.close();
    change('ward', (schema) => (schema.fields.name.unique = { ignore: ['case'] }));
    change('bed', (schema) => (schema.unique = [['ward', 'number']]));
    const site = await start();
    const send = (path: string, body: object, status: number) => site.send('POST', path, { as: headers, body, status });
    await send('/wards', { name: 'north' }, 400);
    await send('/beds', { ward: ids[0], number: 1 }, 400);
    await send('/beds', { ward: ids[0], number: 2 }, 201);
    await site.close();
  });

  it('needs no further change', async () => {
    const site = await start({ DATABASE_MIGRATE: 'check' });
    await site.close();
  });
});
