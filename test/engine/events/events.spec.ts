// Events on each database: the order of commits, leases, and listeners.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EVENTS, OUTBOX } from '../../../src/events/event.js';
import { EventLog } from '../../../src/events/event-log.js';
import { Leases } from '../../../src/maintenance/leases.js';
import { equals, TRUE } from '../../../src/model/query.js';
import { administrator, type TestActor } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { testEngine } from '../../support/fresh-database.js';
import { type Lease, LEASES } from '../../../src/maintenance/lease.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Received {
  all: string[];
  failing: string[];
}
const received = ((globalThis as { received?: Received }).received = { all: [], failing: [] } as Received);

let site: TestSite;
let admin: TestActor;
beforeAll(async () => {
  site = await startTestSite(here('schemas'), { EXTENSIONS_DIR: here('extensions') });
  admin = administrator(site);
});
afterAll(() => site.close());

const note = async (title: string): Promise<number> =>
  (await site.send('POST', '/notes', { as: admin.headers, body: { title }, status: 201 })).body.id;

async function when(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300 && !done(); tries += 1) await sleep(20);
  if (!done()) throw new Error(`Never so: ${JSON.stringify(received)}`);
}

describe('listeners', () => {
  test('receive each event once, in order, and a failed one again', async () => {
    const ids = [await note('once'), await note('twice'), await note('once more')];
    await site.send('DELETE', `/notes/${ids[0]}?force=true`, { as: admin.headers, status: 200 });
    await when(() => received.failing.includes(`deleted ${ids[0]}`));
    expect(received.failing).toEqual([
      `created ${ids[0]}`,
      `created ${ids[1]}`,
      `created ${ids[1]}`,
      `created ${ids[2]}`,
      `deleted ${ids[0]}`,
    ]);
    await when(() => received.all.length === 4);
    expect(received.all).toEqual([...ids.map((id) => `note.created ${id}`), `note.deleted ${ids[0]}`]);
  });

  test('do not receive events of a write that was rolled back', async () => {
    const before = received.all.length;
    const refused = site.site.store.transaction(async (tx) => {
      const row = { resource: 'note', item: 999, action: 'created', fields: '', actor: 0, at: Date.now(), open: 0 };
      await tx.append(OUTBOX.name, row);
      throw new Error('rolled back');
    });
    await expect(refused).rejects.toThrow('rolled back');
    const id = await note('after');
    await when(() => received.all.length > before);
    expect(received.all.slice(before)).toEqual([`note.created ${id}`]);
  });
});

describe('the log', () => {
  test('orders events by commit, even when they were written in another order', async () => {
    const { store } = site.site;
    // The site itself moves nothing during the test.
    await site.site.stopTasks();
    const log = new EventLog(store);
    await log.sequence();
    const from = await log.last();
    const write = (item: number) => {
      const row = { resource: 'note', item, action: 'updated', fields: '', actor: 0, at: Date.now(), open: 0 };
      // Its id is given at once, not at the end.
      return { row, needs: { names: [`test ${item}`] } };
    };
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isWritten = (): void => undefined;
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const first = write(1);
    const slow = store.transaction(async (tx) => {
      await tx.insert(OUTBOX.name, first.row);
      isWritten();
      // SQLite serializes transactions: none can overtake another.
      if (testEngine() !== 'sqlite') await held;
    }, first.needs);
    await written;
    const second = write(2);
    await store.transaction((tx) => tx.insert(OUTBOX.name, second.row), second.needs);
    await log.sequence();
    const seen = (await log.after(from, 10)).map(({ item }) => item);
    release();
    await slow;
    await log.sequence();
    const after = (await log.after(from, 10)).map(({ item }) => item);
    expect(seen).toEqual(testEngine() === 'sqlite' ? [1, 2] : [2]);
    expect(after).toEqual(testEngine() === 'sqlite' ? [1, 2] : [2, 1]);
    site.site.startTasks();
  });

  test('keeps its order when several processes move events concurrently', async () => {
    await site.site.stopTasks();
    const { store } = site.site;
    const logs = Array.from({ length: 4 }, () => new EventLog(store));
    const from = (await logs[0]!.sequence(), await logs[0]!.last());
    const writers = Array.from({ length: 8 }, async (_, item) => {
      for (let at = 0; at < 20; at += 1) {
        const row = { resource: 'note', item, action: 'updated', fields: `f${at}`, actor: 0, at, open: 0 };
        await store.transaction((tx) => tx.append(OUTBOX.name, row), { names: [`item ${item}`] });
      }
    });
    let hasEnded = false;
    const movers = logs.map(async (log) => {
      while (!hasEnded) {
        await log.sequence();
        await sleep(1);
      }
    });
    await Promise.all(writers);
    hasEnded = true;
    await Promise.all(movers);
    await logs[0]!.sequence();
    const events = await logs[0]!.after(from, 1_000);
    expect(events).toHaveLength(160);
    for (let item = 0; item < 8; item += 1)
      expect(events.filter((event) => event.item === item).map(({ fields }) => fields[0])).toEqual(
        Array.from({ length: 20 }, (_, at) => `f${at}`),
      );
    expect(await store.reader.count(OUTBOX.name, TRUE)).toBe(0);
    site.site.startTasks();
  });

  test('is trimmed by age, and never reuses an id', async () => {
    await site.site.stopTasks();
    const { store } = site.site;
    const log = new EventLog(store);
    const last = await log.last();
    await log.trim(Date.now() + 60_000);
    expect(await store.reader.count(EVENTS.name, TRUE)).toBe(1);
    const row = { resource: 'note', item: 1, action: 'updated', fields: '', actor: 0, at: 0, open: 0 };
    await store.transaction((tx) => tx.append(OUTBOX.name, row), {});
    await log.sequence();
    expect(await log.last()).toBeGreaterThan(last);
    site.site.startTasks();
  });
});

describe('a lease', () => {
  const leasesOf = (timeout: number) => new Leases(site.site.store, timeout);

  test('has one holder, until it is released', async () => {
    const [one, other] = [leasesOf(60_000), leasesOf(60_000)];
    const both = await Promise.all([one.take('a'), other.take('a')]);
    expect(both.filter((lease) => lease !== undefined)).toHaveLength(1);
    const held = both.find((lease) => lease !== undefined)!;
    expect(await other.take('a')).toBeUndefined();
    await held.release();
    const next = await other.take('a');
    expect(next).toBeDefined();
    await next!.release();
  });

  test('is taken from a holder without heartbeats, which then cannot confirm it', async () => {
    const [dead, alive] = [leasesOf(60_000), leasesOf(100)];
    const lost = (await dead.take('b'))!;
    expect(await alive.take('b')).toBeUndefined();
    await sleep(150);
    const taken = (await alive.take('b'))!;
    expect(taken).toBeDefined();
    const { store } = site.site;
    expect(await store.transaction((tx) => lost.confirm(tx), { names: lost.locks })).toBe(false);
    expect(lost.signal.aborted).toBe(true);
    expect(await store.transaction((tx) => taken.advance(tx, 5), { names: taken.locks })).toBe(true);
    expect(await alive.position('b')).toBe(5);
    await taken.release();
    // What is lost is not given back.
    await lost.release();
    expect((await store.reader.first(LEASES.name, ['holder'], equals('name', 'b')))!['holder']).toBe('');
  });

  test('of a holder without heartbeats times out from the first read of any lease', async () => {
    const [dead, alive] = [leasesOf(60_000), leasesOf(100)];
    for (const name of ['d', 'e']) await dead.take(name);
    expect(await alive.take('d')).toBeUndefined();
    await sleep(150);
    for (const name of ['d', 'e']) {
      const taken = await alive.take(name);
      expect(taken).toBeDefined();
      await taken!.release();
    }
  });

  test('is independent of earlier leases of the process', async () => {
    const [process, other] = [leasesOf(60_000), leasesOf(100)];
    const lost = (await process.take('c'))!;
    await other.take('c');
    await sleep(150);
    await (await other.take('c'))!.release();
    const taken = (await process.take('c'))!;
    const { store } = site.site;
    const isHeld = (lease: Lease) => store.transaction((tx) => lease.confirm(tx), { names: lease.locks });
    expect(await isHeld(lost)).toBe(false);
    expect(await isHeld(taken)).toBe(true);
    await taken.release();
  });
});
