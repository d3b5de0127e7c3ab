// Whatever `check` accepts is served without an error of the server: schemas changed at random, and every route
// requested.
import { expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ResourceModel } from '../../../src/model/model.js';
import { loadSchemas } from '../../../src/schema/load/load.js';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../../support/start-test-site.js';
import type { Method } from '../../support/send.js';
import { runs } from '../../support/runs.js';
import { numbers } from './seeded-numbers.js';
import { wander } from './wanderings.js';
import type { ValueSchema } from '../../../src/model/schema/value-schema.js';

/** Changes of one wandering. */
const CHANGES = 40;

const FORMATS: Record<string, string> = {
  'date-time': '2024-02-29T10:00:00',
  date: '2024-02-29',
  email: 'a@example.org',
};

function sample({ type, enum: allowed, format, minimum, items }: ValueSchema): unknown {
  if (allowed) return allowed[0];
  const [first] = [type ?? 'string'].flat().filter((each) => each !== 'null');
  if (first === 'integer' || first === 'number') return minimum ?? 1;
  if (first === 'boolean') return true;
  if (first === 'array') return items ? [sample(items)] : [];
  return first === 'object' ? {} : (FORMATS[format ?? ''] ?? 'a text');
}

function asQuery(value: unknown): string {
  return encodeURIComponent(Array.isArray(value) ? value.join(',') : typeof value === 'object' ? '' : String(value));
}

/** Requests to every route of a resource, with the statuses of the responses. */
async function ask(site: TestSite, model: ResourceModel, headers: Record<string, string>): Promise<string[]> {
  const told: string[] = [];
  const path = `${model.route.replace(/:[a-z_]+/, '1')}`;
  const send = async (method: Method, target: string, body?: object) => {
    const { status } = await site.send(method, target, { as: headers, body });
    told.push(`${method} ${target} ${JSON.stringify(body)}: ${status}`);
  };
  const body = Object.fromEntries([...model.fields.values()].map(({ name, arg }) => [name, sample(arg)]));
  for (const method of ['OPTIONS', 'GET'] as const) await send(method, path);
  await send('POST', path, body);
  await send('POST', path, {});
  for (const { name, arg } of model.listParams.values()) await send('GET', `${path}?${name}=${asQuery(sample(arg))}`);
  for (const order of model.list.orderings.keys()) await send('GET', `${path}?orderby=${order}&include=1`);
  const key = model.static ? String(model.static.rows[0]?.['slug']) : '1';
  for (const context of ['view', 'edit', 'embed']) await send('GET', `${path}/${key}?context=${context}`);
  await send('OPTIONS', `${path}/${key}`);
  await send('PATCH', `${path}/${key}`, body);
  await send('DELETE', `${path}/${key}`);
  await send('DELETE', `${path}/${key}?force=true`);
  return told;
}

it.each(Array.from({ length: runs(10, 1) }, (_, seed) => [seed + 1]))('wandering %i', async (seed) => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-wandering-'));
  for (const { file, schema } of wander(loadSchemas('examples/library').files, CHANGES, numbers(seed)))
    writeFileSync(join(folder, basename(file)), JSON.stringify(schema, null, 2));
  const site = await startTestSite(folder, {
    ROLES_FILE: 'examples/library-roles.json',
    ADMIN_USERNAME: ADMINISTRATOR.username,
  });
  try {
    const login = Buffer.from(`${ADMINISTRATOR.username}:${ADMINISTRATOR.password}`).toString('base64');
    const responses: string[] = [];
    for (const headers of [{ Authorization: `Basic ${login}` }, {}] as Record<string, string>[])
      for (const model of site.site.models.byName.values()) responses.push(...(await ask(site, model, headers)));
    expect(responses.length).toBeGreaterThan(100);
    expect(responses.filter((each) => / 5\d\d$/.test(each))).toEqual([]);
  } finally {
    await site.close();
    if (!process.env['KEEP']) rmSync(folder, { recursive: true, force: true });
  }
});
