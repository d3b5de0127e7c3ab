// The pages in a real browser: accounts and their passwords, callers with few rights, and readers without a mouse.
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ADMINISTRATOR } from '../support/start-test-site.js';
import { AS_ADMINISTRATOR, serverProcesses, type ServerProcess } from '../support/server-process.js';
import { describeInBrowser, openWindow, type Page, type Window } from './browser.js';

const PASSWORD = 'a password of its own';

describeInBrowser('the pages and who uses them', () => {
  const processes = serverProcesses('sqlite:site.sqlite', { RATE_LIMIT: 'none' });
  let server: ServerProcess;
  const opened: Window[] = [];

  beforeAll(async () => {
    server = await processes.start();
    await server.ready();
    const post = { title: 'Hello', content: 'x', status: 'publish' };
    await server.send('POST', '/posts', { as: AS_ADMINISTRATOR, body: post, status: 201 });
    for (const role of ['contributor', 'subscriber']) {
      const body = { username: role, email: `${role}@example.org`, password: PASSWORD, roles: [role] };
      await server.send('POST', '/users', { as: AS_ADMINISTRATOR, body, status: 201 });
    }
  });
  afterEach(async () => {
    const complaints = opened.flatMap((window) => window.complaints());
    await Promise.all(opened.splice(0).map((window) => window.close()));
    expect(complaints).toEqual([]);
  });
  afterAll(() => processes.close());

  async function windowOf(username?: string, password = PASSWORD): Promise<Window & { page: Page }> {
    const window = await openWindow(server);
    opened.push(window);
    await window.open('/');
    if (username !== undefined) await window.signIn(username, password);
    return window;
  }

  test('an application password is created, shown once, used to sign in, and revoked', async () => {
    const owner = await windowOf(ADMINISTRATOR.username, ADMINISTRATOR.password);
    await owner.afterLoad(() => owner.page.getByRole('link', { name: ADMINISTRATOR.username, exact: true }).click());
    await owner.afterLoad(() => owner.page.getByRole('link', { name: 'Application passwords' }).click());
    expect(await owner.faults()).toEqual([]);
    await owner.page.getByRole('tab', { name: 'New' }).click();
    await owner.page.getByLabel(/^Name/).fill('Newsreader');
    await owner.page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret: string = await owner.page.locator('.secret code').textContent();
    expect(await owner.faults()).toEqual([]);

    const reader = await windowOf();
    await reader.page.getByRole('button', { name: 'Sign in' }).click();
    await reader.page.getByLabel('This is an application password').check();
    await reader.page.getByLabel('Username').fill(ADMINISTRATOR.username);
    await reader.page.getByLabel('Password', { exact: true }).fill(secret);
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await reader.page.getByRole('button', { name: 'Sign out' }).waitFor();

    await owner.afterLoad(() => owner.page.getByRole('link', { name: 'Done' }).click());
    expect(await owner.page.locator('body').textContent()).not.toContain(secret);
    await owner.afterLoad(() => owner.page.getByRole('link', { name: 'Newsreader' }).click());
    await owner.page.getByRole('button', { name: /^Delete/ }).click();
    const confirm = owner.page.getByRole('dialog').getByRole('button', { name: /^Delete/ });
    await owner.afterLoad(() => confirm.click());
    expect(await owner.page.getByRole('link', { name: 'Newsreader' }).count()).toBe(0);
  });

  test('users edit their own account, within their rights', async () => {
    const window = await windowOf('subscriber');
    await window.afterLoad(() => window.page.getByRole('link', { name: 'subscriber', exact: true }).click());
    await window.page.getByLabel('First name').fill('Robin');
    await window.afterLoad(() => window.page.getByRole('button', { name: 'Save' }).click());
    expect(await window.page.getByLabel('First name').inputValue()).toBe('Robin');
    // What would be refused is not offered: neither the field nor, for other callers, the value.
    expect(await window.page.getByLabel('Roles', { exact: true }).count()).toBe(0);
    const contributor = await windowOf('contributor');
    await contributor.open('/cms/v2/posts#new');
    expect(await contributor.page.locator('[name=status] option').allTextContents()).toEqual(['Draft', 'Pending']);
    expect(await window.faults()).toEqual([]);
  });

  test('an account is deleted, and its items are reassigned', async () => {
    const body = { username: 'leaver', email: 'leaver@example.org', password: PASSWORD, roles: ['author'] };
    const { body: leaver } = await server.send('POST', '/users', { as: AS_ADMINISTRATOR, body, status: 201 });
    const post = { title: 'Left behind', content: 'x', status: 'publish', author: leaver.id };
    const { body: left } = await server.send('POST', '/posts', { as: AS_ADMINISTRATOR, body: post, status: 201 });
    const { page, open, afterLoad, faults } = await windowOf(ADMINISTRATOR.username, ADMINISTRATOR.password);
    await open(`/cms/v2/users/${leaver.id}`);
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('combobox', { name: 'Reassign' }).fill('admin');
    await page.getByRole('option', { name: /admin/ }).click();
    expect(await faults()).toEqual([]);
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete for good' });
    await afterLoad(() => confirm.click());
    const { body: kept } = await server.send('GET', `/posts/${left.id}`, { as: AS_ADMINISTRATOR, status: 200 });
    expect(kept.author).toBe(1);
  });

  test.each([undefined, 'subscriber', 'contributor'])(
    'no request that %s can reach from the front page is refused',
    async (username) => {
      const window = await windowOf(username);
      const links = window.page.locator('.menu a');
      const hrefs: string[] = await links.evaluateAll((all: any[]) => all.map((link) => link.getAttribute('href')));
      expect(hrefs.length).toBeGreaterThan(5);
      for (const href of hrefs) {
        await window.open(href);
        const item = window.page.locator('table.list tbody th a').first();
        if ((await item.count()) > 0) await window.afterLoad(() => item.click());
        const schema = window.page.getByRole('tab', { name: 'Schema' });
        if ((await schema.count()) > 0) await schema.click();
        await window.settled();
      }
    },
  );

  test('administrators see the rights of all roles to a resource, other users their own', async () => {
    const callersOf = async (window: Window) => {
      await window.open('/cms/v2/posts#schema');
      const table = window.page.getByRole('region', { name: 'Permissions' });
      await table.waitFor();
      return table.locator('tbody th').allTextContents();
    };
    const administrator = await windowOf(ADMINISTRATOR.username, ADMINISTRATOR.password);
    expect(await callersOf(administrator)).toEqual(
      expect.arrayContaining(['Anybody, signed out', 'Administrator', 'Author', 'Contributor', 'Subscriber']),
    );
    const author = administrator.page.getByRole('row').filter({ hasText: 'Contributor' });
    expect(await author.textContent()).toContain('not with status publish or future or private');
    expect(await administrator.faults()).toEqual([]);
    expect(await callersOf(await windowOf('contributor'))).toEqual(['Anybody, signed out', 'You']);
    expect(await callersOf(await windowOf())).toEqual(['Anybody, signed out']);
  });

  test('links of an item lead anonymous visitors only to readable items', async () => {
    const { body } = await server.send('GET', '/posts', { status: 200 });
    const visitor = await windowOf();
    const offered: string[] = [];
    for (const path of [`/posts/${body[0].id}`, `/users/${body[0].author}`]) {
      await visitor.open(`/cms/v2${path}`);
      const links = visitor.page.locator('section.links a');
      const urls: string[] = await links.evaluateAll((all: any[]) => all.map((a) => a.getAttribute('href')));
      offered.push(...urls);
    }
    expect(offered).toContain(`/cms/v2/users/${body[0].author}`);
    // What is refused is among the complaints that the end of each test looks at.
    for (const url of offered) await visitor.open(url);
  });

  test.each([undefined, 'subscriber', 'contributor'])(
    'no reference or link offered to %s leads to a refused request',
    async (username) => {
      const make = async (path: string, body: object) =>
        (await server.send('POST', path, { as: AS_ADMINISTRATOR, body, status: 201 })).body;
      const { body: users } = await server.send('GET', '/users', { as: AS_ADMINISTRATOR, status: 200 });
      const idOf = (slug: string): number => users.find((user: any) => user.slug === slug).id;
      const draft = await make('/pages', { title: 'Unfinished', status: 'draft', author: idOf('contributor') });
      const page = await make('/pages', { title: 'Below it', status: 'publish', parent: draft.id });
      const post = await make('/posts', { title: 'Discussed', content: 'x', status: 'publish' });
      const said = { post: post.id, status: 'approved' };
      const comment = await make('/comments', { ...said, content: 'By no author', author: idOf('subscriber') });
      const held = await make('/comments', { ...said, content: 'Held', status: 'hold' });
      await make('/comments', { ...said, content: 'An answer', parent: held.id });
      const own = `/cms/v2/users/${username === undefined ? 1 : idOf(username)}`;
      const window = await windowOf(username);
      const offered = new Set<string>();
      const places = [
        '/comments',
        `/comments/${comment.id}`,
        '/pages',
        `/pages/${page.id}`,
        '/posts',
        `/posts/${post.id}`,
      ];
      for (const path of [...places.map((place) => `/cms/v2${place}`), '/cms/v2/users/1', own]) {
        await window.open(path);
        const details = window.page.getByRole('tab', { name: /^(Details|All fields)$/ });
        if ((await details.count()) > 0) await details.click();
        await window.settled();
        const links = window.page.locator('table.list tbody a, dl.fields a, section.links a');
        const hrefs: string[] = await links.evaluateAll((all: any[]) => all.map((link) => link.getAttribute('href')));
        for (const href of hrefs) if (href.startsWith('/cms/')) offered.add(href);
      }
      expect(offered).toContain('/cms/v2/users/1');
      expect(offered).toContain(`/cms/v2/posts/${post.id}`);
      // An account sees what it says itself, though lists of accounts name only authors.
      if (username === 'subscriber') expect(offered).toContain(own);
      if (username !== undefined) expect(offered).toContain(`${own}/application-passwords`);
      // What is refused is among the complaints that the end of each test looks at.
      for (const url of offered) await window.open(url);
    },
  );

  test('URLs in the JSON of the front page lead only to lists that the visitor may see', async () => {
    const urlsFor = async (username?: string, password?: string) => {
      const window = await windowOf(username, password);
      await window.page.getByRole('tab', { name: 'JSON' }).click();
      const links = window.page.locator('pre.json a');
      return links.evaluateAll((all: any[]) => all.map((link) => link.getAttribute('href')));
    };
    const forAdministrators = ['/cms/v2/settings', '/cms/v2/webhooks'];
    const shown: string[] = await urlsFor(ADMINISTRATOR.username, ADMINISTRATOR.password);
    expect(shown).toEqual(expect.arrayContaining([...forAdministrators, '/cms/v2/posts']));
    const offered: string[] = await urlsFor();
    expect(offered).toContain('/cms/v2/posts');
    expect(offered.filter((url) => forAdministrators.includes(url))).toEqual([]);
  });

  test('everything can be reached with the keyboard', async () => {
    const { page, afterLoad, open } = await windowOf();
    const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.id');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    await press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('button', { name: 'Sign in' }).focus();
    await press('Enter');
    await page.keyboard.type(ADMINISTRATOR.username);
    await press('Tab');
    await page.keyboard.type(ADMINISTRATOR.password);
    await afterLoad(() => press('Enter'));
    await open('/cms/v2/tags');
    await page.getByRole('tab', { name: 'Table' }).focus();
    await press('ArrowRight');
    await page.getByLabel(/^Name/).waitFor();
    await press('Tab');
    await page.keyboard.type('Keys');
    await afterLoad(() => press('Enter'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Keys');
    await page.getByRole('button', { name: /^Delete/ }).focus();
    await press('Enter', 'Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await focused()).toMatch(/^Delete/);
  });
});
