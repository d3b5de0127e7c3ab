// A real browser for the pages. It is asked for by TEST_BROWSER, the path of a Chromium; playwright-core and axe-core, which
// drive and judge it, are no dependencies of this project: TEST_BROWSER_TOOLS is the folder that they are installed in.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { ADMINISTRATOR } from '../support/start-test-site.js';
import { ROOT } from '../support/built-program.js';
import type { ServerProcess } from '../support/server-process.js';

/** Of playwright-core, whose types are not here. */
export type Page = any;

const { TEST_BROWSER, TEST_BROWSER_TOOLS = ROOT } = process.env;
/** Longest wait for anything that the page should show, in milliseconds. */
const PATIENCE = 60_000;
/** A page is settled when it was seen without requests so many times, so many milliseconds apart. */
const QUIET = 3;
const STEP = 30;

/** A suite that runs where there is a browser; its name says how to have one. */
export const describeInBrowser: (name: string, body: () => void) => void = TEST_BROWSER
  ? describe
  : (name, body) => describe.skip(`${name} (skipped: TEST_BROWSER names no browser, see README.md)`, body);

/** One window of a browser of its own, and what it complained about. */
export interface Window {
  readonly page: Page;
  /** Errors of the console and of scripts, breaches of the policy, and refused reads, since they were last asked for. */
  complaints(): string[];
  /** Opens a path of the server and waits for its content. */
  open(path: string): Promise<void>;
  /** Waits until nothing is loaded any more. */
  settled(): Promise<void>;
  /** Does what opens another page, and waits for its content. */
  afterLoad(act: () => Promise<void>): Promise<void>;
  signIn(username: string, password: string): Promise<void>;
  /** What axe-core finds, and whether the page is wider than the window. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
}

/** How the window looks. */
export interface Looks {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

/** Opens a window on the first page of a server, and signs the administrator in. */
export async function openSignedIn(server: ServerProcess): Promise<Window> {
  const window = await openWindow(server);
  await window.open('/');
  await window.signIn(ADMINISTRATOR.username, ADMINISTRATOR.password);
  return window;
}

/** Opens a window on a server. */
export async function openWindow(server: ServerProcess, looks: Looks = {}): Promise<Window> {
  const { width = 1200, height = 900, colorScheme = 'light' } = looks;
  const tools = createRequire(join(TEST_BROWSER_TOOLS, 'package.json'));
  const { chromium } = tools('playwright-core');
  const axe = readFileSync(tools.resolve('axe-core/axe.min.js'), 'utf8');
  // Chromium refuses its sandbox to root, which is who runs tests in containers.
  const browser = await chromium.launch({ executablePath: TEST_BROWSER, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  let complaints: string[] = [];
  listen(page, (text) => complaints.push(text));
  const pending = pendingOf(page);
  const settled = async () => {
    await page.locator('h1').first().waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    for (let quiet = 0; quiet < QUIET; quiet = pending.size === 0 ? quiet + 1 : 0) await sleep(STEP);
  };
  return {
    page,
    settled,
    complaints() {
      const found = complaints;
      complaints = [];
      return found;
    },
    async open(path) {
      await page.goto(server.url + path);
      // The same document with another fragment is not loaded again.
      await page.reload();
      await settled();
    },
    async afterLoad(act) {
      await Promise.all([page.waitForEvent('load'), act()]);
      await settled();
    },
    async signIn(username, password) {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await settled();
    },
    faults: () => faultsOf(page, axe),
    close: () => browser.close(),
  };
}

/** The requests that are under way. */
function pendingOf(page: Page): ReadonlySet<unknown> {
  const pending = new Set<unknown>();
  page.on('request', (request: unknown) => pending.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request: unknown) => pending.delete(request));
  return pending;
}

/** A write that is refused is shown by the page; that the browser notes it too is no fault. */
function listen(page: Page, complain: (text: string) => void): void {
  page.on('pageerror', (error: Error) => complain(`script: ${error.message}`));
  page.on('console', (message: any) => {
    const text: string = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complain(`console: ${text}`);
  });
  page.on('response', (response: any) => {
    const method: string = response.request().method();
    if (response.status() >= 400 && method !== 'POST' && method !== 'DELETE')
      complain(`${response.status()} ${method} ${response.url()}`);
  });
}

async function faultsOf(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  const found = violations.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ html }: any) => html).join(' ')}`);
  const excess: number = await page.evaluate(
    'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth',
  );
  return excess > 0 ? [...found, `${excess} pixels wider than the window`] : found;
}
