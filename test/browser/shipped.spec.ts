// The pages in a real browser, on the shipped resources: what somebody does who has just installed the program.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { ADMINISTRATOR } from '../support/start-test-site.js';
import { AS_ADMINISTRATOR, serverProcesses, until, type ServerProcess } from '../support/server-process.js';
import { describeInBrowser, openSignedIn, type Page, type Window } from './browser.js';

describeInBrowser('the pages on the shipped resources', () => {
  const processes = serverProcesses('sqlite:site.sqlite', { RATE_LIMIT: 'none' });
  let server: ServerProcess;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    server = await processes.start();
    await server.ready();
    window = await openSignedIn(server);
    ({ page } = window);
  });
  afterEach(() => expect(window.complaints()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await processes.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const press = (name: string) => window.afterLoad(() => button(name).click());
  const follow = (name: string | RegExp) => window.afterLoad(() => page.getByRole('link', { name }).first().click());
  const rows = () => page.locator('table.list tbody th').allTextContents();
  const stored = async (path: string) => (await server.send('GET', path, { as: AS_ADMINISTRATOR, status: 200 })).body;
  const store = async (path: string, body: object) =>
    (await server.send('POST', path, { as: AS_ADMINISTRATOR, body, status: 201 })).body;

  test('the front page shows public content, and a wrong password is refused with the reason', async () => {
    const cards = () => page.locator('.card h3 a').allTextContents();
    await window.open('/');
    expect(await cards()).toContain('Settings');
    await press('Sign out');
    expect(await cards()).toEqual(expect.arrayContaining(['Comments', 'Pages', 'Posts', 'Tags']));
    expect(await cards()).not.toContain('Settings');
    expect(await window.faults()).toEqual([]);
    await button('Sign in').click();
    await page.getByLabel('Username').fill(ADMINISTRATOR.username);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor();
    expect(await window.faults()).toEqual([]);
    await button('Cancel').click();
    await window.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password);
    expect(await cards()).toContain('Settings');
  });

  test('an empty list explains how to create content', async () => {
    await window.open('/cms/v2/posts');
    await page.getByText(/ --sample$/).waitFor();
    expect(await window.faults()).toEqual([]);
  });

  test('an error is shown beside its field, and can be corrected', async () => {
    await window.open('/cms/v2/users#new');
    await page.getByLabel('Username').fill('editor');
    await page.getByLabel('Email').fill('no address');
    await page.getByLabel('Password', { exact: false }).first().fill('of its very own 7');
    await button('Create user').click();
    await page.locator('.summary').filter({ hasText: 'Email' }).waitFor();
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await window.faults()).toEqual([]);
    await page.getByLabel('Email').fill('editor@example.org');
    await press('Create user');
    expect(await heading()).toBe('editor');
  });

  test('an image is shown before and after its upload', async () => {
    const content = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#2a7' } })
      .png()
      .toBuffer();
    await window.open('/cms/v2/media#new');
    await button('Create media').click();
    await page.getByText('Choose a file.').waitFor();
    await page.getByLabel(/^File/).setInputFiles({ name: 'field.png', mimeType: 'image/png', buffer: content });
    await page.getByAltText('Preview of the file').waitFor();
    await page.getByLabel('Title').fill('A green field');
    await press('Create media');
    expect(await heading()).toBe('A green field');
    expect(
      await page
        .getByAltText('The image itself')
        .first()
        .evaluate((image: any) => image.naturalWidth),
    ).toBe(300);
    expect(await window.faults()).toEqual([]);
  });

  test('a slow upload shows its progress', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 600, height: 600, channels: 3, background: '#fff', noise } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    await window.open('/cms/v2/media#new');
    await page.getByLabel(/^File/).setInputFiles({ name: 'noise.png', mimeType: 'image/png', buffer });
    const network = await page.context().newCDPSession(page);
    const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: buffer.length / 2 };
    await network.send('Network.emulateNetworkConditions', conditions);
    const bar = page.getByRole('progressbar');
    await window.afterLoad(async () => {
      await button('Create media').click();
      await until(
        () => bar.evaluate((each: any) => each.value as number),
        (part) => part > 0 && part < 1,
      );
    });
    await network.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1 });
  });

  test('a concurrent change of another user is not overwritten', async () => {
    const { id } = await store('/tags', { name: 'Shared' });
    await window.open(`/cms/v2/tags/${id}`);
    await server.send('POST', `/tags/${id}`, { as: AS_ADMINISTRATOR, body: { description: 'theirs' }, status: 200 });
    await page.getByLabel('Description').fill('mine');
    await button('Save').click();
    await page.locator('.summary').filter({ hasText: 'has changed since' }).waitFor();
    await press('Drop my changes and load it');
    expect(await page.getByLabel('Description').inputValue()).toBe('theirs');
  });

  test('a post is written with a category and an image found by typing, published, then scheduled', async () => {
    await store('/categories', { name: 'Gardens' });
    await window.open('/cms/v2/posts#new');
    await page.getByLabel('Title').fill('Spring');
    await page.getByLabel('Content').fill('The <em>first</em> version.');
    await page.getByText('Preview', { exact: true }).first().click();
    await page.frameLocator('iframe').first().getByText('first', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Categories' }).fill('gard');
    await page.getByRole('option', { name: /Gardens/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Featured media' }).fill('green');
    await page.getByRole('option', { name: /green field/ }).click();
    expect(await window.faults()).toEqual([]);
    await press('Create post');
    expect(await page.locator('.heading .state').textContent()).toBe('Draft');
    await press('Publish');
    expect(await page.locator('.heading .state').textContent()).toBe('Publish');
    const [post] = await stored('/posts?search=Spring&context=edit');
    expect(post).toMatchObject({ status: 'publish', content: { raw: 'The <em>first</em> version.' } });
    expect([post.categories.length, post.featured_media > 0]).toEqual([1, true]);
    await page.getByLabel('Date', { exact: true }).fill('2099-01-02T03:04:05');
    await press('Save');
    expect(await page.locator('.heading .state').textContent()).toBe('Future');
    await press('Publish');
    await page.getByLabel('Date', { exact: true }).fill('2020-01-02T03:04:05');
    await press('Save');
    expect(await page.locator('.heading .state').textContent()).toBe('Publish');
  });

  test('a revision shows what has changed and is restored', async () => {
    const { id } = await store('/posts', { title: 'Story', content: 'Once\nupon', status: 'publish' });
    await window.open(`/cms/v2/posts/${id}`);
    for (const text of ['Once\nbefore', 'Once\nagain']) {
      await page.getByLabel('Content').fill(text);
      await window.afterLoad(() => page.keyboard.press('Control+s'));
    }
    await follow(/^(Version history|Revisions)/);
    await window.afterLoad(() => page.locator('table.list tbody th a').last().click());
    await tab('Changes').click();
    await page.locator('.line').first().waitFor();
    expect(await page.locator('.line.delete').allTextContents()).toEqual([expect.stringContaining('before')]);
    expect(await page.locator('.line.insert').allTextContents()).toEqual([expect.stringContaining('again')]);
    expect(await window.faults()).toEqual([]);
    await press('Restore');
    expect(await page.getByLabel('Content').inputValue()).toBe('Once\nbefore');
  });

  test('a comment is written, held for moderation, shown on the front page, and approved', async () => {
    const { id } = await store('/posts', { title: 'Talk', content: 'x', status: 'publish' });
    await window.open('/cms/v2/comments#new');
    await page.getByRole('combobox', { name: 'Post', exact: true }).fill('Talk');
    await page.getByRole('option', { name: /Talk/ }).click();
    await page.getByLabel('Content').fill('What a talk');
    await page.getByLabel('Status').selectOption({ label: 'Hold' });
    await press('Create comment');
    expect(await stored(`/comments?post=${id}&status=hold`)).toHaveLength(1);
    await window.open('/');
    await follow(/1 Comments: hold/);
    expect(await rows()).toEqual(['What a talk']);
    await page.getByLabel(/Choose What a talk/).check();
    await button('Approved').waitFor();
    await page.locator('.bulk button:not([disabled])').first().waitFor();
    expect(await window.faults()).toEqual([]);
    await press('Approved');
    expect(await stored(`/comments?post=${id}`)).toHaveLength(1);
  });

  test('items are trashed, restored, and deleted when the trash is emptied', async () => {
    const { id } = await store('/posts', { title: 'Old', content: 'x', status: 'publish' });
    await window.open(`/cms/v2/posts/${id}`);
    await press('Move to trash');
    await follow('Trash');
    expect(await rows()).toEqual(['Old']);
    await follow('Old');
    await press('Publish');
    expect(await stored(`/posts/${id}?context=edit`)).toMatchObject({ status: 'publish' });
    await press('Move to trash');
    await follow('Trash');
    await button('Empty the trash').click();
    expect(await window.faults()).toEqual([]);
    await press('Empty');
    expect(await rows()).toEqual([]);
    await server.send('GET', `/posts/${id}`, { as: AS_ADMINISTRATOR, status: 404 });
  });
});
