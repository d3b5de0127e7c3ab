// Patterns of a schema on which engines that backtrack take for ever, and values made for them: the server stays responsive.
// Patterns that cannot be matched in linear time stop the start, with their place in the file.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestSite } from '../support/start-test-site.js';
import { expectResponsive } from '../support/event-loop.js';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { serverProcesses, type ServerProcess, type ServerProcesses } from '../support/server-process.js';

const PATTERNS = {
  choice: '^(a|a)*$',
  words: '^(\\w+\\s?)*$',
  pairs: '(x+x+)+y',
  commas: '^(.*,)+b$',
  tail: 'a*a*a*$',
};
const HOSTILE = ['a', 'x', 'ab ', ','];
const LONGEST = 2_000;

let folder: string;
let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-patterns-'));
  const text = Object.entries(PATTERNS).map(([name, pattern]) => [name, { type: 'text', pattern, nullable: true }]);
  const items = { type: 'string', pattern: PATTERNS.words };
  const fields = {
    ...Object.fromEntries(text),
    list: { type: 'array', items },
    map: { type: 'object', patternProperties: { [PATTERNS.words]: { type: 'string' } } },
  };
  write('thing', { name: 'thing', path: 'things', fields, permissions: { rules: { create: true, read: true } } });
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none', SCHEMAS_DIR: join(folder, 'thing') });
  server = await servers.start({ ADMIN_USERNAME: '', ADMIN_PASSWORD: '' });
  await server.ready();
});

afterAll(async () => {
  await servers?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, schema: object): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, `${name}.json`), JSON.stringify(schema, null, 2));
  return join(folder, name);
}

const create = (body: object) => server.send('POST', '/things', { body });

test('matching values are accepted', async () => {
  const body = {
    choice: 'aaa',
    words: 'two words',
    pairs: 'axxy',
    commas: 'x,y,b',
    tail: 'b',
    list: ['a b'],
    map: { 'a b': 'c' },
  };
  expect(await create(body)).toMatchObject({ status: 201, body });
});

describe.each(Object.keys(PATTERNS))('%s', (field) => {
  test.each(HOSTILE)('a value of %j is matched in linear time', async (part) => {
    await expectResponsive(server, 256 * 1024, async (size) => {
      const long = await create({ [field]: part.repeat(size / part.length - 100) + '!' });
      expect([400, 413]).toContain(long.status);
      const short = await create({ [field]: part.repeat(LONGEST).slice(0, LONGEST - 1) + '!' });
      expect([201, 400]).toContain(short.status);
    });
  });
});

test.each(HOSTILE)('lists and keys of %j are matched in linear time', async (part) => {
  await expectResponsive(server, 16, async (size) => {
    const texts = Array.from({ length: size }, (_, n) => `${n}${part.repeat(LONGEST)}`.slice(0, LONGEST - 1) + '!');
    expect((await create({ list: texts })).status).toBe(400);
    expect((await create({ map: Object.fromEntries(texts.map((text) => [text, 'x'])) })).status).toBe(400);
  });
});

test.each(['(a)\\1', 'a(?=b)', '^(?!-)', '(?<=a)b', '(?:a{100}){100}'])(
  'the pattern %s stops the start',
  async (pattern) => {
    const name = `n${Buffer.from(pattern).toString('hex')}`;
    const schemas = write(name, { name: 'thing', path: 'things', fields: { a: { type: 'string', pattern } } });
    const problem = { file: expect.stringContaining(`${name}.json`), line: 7, column: 18, hint: expect.any(String) };
    await expect(startTestSite(schemas)).rejects.toMatchObject({ problems: [expect.objectContaining(problem)] });
  },
);
