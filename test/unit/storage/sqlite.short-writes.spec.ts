// Short transactions on the event loop's thread: what may take long runs on the writing thread, none completes before its
// COMMIT is on the disk, and one that fails undoes nothing of the others.
import { describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import type { Predicate } from '../../../src/model/query.js';
import type { Transaction } from '../../../src/model/store.js';
import type { SqliteStore } from '../../../src/storage/sqlite/store.js';
import { SqliteWriter } from '../../../src/storage/sqlite/writer.js';
import { withStore } from './library.js';

const ALL: Predicate = { op: 'true' };
const equal = (column: string, value: string | number): Predicate => ({ op: 'eq', column, value });
const short = <T>(store: SqliteStore, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  store.transaction(work, { early: true });
const insert = (store: SqliteStore, title: string, folded = ''): Promise<number> =>
  short(store, (tx) => tx.insert('books', { title, folded }));
const titles = async (store: SqliteStore): Promise<unknown[]> =>
  (
    await store.reader.select({
      table: 'books',
      columns: ['title'],
      where: ALL,
      order: [{ column: 'id', direction: 'asc' }],
    })
  ).map((row) => row['title']);

/** Connections that were used, and scripts that each ran, while `work` did. */
async function traced(store: SqliteStore, work: () => Promise<unknown>): Promise<Record<'here' | 'thread', string[]>> {
  const ran = { here: [] as string[], thread: [] as string[] };
  const { writes } = store as any;
  const restore: (() => void)[] = [];
  for (const [place, holder] of [
    ['here', writes.shortWrites],
    ['thread', writes],
  ] as const) {
    const writer: SqliteWriter = await holder.open();
    for (const kind of ['exec', 'run', 'rows'] as const) {
      const real = (writer[kind] as (...args: unknown[]) => Promise<any>).bind(writer);
      (writer as any)[kind] = (sql: string, ...rest: unknown[]) => (ran[place].push(sql), real(sql, ...rest));
      restore.push(() => delete (writer as any)[kind]);
    }
  }
  await work();
  for (const undo of restore) undo();
  return ran;
}

describe('a short transaction', () => {
  it('runs on this thread, and is visible to readers when it completes', async () => {
    await withStore(async (store) => {
      const ran = await traced(store, async () => {
        expect(await insert(store, 'a')).toBe(1);
        expect(await titles(store)).toEqual(['a']);
      });
      expect(ran.thread).toEqual([]);
      expect([ran.here[0], ran.here.at(-1)]).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
    });
  });

  const LONG = 'word '.repeat(10_000);
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['writes a long text', (tx) => tx.insert('books', { title: 'long', folded: LONG })],
    ['reads a long text', (tx) => tx.first('books', ['folded'], equal('title', 'old'))],
    ['changes many rows', (tx) => tx.update('books', { weight: 2 }, equal('kind', 'novel'))],
    ['counts rows', (tx) => tx.count('books', equal('title', 'old'))],
    ['looks through a table', (tx) => tx.first('books', ['id'], equal('title', 'nothing'))],
    ['asks to be alone', async (tx) => tx.alone()],
  ])('runs on the writing thread when it %s', async (_name, what) => {
    await withStore(async (store) => {
      await store.transaction((tx) => tx.insert('books', { title: 'old', folded: LONG }));
      const ran = await traced(store, () =>
        short(store, async (tx) => {
          await tx.insert('books', { title: 'first' });
          await what(tx);
        }),
      );
      expect(ran.here.at(-1)).toBe('ROLLBACK');
      expect(ran.thread.at(-1)).toBe('COMMIT');
      expect((await titles(store)).filter((title) => title === 'first')).toEqual(['first']);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('is not tried again for a while after a slow statement of its kind', async () => {
    await withStore(async (store) => {
      const work = (tx: Transaction): Promise<number> => tx.count('books', equal('title', 'old'));
      const scripts = async (kind: string): Promise<string[]> =>
        (await traced(store, () => store.transaction(work, { kind }))).here;
      expect((await scripts('count')).length).toBeGreaterThan(0);
      expect(await scripts('count')).toEqual([]);
      expect((await scripts('count others')).length).toBeGreaterThan(0);
      // A long text says nothing of others.
      const long = (tx: Transaction): Promise<number> => tx.insert('books', { title: 'long', folded: LONG });
      for (let i = 0; i < 2; i++)
        expect((await traced(store, () => store.transaction(long, { kind: 'insert' }))).here.length).toBeGreaterThan(0);
    });
  });

  it('runs on the writing thread when it is too long, even if its work caught the error', async () => {
    await withStore(async (store) => {
      await short(store, async (tx) => {
        await tx.insert('books', { title: 'a' });
        await tx.count('books', equal('title', 'a')).catch(() => 0);
      });
      expect(await titles(store)).toEqual(['a']);
    });
  });

  it('runs on the writing thread when it is too long, even if its work threw another error instead', async () => {
    await withStore(async (store) => {
      await short(store, async (tx) => {
        await tx.insert('books', { title: 'a' });
        await tx.count('books', equal('title', 'a')).catch(() => {
          throw new Error('The books cannot be counted');
        });
      });
      expect(await titles(store)).toEqual(['a']);
      const failing = short(store, async (tx) => {
        await tx.count('books', equal('title', 'a'));
        throw new Error('own');
      });
      await expect(failing).rejects.toThrow('own');
    });
  });

  it('shares its COMMIT with transactions that wait for their turn', async () => {
    await withStore(async (store) => {
      const ran = await traced(store, async () => {
        const ids = await Promise.all(['a', 'b', 'c', 'd'].map((title) => insert(store, title)));
        expect(ids).toEqual([1, 2, 3, 4]);
      });
      expect(ran.here.filter((sql) => sql === 'COMMIT').length).toBeLessThan(4);
      expect(await titles(store)).toEqual(['a', 'b', 'c', 'd']);
    });
  });

  it.each([
    ['has written', true],
    ['has written nothing', false],
  ])('that fails after it %s does not affect the others', async (_name, writes) => {
    await withStore(async (store) => {
      const failing = (title: string): Promise<unknown> =>
        short(store, async (tx) => {
          if (writes) await tx.insert('books', { title });
          throw new Error(title);
        });
      const work = [insert(store, 'a'), failing('b'), insert(store, 'c'), failing('d'), insert(store, 'e')];
      const done = await Promise.allSettled(work);
      expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      expect((await titles(store)).sort()).toEqual(['a', 'c', 'e']);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
    });
  });

  it('takes turns with transactions of the writing thread', async () => {
    await withStore(async (store) => {
      const on = (title: string, at: number): Promise<unknown> =>
        at % 2 === 0 ? insert(store, title) : store.transaction((tx) => tx.insert('books', { title }));
      const all = Array.from({ length: 40 }, (_, at) => `book ${at}`);
      await Promise.all(all.map(on));
      expect((await titles(store)).sort()).toEqual([...all].sort());
    });
  });

  it('moves to the writing thread, which waits, while another process has locked the file', async () => {
    await withStore(async (store, file) => {
      const other = await SqliteWriter.open({ file, synchronous: 'normal' });
      await other.exec('BEGIN IMMEDIATE');
      const inserting = insert(store, 'a');
      await new Promise((resolve) => setTimeout(resolve, 50));
      await other.exec('COMMIT');
      await inserting;
      await other.close();
      expect(await titles(store)).toEqual(['a']);
    });
  });
});

describe('the WAL', () => {
  const syncs = (store: SqliteStore): { sync: () => Promise<void> } => (store as any).writes.shortWrites.sync;

  it('is synced before a transaction completes', async () => {
    await withStore(
      async (store) => {
        await insert(store, 'a');
        const wal = syncs(store);
        const sync = wal.sync.bind(wal);
        let synced = false;
        wal.sync = async () => {
          await new Promise((resolve) => setTimeout(resolve, 30));
          await sync();
          synced = true;
        };
        await insert(store, 'b');
        expect(synced).toBe(true);
      },
      { synchronous: 'full' },
    );
  });

  it('fails the transaction when it cannot be synced', async () => {
    await withStore(
      async (store) => {
        await insert(store, 'a');
        syncs(store).sync = () => Promise.reject(new Error('EIO'));
        await expect(insert(store, 'b')).rejects.toMatchObject({ code: 'rest_unavailable' });
      },
      { synchronous: 'full' },
    );
  });

  it('is not synced with synchronous=normal', async () => {
    await withStore(async (store) => {
      await insert(store, 'a');
      expect(syncs(store)).toBeUndefined();
    });
  });

  it('is restarted from time to time', async () => {
    await withStore(async (store, file) => {
      const pages = (): number => statSync(`${file}-wal`).size / 16_384;
      for (let i = 0; i < 1_000; i++) await insert(store, `title ${i}`, `text ${i} `.repeat(200));
      expect(pages()).toBeLessThan(2_000);
    });
  });
});
