// The pages in a real browser, on schemas with awkward corners: texts that look like markup, keys that are no words, items below
// items that are below others, resources without a list.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AS_ADMINISTRATOR, serverProcesses, type ServerProcess } from '../support/server-process.js';
import { describeInBrowser, openSignedIn, type Page, type Window } from './browser.js';

const MARKUP = `<img src=x onerror=alert(1)>"'`;
const permissions = { rules: { read: true, create: { signedIn: true }, edit: { signedIn: true } } };
const SCHEMAS = [
  {
    name: 'part',
    path: 'parts',
    labels: { singular: `Part ${MARKUP}`, plural: `Parts ${MARKUP}` },
    description: MARKUP,
    fields: {
      title: { type: 'string', required: true, description: MARKUP },
      painted: { type: 'boolean', nullable: true },
      shade: { type: 'reference', to: 'shade' },
      holes: { type: 'integer', default: 2 },
      mark: { type: 'string', pattern: '^[A-Z]+$', nullable: true },
    },
    permissions,
  },
  {
    name: 'piece',
    path: 'pieces',
    parent: { resource: 'part', field: 'part' },
    fields: { title: { type: 'string' }, part: { type: 'reference', to: 'part', readOnly: true } },
    permissions,
  },
  {
    name: 'screw',
    path: 'screws',
    parent: { resource: 'piece', field: 'piece' },
    fields: { title: { type: 'string' }, piece: { type: 'reference', to: 'piece', readOnly: true } },
    permissions,
  },
  {
    name: 'shade',
    path: 'shades',
    key: 'code',
    fields: { code: { type: 'string', required: true, unique: true }, title: { type: 'string' } },
    list: { perPage: 2, maxPerPage: 2 },
    permissions,
  },
  {
    name: 'pallet',
    path: 'pallets',
    key: 'code',
    fields: {
      code: { type: 'string', required: true, unique: true },
      color: { type: 'string', maxLength: 20, default: 'red' },
    },
    params: { color: { filter: 'in' } },
    list: { perPage: 2, maxPerPage: 2, orderby: ['code'], defaultOrder: 'asc' },
    traits: { trashable: { hidden: true } },
    permissions,
  },
  { name: 'wish', path: 'wishes', operations: ['create'], fields: { title: { type: 'string' } }, permissions },
];

describeInBrowser('the pages on awkward schemas', () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-awkward-'));
  for (const schema of SCHEMAS) writeFileSync(join(folder, `${schema.name}.json`), JSON.stringify(schema));
  const processes = serverProcesses('sqlite:site.sqlite', { RATE_LIMIT: 'none', SCHEMAS_DIR: folder });
  let server: ServerProcess;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    server = await processes.start();
    await server.ready();
    const add = (path: string, body: object) => server.send('POST', path, { as: AS_ADMINISTRATOR, body, status: 201 });
    for (const code of ['plain', 'a/b ?#%', 'last']) await add('/shades', { code, title: `Shade ${code}` });
    await add('/parts', { title: 'Array<string> & co', shade: 2, mark: 'AB' });
    for (const title of ['One', 'Two']) await add('/parts/1/pieces', { title });
    await add('/pieces/2/screws', { title: 'M4' });
    window = await openSignedIn(server);
    ({ page } = window);
  });
  afterEach(() => expect(window.complaints()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const heading = () => page.locator('h1').first().textContent();
  const crumbs = () => page.locator('.crumbs a').evaluateAll((all: any[]) => all.map((each) => each.pathname));

  test('values that look like markup are shown as text', async () => {
    await window.open('/cms/v2/parts');
    expect(await heading()).toBe(`Parts ${MARKUP}`);
    expect(await page.locator('table.list tbody th').allTextContents()).toEqual(['Array<string> & co']);
    await window.open('/cms/v2/parts/1');
    expect(await heading()).toBe('Array<string> & co');
    expect(await page.locator('.help').first().textContent()).toBe(MARKUP);
    expect(await page.locator('img').count()).toBe(0);
  });

  test('fields without a value do not show a default of the site', async () => {
    await window.open('/cms/v2/parts/1');
    expect(await page.getByLabel('Painted').locator('option').allTextContents()).toEqual([
      '(not set)',
      'True',
      'False',
    ]);
  });

  test('a reference can lead to an item with any code', async () => {
    await window.open('/cms/v2/parts');
    await window.afterLoad(() => page.locator('.references a').first().click());
    expect(await page.getByLabel('Code').inputValue()).toBe('a/b ?#%');
    await window.open('/cms/v2/shades');
    await window.afterLoad(() => page.locator('table.list tbody th a').last().click());
    expect(await page.getByLabel('Code').inputValue()).toBe('a/b ?#%');
  });

  test('a reference is found by name where the list has no search', async () => {
    await window.open('/cms/v2/parts/1');
    await page.getByLabel('Shade', { exact: true }).fill('LAST');
    await page.locator('.found li').getByText('last').waitFor();
    expect(await page.locator('.found li').allTextContents()).toEqual(['last #3']);
  });

  test('a value can be removed where it is optional, and is required elsewhere', async () => {
    await window.open('/cms/v2/parts/1');
    await page.getByLabel('Mark').fill('');
    await page.getByLabel('Holes').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.summary').getByText('This needs a number.').waitFor();
    await page.getByLabel('Holes').fill('3');
    await window.afterLoad(() => page.getByRole('button', { name: 'Save' }).click());
    const { body } = await server.send('GET', '/parts/1');
    expect(body).toMatchObject({ mark: null, holes: 3 });
  });

  test('links around deeply nested items have the correct targets', async () => {
    await window.open('/cms/v2/parts/1/pieces/2');
    await window.afterLoad(() => page.getByRole('link', { name: 'Screws' }).click());
    expect(await page.locator('table.list tbody th').allTextContents()).toEqual(['M4']);
    // The part is not in the URL.
    expect(await crumbs()).toEqual(['/cms/v2']);
    await window.open('/cms/v2/pieces/2/screws/1');
    expect(await crumbs()).toEqual(['/cms/v2', '/cms/v2/pieces/2/screws']);
    await window.open('/cms/v2/parts/1/pieces/2');
    expect(await crumbs()).toEqual(['/cms/v2', '/cms/v2/parts', '/cms/v2/parts/1', '/cms/v2/parts/1/pieces']);
  });

  test('the trash of items with a key is emptied of these items alone, in as many pages as the list needs', async () => {
    // Ids from 1, so that each code but the first is the id of another item.
    for (const code of ['0', '1', '2', '3', 'kept'])
      await server.send('POST', '/pallets', { as: AS_ADMINISTRATOR, body: { code }, status: 201 });
    for (const code of ['0', '2', '3']) await server.send('DELETE', `/pallets/${code}`, { as: AS_ADMINISTRATOR });
    await window.open('/cms/v2/pallets/3');
    await page.getByRole('button', { name: 'Delete for good' }).waitFor();
    await window.afterLoad(() => page.getByRole('link', { name: 'Pallets' }).first().click());
    await window.afterLoad(() => page.getByRole('link', { name: 'Trash' }).click());
    await page.getByRole('button', { name: 'Empty the trash' }).click();
    await window.afterLoad(() => page.getByRole('button', { name: 'Empty', exact: true }).click());
    await page.getByText('Nothing fits.').waitFor();
    const { body } = await server.send('GET', '/pallets?per_page=2');
    expect(body.map(({ code }: { code: string }) => code)).toEqual(['1', 'kept']);
  });

  test('a parameter that is repeated keeps all its values in links and when filters are applied', async () => {
    await window.open('/cms/v2/pallets?color[]=red&color[]=blue');
    const query = () => new URL(page.url()).searchParams;
    await window.afterLoad(() => page.getByRole('link', { name: /^Code/ }).click());
    expect(query().getAll('color[]')).toEqual(['red', 'blue']);
    await window.afterLoad(() => page.getByRole('button', { name: 'Apply' }).click());
    expect(query().get('color')).toBe('red,blue');
  });

  test('an item can be created where there is no list', async () => {
    await window.open('/cms/v2/wishes');
    expect(window.complaints().filter((each) => !each.includes('/cms/v2/wishes'))).toEqual([]);
    expect(await heading()).toBe('Wishes');
    await page.getByLabel('Title').fill('A bicycle');
    const [sent] = await Promise.all([
      page.waitForResponse((response: any) => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Create wish' }).click(),
    ]);
    expect(sent.status()).toBe(201);
    await window.settled();
    window.complaints();
  });
});
