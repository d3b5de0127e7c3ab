// On SQLite no statement that a caller can cause holds up the others: `/livez` responds while texts are indexed, tables scanned and statistics taken.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectResponsive } from '../support/event-loop.js';
import { type FreshDatabase, freshDatabase, testEngine } from '../support/fresh-database.js';
import {
  AS_ADMINISTRATOR,
  type ServerProcess,
  serverProcesses,
  type ServerProcesses,
  until,
} from '../support/server-process.js';

const MEBIBYTE = 1024 ** 2;
/** Its text goes into the database as it comes: what is measured is SQLite. */
const NOTE = {
  name: 'note',
  path: 'notes',
  fields: {
    title: { type: 'string', maxLength: 100 },
    grade: { type: 'integer', default: 0 },
    body: { type: 'text' },
  },
  search: { fields: ['title', 'body'] },
  list: { orderby: ['id', 'title'], defaultOrderby: 'id' },
  params: { min_grade: { filter: 'gte', field: 'grade' } },
  permissions: { rules: { read: true, create: true, edit: true, delete: true } },
};
const WORDS = 'lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor invidunt'.split(
  ' ',
);

let database: FreshDatabase;
let servers: ServerProcesses;
let server: ServerProcess;

const onSqlite = testEngine() === 'sqlite' ? describe : describe.skip;

onSqlite('while SQLite works, the server responds', () => {
  beforeAll(async () => {
    database = await freshDatabase();
    // Every commit is synced, as by default.
    servers = serverProcesses(database.url.replace(/\?.*/, ''), { RATE_LIMIT: 'none', BODY_LIMIT: '10mb' });
    const schemas = join(servers.folder, 'schemas');
    mkdirSync(schemas);
    writeFileSync(join(schemas, 'note.json'), JSON.stringify(NOTE));
    server = await servers.start({ SCHEMAS_DIR: schemas });
    await server.ready();
  });
  afterAll(async () => {
    await servers.close();
    await database.drop();
  });

  /** Words in an order of chance: a text whose trigrams repeat no more than those of a language. */
  function text(characters: number): string {
    const parts: string[] = [];
    for (let length = 0; length < characters;) {
      const word = WORDS[Math.floor(Math.random() * WORDS.length)]! + Math.floor(Math.random() * 1000).toString(36);
      length += word.length + 1;
      parts.push(word);
    }
    return parts.join(' ').slice(0, characters);
  }

  async function create(title: string, body: string): Promise<number> {
    const response = await server.send('POST', '/notes?_fields=id', { as: AS_ADMINISTRATOR, body: { title, body } });
    expect([response.status, response.body.code]).toEqual([201, undefined]);
    return response.body.id;
  }

  /** What a list finds: its total, and the ids of its first page. */
  async function list(query: string): Promise<{ total: number; ids: number[] }> {
    const response = await server.send('GET', `/notes?${query}&_fields=id`);
    expect([response.status, response.body.code]).toEqual([200, undefined]);
    const ids = response.body.map(({ id }: { id: number }) => id);
    return { total: Number(response.headers['x-wp-total']), ids };
  }

  /** Notes past the server: so many, of so many characters each, that no search finds. */
  async function fill(count: number, characters: number): Promise<void> {
    await database.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       INSERT INTO notes (title, grade, body)
       SELECT 'Filled', i % 7, hex(zeroblob(${Math.floor(characters / 2)})) FROM n`,
    );
  }

  /** Child processes of the server. */
  function children(): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([pid, parent]) => (parent === server.pid ? [pid!] : []));
  }

  it('while large texts are written', async () => {
    // Made beforehand: the event loop of the tests is the one that measures.
    const whole = text(4 * MEBIBYTE);
    await expectResponsive(server, MEBIBYTE, async (size) => void (await create('Large', whole.slice(0, size))));
    await expectResponsive(server, 1, async (times) => {
      const part = (i: number) => whole.slice(i * MEBIBYTE, (i + 1) * MEBIBYTE);
      await Promise.all(Array.from({ length: times }, (_, i) => create(`Large ${i}`, part(i))));
    });
  });

  it('while many small items are written, statistics included', async () => {
    await expectResponsive(server, 100, async (count) => {
      for (let i = 0; i < count; i++) await create(`Small ${i}`, text(200));
    });
  });

  it('while many rows are scanned for a text without an index', async () => {
    await fill(8_000, 50_000);
    let requests = 0;
    await expectResponsive(server, 1, async (times) => {
      // Another text each time: results are cached.
      for (let i = 0; i < times; i++)
        expect(await list(`search=${encodeURIComponent(`${String.fromCodePoint(0x4e00 + requests++)}`)}`)).toEqual({
          total: 0,
          ids: [],
        });
    });
    expect(children().length).toBeGreaterThan(0);
  });

  it('while rows are sorted, counted and skipped without an index', async () => {
    await expectResponsive(server, 1, async (times) => {
      for (let i = 0; i < times; i++)
        for (const path of ['min_grade=3&orderby=title', 'min_grade=2&orderby=title&page=50&per_page=100'])
          expect((await list(path)).ids.length).toBeGreaterThan(0);
    });
  });

  it('and a search finds new items at once', async () => {
    const id = await create('Needle in the hay', 'xylophone');
    expect(await list('search=xylophone')).toEqual({ total: 1, ids: [id] });
    expect((await server.send('DELETE', `/notes/${id}?force=true`, { as: AS_ADMINISTRATOR })).status).toBe(200);
    expect(await list('search=xylophone')).toEqual({ total: 0, ids: [] });
  });

  it('when a child process that scans is killed', async () => {
    await list('min_grade=1&orderby=title');
    const killed = children();
    expect(killed.length).toBeGreaterThan(0);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    const status = async () => (await server.send('GET', '/notes?min_grade=2&orderby=title&_fields=id')).status;
    await until(status, (response) => response === 200);
  });

  it('and no child process remains', async () => {
    await list('min_grade=3&orderby=title&order=desc');
    const left = children();
    expect(left.length).toBeGreaterThan(0);
    expect(await server.end('SIGTERM')).toBe(0);
    for (const pid of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
