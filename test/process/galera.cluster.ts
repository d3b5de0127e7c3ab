// Servers on a Galera cluster of three nodes, of which one is killed under load: no acknowledged write is lost.
// Run by scripts/galera.mjs, not by the ordinary suites: it needs mariadbd with galera-4.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/config.js';
import { auditData } from '../../src/maintenance/check-data.js';
import { compileSite } from '../../src/schema/compile-site.js';
import { allTables } from '../../src/server/engine-tables.js';
import { ResourceError } from '../../src/errors/resource-error.js';
import { openStore } from '../../src/storage/open-store.js';
import { runSql } from '../support/fresh-database.js';
import { Api } from './api.js';
import { type Server, startServer } from '../support/built-program.js';
import { books, library, tags } from '../unit/storage/library.js';
import { GaleraNodes } from './galera-nodes.js';
import { seeded, Writer } from './writer.js';

const KILLS = Number(process.env['GALERA_KILLS'] || 5);
const SEED = Number(process.env['CRASH_SEED'] || Date.now() % 1_000_000);
const CLIENTS = 6;
const NODES = [0, 1, 2];

let cluster: GaleraNodes | undefined;
let folder = '';
let servers: Server[] = [];
let apis: Api[] = [];

beforeAll(async () => {
  cluster = await GaleraNodes.start(NODES.length);
});
afterAll(async () => {
  await cluster?.stop();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-crash-'));
});
afterEach(async () => {
  for (const server of servers) await server.kill();
  for (const api of apis) api.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function environment(url: string): Record<string, string> {
  return {
    SCHEMAS_DIR: 'schemas',
    DATABASE_URL: url,
    MEDIA_DIR: join(folder, 'media'),
    PUBLIC_URL: 'http://api.test',
    TOKEN_SECRET: 'a secret that only tests know',
    ADMIN_PASSWORD: 'correct horse battery',
    RATE_LIMIT: 'none',
    LOG_LEVEL: 'warn',
  };
}

const sum = (writers: Writer[], count: (writer: Writer) => number) =>
  writers.reduce((total, writer) => total + count(writer), 0);
const acknowledged = (writers: Writer[]) => sum(writers, ({ ledger }) => ledger.acknowledged);

/** Kills a node while everybody writes, lets them go on without it, and starts it again. */
async function round(writers: Writer[], random: (below: number) => number, node: number): Promise<void> {
  let stopped = false;
  let left = writers.length;
  const working = writers.map((writer, index) =>
    writer.work(apis[index % apis.length]!, () => stopped).finally(() => (left -= 1)),
  );
  const until = async (more: number): Promise<void> => {
    for (const enough = acknowledged(writers) + more; left > 0 && acknowledged(writers) < enough;) await sleep(5);
  };
  await until(20 + random(40));
  await cluster!.kill(node);
  await until(40);
  stopped = true;
  await Promise.all(working);
  await cluster!.restart(node);
}

async function auditNode(database: string, node: number): Promise<string[]> {
  const url = cluster!.url(database, node, false);
  const models = compileSite('schemas', readConfig(environment(url), false).site);
  const store = await openStore(url, { pool: 2, migrate: 'off' }, allTables(models));
  try {
    return (await auditData(models, store)).map(({ message }) => message);
  } finally {
    await store.close();
  }
}

async function checksums(database: string, node: number): Promise<object[]> {
  const url = cluster!.url(database, node, false);
  const tables = await runSql(url, 'SHOW TABLES');
  return runSql(url, `CHECKSUM TABLE ${tables.map((row) => String(Object.values(row)[0])).join(', ')}`);
}

async function settle(writers: Writer[], database: string): Promise<void> {
  await Promise.all(writers.map((writer, index) => writer.settle(apis[index % apis.length]!)));
  expect(writers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const node of NODES) expect({ node, found: await auditNode(database, node) }).toEqual({ node, found: [] });
  const [first, ...others] = await Promise.all(NODES.map((node) => checksums(database, node)));
  for (const other of others) expect(other).toEqual(first);
}

async function loop(database: string, firsts: number[]): Promise<void> {
  await runSql(cluster!.url('mysql', 0, false), `CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  // All start at once on a database without tables.
  servers = await Promise.all(firsts.map((first) => startServer(environment(cluster!.url(database, first)))));
  apis = servers.map(({ port }) => new Api(port));
  const random = seeded(SEED);
  const { id } = (await apis[0]!.get('/users/me')).body;
  const writers = Array.from(
    { length: CLIENTS },
    (_, index) => new Writer(`w${'abcdef'[index]}`, seeded(SEED + index), id),
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    await round(writers, random, kill % NODES.length);
    await settle(writers, database);
    const refused = sum(writers, (writer) => writer.refused);
    const line = `${database}, seed ${SEED}: ${kill + 1} kills, ${acknowledged(writers)} acknowledged writes, ${refused} responses with 503`;
    process.stdout.write(`${line}\n`);
  }
  for (const api of apis) for (const { ledger } of writers) await ledger.verify(api);
}

it('transactions on two nodes that conflict are saved whole or not at all', async () => {
  const database = 'conflicts';
  await runSql(cluster!.url('mysql', 0, false), `CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  const open = (node: number) => openStore(cluster!.url(database, node, false), { pool: 4 }, library);
  const stores = [await open(0), await open(1)];
  const saved: string[] = [];
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < 1_000; n += 1) {
      const title = `${writer}-${n}`;
      const done = await stores[writer % 2]!.transaction(async (tx) => {
        const id = await tx.insert(books.name, { title, kind: `kind ${n % 5}` });
        await tx.insert(tags.name, { owner_id: id, target_id: 1 });
        return true;
      }, {}).catch((error: unknown) => {
        if (error instanceof ResourceError && error.code === 'rest_unavailable') return false;
        throw error;
      });
      if (done) saved.push(title);
    }
  };
  try {
    await Promise.all([0, 1, 2, 3, 4, 5].map(write));
    for (const [node, store] of stores.entries()) {
      // A node applies what others have committed a moment later.
      const found = () => runSql(cluster!.url(database, node, false), `SELECT id, title FROM ${books.name}`);
      for (let looks = 0; looks < 50 && (await found()).length < saved.length; looks += 1) await sleep(100);
      const rows = await found();
      const owners = await runSql(cluster!.url(database, node, false), `SELECT owner_id FROM ${tags.name}`);
      expect(rows.map((row) => row['title']).sort()).toEqual([...saved].sort());
      expect(owners.map((row) => row['owner_id']).sort()).toEqual(rows.map((row) => row['id']).sort());
      expect(await store.reader.count(books.name, { op: 'true' })).toBe(saved.length);
    }
  } finally {
    for (const store of stores) await store.close();
  }
}, 300_000);

it('two servers that write to the same node', () => loop('one_node', [0, 0]), KILLS * 120_000 + 120_000);

it('three servers that write to all nodes', () => loop('all_nodes', NODES), KILLS * 120_000 + 120_000);
