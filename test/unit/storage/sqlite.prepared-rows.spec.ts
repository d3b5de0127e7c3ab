// Rows of a prepared statement, as one call of the driver reads them or two: the same rows, and nothing stays open afterwards.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareRows, type Driver } from '../../../src/storage/sqlite/statement-runner.mjs';

const Database = createRequire(import.meta.url)('libsql') as new (file: string) => Driver;
const PETS = 5;

let folder: string;
let reader: Driver;
let writer: Driver;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-rows-'));
  writer = new Database(join(folder, 'pets.db'));
  writer.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, age REAL, weight INTEGER)',
  );
  for (let id = 1; id <= PETS; id += 1)
    writer.prepare('INSERT INTO pets VALUES (?, ?, ?, ?)').run([id, `Pet ${id}`, id === 2 ? null : id / 2, 7 * id]);
  reader = new Database(join(folder, 'pets.db'));
});
afterAll(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

const FIRST = 'SELECT id, name, age, weight FROM pets WHERE id > ? ORDER BY id LIMIT 1';

describe('a statement with a limit of one', () => {
  it.each([0, 1, 4, PETS])('returns the rows that it returns without: behind %i', (id) => {
    const rows = prepareRows(reader, FIRST)([id]);
    expect(rows).toEqual(prepareRows(reader, FIRST.replace('LIMIT 1', 'LIMIT ?'))([id, 1]));
    expect(rows).toHaveLength(id < PETS ? 1 : 0);
  });

  it('sees every commit, and does not block checkpoints', () => {
    const first = prepareRows(reader, FIRST);
    const version = prepareRows(reader, 'PRAGMA data_version');
    const checkpoint = prepareRows(writer, 'PRAGMA wal_checkpoint(TRUNCATE)');
    expect(first([0])[0]![1]).toBe('Pet 1');
    const [[before]] = version([]) as [[number]];
    writer.exec("UPDATE pets SET name = 'Rex' WHERE id = 1");
    // Its first number says whether a reader was in the way.
    expect(checkpoint([])[0]![0]).toBe(0);
    expect(version([])[0]![0]).toBeGreaterThan(before);
    expect(first([0])[0]![1]).toBe('Rex');
    expect(reader.inTransaction).toBe(false);
  });

  it('throws the error of the driver, and works afterwards', () => {
    const read = prepareRows(reader, 'SELECT json(?) LIMIT 1');
    expect(() => read(['{'])).toThrow('malformed JSON');
    expect(read(['{}'])).toEqual([['{}']]);
  });
});
