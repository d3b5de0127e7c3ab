import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { OrderKey, Predicate, Row } from '../../../src/model/query.js';
import type { Store } from '../../../src/model/store.js';
import { UniqueViolation } from '../../../src/storage/sql/connection.js';
import { availableEngines } from '../../support/fresh-database.js';
import { books, library, on, table, tablesOf } from './library.js';
import { runs } from '../../support/runs.js';

const ALL: Predicate = { op: 'true' };
const eq = (column: string, value: any): Predicate => ({ op: 'eq', column, value });
const idsOf = async (store: Store, where: Predicate): Promise<number[]> =>
  (
    await store.reader.select({ table: 'books', columns: ['id'], where, order: [{ column: 'id', direction: 'asc' }] })
  ).map((row) => row['id']);
const put = (store: Store, row: Row): Promise<number> => store.transaction((tx) => tx.insert('books', row));

describe.each(availableEngines())('a store on %s', (engine) => {
  const { withStore, withDatabase } = on(engine);
  describe('rows', () => {
    it('are returned as they were stored, including hostile values', async () => {
      await withStore(async (store) => {
        const hostile = [
          `'; DROP TABLE books; --`,
          '"',
          '\\',
          '%_',
          '?',
          '$1',
          ':a',
          '\u{1F600}\u2028',
          '',
          'null',
          '0',
        ];
        for (const title of hostile) {
          const id = await put(store, { title, weight: 0.1 + 0.2, lent: true, extra: '{"a":[1]}', isbn: null });
          const columns = ['id', 'title', 'weight', 'lent', 'extra', 'isbn', 'loans', 'kind'];
          expect(await store.reader.first('books', columns, eq('title', title))).toEqual({
            id,
            title,
            weight: 0.1 + 0.2,
            lent: 1,
            extra: '{"a":[1]}',
            isbn: null,
            loans: 0,
            kind: 'novel',
          });
        }
        expect(await store.reader.count('books', ALL)).toBe(hostile.length);
      });
    });

    it('are found by literal text, with and without the index', async () => {
      await withStore(async (store) => {
        const texts = [
          '100% sure',
          '100 sure',
          'a_b',
          'axb',
          'back\\slash',
          'say "hi" now',
          'NEAR(a b) OR *',
          'x'.repeat(30_000),
        ];
        const short = (text: string) => text.slice(0, 200);
        for (const text of texts) await put(store, { title: short(text), folded: text });
        for (const value of [
          '100%',
          '0% s',
          'a_b',
          '\\',
          'k\\s',
          '"hi"',
          'NEAR(',
          ' OR *',
          'x'.repeat(20_000),
          'y'.repeat(60_000),
          'a\0b',
          'ab\0c',
        ]) {
          for (const [column, kept] of [
            ['title', texts.map(short)],
            ['folded', texts],
          ] as const) {
            const expected = kept.flatMap((text, i) => (text.includes(value) ? [i + 1] : []));
            expect(await idsOf(store, { op: 'contains', column, value })).toEqual(expected);
          }
        }
      });
    });

    it('satisfy either a predicate or its negation', async () => {
      await withStore(async (store) => {
        for (const shelf of [null, 'a', 'b']) await put(store, { shelf, bought: shelf && '2024-02-03T04:05:06' });
        const predicates: Predicate[] = [
          eq('shelf', 'a'),
          eq('shelf', null),
          { op: 'ne', column: 'shelf', value: 'a' },
          { op: 'in', column: 'shelf', values: ['a', null] },
          { op: 'lt', column: 'shelf', value: 'b' },
          { op: 'contains', column: 'shelf', value: 'a' },
          { op: 'datePart', part: 'month', column: 'bought', value: 2 },
          { op: 'and', of: [eq('shelf', 'a'), eq('kind', 'novel')] },
        ];
        for (const p of predicates) {
          const both = [...(await idsOf(store, p)), ...(await idsOf(store, { op: 'not', of: p }))];
          expect(both.sort()).toEqual([1, 2, 3]);
        }
        expect(await idsOf(store, { op: 'ne', column: 'shelf', value: 'a' })).toEqual([1, 3]);
      });
    });

    it('are selected by parts of a date', async () => {
      await withStore(async (store) => {
        // Saturday; 2023 starts on a Sunday, 2024 on a Monday, 2020 on a Wednesday (weeks as MySQL's WEEK(d, 1)).
        await put(store, { bought: '2024-02-03T04:05:06' });
        const part = (part: any, value: number): Promise<number[]> =>
          idsOf(store, { op: 'datePart', part, column: 'bought', value });
        const parts = {
          year: 2024,
          month: 2,
          day: 3,
          hour: 4,
          minute: 5,
          second: 6,
          dayOfYear: 34,
          weekday: 7,
          week: 5,
        };
        for (const [name, value] of Object.entries(parts)) {
          expect([name, await part(name, value)]).toEqual([name, [1]]);
          expect([name, await part(name, value + 1)]).toEqual([name, []]);
        }
        for (const [day, week] of [
          ['2023-01-01', 0],
          ['2023-01-02', 1],
          ['2020-01-01', 1],
          ['2020-01-06', 2],
          ['2020-12-31', 53],
        ]) {
          const id = await put(store, { bought: `${day}T00:00:00` });
          expect([day, await part('week', week as number)]).toEqual([day, expect.arrayContaining([id])]);
        }
      });
    });

    it('are selected by nested conditions on another table', async () => {
      await withStore(async (store) => {
        const set = await put(store, { kind: 'set' });
        const inSet = await put(store, { parent: set });
        await put(store, { parent: inSet });
        await store.transaction((tx) =>
          tx.insertMany('book_tags', [
            { owner_id: set, target_id: 7 },
            { owner_id: inSet, target_id: 8 },
          ]),
        );
        const tagged = (id: number): Predicate => ({
          op: 'exists',
          table: 'book_tags',
          outer: 'id',
          inner: 'owner_id',
          where: eq('target_id', id),
        });
        const ofParent = (where: Predicate): Predicate => ({
          op: 'exists',
          table: 'books',
          outer: 'parent',
          inner: 'id',
          where,
        });
        expect(await idsOf(store, tagged(7))).toEqual([1]);
        expect(await idsOf(store, ofParent(tagged(7)))).toEqual([2]);
        expect(await idsOf(store, ofParent(ofParent(tagged(7))))).toEqual([3]);
        expect(await idsOf(store, { op: 'not', of: ofParent(ALL) })).toEqual([1]);
        const checks = { mine: tagged(7), other: tagged(8) };
        expect(await store.reader.first('books', ['id'], eq('id', 1), checks)).toEqual({ id: 1, mine: 1, other: 0 });
      });
    });

    it('match lists of any length', async () => {
      await withStore(async (store) => {
        await store.transaction((tx) =>
          tx.insertMany(
            'books',
            Array.from({ length: 3000 }, (_, i) => ({ title: `t${i}` })),
          ),
        );
        for (const n of [1, 2, 3, 500, 513, 3000]) {
          const titles = Array.from({ length: n }, (_, i) => `t${i}`);
          const ids = titles.map((_, i) => i + 1);
          expect(await store.reader.count('books', { op: 'in', column: 'title', values: titles })).toBe(n);
          expect(await store.reader.count('books', { op: 'in', column: 'id', values: ids })).toBe(n);
        }
      });
    });

    it('compare and sort texts bytewise, with nulls first', async () => {
      await withStore(async (store) => {
        const isbns = [
          'hello',
          'HELLO',
          'café',
          'cafe',
          'hello ',
          'Z',
          'a',
          '\u{1F600}',
          '\uFFFD',
          'ß',
          '',
          '_',
          null,
          null,
        ];
        for (const isbn of isbns) await put(store, { isbn, shelf: isbn });
        for (const isbn of isbns) {
          if (isbn !== null) expect(await store.reader.count('books', eq('shelf', isbn))).toBe(1);
        }
        const bytes = (text: string | null): Buffer => Buffer.from(text ?? '');
        const sorted = [...isbns].sort((a, b) =>
          a === null || b === null ? Number(a !== null) - Number(b !== null) : Buffer.compare(bytes(a), bytes(b)),
        );
        for (const direction of ['asc', 'desc'] as const) {
          const order = [
            { column: 'isbn', direction },
            { column: 'id', direction },
          ] as const;
          const rows = await store.reader.select({ table: 'books', columns: ['isbn'], where: ALL, order: [...order] });
          const wanted = direction === 'asc' ? sorted : [...sorted].reverse();
          expect(rows.map((row) => row['isbn'])).toEqual(wanted);
        }
      });
    });

    it('are found in the last year of dates', async () => {
      await withStore(async (store) => {
        for (const bought of ['9998-12-31T23:59:59', '9999-01-01T00:00:00', '9999-12-31T23:59:59'])
          await put(store, { bought });
        const inYear = (value: number) => idsOf(store, { op: 'datePart', part: 'year', column: 'bought', value });
        expect(await inYear(9999)).toEqual([2, 3]);
        expect(await inYear(9998)).toEqual([1]);
        expect(await inYear(10_000)).toEqual([]);
      });
    });

    it('can be compared with numbers outside of the range of a column', async () => {
      await withStore(async (store) => {
        for (const loans of [0, 1, 2, Number.MAX_SAFE_INTEGER]) await put(store, { loans });
        const found = async (op: any, value: number): Promise<number[]> => idsOf(store, { op, column: 'loans', value });
        expect(await found('eq', 1.5)).toEqual([]);
        expect(await found('ne', 1.5)).toEqual([1, 2, 3, 4]);
        expect(await found('lt', 1.5)).toEqual([1, 2]);
        expect(await found('le', 1.5)).toEqual([1, 2]);
        expect(await found('gt', 1.5)).toEqual([3, 4]);
        expect(await found('ge', 1.5)).toEqual([3, 4]);
        expect(await found('lt', 1e300)).toEqual([1, 2, 3, 4]);
        expect(await found('ge', 1e300)).toEqual([]);
        expect(await found('gt', -1e300)).toEqual([1, 2, 3, 4]);
        expect(await idsOf(store, { op: 'in', column: 'loans', values: [1e300, 0.5, 2] })).toEqual([3]);
        expect(await idsOf(store, eq('loans', Number.MAX_SAFE_INTEGER))).toEqual([4]);
      });
    });

    it('are changed and deleted by conditions on other rows of their table', async () => {
      await withStore(async (store) => {
        const set = await put(store, { kind: 'set' });
        await put(store, { parent: set });
        await put(store, { title: 'x' });
        const inSet: Predicate = {
          op: 'exists',
          table: 'books',
          outer: 'parent',
          inner: 'id',
          where: eq('kind', 'set'),
        };
        expect(await store.transaction((tx) => tx.update('books', { title: 'in a set' }, inSet))).toBe(1);
        expect(await idsOf(store, eq('title', 'in a set'))).toEqual([2]);
        expect(await store.transaction((tx) => tx.delete('books', inSet))).toBe(1);
        expect(await idsOf(store, ALL)).toEqual([1, 3]);
        expect(await store.reader.count('books', eq('kind', 'novel'))).toBe(1);
      });
    });

    it('with a NUL in a text are found by it', async () => {
      await withStore(async (store) => {
        await put(store, { title: 'a\0b', folded: 'a\0b' });
        expect(await idsOf(store, eq('title', 'a\0b'))).toEqual([1]);
        expect(await idsOf(store, { op: 'contains', column: 'folded', value: 'a\0b' })).toEqual([1]);
        expect(await idsOf(store, { op: 'contains', column: 'folded', value: 'ab' })).toEqual([]);
      });
    });

    it('are returned in random order, and in the order of a list', async () => {
      await withStore(async (store) => {
        for (let i = 0; i < 5; i++) await put(store, { title: 'x' });
        const sorted = async (key: OrderKey): Promise<number[]> => {
          const rows = await store.reader.select({
            table: 'books',
            columns: ['id'],
            where: ALL,
            order: [key],
            offset: 1,
          });
          return rows.map((row) => row['id']);
        };
        expect(await sorted({ random: true })).toHaveLength(4);
        expect(await sorted({ list: [5, 3, 1, 2, 4], column: 'id' })).toEqual([3, 1, 2, 4]);
        expect(await sorted({ cases: [eq('id', 4), eq('id', 2)], direction: 'asc' })).toEqual(
          expect.arrayContaining([2, 1, 3, 5]),
        );
      });
    });

    it('never get an id that was used before, and may have given ids', async () => {
      await withDatabase(async (database) => {
        const open = (): Promise<Store> => database.open(library);
        let store = await open();
        expect(await put(store, { id: 41 })).toBe(41);
        expect(await put(store, { title: 'x' })).toBe(42);
        await store.transaction((tx) => tx.delete('books', ALL));
        await store.close();
        store = await open();
        expect(await put(store, { title: 'y', folded: 'yyyy' })).toBe(43);
        expect(await store.transaction((tx) => tx.insert('book_tags', { owner_id: 1, target_id: 2 }))).toBe(0);
        await store.close();
      });
    });
  });

  describe('unique columns', () => {
    it('reject duplicates with table and columns, and the transaction can continue', async () => {
      await withStore(async (store) => {
        await put(store, { isbn: 'a' });
        const again = put(store, { isbn: 'a' });
        await expect(again).rejects.toThrow(UniqueViolation);
        await expect(again).rejects.toMatchObject({ table: 'books', columns: ['isbn'] });
        await expect(put(store, { id: 1 })).rejects.toMatchObject({ table: 'books', columns: ['id'] });
        await put(store, { isbn: 'A' });
        await store.transaction(async (tx) => {
          await expect(tx.insert('books', { isbn: 'a' })).rejects.toThrow(UniqueViolation);
          await expect(tx.update('books', { isbn: 'a', kind: 'x' }, eq('isbn', 'A'))).rejects.toThrow(UniqueViolation);
          await tx.insert('books', { isbn: 'a-2' });
        });
        expect(await store.reader.count('books', ALL)).toBe(3);
        expect(await store.reader.count('books', eq('kind', 'novel'))).toBe(3);
      });
    });
  });

  describe('transactions', () => {
    it('are isolated, whatever their work awaits', async () => {
      await withStore(async (store) => {
        const jobs = Array.from({ length: 20 }, (_, i) =>
          store.transaction(async (tx) => {
            const before = await tx.count('books', ALL);
            await tx.insert('books', { title: `first ${i}` });
            await sleep(Math.random() * 5);
            await tx.insert('books', { title: `second ${i}` });
            expect(await tx.count('books', ALL)).toBe(before + 2);
            if (i % 3 === 0) throw new Error('no');
            return before;
          }),
        );
        const done = await Promise.allSettled(jobs);
        expect(done.filter((each) => each.status === 'rejected').map((each) => each.reason.message)).toEqual(
          Array(7).fill('no'),
        );
        expect(await store.reader.count('books', ALL)).toBe(26);
        for (let i = 0; i < 20; i++) {
          const where: Predicate = { op: 'in', column: 'title', values: [`first ${i}`, `second ${i}`] };
          expect(await store.reader.count('books', where)).toBe(i % 3 === 0 ? 0 : 2);
        }
      });
    });

    it('see their own writes, which others do not see before the commit', async () => {
      await withStore(async (store) => {
        await store.transaction(async (tx) => {
          const id = await tx.insert('books', { kind: 'map', title: 'x' });
          expect(await tx.first('books', ['title'], eq('id', id))).toEqual({ title: 'x' });
          expect(await tx.countBy('books', 'kind', ALL)).toEqual(new Map([['map', 1]]));
          expect(await tx.count('books', eq('kind', 'map'))).toBe(1);
          expect(await store.reader.count('books', eq('kind', 'map'))).toBe(0);
          expect(await store.reader.first('books', ['title'], eq('id', id))).toBeUndefined();
        });
        expect(await store.reader.count('books', eq('kind', 'map'))).toBe(1);
      });
    });

    it('run callbacks after the commit only', async () => {
      const errors: unknown[] = [];
      await withStore(
        async (store) => {
          const seen: number[] = [];
          const count = async (): Promise<void> => void seen.push(await store.reader.count('books', ALL));
          await store.transaction(async (tx) => {
            tx.after(() => Promise.reject(new Error('late')));
            tx.after(count);
            await tx.insert('books', { title: 'x' });
          });
          expect(seen).toEqual([1]);
          await store
            .transaction(async (tx) => {
              tx.after(count);
              throw new Error('no');
            })
            .catch(() => undefined);
          expect(seen).toEqual([1]);
          expect(errors).toEqual([new Error('late')]);
        },
        { onError: (error) => errors.push(error) },
      );
    });

    it('add to number columns at their end', async () => {
      await withStore(async (store) => {
        const [a, b] = [await put(store, { title: 'a' }), await put(store, { title: 'b' })];
        await store.transaction(async (tx) => {
          tx.add('books', b, 'loans', 2);
          tx.add('books', a, 'loans', 1);
          tx.add('books', b, 'loans', 3);
          tx.add('books', a, 'loans', -1);
        });
        const rows = await store.reader.select({
          table: 'books',
          columns: ['loans'],
          where: ALL,
          order: [{ column: 'id', direction: 'asc' }],
        });
        expect(rows).toEqual([{ loans: 0 }, { loans: 5 }]);
        await expect(store.transaction(async (tx) => tx.add('books', 1, 'kind', 1))).rejects.toThrow('counted');
      });
    });

    it('cannot be nested, or used after their end', async () => {
      await withStore(async (store) => {
        await expect(store.transaction(() => store.transaction(async () => 1))).rejects.toThrow('inside a transaction');
        let late: any;
        await store.transaction(async (tx) => void (late = tx));
        await expect(late.insert('books', { title: 'x' })).rejects.toThrow('over');
        let escaped: Promise<number> | undefined;
        let end = (): void => undefined;
        const over = new Promise<void>((resolve) => (end = resolve));
        await store.transaction(async () => void (escaped = over.then(() => put(store, { title: 'y' }))));
        end();
        expect(await escaped).toBe(1);
      });
    });

    it('are rolled back completely when a statement fails', async () => {
      await withStore(async (store) => {
        const work = store.transaction(async (tx) => {
          await tx.insert('books', { title: 'good' });
          tx.add('books', 1, 'loans', 1);
          await tx.insert('books', { title: null });
        });
        await expect(work).rejects.toThrow(/null/i);
        expect(await store.reader.count('books', ALL)).toBe(0);
        await put(store, { title: 'good' });
        expect(await store.reader.count('books', ALL)).toBe(1);
      });
    });

    it('wait for another process, then return 503', async () => {
      await withStore(async (store, database) => {
        const other = await database.open(library);
        let release = (): void => undefined;
        let begun = (): void => undefined;
        const holding = new Promise<void>((resolve) => (begun = resolve));
        const held = other.transaction(() => new Promise<void>((resolve) => void ((release = resolve), begun())));
        await holding;
        await expect(put(store, { title: 'x' })).rejects.toMatchObject({
          code: 'rest_unavailable',
          status: 503,
          headers: { 'Retry-After': '1' },
        });
        const waiting = put(store, { title: 'y' });
        await sleep(20);
        release();
        await held;
        expect(await waiting).toBe(1);
        await other.close();
      });
    });

    it('wait for each other for a limited time', async () => {
      await withStore(
        async (store) => {
          const long = store.transaction(() => sleep(80));
          await expect(put(store, { title: 'x' })).rejects.toMatchObject({ code: 'rest_unavailable' });
          await long;
          expect(await put(store, { title: 'y' })).toBe(1);
        },
        { queueMs: 20 },
      );
    });
  });

  describe('counts', () => {
    const kind = fc.constantFrom('novel', 'map', "o'clock");
    const shelf = fc.constantFrom(null, 'a', 'b');
    const change = fc.oneof(
      fc.record({
        do: fc.constant('insert' as const),
        rows: fc.array(fc.record({ kind, shelf }), { minLength: 1, maxLength: 4 }),
      }),
      fc.record({
        do: fc.constant('update' as const),
        from: kind,
        set: fc.oneof(fc.record({ kind }), fc.record({ kind, shelf }), fc.record({ shelf })),
      }),
      fc.record({ do: fc.constant('title' as const), from: kind }),
      fc.record({ do: fc.constant('delete' as const), kind, shelf }),
    );
    const batch = fc.record({ changes: fc.array(change, { maxLength: 6 }), fails: fc.boolean() });

    it('are exact after any sequence of writes, rolled back or not', async () => {
      await withStore(async (store, database) => {
        const other = await database.open(library);
        let model: Row[] = [];
        const expected = (where: (row: Row) => boolean): number => model.filter(where).length;
        await fc.assert(
          fc.asyncProperty(fc.array(batch, { maxLength: 4 }), async (batches) => {
            for (const { changes, fails } of batches) {
              const before = model;
              await store
                .transaction(async (tx) => {
                  for (const c of changes) {
                    if (c.do === 'insert' && c.rows.length === 1) await tx.insert('books', c.rows[0]!);
                    else if (c.do === 'insert') await tx.insertMany('books', c.rows);
                    else if (c.do === 'update') await tx.update('books', c.set, eq('kind', c.from));
                    else if (c.do === 'title') await tx.update('books', { title: 'x' }, eq('kind', c.from));
                    else await tx.delete('books', { op: 'and', of: [eq('kind', c.kind), eq('shelf', c.shelf)] });
                    if (c.do === 'insert') model = [...model, ...c.rows];
                    if (c.do === 'update')
                      model = model.map((row) => (row['kind'] === c.from ? { ...row, ...c.set } : row));
                    if (c.do === 'delete')
                      model = model.filter((row) => row['kind'] !== c.kind || row['shelf'] !== c.shelf);
                    expect(await tx.count('books', eq('shelf', 'a'))).toBe(expected((row) => row['shelf'] === 'a'));
                  }
                  if (fails) throw new Error('no');
                })
                .catch((error: Error) => {
                  if (error.message !== 'no') throw error;
                  model = before;
                });
              for (const { reader } of [store, other]) {
                expect(await reader.count('books', ALL)).toBe(model.length);
                expect(await reader.count('books', eq('kind', 'map'))).toBe(expected((row) => row['kind'] === 'map'));
                expect(await reader.count('books', { op: 'null', column: 'shelf' })).toBe(
                  expected((row) => row['shelf'] === null),
                );
                const where: Predicate = {
                  op: 'and',
                  of: [{ op: 'in', column: 'kind', values: ['map', "o'clock"] }, eq('shelf', 'b')],
                };
                expect(await reader.count('books', where)).toBe(
                  expected((row) => row['kind'] !== 'novel' && row['shelf'] === 'b'),
                );
                expect(
                  await reader.count('books', { op: 'and', of: [where, { op: 'gt', column: 'id', value: 0 }] }),
                ).toBe(await reader.count('books', where));
              }
            }
          }),
          { numRuns: runs(60) },
        );
        await other.close();
      });
    });

    it('of maintained scopes do not read the table; others are cached until a write', async () => {
      const statements: string[] = [];
      await withStore(
        async (store, database) => {
          const other = await database.open(library);
          await put(store, { title: 'x' });
          const filtered: Predicate = { op: 'gt', column: 'id', value: 0 };
          const asked = async (where: Predicate): Promise<[number, number]> => {
            statements.length = 0;
            const n = await store.reader.count('books', where);
            return [n, statements.filter((sql) => /COUNT\(\*\) FROM .books./.test(sql)).length];
          };
          expect(await asked(eq('kind', 'novel'))).toEqual([1, 0]);
          expect(await asked(filtered)).toEqual([1, 1]);
          expect(await asked(filtered)).toEqual([1, 0]);
          await other.transaction((tx) => tx.insert('books', { title: 'y' }));
          expect(await asked(filtered)).toEqual([2, 1]);
          expect(await asked(eq('kind', 'novel'))).toEqual([2, 0]);
          await other.transaction((tx) => tx.delete('books', eq('id', 1)));
          expect(await asked(filtered)).toEqual([1, 1]);
          expect(await store.reader.countBy('books', 'kind', filtered)).toEqual(new Map([['novel', 1]]));
          await other.transaction((tx) => tx.insert('books', { kind: 'map' }));
          expect(await asked(filtered)).toEqual([2, 1]);
          expect(await store.reader.countBy('books', 'kind', filtered)).toEqual(
            new Map([
              ['novel', 1],
              ['map', 1],
            ]),
          );
          await other.close();
        },
        { slowMs: 0, onSlow: (sql) => statements.push(sql) },
      );
    });

    it('are computed when a filled table gets counters', async () => {
      await withDatabase(async (database) => {
        const plain = tablesOf({ ...books, counted: [] });
        let store = await database.open(plain);
        await store.transaction((tx) => tx.insertMany('books', [{ kind: 'a' }, { kind: 'a' }, { kind: 'b' }]));
        await store.close();
        for (const counted of [['kind'], ['kind', 'shelf'], ['kind']]) {
          store = await database.open(tablesOf({ ...books, counted }));
          expect(await store.reader.count('books', eq('kind', 'a'))).toBe(2);
          expect(await store.reader.count('books', ALL)).toBe(3);
          await store.close();
        }
      });
    });
  });

  describe('full text', () => {
    it('finds the same rows as a scan after any writes', async () => {
      await withStore(async (store) => {
        const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'é', '%', '"', '😀'), maxLength: 12 });
        let model: string[] = [];
        await fc.assert(
          fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), text, fc.nat(), async (texts, value, n) => {
            await store.transaction(async (tx) => {
              await tx.insertMany(
                'books',
                texts.map((folded) => ({ folded })),
              );
              model.push(...texts);
              const id = (n % model.length) + 1;
              await tx.update('books', { folded: texts[0]! }, eq('id', id));
              model[id - 1] = texts[0]!;
            });
            expect(await idsOf(store, { op: 'contains', column: 'folded', value })).toEqual(
              model.flatMap((each, i) => (each.includes(value) ? [i + 1] : [])),
            );
          }),
          { numRuns: runs(60) },
        );
        await store.transaction((tx) => tx.delete('books', ALL));
        expect(await idsOf(store, { op: 'contains', column: 'folded', value: 'abc' })).toEqual([]);
      });
    });

    it('fills an index that is added later', async () => {
      await withDatabase(async (database) => {
        const plain = tablesOf({ ...books, indexes: new Map() });
        let store = await database.open(plain);
        await put(store, { folded: 'older than the index' });
        await store.close();
        store = await database.open(library);
        expect(await idsOf(store, { op: 'contains', column: 'folded', value: 'the index' })).toEqual([1]);
        await store.close();
      });
    });
  });

  describe('an existing table', () => {
    it('gains the missing parts of the models and loses nothing', async () => {
      await withDatabase(async (database) => {
        const first = table('shelves', [
          { name: 'id', kind: 'integer', primary: true },
          { name: 'name', kind: 'varchar', length: 10 },
          { name: 'old', kind: 'text', default: '' },
        ]);
        let store = await database.open(tablesOf(first));
        await store.transaction((tx) => tx.insert('shelves', { name: 'a', old: 'kept' }));
        await store.close();
        const second = table(
          'shelves',
          [
            { name: 'id', kind: 'integer', primary: true },
            { name: 'name', kind: 'varchar', length: 100 },
            { name: 'recent', kind: 'text', default: '', renamedFrom: 'old' },
            { name: 'floor', kind: 'integer', default: 3 },
            { name: 'note', kind: 'json', nullable: true },
          ],
          [{ name: 'shelves_name', columns: ['name'], unique: true }],
        );
        store = await database.open(tablesOf(second));
        expect(await store.reader.first('shelves', ['name', 'recent', 'floor', 'note'], ALL)).toEqual({
          name: 'a',
          recent: 'kept',
          floor: 3,
          note: null,
        });
        await expect(store.transaction((tx) => tx.insert('shelves', { name: 'a' }))).rejects.toThrow(UniqueViolation);
        await store.close();
      });
    });

    it('that contradicts the models stops the start without changes', async () => {
      await withDatabase(async (database) => {
        const id = { name: 'id', kind: 'integer', primary: true } as const;
        const first = table('shelves', [id, { name: 'name', kind: 'varchar' }, { name: 'must', kind: 'text' }]);
        const filled = await database.open(tablesOf(first));
        await filled.transaction((tx) => tx.insert('shelves', { name: 'a', must: 'b' }));
        await filled.close();
        const second = table('shelves', [
          id,
          { name: 'name', kind: 'integer' },
          { name: 'author', kind: 'integer' },
          { name: 'more', kind: 'text', default: '' },
        ]);
        await expect(database.open(tablesOf(second))).rejects.toMatchObject({
          problems: [{ path: 'shelves.name' }, { path: 'shelves.author' }],
        });
        const store = await database.open(tablesOf(first));
        expect(
          await store.reader.select({ table: 'shelves', columns: ['id', 'name', 'must'], where: ALL, order: [] }),
        ).toEqual([{ id: 1, name: 'a', must: 'b' }]);
        await store.close();
      });
    });
  });
});
