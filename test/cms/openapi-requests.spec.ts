// Requests made from the OpenAPI document of the shipped schemas: every response is one that the document describes. Items against
// the schemas of OPTIONS.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeActor } from '../support/actors.js';
import { DocumentRequests } from '../support/document-requests.js';
import { wrongByOptions } from '../support/options-schemas.js';
import { runs } from '../support/runs.js';
import { openFilledCms, type Cms } from './stage.js';

let cms: Cms;
let requests: DocumentRequests;

beforeAll(async () => {
  cms = await openFilledCms();
  const { admin, writer } = cms.actors;
  const own = await makeActor(cms.site, 'administrator', 'own');
  const editor = await makeActor(cms.site, 'editor', 'editor');
  const reader = await makeActor(cms.site, 'subscriber', 'reader');
  const known = { admin, writer, editor, reader };
  const headers = Object.fromEntries(Object.entries(known).map(([name, actor]) => [name, actor.headers]));
  const callers = { ...headers, admin: admin.headers, nobody: {}, own: own.headers };
  const readOnlyPaths = Object.values(known).map(({ id }) => `/cms/v2/users/${id}`);
  requests = await DocumentRequests.of(cms.site, callers, readOnlyPaths);
});
afterAll(() => cms?.site.close());

test('every item in every context matches the schema of OPTIONS', async () => {
  const { admin, writer } = cms.actors;
  for (const as of [admin.headers, writer.headers, {}]) {
    const { items, wrong } = await wrongByOptions(cms.site, requests.document.operations, requests.paths, as);
    expect(wrong).toEqual([]);
    expect(items).toBeGreaterThan(as === admin.headers ? 150 : 40);
  }
});

test('generated requests get the responses that the document describes', async () => {
  expect(await requests.problems(runs(3000))).toEqual([]);
}, 120_000);
