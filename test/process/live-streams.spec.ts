// Streams of events in several processes: every change reaches all of them, connections that wait take little memory, and a stream
// that is interrupted goes on without a gap.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { runs } from '../support/runs.js';
import {
  AS_ADMINISTRATOR,
  memoryOf,
  serverProcesses,
  type ServerProcess,
  type ServerProcesses,
} from '../support/server-process.js';
import { openStream, type Sent, type Stream } from '../support/stream.js';

const STREAMS = runs(1_000, 100);
const CHANGES = runs(500, 40);
const MIB = 1024 * 1024;

let database: FreshDatabase;
let servers: ServerProcesses;
let running: ServerProcess[];

beforeAll(async () => {
  database = await freshDatabase();
  servers = serverProcesses(database.url, { RATE_LIMIT: 'none', LIVE_UPDATES: 'on' });
  running = [await servers.start()];
  await running[0]!.ready();
  running.push(await servers.start());
  await running[1]!.ready();
});
afterAll(async () => {
  await servers.close();
  await database.drop();
});

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port);
const tag = async (name: string, server = running[0]!): Promise<number> =>
  (await server.send('POST', '/tags', { as: AS_ADMINISTRATOR, body: { name }, status: 201 })).body.id;
const idsOf = (events: readonly Sent[]) => events.map(({ data }) => data.id as number);

async function when(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_500 && !done(); tries += 1) await sleep(20);
  if (!done()) throw new Error('It never came to that.');
}

test(`${STREAMS} open streams in two processes receive events, and take little memory`, async () => {
  const before = memoryOf(running[1]!, 'VmRSS');
  const streams: Stream[] = [];
  for (let at = 0; at < STREAMS; at += 50)
    streams.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, STREAMS - at) }, () => openStream(portOf(running[1]!), '/events')),
      )),
    );
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const here = await openStream(portOf(running[0]!), '/events');
  const id = await tag('For all');
  await when(() => [here, ...streams].every(({ updates: told }) => idsOf(told).includes(id)));
  // A connection costs some tens of kilobytes, most of them the socket's.
  expect(memoryOf(running[1]!, 'VmRSS') - before).toBeLessThan(60 * MIB + (STREAMS * MIB) / 10);
  for (const stream of [here, ...streams]) stream.close();
});

test('a stream that is interrupted repeatedly receives all events', async () => {
  const made: number[] = [];
  let over = false;
  const received: number[] = [];
  let last = '';
  const follow = async () => {
    for (let round = 0; !over || new Set(received).size < made.length; round += 1) {
      const headers: Record<string, string> = last === '' ? {} : { 'Last-Event-ID': last };
      const stream = await openStream(portOf(running[round % 2]!), '/events?resource=tag', headers);
      expect(stream.events[0]?.type).toBe('ready');
      last ||= stream.events[0]!.id;
      await sleep(30 + ((round * 37) % 120));
      stream.close();
      received.push(...idsOf(stream.updates));
      last = stream.updates.at(-1)?.id ?? last;
      if (round > 2_000) throw new Error(`${new Set(received).size} of ${made.length}`);
    }
  };
  const write = async () => {
    // The first stream has begun.
    while (last === '') await sleep(5);
    const some = Array.from({ length: 4 }, async (_, client) => {
      for (let at = client; at < CHANGES; at += 4) made.push(await tag(`Tag ${at}`, running[at % 2]));
    });
    await Promise.all(some);
    over = true;
  };
  await Promise.all([follow(), write()]);
  expect([...new Set(received)].sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b));
  // One stream at a time has each event once.
  expect(received).toHaveLength(new Set(received).size);
});

test('a server that stops ends its streams without waiting for them', async () => {
  const third = await servers.start({ SHUTDOWN_TIMEOUT: '180s' });
  await third.ready();
  const stream = await openStream(portOf(third), '/events');
  const begin = Date.now();
  expect(await third.end('SIGTERM')).toBe(0);
  expect(Date.now() - begin).toBeLessThan(120_000);
  await when(() => stream.ended);
});
