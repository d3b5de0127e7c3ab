// Hooks of extensions see of loaded lines what they see of requests: the references, lists and read-only values of the item,
// and the items before it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../support/run-command.js';
import { startTestSite, type TestSite } from '../../../support/start-test-site.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let site: TestSite;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-loaded-'));
  site = await startTestSite(here('schemas'), { EXTENSIONS_DIR: here('extensions'), PAGES: 'off' });
  for (const name of ['Red', 'Blue']) await site.send('POST', '/rooms', { body: { name }, status: 201 });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function load(lines: readonly object[]): Promise<string> {
  const path = join(folder, 'booking.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { config } = site;
  const result = await runCommand(['load', path], {
    DATABASE_URL: config.database.url,
    SCHEMAS_DIR: here('schemas'),
    EXTENSIONS_DIR: here('extensions'),
    MEDIA_DIR: join(folder, 'media'),
    TOKEN_SECRET: 'a secret that only tests know',
  });
  return result.code === 0 ? 'loaded' : result.output;
}

const numbers = async (): Promise<string[]> => {
  const { body } = await site.send('GET', '/bookings?order=asc', { status: 200 });
  return body.map(({ number }: { number: string }) => number);
};

describe('a load on a site with hooks', () => {
  test('lets a trait count the references of each line, including earlier lines', async () => {
    const lines = [1, 2, 1, 1].map((room, at) => ({ room, guests: ['Ann'], day: `2026-05-0${at + 1}` }));
    expect(await load(lines)).toBe('loaded');
    expect(await numbers()).toEqual(['1-1', '2-1', '1-2', '1-3']);
  });

  test('prefers the value of the line to that of the trait', async () => {
    expect(await load([{ room: 2, guests: ['Ann'], day: '2026-05-09', number: 'old-7' }])).toBe('loaded');
    expect((await numbers()).at(-1)).toBe('old-7');
  });

  test.each([
    ['what an item on the site has', [{ room: 2, guests: ['Bob'], day: '2026-05-02' }], ':1: The room is taken'],
    [
      'what a line before has',
      [1, 1].map((room) => ({ room, guests: ['Bob'], day: '2026-06-01' })),
      ':2: The room is taken',
    ],
    ['a list without members', [{ room: 2, guests: [], day: '2026-06-02' }], ':1: Name the guests'],
  ])('a hook refuses a line for %s, and nothing is loaded', async (_why, lines, reason) => {
    const before = await numbers();
    expect(await load(lines)).toContain(reason);
    expect(await numbers()).toEqual(before);
  });
});
