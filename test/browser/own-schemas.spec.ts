// The pages in a real browser, on resources that the program does not come with: lists, forms and looks of all of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ADMINISTRATOR } from '../support/start-test-site.js';
import { ROOT } from '../support/built-program.js';
import { AS_ADMINISTRATOR, serverProcesses, type ServerProcess } from '../support/server-process.js';
import { describeInBrowser, openSignedIn, openWindow, type Page, type Window } from './browser.js';

const TITLES = Array.from({ length: 12 }, (_, at) => `Volume ${String(at + 1).padStart(2, '0')}`);

describeInBrowser('the pages on a library', () => {
  const processes = serverProcesses('sqlite:site.sqlite', {
    RATE_LIMIT: 'none',
    SCHEMAS_DIR: join(ROOT, 'examples/library'),
    ROLES_FILE: join(ROOT, 'examples/library-roles.json'),
  });
  let server: ServerProcess;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    server = await processes.start();
    await server.ready();
    const { body } = await server.send('POST', '/authors', {
      as: AS_ADMINISTRATOR,
      body: { name: 'Ada Example' },
      status: 201,
    });
    for (const [at, title] of TITLES.entries()) {
      const book = { title, authors: [body.id], pages: 100 + at, language: at % 2 === 0 ? 'en' : 'de' };
      await server.send('POST', '/books', { as: AS_ADMINISTRATOR, body: book, status: 201 });
    }
    window = await openSignedIn(server);
    ({ page } = window);
  });
  afterEach(() => expect(window.complaints()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await processes.close();
  });

  const rows = () => page.locator('table.list tbody th').allTextContents();
  const follow = (name: string | RegExp) => window.afterLoad(() => page.getByRole('link', { name }).first().click());
  const press = (name: string) => window.afterLoad(() => page.getByRole('button', { name, exact: true }).click());

  test('a list is sorted, paged, filtered and searched', async () => {
    await window.open('/cms/v2/books?per_page=5&orderby=pages&order=asc');
    expect(await rows()).toEqual(TITLES.slice(0, 5));
    await page.getByText('Page 1 of 3').waitFor();
    await follow('Last');
    expect(await rows()).toEqual(TITLES.slice(10));
    await follow('Pages ↑');
    expect(await rows()).toEqual(TITLES.slice(7).reverse());
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await page.getByText('Filters', { exact: true }).click();
    await page.locator('.filters').getByLabel('Language').selectOption('de');
    await press('Apply');
    expect(await rows()).toEqual(
      TITLES.filter((_, at) => at % 2 === 1)
        .reverse()
        .slice(0, 5),
    );
    await page.getByRole('searchbox').fill('Volume 04');
    await press('Search');
    expect(await rows()).toEqual(['Volume 04']);
    await page.getByRole('searchbox').fill('Volume 99');
    await press('Search');
    await page.getByText('Nothing fits.').waitFor();
    expect(await window.faults()).toEqual([]);
  });

  test('a nested item is created below its parent', async () => {
    await window.open('/cms/v2/books?orderby=pages&order=asc');
    await follow('Volume 01');
    await follow('Reviews');
    await page.getByRole('tab', { name: 'New' }).click();
    await page.getByLabel(/^Rating/).fill('9');
    await page.getByLabel('Text', { exact: true }).fill('Nine of five.');
    await page.getByRole('button', { name: 'Create review' }).click();
    await page.locator('.summary').filter({ hasText: 'Rating' }).waitFor();
    expect(await page.getByLabel(/^Rating/).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel(/^Rating/).fill('5');
    await press('Create review');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Nine of five.');
    expect(await window.faults()).toEqual([]);
  });

  const LOOKS = [
    { width: 1200, colorScheme: 'dark' },
    { width: 360, height: 740, colorScheme: 'light' },
    { width: 360, height: 740, colorScheme: 'dark' },
  ] as const;

  test.each(LOOKS)('every page is usable at $width pixels, $colorScheme', async (looks) => {
    const other = await openWindow(server, looks);
    try {
      await other.open('/');
      expect(await other.faults()).toEqual([]);
      await other.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password);
      const found: Record<string, string[]> = {};
      for (const list of ['books', 'authors', 'members', 'loans']) {
        await other.open(`/cms/v2/${list}`);
        found[list] = await other.faults();
        for (const name of ['New', 'JSON', 'Schema']) {
          await other.page.getByRole('tab', { name, exact: true }).click();
          await other.settled();
          found[`${list} ${name}`] = await other.faults();
        }
        await other.page.getByRole('tab', { name: 'Table', exact: true }).click();
        const item = other.page.locator('table.list tbody th a').first();
        if ((await item.count()) === 0) continue;
        await other.afterLoad(() => item.click());
        found[`${list} item`] = await other.faults();
      }
      expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
      expect(other.complaints()).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describeInBrowser('the pages on a ward', () => {
  const processes = serverProcesses('sqlite:site.sqlite', {
    RATE_LIMIT: 'none',
    SCHEMAS_DIR: join(ROOT, 'examples/ward'),
    ROLES_FILE: join(ROOT, 'examples/ward-roles.json'),
  });
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    const server = await processes.start();
    await server.ready();
    await server.send('POST', '/wards', { as: AS_ADMINISTRATOR, body: { name: 'North' }, status: 201 });
    window = await openSignedIn(server);
    ({ page } = window);
  });
  afterEach(() => expect(window.complaints()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await processes.close();
  });

  const press = (name: string) => window.afterLoad(() => page.getByRole('button', { name, exact: true }).click());
  const follow = (name: string | RegExp) => window.afterLoad(() => page.getByRole('link', { name }).first().click());
  const fill = (name: RegExp, text: string) => page.locator('form.item').getByLabel(name).fill(text);

  test('an item without states is trashed, restored, and deleted when the trash is emptied', async () => {
    await window.open('/cms/v2/patients#new');
    await fill(/^Code/, 'P1');
    await fill(/^Name/, 'Example');
    await page.getByRole('combobox', { name: /^Ward/ }).fill('Nor');
    await page.getByRole('option', { name: /North/ }).click();
    await page.getByRole('button', { name: 'Create patient' }).click();
    await page.locator('.summary').filter({ hasText: 'Code' }).waitFor();
    await fill(/^Code/, 'P000001');
    await press('Create patient');
    await press('Move to trash');
    await follow('Trash');
    await follow('Example');
    await press('Restore');
    await press('Move to trash');
    await follow('Trash');
    await page.getByRole('button', { name: 'Empty the trash' }).click();
    await press('Empty');
    await page.getByText('Nothing fits.').waitFor();
    expect(await window.faults()).toEqual([]);
  });

  test('an error of a rule about several fields is shown beside its field, and a nested item is listed across all parents', async () => {
    await window.open('/cms/v2/patients#new');
    await fill(/^Code/, 'P000002');
    await fill(/^Name/, 'Other');
    await page.getByRole('combobox', { name: /^Ward/ }).fill('Nor');
    await page.getByRole('option', { name: /North/ }).click();
    await press('Create patient');
    await window.afterLoad(() => page.locator('.links').getByRole('link', { name: 'Visits' }).click());
    await page.getByRole('tab', { name: 'New' }).click();
    await fill(/^Start/, '2026-02-02T10:00:00');
    await fill(/^End/, '2026-02-01T10:00:00');
    await page.getByRole('button', { name: 'Create visit' }).click();
    await page.getByText('A visit ends after it has begun.').first().waitFor();
    expect(await page.locator('form.item').getByLabel(/^End/).getAttribute('aria-invalid')).toBe('true');
    await fill(/^End/, '2026-02-03T10:00:00');
    await press('Create visit');
    await window.open('/cms/v2/visits');
    expect(await page.locator('table.list tbody tr').count()).toBe(1);
    expect(await window.faults()).toEqual([]);
  });
});

describeInBrowser('the form of an item with values of any type', () => {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-forms-'));
  const crate = {
    name: 'crate',
    path: 'crates',
    fields: {
      label: { type: 'string' },
      anything: { type: 'json' },
      list: { type: 'array' },
      mixed: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'object' }] } },
      lines: { type: 'array', items: { type: 'string' } },
      plain: { type: 'array', items: { type: 'string' } },
      size: {
        type: 'object',
        properties: { width: { type: 'integer' }, unit: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] } },
        additionalProperties: { type: 'integer' },
      },
    },
    permissions: { rules: { read: true, create: true, edit: true } },
  };
  const processes = serverProcesses('sqlite:site.sqlite', { RATE_LIMIT: 'none', SCHEMAS_DIR: folder });
  let server: ServerProcess;
  let window: Window;

  beforeAll(async () => {
    writeFileSync(join(folder, 'crate.json'), JSON.stringify(crate));
    server = await processes.start();
    await server.ready();
    window = await openSignedIn(server);
  });
  afterEach(() => expect(window.complaints()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await processes.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are shown as JSON, sent unchanged, and keep the other members of an object', async () => {
    const stored = {
      anything: { a: [1] },
      list: [{ b: 2 }],
      mixed: [3, { c: 4 }],
      // Texts that a line cannot hold.
      lines: ['two\nlines', ' padded '],
      plain: ['one', 'two'],
      size: { width: 5, unit: true, depth: 6 },
    };
    const { body } = await server.send('POST', '/crates', { body: stored, status: 201 });
    await window.open(`/cms/v2/crates/${body.id}`);
    const input = (name: string) => window.page.locator(`form.item [name="${name}"]`);
    for (const name of ['anything', 'list', 'mixed', 'lines'] as const)
      expect(JSON.parse(await input(name).inputValue())).toEqual(stored[name]);
    expect(await input('plain').inputValue()).toBe('one\ntwo');
    await input('lines').fill(JSON.stringify([...stored.lines, 'third']));
    expect(await input('unit').inputValue()).toBe('true');
    await input('anything').fill('{"a": ');
    await window.page.getByRole('button', { name: 'Save', exact: true }).click();
    await window.page.locator('.field > .error', { hasText: 'This is not JSON.' }).waitFor();
    await input('anything').fill('{"a": "7"}');
    await input('width').fill('8');
    await window.afterLoad(() => window.page.getByRole('button', { name: 'Save', exact: true }).click());
    const { body: changed } = await server.send('GET', `/crates/${body.id}`, { status: 200 });
    expect(changed).toMatchObject({
      ...stored,
      anything: { a: '7' },
      lines: [...stored.lines, 'third'],
      size: { width: 8, unit: true, depth: 6 },
    });
  });
});
