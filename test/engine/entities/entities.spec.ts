// TypeORM's entities are the tables: its own schema comparison finds nothing to do, and its repositories read what the API wrote.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { administrator } from '../../support/actors.js';
import { entityDifferences } from '../../support/entity-differences.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { freshDatabase, type FreshDatabase, testEngine } from '../../support/fresh-database.js';

const dataSourceOf = ({ site }: TestSite): DataSource => site.app.get(DataSource);

const differences = (site: TestSite): Promise<string[]> => entityDifferences(dataSourceOf(site));

describe('the entities of a fresh site', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite('schemas');
  });
  afterAll(() => site.close());

  it('match its tables', async () => {
    expect(await differences(site)).toEqual([]);
  });

  it('are complete', () => {
    const named = dataSourceOf(site)
      .entityMetadatas.map(({ tableName }) => tableName)
      .sort();
    expect(named).toEqual(expect.arrayContaining([...site.site.models.tables.keys()].sort()));
  });

  it('read what the API wrote, with their relations', async () => {
    const { headers } = administrator(site);
    const send = (path: string, body: object) => site.send('POST', path, { as: headers, body });
    const { body: category } = await send('/categories', { name: 'Plants' });
    const { body: post } = await send('/posts', { title: 'Moss', status: 'publish', categories: [category.id] });
    const source = dataSourceOf(site);
    const row = await source.getRepository('contents').findOne({
      where: { id: post.id },
      relations: { author_item: true },
    });
    expect(row).toMatchObject({ title: 'Moss', status: 'publish' });
    expect(row!['author_item']).toMatchObject({ username: 'admin' });
    const pairs = source.entityMetadatas.filter(({ relations }) =>
      ['owner', 'target'].every((name) => relations.some(({ propertyName }) => propertyName === name)),
    );
    const found = await Promise.all(
      pairs.map(({ name }) => source.getRepository(name).find({ relations: { owner: true, target: true } })),
    );
    expect(found.flat()).toContainEqual(
      expect.objectContaining({
        owner: expect.objectContaining({ title: 'Moss' }),
        target: expect.objectContaining({ name: 'Plants' }),
      }),
    );
  });
});

describe('the entities of a site whose schemas changed', () => {
  let folder: string;
  let database: FreshDatabase;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'typecase-entities-'));
    database = await freshDatabase();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  });

  const start = (fields: object): Promise<TestSite> => {
    const plant = { name: 'plant', path: 'plants', fields, search: { fields: ['name'] } };
    writeFileSync(join(folder, 'plant.json'), JSON.stringify(plant));
    return startTestSite(folder, { DATABASE_URL: database.url });
  };

  it('match the changed tables', async () => {
    const name = { type: 'string', maxLength: 40, required: true };
    const before = await start({ name, height: { type: 'integer' }, tall: { type: 'boolean', default: false } });
    expect(await differences(before)).toEqual([]);
    await before.close();
    const after = await start({
      // SQLite keeps the declared length: it has no meaning there, and a change would rewrite the table.
      name: { ...name, index: true, ...(testEngine() === 'sqlite' ? {} : { maxLength: 900 }) },
      height: { type: 'number' },
      tall: { type: 'boolean', default: false },
      notes: { type: 'text', nullable: true },
      parent: { type: 'reference', to: 'plant' },
      seeds: { type: 'array', items: { type: 'string' } },
    });
    try {
      expect(await differences(after)).toEqual([]);
    } finally {
      await after.close();
    }
  });
});
