// A row whose state a transaction knows: its changes may be sent late and reads of it served from memory, with the same
// results and the same stored rows.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { array, assert, asyncProperty, constantFrom, integer, oneof, record, tuple } from 'fast-check';
import { and, equals, type Change, type Row } from '../../../src/model/query.js';
import type { Store, Transaction } from '../../../src/model/store.js';
import { openStore } from '../../../src/storage/open-store.js';
import { Faults } from '../../support/faults.js';
import { type Engine, availableEngines, freshDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { runs } from '../../support/runs.js';
import { books, library } from './library.js';

const COLUMNS = [...books.columns.keys()].filter((name) => name !== 'id');
const SHARED = COLUMNS.filter((name) => name !== 'isbn' && name !== 'shelf');

const change = oneof(
  tuple(constantFrom('title', 'folded'), constantFrom<Change>('', 'a', "it's")),
  tuple(constantFrom('folded'), constantFrom<Change>('é '.repeat(700), 'line\nbreak')),
  tuple(constantFrom('kind', 'shelf'), constantFrom<Change>('novel', 'poem', 'x')),
  tuple(constantFrom('loans', 'parent'), constantFrom<Change>(0, 7, { increment: 1 }, { increment: -3 })),
  tuple(constantFrom('lent'), constantFrom<Change>(true, false)),
  tuple(constantFrom('weight'), constantFrom<Change>(null, 1.5, 2)),
  tuple(constantFrom('bought'), constantFrom<Change>(null, '2026-01-02T03:04:05')),
  tuple(constantFrom('extra'), constantFrom<Change>(null, '{"b":1,"a":[2]}')),
);

type Step = (tx: Transaction, id: number, current: Row | undefined) => Promise<unknown>;

const step = oneof(
  { weight: 4, arbitrary: array(change, { minLength: 1, maxLength: 4 }).map(update) },
  { weight: 2, arbitrary: constantFrom(...COLUMNS).map(read) },
  { weight: 1, arbitrary: constantFrom<Step>(readAll, insertOther, selectByTitle, changeAll, countAll) },
);

function update(changes: [string, Change][]): Step {
  return (tx, id, current) => tx.update('books', Object.fromEntries(changes), equals('id', id), current);
}

function read(column: string): Step {
  const isNew = { isNew: equals('kind', 'novel') };
  return (tx, id) => tx.first('books', [column], equals('id', id), isNew);
}

function readAll(tx: Transaction, id: number): Promise<unknown> {
  return tx.first('books', COLUMNS, equals('id', id));
}

async function insertOther(tx: Transaction, id: number): Promise<void> {
  await tx.insert('books', { title: 'another', parent: id });
}

function selectByTitle(tx: Transaction, id: number): Promise<unknown> {
  const where = and(equals('title', 'a'), equals('id', id));
  return tx.select({ table: 'books', columns: SHARED, where, order: [] });
}

async function changeAll(tx: Transaction): Promise<void> {
  await tx.update('books', { loans: { increment: 10 } }, { op: 'gt', column: 'loans', value: 3 });
}

function countAll(tx: Transaction, id: number): Promise<number> {
  return tx.count('books', and(equals('loans', 7), equals('id', id)));
}

describe.each<Engine>(availableEngines())('a row that is changed on %s', (engine) => {
  let database: FreshDatabase;
  let store: Store;
  let faults: Faults;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    store = await openStore(database.url, { pool: 3 }, library);
    faults = Faults.of(store);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const insert = (row: Row = {}) => store.transaction((tx) => tx.insert('books', { title: 'x', ...row }));

  /** What the steps returned, and what is stored afterwards. */
  async function outcome(steps: readonly Step[], knows: boolean): Promise<unknown> {
    const id = await insert();
    const seen = await store.transaction(async (tx) => {
      const current = await tx.first('books', ['id', ...COLUMNS], equals('id', id));
      const results: unknown[] = [];
      // Only the first change says what the row is: later ones are of a row that is known.
      let given = knows ? current : undefined;
      for (const run of steps) {
        results.push(await run(tx, id, given));
        given = undefined;
      }
      return results;
    });
    const stored = await store.reader.first('books', COLUMNS, equals('id', id));
    await store.transaction((tx) => tx.delete('books', { op: 'true' }));
    return { seen, stored };
  }

  it('reads and stores the same, whether it is cached or not', async () => {
    const first = array(change, { minLength: 1, maxLength: 4 }).map(update);
    const property = asyncProperty(first, array(step, { maxLength: 8 }), async (begin, others) => {
      const steps = [begin, ...others];
      expect(await outcome(steps, true)).toEqual(await outcome(steps, false));
    });
    await assert(property, { numRuns: runs(120) });
    expect(await store.reader.count('books', { op: 'true' })).toBe(0);
  });

  it('counts its rows by their changed values', async () => {
    const property = asyncProperty(
      record({ kind: constantFrom('novel', 'poem'), times: integer({ min: 1, max: 3 }) }),
      async ({ kind, times }) => {
        const id = await insert();
        await store.transaction(async (tx) => {
          const current = await tx.first('books', ['id', ...COLUMNS], equals('id', id));
          for (let at = 0; at < times; at++)
            await tx.update('books', { kind, title: `${at}` }, equals('id', id), at === 0 ? current : undefined);
          expect(await tx.wrongCounters()).toEqual([]);
        });
        expect(await store.reader.count('books', equals('kind', kind))).toBe(1);
        await store.transaction((tx) => tx.delete('books', { op: 'true' }));
      },
    );
    await assert(property, { numRuns: runs(20) });
  });

  it('is unchanged when the transaction fails', async () => {
    const id = await insert({ title: 'before' });
    const failing = store.transaction(async (tx) => {
      const current = await tx.first('books', ['id', ...COLUMNS], equals('id', id));
      await tx.update('books', { title: 'after' }, equals('id', id), current);
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await store.reader.first('books', ['title'], equals('id', id))).toEqual({ title: 'before' });
  });

  it('is named with its table in the error of a change that the database rejects at the end', async () => {
    const id = await insert();
    faults.plan('commit', () => new Error('disk'));
    const failing = store.transaction(async (tx) => {
      const current = await tx.first('books', ['id', ...COLUMNS], equals('id', id));
      await tx.update('books', { title: 'after' }, equals('id', id), current);
    });
    const named = engine === 'sqlite' ? {} : { failedWrite: 'books' };
    await expect(failing).rejects.toMatchObject({ message: 'disk', ...named });
    faults.end();
    expect(await store.reader.first('books', ['title'], equals('id', id))).toEqual({ title: 'x' });
  });
});
