// What the hospital stores: tables as TypeORM's entities say, and a dump that loads into the same rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { entityDifferences } from '../../support/entity-differences.js';
import { openTarget } from './target.js';
import { openHospital, type Hospital } from './stage.js';

let stage: Hospital;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-hospital-'));
  stage = await openHospital();
});
afterAll(async () => {
  await stage.site.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = (path: string, body: object) =>
  stage.site.send('POST', path, { as: stage.actors.head.headers, body, status: 201 });

describe('the database', () => {
  it('has the tables of its entities', async () => {
    expect(await entityDifferences(stage.site.site.app.get(DataSource))).toEqual([]);
  });

  it('has the same rows after a dump and a load', async () => {
    await send('/drugs', {
      name: 'one',
      price: '-12.3456',
      facts: { a: null },
      due: '08:00',
      leaflet: 'tel:+1',
    });
    await send('/drugs', { name: 'two', price: '99999999999998.9999', facts: 'text', mail: 'a@example.org' });
    await openTarget(stage.site, join(folder, 'dump'), (rows, loaded) => {
      expect(loaded['drugs']).toHaveLength(2);
      expect(loaded).toEqual(rows);
    });
  });
});
