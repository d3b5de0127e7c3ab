// The index of words on MySQL: whatever the texts and the terms are, a search finds what a scan of all texts finds.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Predicate, Query } from '../../../src/model/query.js';
import { endsOf, patternsOf, wordsOf } from '../../../src/storage/mysql/words.js';
import type { Transaction } from '../../../src/model/store.js';
import { explainQuery } from '../../../src/storage/explain-query.js';
import type { AdministeredStore } from '../../../src/storage/sql/administered-store.js';
import { runSql, availableEngines } from '../../support/fresh-database.js';
import { books, library, on, tablesOf } from './library.js';

/** Pieces of which texts and terms are made, so that terms are often found. */
const PIECES = [
  'a',
  'ab',
  'bär',
  'ab7',
  'é',
  '漢字',
  'かな',
  '語',
  'ไทย',
  '한국어',
  '😀',
  'x'.repeat(20),
  '0123456789'.repeat(5),
];
const JOINTS = ['', '', ' ', '\n', "'", '-', '%', '_', '\\', '.', '"', '\0', '\u{301}', ', '];
const piece = fc.constantFrom(...PIECES);
const joint = fc.constantFrom(...JOINTS);
const text = fc.array(fc.tuple(piece, joint), { maxLength: 12 }).map((parts) => parts.flat().join(''));
const part = fc.tuple(text, fc.nat(40), fc.nat(70)).map(([whole, from, length]) => {
  const characters = Array.from(whole);
  return characters.slice(from % (characters.length + 1), (from % (characters.length + 1)) + length + 1).join('');
});
const wild = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 200 }));
const term = fc
  .oneof(part, part, fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }))
  .filter((each) => each !== '');

const contains = (value: string): Predicate => ({ op: 'contains', column: 'folded', value });

describe('words', () => {
  it('of a text that contains a term match the patterns of the term', () => {
    const fits = (word: string, { how, word: wanted }: ReturnType<typeof patternsOf>[number]): boolean => {
      if (how === 'is') return word === wanted;
      if (how === 'ends') return endsOf(word).includes(wanted);
      return how === 'begins' ? word.startsWith(wanted) : endsOf(word).some((end) => end.startsWith(wanted));
    };
    fc.assert(
      fc.property(wild, wild, fc.nat(400), fc.nat(200), (one, other, from, length) => {
        const whole = Array.from(`${one}${other}`.repeat(3));
        const at = from % (whole.length + 1);
        const needle = whole.slice(at, at + length + 1).join('');
        const words = [...wordsOf(whole.join(''))!];
        for (const pattern of patternsOf(needle)) expect(words.some((word) => fits(word, pattern))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('have at most 32 characters, and are not indexed for texts with too many', () => {
    fc.assert(
      fc.property(wild, (some) => {
        for (const word of wordsOf(some.repeat(4))!) expect(Array.from(word).length).toBeLessThanOrEqual(32);
      }),
    );
    expect(wordsOf(Array.from({ length: 20_001 }, (_, n) => `w${n}`).join(' '))).toBeUndefined();
  });

  it('are pairs in scripts without spaces, and whole words elsewhere', () => {
    expect([...wordsOf('東京都 abc-de')!]).toEqual(['東京', '京都', 'abc', 'de']);
    expect(patternsOf('bc-d')).toEqual([
      { how: 'ends', word: 'bc' },
      { how: 'begins', word: 'd' },
    ]);
    expect(patternsOf('c-de-f')[0]).toEqual({ how: 'is', word: 'de' });
    expect(patternsOf('. !')).toEqual([]);
  });
});

const there = availableEngines().includes('mysql');
const each = there ? describe.each(['mysql'] as const) : describe.skip.each(['mysql'] as const);

/** Everything that is written in one transaction of a random test. */
const change = fc.record({
  add: fc.array(wild, { maxLength: 6 }),
  set: fc.array(fc.tuple(fc.nat(), wild, fc.boolean()), { maxLength: 3 }),
  drop: fc.array(fc.nat(), { maxLength: 2 }),
});

each('the index on the server %s', (engine) => {
  const { withStore, withDatabase } = on(engine);

  it('finds what a scan finds after any writes, changes and deletions', async () => {
    await withStore(async (store) => {
      await fc.assert(
        fc.asyncProperty(change, fc.array(term, { minLength: 1, maxLength: 5 }), async (each, terms) => {
          await store.transaction((tx) => write(tx, each));
          for (const wanted of terms) await expectFound(store, contains(wanted));
          const [one, other = one] = terms.map(contains);
          await expectFound(store, { op: 'and', of: [one!, { op: 'not', of: other! }] });
          await expectFound(store, { op: 'or', of: [one!, { op: 'and', of: [other!, NOVEL] }] });
        }),
        { numRuns: 120 },
      );
    });
  });

  it('indexes the texts of a database without an index, from any earlier state', async () => {
    await withDatabase(async ({ open, url }) => {
      const first = await open();
      await first.transaction(async (tx) => {
        for (let n = 0; n < 450; n += 1) await tx.insert('books', { folded: `the ${n} plums of ${n % 7} trees` });
      });
      await first.close();
      // An interrupted start has marked the first hundred.
      await runSql(url, `UPDATE typecase_words SET word = 'books.folded@100' WHERE word = 'books.folded+1'`);
      await runSql(url, 'DELETE FROM typecase_word_items WHERE item > 100');
      const again = await open();
      expect(await idsOf(again, contains('plums'))).toHaveLength(450);
      expect(await runSql(url, `SELECT word FROM typecase_words WHERE ending = '' ORDER BY word`)).toEqual(
        ['books.folded+1', 'books.folded=1'].map((word) => ({ word })),
      );
      await again.close();
      for (const table of ['typecase_words', 'typecase_word_items']) await runSql(url, `DROP TABLE ${table}`);
      const off = await open(library, { migrate: 'off' });
      expect(await idsOf(off, contains('17 plums'))).toHaveLength(5);
      await off.transaction((tx) => tx.insert('books', { folded: '17 plums without an index' }));
      await off.close();
      const second = await open();
      expect((await planOf(second, contains('217 plums'))).join()).not.toContain('! SCAN');
      expect(await idsOf(second, contains('17 plums'))).toHaveLength(6);
      await second.close();
      // Renamed, its texts are under another name.
      const columns = [...books.columns.values()].map((column) =>
        column.name === 'folded' ? { ...column, name: 'text', renamedFrom: 'folded' } : column,
      );
      const renamed = { ...books, columns: new Map(columns.map((column) => [column.name, column])) };
      renamed.indexes = new Map([['books_text', { name: 'books_text', columns: ['text'], fulltext: true }]]);
      const third = await open(tablesOf(renamed, ...[...library.values()].slice(1)));
      const where: Predicate = { op: 'contains', column: 'text', value: '17 plums' };
      expect((await planOf(third, where)).join()).not.toContain('! SCAN');
      expect(await idsOf(third, where)).toHaveLength(6);
      await third.close();
    });
  });

  it('finds a page by the index, and scans for words that very many texts have', async () => {
    await withStore(async (store, { url }) => {
      const folded = (n: number) => ({ folded: `common words of book number${n}`, title: `${n}` });
      await store.transaction(async (tx) =>
        tx.insertMany(
          'books',
          Array.from({ length: 1_500 }, (_, n) => folded(n)),
        ),
      );
      await runSql(url, 'ANALYZE TABLE books, typecase_word_items');
      const plan = await planOf(store, contains('umber1234'));
      expect(plan.sort()).toEqual([
        expect.stringMatching(/^SEARCH a0 USING INDEX PRIMARY/),
        expect.stringMatching(/^SEARCH a1 USING INDEX PRIMARY/),
      ]);
      expect((await planOf(store, contains('common word'))).join()).toContain('! SCAN a0');
      const items = async () => Number((await runSql(url, 'SELECT COUNT(*) AS n FROM typecase_word_items'))[0]!['n']);
      const before = await items();
      await store.transaction((tx) => tx.insert('books', folded(5_000)));
      expect(await items()).toBe(before + 1);
      for (const wanted of ['common', 'number5000', 'ber14', 'of book number1499'])
        await expectFound(store, contains(wanted));
      expect(await idsOf(store, contains('common words'))).toHaveLength(1_501);
    });
  });

  it('always scans texts with too many words', async () => {
    await withStore(async (store) => {
      const many = Array.from({ length: 25_000 }, (_, n) => `w${n}`).join(' ');
      await store.transaction(async (tx) => {
        const id = await tx.insert('books', { folded: many });
        await tx.insert('books', { folded: 'w7 alone' });
        expect(id).toBeGreaterThan(0);
      });
      expect(await idsOf(store, contains('w24999'))).toHaveLength(1);
      expect(await idsOf(store, contains('w7 '))).toHaveLength(2);
      await store.transaction((tx) => tx.update('books', { folded: 'short now' }, { op: 'true' }));
      expect(await idsOf(store, contains('w24999'))).toHaveLength(0);
      expect(await idsOf(store, contains('short now'))).toHaveLength(2);
    });
  });

  it('has no entries of a transaction that is rolled back, and finds texts of writers with the same new words', async () => {
    await withDatabase(async ({ open, url }) => {
      const stores = await Promise.all([open(), open(), open()]);
      const failing = stores[0]!.transaction(async (tx) => {
        await tx.insert('books', { folded: 'never heard' });
        await tx.count('books', { op: 'true' });
        throw new Error('on purpose');
      });
      await expect(failing).rejects.toThrow('on purpose');
      expect(await runSql(url, `SELECT word FROM typecase_words WHERE word = 'never'`)).toEqual([]);
      const needs = { shared: [], exclusive: [] };
      for (let round = 0; round < 15; round += 1) {
        const words = [`never${round}`, `heard${round}`, `new${round}`];
        const wrote = await Promise.allSettled(
          Array.from({ length: 9 }, (_, n) =>
            stores[n % 3]!.transaction(async (tx) => {
              await tx.insert('books', { folded: [...words.slice(n % 3), ...words.slice(0, n % 3)].join(' ') });
              if (n % 4 === 3) throw new Error('on purpose');
            }, needs as never),
          ),
        );
        const count = wrote.filter(({ status }) => status === 'fulfilled').length;
        expect(count).toBe(7);
        for (const store of stores)
          for (const word of words) expect(await idsOf(store, contains(word.slice(1)))).toHaveLength(count);
      }
      for (const store of stores) await store.close();
    });
  });
});

const NOVEL: Predicate = { op: 'eq', column: 'kind', value: 'novel' };

async function write(tx: Transaction, { add, set, drop }: fcValue<typeof change>): Promise<void> {
  for (const folded of add) await tx.insert('books', { folded });
  await tx.insertMany(
    'books',
    add.map((folded) => ({ folded: `${folded} twice` })),
  );
  const ids = (await tx.select({ table: 'books', columns: ['id'], where: { op: 'true' }, order: [] })).map(
    (row) => row['id'],
  );
  if (ids.length === 0) return;
  const one = (at: number): Predicate => ({ op: 'eq', column: 'id', value: ids[at % ids.length] });
  for (const [at, folded, isKnown] of set) {
    const columns = ['id', 'folded', 'kind', 'shelf', 'title'];
    const current = isKnown ? await tx.first('books', columns, one(at)) : undefined;
    await tx.update('books', { folded }, one(at), current);
  }
  for (const at of drop) await tx.delete('books', one(at));
}

type fcValue<A> = A extends fc.Arbitrary<infer T> ? T : never;

async function idsOf(store: AdministeredStore, where: Predicate): Promise<number[]> {
  const rows = await store.reader.select({ table: 'books', columns: ['id'], where, order: [] });
  return rows.map((row) => row['id'] as number).sort((a, b) => a - b);
}

/** Compares with a reader that knows no index. */
async function expectFound(store: AdministeredStore, where: Predicate): Promise<void> {
  const query = { table: 'books', columns: ['id'], where, order: [{ column: 'id', direction: 'asc' }] } satisfies Query;
  const scanned = await store.snapshot((reader) => reader.select(query));
  expect(await idsOf(store, where)).toEqual(scanned.map((row) => row['id']));
  expect(await store.reader.count('books', where)).toBe(scanned.length);
}

function planOf(store: AdministeredStore, where: Predicate): Promise<string[]> {
  return explainQuery(store, { table: 'books', columns: ['id'], where, order: [] });
}
