// Parameters that filter by days, moments and times take what the fields take, in every spelling, and refuse the rest.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { OpenApiDocument, type Schema } from '../../support/openapi-document.js';

const ENDINGS = { equals: 'is', in: 'among', notIn: 'without' };
const named = (name: string) =>
  Object.fromEntries(Object.entries(ENDINGS).map(([filter, ending]) => [filter, { param: `${name}_${ending}` }]));
const SHOW = {
  name: 'show',
  path: 'shows',
  fields: {
    day: { type: 'date', filterable: named('day') },
    at: { type: 'datetime', filterable: named('at') },
    local: { type: 'datetime', clock: 'site', filterable: named('local') },
    doors: { type: 'time', filterable: named('doors') },
  },
  permissions: { rules: { read: true } },
};

let site: TestSite;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-dates-'));
  writeFileSync(join(folder, 'show.json'), JSON.stringify(SHOW));
  site = await startTestSite(folder, { SITE_TIMEZONE: 'Europe/Tallinn' });
  await site.site.writer.batch(async ({ create }) => {
    const at = '2024-03-02T10:15:00+02:00';
    await create('show', { day: '2024-02-29', at, local: at, doors: '09:30' });
    await create('show', {
      day: '2025-01-01',
      at: '2025-01-01T00:00:00Z',
      local: '2025-01-01T00:00:00',
      doors: '20:00',
    });
  });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ids = async (name: string, value: string) => {
  const { status, body } = await site.send('GET', '/shows', { query: { [name]: value, orderby: 'id', order: 'asc' } });
  return status === 200 ? body.map(({ id }: { id: number }) => id) : status;
};

it.each([
  ['day', ['2024-02-29']],
  ['at', ['2024-03-02T10:15:00+02:00', '2024-03-02T08:15:00Z', '2024-03-02T08:15:00', '2024-03-02T08:15:00+00:00']],
  ['local', ['2024-03-02T10:15:00+02:00', '2024-03-02T08:15:00Z', '2024-03-02T10:15:00']],
  ['doors', ['09:30', '09:30:00']],
])('%s is found by every spelling of its value', async (name, spellings) => {
  for (const value of spellings) {
    expect([value, await ids(`${name}_is`, value)]).toEqual([value, [1]]);
    expect([value, await ids(`${name}_among`, value)]).toEqual([value, [1]]);
    expect([value, await ids(`${name}_without`, value)]).toEqual([value, [2]]);
  }
});

it.each([
  ['day', ['x', '2024-13-01', '2024-02-30', '2024-03-02T10:15:00']],
  ['at', ['x', '2024-03-02', '2024-13-02T10:15:00']],
  ['local', ['x', '2024-03-02', '2024-03-02T25:00:00']],
  ['doors', ['x', '24:00', '9:30']],
])('%s: other values are refused', async (name, values) => {
  for (const value of values)
    for (const ending of Object.values(ENDINGS))
      expect([ending, value, await ids(`${name}_${ending}`, value)]).toEqual([ending, value, 400]);
});

it('date parameters are described in the document', async () => {
  const { document } = await OpenApiDocument.of(site);
  const parameters: Schema[] = document['paths']['/cms/v2/shows'].get.parameters;
  const schemaOf = (name: string) => parameters.find((each) => each['name'] === name)!['schema'];
  expect(schemaOf('day_is')).toEqual({ type: 'string', format: 'date' });
  expect(schemaOf('day_among').items).toEqual({ type: 'string', format: 'date' });
  for (const name of ['at_is', 'local_is', 'doors_is']) expect(schemaOf(name)).toHaveProperty('pattern');
});
