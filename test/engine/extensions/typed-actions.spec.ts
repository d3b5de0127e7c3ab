// Actions of extensions through the typed client that the command `types` makes.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { administrator } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { runCommand } from '../../support/run-command.js';
import { BROWSER, compilerErrors, evaluate } from '../../support/typed-client.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folders = { SCHEMAS_DIR: here('schemas'), EXTENSIONS_DIR: here('extensions') };

const USE = `
import { createClient } from './cms.js';

const cms = createClient({ url: 'http://api.test' });
const turned = await cms.dome.perform('turn', undefined, { open: true }, { idempotencyKey: 'once' });
export const open: boolean = turned.open;
export const seen = await cms.star.perform('see', 1, { place: 'Hill' });
export const brightest: number = (await cms.star.perform('brightest')).of ?? 0;
// @ts-expect-error: no such action
cms.dome.perform('paint');
`;

let site: TestSite;
let text: string;

beforeAll(async () => {
  site = await startTestSite(folders.SCHEMAS_DIR, { EXTENSIONS_DIR: folders.EXTENSIONS_DIR, PAGES: 'off' });
  ({ output: text } = await runCommand(['types'], { ...folders, TOKEN_SECRET: 'a secret that only tests know' }));
});
afterAll(() => site?.close());

test('actions have types', () => {
  expect(compilerErrors({ 'cms.ts': text, 'use.ts': USE }, BROWSER)).toEqual([]);
});

test('actions on an item, a collection and a singleton can be called', async () => {
  const { cms: client } = await evaluate({ cms: text });
  const { port } = site.server.address() as AddressInfo;
  const { Authorization } = administrator(site).headers;
  const [username, password] = Buffer.from(Authorization!.slice('Basic '.length), 'base64').toString().split(':');
  const cms = client.createClient({ url: `http://127.0.0.1:${port}`, credentials: { username, password } });
  const { id } = await cms.star.create({ name: 'Vega' });
  expect(await cms.star.perform('see', id, { place: 'Hill' })).toMatchObject({ id, sightings: 1 });
  for (let times = 0; times < 2; times += 1) {
    const turned = await cms.dome.perform('turn', undefined, { open: true }, { idempotencyKey: 'once' });
    expect(turned).toMatchObject({ open: true, times: 1 });
  }
  await expect(cms.dome.perform('turn', undefined, {})).rejects.toMatchObject({ code: 'rest_missing_callback_param' });
});
