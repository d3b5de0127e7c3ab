// Filled tables whose schemas change: never a lost value without consent, and a second run changes nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../../src/model/query.js';
import { migrateStore, planStore } from '../../../src/storage/migrate-store.js';
import type { DdlConnection } from '../../../src/storage/sql/connection.js';
import type { RunOptions } from '../../../src/storage/migrations/run.js';
import { run } from '../../support/built-program.js';
import { availableEngines } from '../../support/fresh-database.js';
import { library, on, type OpenDatabase, table, tablesOf } from './library.js';
import type { ColumnModel, IndexModel, TableModel } from '../../../src/model/table.js';

const id: ColumnModel = { name: 'id', kind: 'integer', primary: true };
const name: ColumnModel = { name: 'name', kind: 'varchar', length: 20, default: '' };
const text: ColumnModel = { name: 'body', kind: 'text', default: '' };
const loans: ColumnModel = { name: 'loans', kind: 'integer', default: 0 };
const lent: ColumnModel = { name: 'lent', kind: 'boolean', default: false };
const note: ColumnModel = { name: 'note', kind: 'varchar', length: 30, nullable: true };
const byName: IndexModel = { name: 'ix_shelves_name', columns: ['name', 'id'] };
const byBody: IndexModel = { name: 'ix_shelves_body', columns: ['body'], fulltext: true };

const shelves = (columns: ColumnModel[], indexes: IndexModel[] = []): TableModel =>
  table('shelves', [id, ...columns], indexes);
const before = shelves([name, text, loans, lent, note], [byName, byBody]);
const ROWS: Row[] = [
  { id: 1, name: 'first', body: 'it\u2019s "one" \u{1F600}', loans: 7, lent: true, note: null },
  { id: 5, name: '12', body: 'two', loans: 0, lent: false, note: 'x'.repeat(30) },
  { id: 6, name: '12', body: '', loans: -3, lent: true, note: '' },
];

/** As commands open a store: on SQLite no thread is started for it. */
const COMMAND = { statementMs: 0, migrate: 'off' } as const;

describe.each(availableEngines())('evolution on %s', (engine) => {
  const { withDatabase } = on(engine);

  async function filled(database: OpenDatabase, model: TableModel = before, rows: Row[] = ROWS): Promise<void> {
    const store = await database.open(tablesOf(model), { statementMs: 0 });
    await store.transaction(async (tx) => {
      for (const row of rows) await tx.insert(model.name, row);
    });
    await store.close();
  }

  async function rowsOf(database: OpenDatabase, model: TableModel): Promise<Row[]> {
    const store = await database.open(tablesOf(model), COMMAND);
    const columns = [...model.columns.keys()];
    const order = [{ column: 'id', direction: 'asc' as const }];
    const rows = await store.reader.select({ table: model.name, columns, where: { op: 'true' }, order });
    await store.close();
    return rows;
  }

  async function planned(database: OpenDatabase, ...models: TableModel[]): Promise<string[]> {
    const store = await database.open(tablesOf(...models), COMMAND);
    try {
      const { steps } = await planStore(store, tablesOf(...models));
      return steps.map(({ risk, kind, column, name: index }) => `${risk} ${kind} ${column ?? index ?? ''}`.trim());
    } finally {
      await store.close();
    }
  }

  async function notesOf(database: OpenDatabase, ...models: TableModel[]): Promise<string[]> {
    const store = await database.open(tablesOf(...models), COMMAND);
    try {
      return (await planStore(store, tablesOf(...models))).notes;
    } finally {
      await store.close();
    }
  }

  async function migrate(database: OpenDatabase, models: TableModel[], running: RunOptions = {}): Promise<number> {
    const store = await database.open(tablesOf(...models), COMMAND);
    try {
      return (await migrateStore(store, tablesOf(...models), running, 'test')).ran.length;
    } finally {
      await store.close();
    }
  }

  const start = async (database: OpenDatabase, model: TableModel, mode: 'auto' | 'check' = 'auto') =>
    (await database.open(tablesOf(model), { migrate: mode })).close();

  /** A change that Typecase knows nothing of. */
  async function byHand(database: OpenDatabase, sql: string): Promise<void> {
    const store = await database.open(tablesOf(before), COMMAND);
    await store.admin.exclusive(async (db) => db.exec(sql));
    await store.close();
  }

  const without = (row: Row, ...names: string[]): Row =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !names.includes(key)));
  const stored: Row[] = ROWS.map((row) => ({ ...row, lent: row['lent'] ? 1 : 0 }));

  it('plans nothing where nothing changed', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      expect(await planned(database, before)).toEqual([]);
      expect(await migrate(database, [before])).toBe(0);
      await start(database, before, 'check');
    });
  });

  it('widens columns in place at startup, with full-text index and ids', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const wider = shelves([{ ...name, length: 50 }, text, loans, lent, { ...note, kind: 'text' }], [byName, byBody]);
      expect(await planned(database, wider)).toEqual(['safe widen column name', 'safe widen column note']);
      await expect(start(database, wider, 'check')).rejects.toThrow(/shelves\.name/);
      await start(database, wider);
      expect(await rowsOf(database, wider)).toEqual(stored);
      expect(await planned(database, wider)).toEqual([]);
      const store = await database.open(tablesOf(wider));
      expect(await store.transaction((tx) => tx.insert('shelves', { body: 'seven and more' }))).toBe(7);
      const where = { op: 'contains', column: 'body', value: 'and more' } as const;
      expect(await store.reader.count('shelves', where)).toBe(1);
      await store.close();
    });
  });

  it('narrows columns only by the command, and only where the values fit', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const fits = shelves([{ ...name, length: 5 }, text, loans, lent, note], [byName, byBody]);
      expect(await planned(database, fits)).toEqual(['risky narrow column name']);
      await start(database, fits);
      expect(await planned(database, fits)).toEqual(['risky narrow column name']);
      expect(await migrate(database, [fits])).toBe(1);
      expect(await planned(database, fits)).toEqual([]);
      const short = shelves([{ ...name, length: 5 }, text, loans, lent, { ...note, length: 29 }], [byName, byBody]);
      expect(await planned(database, short)).toEqual(['refused narrow column note']);
      await expect(migrate(database, [short])).rejects.toThrow(/1 value is longer than 29 characters: id 5/);
      expect(await rowsOf(database, fits)).toEqual(stored);
    });
  });

  it('starts although a long text should become too short for a value', async () => {
    await withDatabase(async (database) => {
      // MySQL stores a string of this length as TEXT.
      await filled(database, shelves([name, text, loans, lent, { ...note, length: 800 }]));
      const short = shelves([name, text, loans, lent, { ...note, length: 29 }]);
      await start(database, short);
      expect(await planned(database, short)).toEqual(['refused narrow column note']);
      expect(await rowsOf(database, short)).toEqual(stored);
    });
  });

  const onMysql = engine === 'mysql' ? it : it.skip;
  onMysql('says that a long text which an index needs shorter may go without the index', async () => {
    await withDatabase(async (database) => {
      await filled(database, shelves([name, text, loans, lent, { ...note, length: 800 }]));
      const indexed = { name: 'ix_shelves_note', columns: ['note'] };
      const short = shelves([name, text, loans, lent, { ...note, length: 29 }], [indexed]);
      await expect(start(database, short)).rejects.toThrow(/longer than 29 characters: id 5.*out of "index"/);
      await start(database, shelves([name, text, loans, lent, { ...note, length: 29 }]));
    });
  });

  it.each([0, 1])('does not change a table of another program with the same name (%d rows)', async (rows) => {
    await withDatabase(async (database) => {
      const other = await database.open(new Map(), COMMAND);
      await other.admin.exclusive(async (db) => {
        await db.exec('CREATE TABLE shelves (a integer)');
        if (rows > 0) await db.exec('INSERT INTO shelves VALUES (1)');
      });
      await other.close();
      expect(await planned(database, before)).toContain('refused create table');
      await expect(start(database, before)).rejects.toThrow(
        /shelves: .*of another program.*no column id.*DATABASE_URL/,
      );
      await expect(migrate(database, [before])).rejects.toThrow(/of another program/);
      const there = await database.open(new Map(), COMMAND);
      expect(await there.admin.read(async (db) => db.rows('SELECT a FROM shelves', []))).toHaveLength(rows);
      await there.close();
    });
  });

  const onServers = engine !== 'sqlite' ? it : it.skip;
  onServers('tells that a plan waits for a migration of another process', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      let told = 0;
      const onLocked = () => void (told += 1);
      const [first, second] = [
        await database.open(tablesOf(before), { ...COMMAND, onLocked }),
        await database.open(tablesOf(before), { ...COMMAND, onLocked }),
      ];
      let begun: () => void;
      const locked = new Promise<void>((resolve) => (begun = resolve));
      const migration = first.admin.exclusive(async () => (begun(), sleep(1_500)));
      await locked;
      expect(told).toBe(0);
      expect((await planStore(second, tablesOf(before))).steps).toEqual([]);
      expect(told).toBe(1);
      await migration;
      await first.close();
      await second.close();
    });
  });

  const onPostgres = engine === 'postgres' ? it : it.skip;
  onPostgres(
    'makes the indexes for searches although a migration of another process takes longer than a statement',
    async () => {
      await withDatabase(async (database) => {
        const first = await database.open(new Map(), COMMAND);
        await database.run('DROP EXTENSION IF EXISTS pg_trgm CASCADE');
        let begun: () => void;
        const locked = new Promise<void>((resolve) => (begun = resolve));
        const migration = first.admin.exclusive(async () => (begun(), sleep(6_000)));
        await locked;
        await start(database, before);
        await migration;
        await first.close();
        await start(database, before, 'check');
      });
    },
  );

  it('narrows no column whose nullability changes', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      for (const [length, risk] of [
        [10, 'risky'],
        [3, 'refused'],
      ] as const) {
        const loose = shelves(
          [{ ...name, length, nullable: length === 10 }, text, loans, lent, note],
          [byName, byBody],
        );
        await start(database, loose);
        expect(await planned(database, loose)).toEqual([`${risk} narrow column name`]);
        expect(await rowsOf(database, loose)).toEqual(stored);
      }
    });
  });

  it('renames only columns and tables with their former names', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const body = { ...text, name: 'story', renamedFrom: 'body', kind: 'text' } as const;
      const renamed = shelves(
        [{ ...name, name: 'label', renamedFrom: 'name', length: 60 }, body, loans, lent, note],
        [
          { name: 'ix_shelves_label', columns: ['label', 'id'] },
          { name: 'ix_shelves_story', columns: ['story'], fulltext: true },
        ],
      );
      await start(database, renamed);
      expect(await planned(database, renamed)).toEqual([]);
      expect(await rowsOf(database, renamed)).toEqual(
        stored.map(({ name: label, body: story, ...rest }: Row) => ({ ...rest, label, story })),
      );
      const guessed = shelves([{ ...name, name: 'caption' }, body, loans, lent, note]);
      await start(database, guessed);
      expect(await planned(database, guessed)).toEqual(['destructive drop column label']);
      expect((await rowsOf(database, guessed)).map((row) => row['caption'])).toEqual(['', '', '']);
      expect((await rowsOf(database, renamed)).map((row) => row['label'])).toEqual(['first', '12', '12']);
    });
  });

  it('adds a required column only with a value for existing rows', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const asked = shelves([name, text, loans, lent, note, { name: 'floor', kind: 'integer' }], [byName, byBody]);
      expect(await planned(database, asked)).toEqual(['refused add column floor']);
      await expect(start(database, asked)).rejects.toThrow(/shelves\.floor: add column: 3 rows .*default/);
      await expect(migrate(database, [asked])).rejects.toThrow(/shelves\.floor/);
      const given = shelves(
        [name, text, loans, lent, note, { name: 'floor', kind: 'integer', default: 3 }],
        [byName, byBody],
      );
      await start(database, given);
      expect(await rowsOf(database, given)).toEqual(stored.map((row) => ({ ...row, floor: 3 })));
      expect(await planned(database, given)).toEqual([]);
    });
  });

  it('fills existing rows with a backfill, and requires one for required values', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const wing: ColumnModel = { name: 'wing', kind: 'varchar', length: 9, default: '', demanded: { name: '12' } };
      const asked = shelves([name, text, loans, lent, note, wing], [byName, byBody]);
      await expect(start(database, asked)).rejects.toThrow(/2 rows have no value for a required column: ids 5, 6/);
      const given = shelves([name, text, loans, lent, note, { ...wing, backfill: 'east' }], [byName, byBody]);
      await start(database, given);
      expect(await rowsOf(database, given)).toEqual(stored.map((row) => ({ ...row, wing: 'east' })));
      expect(await planned(database, given)).toEqual([]);
      const store = await database.open(tablesOf(given));
      await store.transaction((tx) => tx.insert('shelves', { id: 9 }));
      expect(await store.reader.first('shelves', ['wing'], { op: 'eq', column: 'id', value: 9 })).toEqual({ wing: '' });
      await store.close();
    });
  });

  it('moves a resource into a shared table with its ids, and refuses ids that are in use', async () => {
    await withDatabase(async (database) => {
      const sides = (of: string): TableModel[] => [
        table(`${of}_meta`, [id, { name: 'owner_id', kind: 'integer', default: 0 }, { ...name, name: 'value' }]),
        table(`${of}_tags`, [
          { name: 'owner_id', kind: 'integer', primary: true },
          { name: 'target_id', kind: 'integer', primary: true },
        ]),
      ];
      const kind: ColumnModel = { name: 'kind', kind: 'varchar', length: 9, default: '' };
      const things = (movedFrom?: TableModel['movedFrom']): TableModel => ({
        ...table(
          'things',
          [id, kind, name, text, loans, lent, note],
          [{ ...byBody, name: 'ix_things_body' }],
          ['kind'],
        ),
        ...(movedFrom ? { movedFrom } : {}),
      });
      const old = await database.open(tablesOf(before, ...sides('shelves'), things(), ...sides('things')));
      await old.transaction(async (tx) => {
        for (const row of ROWS) await tx.insert('shelves', row);
        await tx.insert('shelves_meta', { owner_id: 5, value: 'meta' });
        await tx.insert('shelves_tags', { owner_id: 6, target_id: 2 });
        await tx.insert('things', { id: 2, kind: 'box' });
        await tx.insert('things_meta', { owner_id: 2, value: 'other' });
      });
      await old.close();
      const moved = things([{ table: 'shelves', where: { kind: 'shelf' } }]);
      const after = [moved, ...sides('things')];
      expect((await planned(database, ...after))[0]).toBe('safe move rows shelves');
      const store = await database.open(tablesOf(...after));
      expect(await store.reader.count('things', { op: 'eq', column: 'kind', value: 'shelf' })).toBe(3);
      expect(await store.reader.count('things_meta', { op: 'true' })).toBe(2);
      expect(await store.reader.count('things_tags', { op: 'eq', column: 'owner_id', value: 6 })).toBe(1);
      expect(await store.transaction((tx) => tx.insert('things', { kind: 'box', body: 'seven' }))).toBe(7);
      await store.close();
      const expected = [
        stored[0],
        { id: 2, kind: 'box', name: '', body: '', loans: 0, lent: 0, note: null },
        stored[1],
        stored[2],
      ];
      expect((await rowsOf(database, moved)).slice(0, 4)).toEqual(expected.map((row) => ({ kind: 'shelf', ...row })));
      expect(await planned(database, ...after)).toEqual(Array.from({ length: 3 }, () => 'destructive drop table'));
      const taken = await database.open(tablesOf(...after, table('boxes', [id, name])));
      await taken.transaction((tx) => tx.insert('boxes', { id: 2, name: 'two' }));
      await taken.close();
      const more = things([{ table: 'boxes', where: { kind: 'crate' } }]);
      await expect(database.open(tablesOf(more, ...sides('things')))).rejects.toThrow(
        /1 id of boxes is taken in things: id 2/,
      );
    });
  });

  it('allows null, and forbids it again when there is none or a default', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const strict = shelves([name, text, loans, lent, { ...note, nullable: false }], [byName, byBody]);
      await expect(start(database, strict)).rejects.toThrow(/shelves\.note: require column: 1 row holds null: id 1/);
      const open = shelves([{ ...name, nullable: true }, text, loans, lent, note], [byName, byBody]);
      await start(database, open);
      expect(await rowsOf(database, open)).toEqual(stored);
      await start(database, before);
      const given = shelves([name, text, loans, lent, { ...note, nullable: false, default: 'none' }], [byName, byBody]);
      expect(await planned(database, given)).toEqual(['risky require column note']);
      await migrate(database, [given]);
      expect((await rowsOf(database, given)).map((row) => row['note'])).toEqual(['none', 'x'.repeat(30), '']);
      expect(await planned(database, given)).toEqual([]);
    });
  });

  it('converts columns whose values all fit, and counts those that do not', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const number = shelves([{ ...name, kind: 'integer', default: 0 }, text, loans, lent, note], [byName, byBody]);
      await expect(migrate(database, [number])).rejects.toThrow(/1 value is not of type integer: id 1/);
      expect(await rowsOf(database, before)).toEqual(stored);
      const other = shelves(
        [name, text, { ...loans, kind: 'varchar', length: 20, default: '' }, { ...lent, kind: 'integer' }, note],
        [byName, byBody],
      );
      await start(database, other);
      expect(await rowsOf(database, other)).toEqual(stored.map((row) => ({ ...row, loans: String(row['loans']) })));
      expect(await migrate(database, [before])).toBe(2);
      expect(await rowsOf(database, before)).toEqual(stored);
      expect(await planned(database, before)).toEqual([]);
    });
  });

  it('converts decimals from and to numbers and texts without loss of digits', async () => {
    await withDatabase(async (database) => {
      const price = (precision: number, scale: number): ColumnModel => {
        return { name: 'price', kind: 'decimal', precision, scale, default: '0' };
      };
      const words: ColumnModel = { name: 'price', kind: 'varchar', length: 30, default: '' };
      const whole: ColumnModel = { name: 'price', kind: 'integer', default: 0 };
      const double: ColumnModel = { name: 'price', kind: 'double', default: 0 };
      const values = async (column: ColumnModel) =>
        (await rowsOf(database, shelves([column]))).map((row) => row['price']);
      const texts = ['12.5', '-0.05', '7', '-123456789012.34'];
      await filled(
        database,
        shelves([words]),
        texts.map((text, at) => ({ id: at + 1, price: text })),
      );
      await expect(migrate(database, [shelves([price(10, 2)])])).rejects.toThrow(
        /1 value is not of type decimal with 10 digits, 2 /,
      );
      await expect(migrate(database, [shelves([price(18, 1)])])).rejects.toThrow(/2 values are not of type decimal/);
      await expect(migrate(database, [shelves([price(18, 0)])])).rejects.toThrow(/3 values are not of type decimal/);
      await expect(migrate(database, [shelves([price(2, 2)])])).rejects.toThrow(/3 values are not of type decimal/);
      expect(await planned(database, shelves([price(14, 2)]))).toEqual(['risky convert column price']);
      await migrate(database, [shelves([price(14, 2)])]);
      expect(await values(price(14, 2))).toEqual(['12.50', '-0.05', '7.00', '-123456789012.34']);
      expect(await planned(database, shelves([price(14, 2)]))).toEqual([]);
      await start(database, shelves([price(18, 4)]));
      expect(await values(price(18, 4))).toEqual(['12.5000', '-0.0500', '7.0000', '-123456789012.3400']);
      await migrate(database, [shelves([price(16, 2)])]);
      await expect(migrate(database, [shelves([whole])])).rejects.toThrow(/3 values are not of type integer/);
      await start(database, shelves([words]));
      expect(await values(words)).toEqual(['12.50', '-0.05', '7.00', '-123456789012.34']);
      await migrate(database, [shelves([price(14, 2)])]);
      await start(database, shelves([double]));
      expect(await values(double)).toEqual([12.5, -0.05, 7, -123456789012.34]);
      await migrate(database, [shelves([price(14, 2)])]);
      expect(await values(price(14, 2))).toEqual(['12.50', '-0.05', '7.00', '-123456789012.34']);
    });
    await withDatabase(async (database) => {
      const amount: ColumnModel = { name: 'amount', kind: 'decimal', precision: 8, scale: 3, default: '1.5' };
      await filled(database, shelves([name, loans]), [{ id: 1, name: 'a', loans: 5 }]);
      await start(database, shelves([name, { ...amount, name: 'loans', default: '0' }, amount]));
      expect(await rowsOf(database, shelves([{ ...amount, name: 'loans' }, amount]))).toEqual([
        { id: 1, loans: '5.000', amount: '1.500' },
      ]);
    });
  });

  it('refuses numbers with too many digits', async () => {
    await withDatabase(async (database) => {
      const double: ColumnModel = { name: 'size', kind: 'double', default: 0 };
      const words: ColumnModel = { name: 'size', kind: 'varchar', length: 60, default: '' };
      const exact: ColumnModel = { name: 'size', kind: 'decimal', precision: 18, scale: 0, default: '0' };
      const sizes = [0.1 + 0.2, 2 ** 53 - 1];
      await filled(
        database,
        shelves([double]),
        sizes.map((size, at) => ({ id: at + 1, size })),
      );
      await expect(migrate(database, [shelves([{ ...words, length: 15 }])])).rejects.toThrow(
        /values are longer than 15/,
      );
      await expect(migrate(database, [shelves([{ ...exact, scale: 1 }])])).rejects.toThrow(/not of type decimal/);
      await byHand(database, 'UPDATE shelves SET size = 9007199254740 WHERE id = 1');
      // SQLite refuses doubles of more than 15 digits.
      if (engine !== 'sqlite') await migrate(database, [shelves([exact])]);
      await migrate(database, [shelves([words])]);
      const texts = (await rowsOf(database, shelves([words]))).map((row) => Number(row['size']));
      expect(texts).toEqual([9007199254740, 2 ** 53 - 1]);
    });
    await withDatabase(async (database) => {
      await filled(database, shelves([name]), [{ id: 1, name: '123456789012345678' }]);
      const number: ColumnModel = { ...name, kind: 'double', default: 0 };
      await expect(migrate(database, [shelves([number])])).rejects.toThrow(/1 value is not of type number: id 1/);
    });
  });

  it('converts texts into times and UUIDs where they have the format', async () => {
    await withDatabase(async (database) => {
      const codes = [
        '0e8ad6b1-5c7f-4f0b-9c7d-6f0b9c7d6f0b',
        '',
        '23:59:59',
        '0 :0 :0 ',
        '0a:00:00',
        'ge8ad6b1-5c7f-4f0b-9c7d-6f0b9c7d6f0b',
      ];
      await filled(
        database,
        shelves([{ ...note, length: 36 }]),
        codes.map((code, at) => ({ id: at + 1, note: code })),
      );
      const typed = (contentType: 'time' | 'uuid') => shelves([{ ...note, length: 36, contentType }]);
      await expect(migrate(database, [typed('uuid')])).rejects.toThrow(
        /4 values do not have the form of UUIDs in lower case: ids 3, 4, 5, 6/,
      );
      await expect(migrate(database, [typed('time')])).rejects.toThrow(
        /4 values do not have the form of times of day .*ids 1, 4, 5, 6/,
      );
    });
  });

  it('does not accept a text with a final line break as another type', async () => {
    await withDatabase(async (database) => {
      const texts = { name: '12\n', note: '2024-02-29\n' };
      await filled(database, shelves([name, note]), [{ id: 1, ...texts }]);
      const changes: [ColumnModel, RegExp][] = [
        [{ ...name, kind: 'integer', default: 0 }, /not of type integer/],
        [{ ...name, kind: 'double', default: 0 }, /not of type number/],
        [{ ...name, kind: 'decimal', precision: 9, scale: 0, default: '0' }, /not of type decimal/],
        [{ ...note, contentType: 'date' }, /form of dates/],
      ];
      for (const [column, refusal] of changes)
        await expect(
          migrate(database, [shelves([name, note].map((each) => (each.name === column.name ? column : each)))]),
        ).rejects.toThrow(refusal);
    });
  });

  it('drops only with consent, and saves the dropped data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-evolution-'));
    try {
      await withDatabase(async (database) => {
        const gone = table('gone', [id, name]);
        const both = await database.open(tablesOf(before, gone));
        await both.transaction(async (tx) => {
          for (const row of ROWS) await tx.insert('shelves', row);
          await tx.insert('gone', { id: 4, name: 'kept' });
        });
        await both.close();
        const less = shelves([name, loans, lent]);
        await start(database, less);
        expect(await rowsOf(database, before)).toEqual(stored);
        const drops = ['destructive drop column body', 'destructive drop column note', 'destructive drop table'];
        expect(await planned(database, less)).toEqual(drops);
        expect(await migrate(database, [less])).toBe(0);
        expect(await migrate(database, [less], { rescue: folder })).toBe(3);
        expect(await planned(database, less)).toEqual([]);
        expect(await rowsOf(database, less)).toEqual(stored.map((row) => without(row, 'body', 'note')));
        const files = readdirSync(folder).sort();
        expect(files).toHaveLength(2);
        const lines = (file: string) =>
          readFileSync(join(folder, file), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
        expect(lines(files[0]!)).toEqual([{ $table: 'gone', $row: { id: 4, name: 'kept' } }]);
        expect(lines(files[1]!)).toEqual(
          stored.map((row) => ({ $table: 'shelves', $update: without(row, 'name', 'loans', 'lent') })),
        );
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('saves decimals without loss of digits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-evolution-'));
    try {
      await withDatabase(async (database) => {
        const price: ColumnModel = { name: 'price', kind: 'decimal', precision: 18, scale: 2, nullable: true };
        const prices = ['1234567890123456.78', '-0.05', null];
        await filled(
          database,
          shelves([price, name]),
          prices.map((value, at) => ({ id: at + 1, price: value, name: '' })),
        );
        expect(await migrate(database, [shelves([name])], { rescue: folder })).toBe(1);
        const [file] = readdirSync(folder);
        const lines = readFileSync(join(folder, file!), 'utf8').trim().split('\n');
        expect(lines.map((line) => JSON.parse(line).$update.price)).toEqual(prices);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('counts and finds the rows of a table with the name of a dropped one', async () => {
    await withDatabase(async (database) => {
      const kind: ColumnModel = { name: 'kind', kind: 'varchar', length: 9, default: '' };
      const all = (of: string): TableModel =>
        table(of, [id, kind, text], [{ ...byBody, name: `ix_${of}_body` }], ['kind']);
      const things = all('things');
      const store = await database.open(tablesOf(things, all('boxes')));
      await store.transaction(async (tx) => {
        await tx.insert('things', { kind: 'box', body: 'wooden crate' });
        await tx.insert('things', { kind: 'bag', body: 'paper bag' });
        for (const body of ['one', 'two', 'three']) await tx.insert('boxes', { kind: 'box', body });
      });
      await store.close();
      const folder = mkdtempSync(join(tmpdir(), 'typecase-evolution-'));
      try {
        await migrate(database, [things], { rescue: folder });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      const own = { kind: 'box' };
      const boxes: TableModel = { ...all('boxes'), movedFrom: [{ table: 'things', where: {}, from: own }] };
      const again = await database.open(tablesOf(things, boxes));
      try {
        expect(await again.reader.count('boxes', { op: 'true' })).toBe(1);
        expect(await again.reader.count('boxes', { op: 'contains', column: 'body', value: 'crate' })).toBe(1);
      } finally {
        await again.close();
      }
    });
  });

  it('adapts indexes to the schema, unique ones only for unique values', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const other = shelves([name, text, loans, lent, note], [{ ...byName, columns: ['name', 'loans'] }]);
      await start(database, other);
      expect(await planned(database, other)).toEqual([]);
      const unique = shelves(
        [name, text, loans, lent, note],
        [{ name: 'ux_shelves_name', columns: ['name'], unique: true }],
      );
      await expect(start(database, unique)).rejects.toThrow(/1 value of name occurs in more than one row: ids 5, 6/);
      const fine = shelves(
        [name, text, loans, lent, note],
        [{ name: 'ux_shelves_loans', columns: ['loans'], unique: true }],
      );
      await start(database, fine);
      expect(await planned(database, fine)).toEqual([]);
      expect(await rowsOf(database, fine)).toEqual(stored);
    });
  });

  it('reports manual changes and keeps them', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      await byHand(database, 'CREATE TABLE strangers (id integer primary key)');
      await byHand(database, 'ALTER TABLE shelves ADD COLUMN extra varchar(9)');
      await byHand(database, 'CREATE INDEX mine ON shelves (loans)');
      expect(await planned(database, before)).toEqual(['destructive drop column extra']);
      const notes = await notesOf(database, before);
      expect(notes.some((each) => each.startsWith('strangers:'))).toBe(true);
      expect(notes.some((each) => each.includes('mine'))).toBe(true);
      await start(database, before);
      // What is left over is listed and is no difference.
      await start(database, before, 'check');
    });
  });

  it('changes tables whose columns have reserved names, or that of the table', async () => {
    await withDatabase(async (database) => {
      const unique: ColumnModel = { name: 'unique', kind: 'varchar', length: 9, nullable: true };
      const own: ColumnModel = { name: 'shelves', kind: 'varchar', length: 9, default: '' };
      const by = (column: string): IndexModel => ({ name: 'ix_shelves_own', columns: [column, 'id'] });
      await filled(database, shelves([unique, own], [by('shelves')]), [{ id: 1, unique: 'a', shelves: 'b' }]);
      const after = shelves(
        [
          { ...unique, nullable: false },
          { ...own, name: 'own', renamedFrom: 'shelves' },
        ],
        [by('own')],
      );
      await start(database, after);
      expect(await rowsOf(database, after)).toEqual([{ id: 1, unique: 'a', own: 'b' }]);
      expect(await planned(database, after)).toEqual([]);
    });
  });

  it('keeps views of its tables', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      await byHand(database, 'CREATE VIEW names AS SELECT id, name FROM shelves');
      const after = shelves(
        [name, text, loans, lent, { ...note, name: 'remark', default: '', backfill: '' }],
        [byName, byBody],
      );
      await start(database, after);
      await byHand(database, 'CREATE TABLE seen AS SELECT id FROM names');
      expect(await planned(database, after)).toEqual(['destructive drop column note']);
    });
  });

  it('keeps rows of manually created tables that refer to its own', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      await byHand(
        database,
        'CREATE TABLE loans_by_hand (shelf BIGINT, FOREIGN KEY (shelf) REFERENCES shelves (id) ON DELETE CASCADE)',
      );
      await byHand(database, 'INSERT INTO loans_by_hand VALUES (1), (5)');
      // SQLite makes the table again.
      await start(
        database,
        shelves([name, text, { ...loans, kind: 'varchar', length: 20 }, lent, note], [byName, byBody]),
      );
      const byHandRows = table('loans_by_hand', [{ name: 'shelf', kind: 'integer', primary: true }]);
      const store = await database.open(tablesOf(before, byHandRows), COMMAND);
      expect(await store.reader.count('loans_by_hand', { op: 'true' })).toBe(2);
      // They still follow the items.
      await store.transaction((tx) => tx.delete('shelves', { op: 'eq', column: 'id', value: 5 }));
      expect(await store.reader.count('loans_by_hand', { op: 'in', column: 'shelf', values: [1, 5] })).toBe(1);
      await store.close();
    });
  });

  it('recounts rows without concurrent writes', async () => {
    if (engine === 'sqlite') return;
    await withDatabase(async (database) => {
      const store = await database.open();
      const put = () => store.transaction((tx) => tx.insert('books', { title: 'x' }), { names: [] });
      for (let n = 0; n < 3; n++) await put();
      await database.run("DELETE FROM typecase_counts WHERE scope LIKE 'books=%'");
      const writing: Promise<number>[] = [];
      const { exclusive } = store.admin;
      // A writer that comes between the deletion of the old counts and the new ones.
      const admin: typeof store.admin = Object.assign(Object.create(store.admin), {
        exclusive: (work: (db: DdlConnection) => Promise<unknown>) =>
          exclusive((db) =>
            work({
              exec: (sql) => db.exec(sql),
              run: (sql, params) => db.run(sql, params),
              rows: async (sql, params) => {
                if (/COUNT\(.*GROUP BY/.test(sql)) writing.push(put());
                if (writing.length > 0) await sleep(300);
                return db.rows(sql, params);
              },
            }),
          ),
      });
      await migrateStore({ ...store, admin } as never, library, {}, 'test');
      expect(writing).toHaveLength(1);
      await Promise.all(writing);
      expect(await store.transaction((tx) => tx.wrongCounters())).toEqual([]);
      await store.close();
    });
  });

  it('runs once when ten processes start together', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const wider = shelves(
        [{ ...name, length: 50 }, text, loans, lent, note, { ...loans, name: 'more' }],
        [byName, byBody],
      );
      await Promise.all(Array.from({ length: 10 }, () => start(database, wider)));
      expect(await planned(database, wider)).toEqual([]);
      expect(await rowsOf(database, wider)).toEqual(stored.map((row) => ({ ...row, more: 0 })));
    });
  });

  it('is completed by the next run when a process is killed at any step', async () => {
    await withDatabase(async (database) => {
      await filled(database);
      const after = shelves(
        [
          { ...name, name: 'label', renamedFrom: 'name', length: 60 },
          text,
          { ...loans, kind: 'varchar', length: 20 },
          lent,
          note,
        ],
        [{ name: 'ix_shelves_label', columns: ['label', 'id'] }, byBody],
      );
      const models = [{ ...after, columns: [...after.columns.values()], indexes: [...after.indexes.values()] }];
      const killed = async (killAt: number): Promise<string> => {
        const child = fileURLToPath(new URL('./evolution-child.mjs', import.meta.url));
        const said = JSON.stringify({ url: database.url, killAt, tables: models });
        const { signal, output } = await run(child, [said], {}).ended;
        return signal ?? output;
      };
      expect(await killed(0)).toBe('SIGKILL');
      for (const at of [2, 4]) expect(await killed(at)).toMatch(/^(SIGKILL|\d+)$/);
      expect(await killed(-1)).toMatch(/^\d+$/);
      expect(await planned(database, after)).toEqual([]);
      expect(await rowsOf(database, after)).toEqual(
        stored.map(({ name: label, ...rest }: Row) => ({ ...rest, label, loans: String(rest['loans']) })),
      );
      expect(await killed(-1)).toBe('0');
    });
  });
});
