// SIGKILL under write load: every acknowledged write is there afterwards, a write without a response is wholly there or wholly absent.
// CRASH_KILLS=200 makes it longer; CRASH_SEED=… repeats the same order of writes.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.js';
import { auditData } from '../../src/maintenance/check-data.js';
import type { ModelSet } from '../../src/model/model.js';
import { compileSite } from '../../src/schema/compile-site.js';
import { allTables } from '../../src/server/engine-tables.js';
import { openStore } from '../../src/storage/open-store.js';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { runSql, freshDatabase, type FreshDatabase, testEngine } from '../support/fresh-database.js';
import { Api } from './api.js';
import { type Server, startServer } from '../support/built-program.js';
import { runCommand } from '../support/run-command.js';
import { runs } from '../support/runs.js';
import { seeded, Writer } from './writer.js';

const KILLS = Number(process.env['CRASH_KILLS']) || runs(20);
const SEED = Number(process.env['CRASH_SEED'] || Date.now() % 1_000_000);
const CLIENTS = 6;
/** A guard against a loop that hangs, in milliseconds. */
const TIMEOUT = Math.max(600_000, KILLS * 60_000);

let folder: string;
let models: ModelSet | undefined;
let database: FreshDatabase;
let environment: Record<string, string>;
let servers: Server[];
let apis: Api[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-crash-'));
  database = await freshDatabase();
  servers = [];
  environment = {
    SCHEMAS_DIR: 'schemas',
    // A process that is killed loses nothing that the operating system has.
    DATABASE_URL: testEngine() === 'sqlite' ? `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal` : database.url,
    MEDIA_DIR: join(folder, 'media'),
    PUBLIC_URL: 'http://api.test',
    TOKEN_SECRET: 'a secret that only tests know',
    ADMIN_PASSWORD: 'correct horse battery',
    RATE_LIMIT: 'none',
    ...CHEAP_HASHES,
    LOG_LEVEL: 'warn',
  };
});
afterEach(async () => {
  for (const server of servers) await server.kill();
  for (const api of apis) api.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(processes: number): Promise<void> {
  for (let index = 0; index < processes; index += 1) servers.push(await startServer(environment));
  apis = servers.map(({ port }) => new Api(port));
}

/** What `check --data` finds. */
async function audit(): Promise<string[]> {
  models ??= compileSite(environment['SCHEMAS_DIR']!, readConfig(environment, false).site);
  const store = await openStore(environment['DATABASE_URL']!, { pool: 2, migrate: 'off' }, allTables(models));
  try {
    return (await auditData(models, store)).map(({ message }) => message);
  } finally {
    await store.close();
  }
}

const acknowledged = (writers: Writer[]) => writers.reduce((sum, { ledger }) => sum + ledger.acknowledged, 0);

/** Kills `victim` once some more writes were acknowledged; the others go on for a while. */
async function round(writers: Writer[], random: (below: number) => number, victim: number): Promise<void> {
  let stopped = false;
  const from = acknowledged(writers);
  const working = Promise.all(writers.map((writer, index) => writer.work(apis[index % apis.length]!, () => stopped)));
  const enough = from + 20 + random(60);
  while (acknowledged(writers) < enough && writers.every(({ faults }) => faults.length === 0)) await sleep(1);
  await sleep(random(20));
  await servers[victim]!.kill();
  if (servers.length > 1) {
    const more = acknowledged(writers) + 20;
    while (acknowledged(writers) < more && writers.every(({ faults }) => faults.length === 0)) await sleep(1);
  }
  stopped = true;
  await working;
  servers[victim] = await startServer(environment, servers[victim]!.port);
}

async function settle(writers: Writer[]): Promise<void> {
  await Promise.all(writers.map((writer, index) => writer.settle(apis[index % apis.length]!)));
  expect(writers.flatMap(({ faults }) => faults)).toEqual([]);
  expect(await audit()).toEqual([]);
}

/** Starts clients under this name that write until they are told to stop. */
function load(name: string): { writers: Writer[]; stop(): Promise<void> } {
  let stopped = false;
  const writers = Array.from(
    { length: CLIENTS },
    (_, index) => new Writer(name + 'abcdef'[index], seeded(SEED + index)),
  );
  const working = Promise.all(writers.map((writer) => writer.work(apis[0]!, () => stopped)));
  const stop = async (): Promise<void> => {
    stopped = true;
    await working;
    expect(writers.flatMap(({ faults }) => faults)).toEqual([]);
  };
  return { writers, stop };
}

async function reached(writers: Writer[], count: number): Promise<void> {
  while (acknowledged(writers) < count && writers.every(({ faults }) => faults.length === 0)) await sleep(1);
}

/** Kills and looks, again and again; then looks at everything once more, and for what nobody wrote. */
async function crashLoop(kills: number, processes: number): Promise<void> {
  await start(processes);
  const random = seeded(SEED);
  const writers = Array.from(
    { length: CLIENTS },
    (_, index) => new Writer(`w${'abcdef'[index]}`, seeded(SEED + index)),
  );
  for (let kill = 0; kill < kills; kill += 1) {
    await round(writers, random, random(processes));
    await settle(writers);
    if ((kill + 1) % 10 === 0) report(kill + 1, writers);
  }
  await Promise.all(writers.map((writer, index) => writer.ledger.verify(apis[index % apis.length]!)));
  await expectNothingElse(apis[0]!, writers);
  await expectFilesSwept(writers);
  const checked = await runCommand(['check', '--data', '--files'], environment);
  expect(checked).toMatchObject({ code: 0 });
  report(kills, writers);
}

function report(kills: number, writers: Writer[]): void {
  process.stdout.write(`${testEngine()}, seed ${SEED}: ${kills} kills, ${acknowledged(writers)} acknowledged writes\n`);
}

const filesBelow = (name: string): string[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, name, path), { throwIfNoEntry: false })?.isFile())
    .sort();

/** A day later a server that starts leaves exactly the files that items have. */
async function expectFilesSwept(writers: Writer[]): Promise<void> {
  const incoming = testEngine() === 'sqlite' ? ['incoming'] : [];
  for (const server of servers) await server.kill();
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['media', ...incoming])
    for (const path of filesBelow(name)) utimesSync(join(folder, name, path), longAgo, longAgo);
  servers = [await startServer(environment)];
  const views = writers.flatMap(({ ledger }) => ledger.living('/media').map((itemPath) => ledger.items.get(itemPath)!));
  const wanted = views.map(({ source_url: url }) => url.replace('http://api.test/uploads/', '')).sort();
  const left = (): string[] => [...filesBelow('media'), ...incoming.flatMap(filesBelow)];
  for (const end = Date.now() + TIMEOUT / 2; left().join() !== wanted.join() && Date.now() < end;) await sleep(50);
  expect(left()).toEqual(wanted);
}

async function expectNothingElse(api: Api, writers: Writer[]): Promise<void> {
  const known = new Set(
    writers.flatMap(({ ledger }) => [...ledger.items].filter(([, view]) => view).map(([at]) => at)),
  );
  // What every site begins with.
  for (const itemPath of ['/categories/1', '/users/1']) known.add(itemPath);
  const every = 'status=publish,future,draft,pending,private,trash';
  for (const path of ['/posts', '/pages', '/media', '/tags', '/categories', '/users', '/comments']) {
    const filter = path === '/posts' || path === '/pages' ? every : path === '/comments' ? 'status=all' : '';
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { status, body, headers } = await api.get(
        `${path}?${filter}&per_page=100&context=edit&orderby=id&page=${page}`,
      );
      expect(status).toBe(200);
      last = Number(headers['x-wp-totalpages'] ?? 1);
      const strange = body.filter(({ id }: { id: number }) => !known.has(`${path}/${id}`));
      expect({ path, strange }).toEqual({ path, strange: [] });
    }
  }
}

describe(`seed ${SEED}`, () => {
  it(
    `a server that is killed ${KILLS} times loses no acknowledged write and stores no partial one`,
    () => crashLoop(KILLS, 1),
    TIMEOUT,
  );

  it(
    'two servers on one database, of which one at a time is killed',
    async () => {
      // As it is built for users, not bundled.
      environment['UNBUNDLED'] = 'yes';
      await crashLoop(Math.max(3, Math.floor(KILLS / 5)), 2);
    },
    TIMEOUT,
  );

  const onSqlite = testEngine() === 'sqlite' ? it : it.skip;
  onSqlite(
    'a copy made while clients write holds everything acknowledged before',
    async () => {
      await start(1);
      const before = load('v');
      await reached(before.writers, 60);
      await before.stop();
      const during = load('w');
      await reached(during.writers, 20);
      const copy = join(folder, 'copy.sqlite');
      await runSql(environment['DATABASE_URL']!, `VACUUM INTO '${copy}'`);
      await reached(during.writers, 40);
      await during.stop();
      for (const server of servers) await server.kill();
      environment = { ...environment, DATABASE_URL: `sqlite:${copy}` };
      servers = [await startServer(environment, servers[0]!.port)];
      for (const { ledger } of before.writers) await ledger.verify(apis[0]!);
      expect(await audit()).toEqual([]);
    },
    TIMEOUT,
  );
});
