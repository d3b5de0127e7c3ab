// Two processes that are killed under load, and a receiver that fails a third of the time: every event of an
// acknowledged write is delivered, in order for each item, and none of a write that was rolled back. TEST_RUNS sets the
// number of writes (10,000 at 1).
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import { runs } from '../support/runs.js';
import {
  AS_ADMINISTRATOR,
  serverProcesses,
  type ServerProcess,
  type ServerProcesses,
} from '../support/server-process.js';

const WRITES = runs(10_000, 200);
const CLIENTS = 16;

let database: FreshDatabase;
let servers: ServerProcesses;
let told: Receiver;
let running: ServerProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  told = await startReceiver();
  servers = serverProcesses(database.url, {
    RATE_LIMIT: 'none',
    WEBHOOK_ALLOW_HOSTS: told.host,
    WEBHOOK_RETRY: '1ms',
    WEBHOOK_ATTEMPTS: '100',
  });
  await startBoth();
});
afterAll(async () => {
  await servers.close();
  await told.close();
  await database.drop();
});

async function startBoth(): Promise<void> {
  running = [await servers.start()];
  await running[0]!.ready();
  running.push(await servers.start());
  await running[1]!.ready();
}

/** What was acknowledged: tags by id, with the number of updates. */
const acknowledged = new Map<number, number>();
let writes = 0;

/** One client: makes tags, changes them, and is refused now and then; goes on whatever happens to the servers. */
async function client(number: number): Promise<void> {
  let mine: number | undefined;
  for (let step = 0; writes < WRITES; step += 1) {
    const { send } = running[(number + step) % running.length]!;
    const as = AS_ADMINISTRATOR;
    try {
      if (mine === undefined || step % 7 === 0) {
        const body = { name: `Tag ${number} ${step}` };
        const response = await send('POST', '/tags', { as, body });
        if (response.status === 201) acknowledged.set((mine = response.body.id as number), 0);
      } else if (step % 5 === 0) {
        await send('POST', '/tags', {
          as,
          body: { name: `Refused ${number}`, parent: 'nothing', slug: { a: 1 } },
          status: 400,
        });
        continue;
      } else {
        const response = await send('PATCH', `/tags/${mine}`, { as, body: { description: `step ${step}` } });
        if (response.status === 200) acknowledged.set(mine, acknowledged.get(mine)! + 1);
      }
      writes += 1;
    } catch {
      // A server is down.
      await sleep(50);
    }
  }
}

test(`${WRITES} writes of ${CLIENTS} clients`, async () => {
  // No event more than five times: each pause is four times the one before, and the tenth would take minutes.
  const failures = new Map<unknown, number>();
  told.respond = ({ headers }) => {
    const failed = failures.get(headers['webhook-id']) ?? 0;
    if (failed === 5 || Math.random() >= 1 / 3) return 200;
    failures.set(headers['webhook-id'], failed + 1);
    return 500;
  };
  const body = { url: told.url, resources: ['tag'] };
  await running[0]!.send('POST', '/webhooks', { as: AS_ADMINISTRATOR, body, status: 201 });
  // Until the other process knows of it, too.
  await sleep(1_500);
  const all = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  while (writes < WRITES / 2) await sleep(20);
  await Promise.all(running.map((server) => server.end('SIGKILL')));
  await startBoth();
  await all;

  const pending = async () => {
    const path = '/webhook-deliveries?state=pending&per_page=3';
    const { body, headers } = await running[0]!.send('GET', path, { as: AS_ADMINISTRATOR });
    return { total: Number(headers['x-wp-total']), items: body as unknown[] };
  };
  const isTold = () => [...acknowledged].every(([id, updates]) => distinct(id, 'updated').size >= updates);
  for (let tries = 0; tries < 600 && !((await pending()).total === 0 && isTold()); tries += 1) await sleep(200);
  expect(await pending()).toEqual({ total: 0, items: [] });

  const missing = [...acknowledged].filter(
    ([id, updates]) => distinct(id, 'created').size !== 1 || distinct(id, 'updated').size < updates,
  );
  expect(missing).toEqual([]);
  expect(wrongOrders()).toEqual([]);
  // What was told of exists: nothing of a write that was refused, or rolled back with its process.
  const told_ = [...new Set(told.accepted.map(({ body: { data } }) => data.id as number))];
  for (let at = 0; at < told_.length; at += 100) {
    const ids = told_.slice(at, at + 100);
    const found = await running[0]!.send('GET', '/tags', { query: { include: ids.join(','), per_page: 100 } });
    expect(found.body).toHaveLength(ids.length);
  }
}, 600_000);

/** Numbers of the accepted events of an item. */
function distinct(id: number, action: string): Set<number> {
  return byItem().get(`${id} ${action}`) ?? new Set();
}

let counted: { at: number; found: Map<string, Set<number>> } = { at: -1, found: new Map() };
function byItem(): Map<string, Set<number>> {
  const { accepted } = told;
  if (counted.at === accepted.length) return counted.found;
  const found = new Map<string, Set<number>>();
  for (const { body } of accepted) {
    const key = `${body.data.id} ${body.data.action}`;
    found.set(key, (found.get(key) ?? new Set()).add(body.data.event as number));
  }
  counted = { at: accepted.length, found };
  return found;
}

/** Items of which an event was accepted for the first time after a later one. */
function wrongOrders(): string[] {
  const last = new Map<number, number>();
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const { body } of told.accepted as Received[]) {
    const { id, event } = body.data as { id: number; event: number };
    if (seen.has(`${event}`)) continue;
    seen.add(`${event}`);
    if (event < (last.get(id) ?? 0)) wrong.push(`${id}: ${event} after ${last.get(id)}`);
    last.set(id, event);
  }
  return wrong;
}
