// Filters behind references: how the databases find the rows that the references lead to.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { planList, whereOf } from '../../../src/engine/list-plan.js';
import { ANONYMOUS } from '../../../src/model/actor.js';
import { newOperation } from '../../../src/model/new-operation.js';
import type { Row } from '../../../src/model/query.js';
import { explainQuery } from '../../../src/storage/explain-query.js';
import { runSql, type Engine, engineOf } from '../../support/fresh-database.js';
import { openHospital, type Hospital } from './stage.js';

const WARDS = 2_000;
const PATIENTS = 6_000;
const VISITS = 6_000;
const TABLES = ['wards', 'patients', 'visits'];

let stage: Hospital;

beforeAll(async () => {
  stage = await openHospital();
  const rows = (count: number, row: (id: number) => Row) => Array.from({ length: count }, (_, at) => row(at + 1));
  const patients = rows(PATIENTS, (id) => ({ name: `Patient ${id}`, ward: (id % WARDS) + 1, born: '2000-01-01' }));
  await stage.site.site.store.transaction(async (tx) => {
    await tx.insertMany(
      'wards',
      rows(WARDS, (id) => ({ name: `Ward ${id}` })),
    );
    await tx.insertMany('patients', patients);
    await tx.insertMany(
      'visits',
      rows(VISITS, (id) => ({ patient: id, start: '2026-01-01T10:00:00' })),
    );
  });
  const analyze = { sqlite: 'ANALYZE', mysql: `ANALYZE TABLE ${TABLES.join(', ')}`, postgres: 'ANALYZE' };
  await runSql(stage.site.config.database.url, analyze[engine()]);
});
afterAll(() => stage.site.close());

/** The database that the suite runs on. */
const engine = (): Engine => engineOf(stage.site.config.database.url);

/** The steps of a list of everything that a parameter leaves, for the head of the hospital. */
async function planOf(resource: string, params: object, parentId?: number): Promise<string[]> {
  const { site } = stage.site;
  const model = site.models.byName.get(resource)!;
  const actor = { ...ANONYMOUS, id: 1, capabilities: new Set(['see_all', 'treat']) };
  const request = {
    model,
    kind: 'list',
    params: { per_page: 10, ...params },
    actor,
    ...(parentId && { parentId }),
  } as const;
  const list = await planList(newOperation({ ...request, site: site.site, store: site.store.reader }));
  const query = { table: model.table!.name, columns: ['id'], where: whereOf(list), order: list.order, limit: 10 };
  return explainQuery(site.store, query);
}

// Servers begin with the few wards of that name; SQLite goes through the list and finds the ward of each row by its key.
const FROM_FIELD: Record<Engine, RegExp[]> = {
  sqlite: [/^SEARCH a1 USING INTEGER PRIMARY KEY/],
  mysql: [/^SEARCH a1 USING INDEX ix_wards_name_id/, /^SEARCH a0 USING INDEX ix_patients_ward_id/],
  postgres: [/^SEARCH a1 USING INDEX ix_wards_name_id/, /^SEARCH a0 USING INDEX ix_patients_ward_id/],
};

test('a filter behind a reference never scans the target table', async () => {
  const lines = (await planOf('patient', { ward_name: ['Ward 7'] })).map((line) => line.trim());
  for (const step of FROM_FIELD[engine()]) expect(lines).toContainEqual(expect.stringMatching(step));
  expect(lines.filter((line) => /SCAN a[1-9]/.test(line))).toEqual([]);
});

test('a filter behind a reference never scans a table on its path', async () => {
  const lines = (await planOf('visit', { ward: ['Ward 8'] }, 7)).map((line) => line.trim());
  expect(lines).toContainEqual(expect.stringMatching(/^SEARCH a0 USING INDEX ix_visits_patient_id/));
  expect(lines.filter((line) => /SCAN a\d/.test(line))).toEqual([]);
});
