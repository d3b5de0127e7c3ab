// Requests made from the OpenAPI document of the invented hospital, and its items against the schemas of OPTIONS.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DocumentRequests } from '../../support/document-requests.js';
import { wrongByOptions } from '../../support/options-schemas.js';
import { runs } from '../../support/runs.js';
import { openHospital, type Hospital } from './stage.js';

let hospital: Hospital;
let requests: DocumentRequests;

beforeAll(async () => {
  hospital = await openHospital();
  const { site, actors } = hospital;
  await fill(hospital);
  const callers = {
    admin: actors.head.headers,
    nurse: actors.nurse.headers,
    visitor: actors.visitor.headers,
    nobody: {},
    own: actors.head.headers,
  };
  requests = await DocumentRequests.of(site, callers, []);
});
afterAll(() => hospital?.site.close());

async function fill({ site, actors }: Hospital): Promise<void> {
  const as = actors.head.headers;
  const make = async (path: string, body: object) =>
    (await site.send('POST', path, { as, body, status: 201 })).body.id as number;
  const ward = await make('/wards', { name: 'North' });
  await make('/beds', { ward, number: 1 });
  await make('/drugs', { name: 'Aspirin', price: '12.5000', mail: 'ann@example.org', leaflet: 'https://example.org/' });
  await make('/drugs', { name: 'Balm', facts: { of: ['what', { it: null }] }, due: '10:15:00', weight: '12' });
  await make('/notices', { text: 'Open.', until: '2090-01-01' });
  const patient = await make('/patients', { name: 'Ann', ward, born: '1980-02-29', secret: 'afraid' });
  await make(`/patients/${patient}/visits`, { start: '2024-03-02T10:15:00', price: '10.00', paid: '2.50' });
}

test('every item in every context matches the schema of OPTIONS', async () => {
  const { site, actors } = hospital;
  for (const as of [actors.head.headers, actors.visitor.headers]) {
    const { items, wrong } = await wrongByOptions(site, requests.document.operations, requests.paths, as);
    expect(wrong).toEqual([]);
    expect(items).toBeGreaterThan(as === actors.head.headers ? 40 : 10);
  }
});

test('generated requests get the responses that the document describes', async () => {
  expect(await requests.problems(runs(3000))).toEqual([]);
}, 120_000);
