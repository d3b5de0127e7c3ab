// Whole resources that change, tables that were altered manually, and commands that only look and must change nothing.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AWKWARD, EvolvingSite, type Item, OPEN } from './evolving-site.js';

const fields = {
  title: { type: 'string', maxLength: 60 },
  size: { type: 'integer', nullable: true, index: true },
  body: { type: 'rendered' },
  many: { type: 'strings' },
  meta: { type: 'metadata', keys: { colour: { type: 'string' } } },
};
const own = { ...OPEN, list: { orderby: ['id', 'title'] }, search: { fields: ['title', 'body'] }, fields };
const shared = (kind: string, more: object = {}) => ({
  ...own,
  storage: { table: 'papers', where: { kind }, ...more },
});

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
});
afterEach(() => site.close());

async function fill(path: string): Promise<Item[]> {
  return site.serving(async (served) => {
    for (const [at, text] of AWKWARD.entries())
      await served.post(path, {
        title: text,
        body: text,
        size: at % 2 ? at : null,
        many: [text, 'b'],
        meta: { colour: text },
      });
    return served.all(path);
  });
}

const all = (path: string): Promise<Item[]> => site.serving((served) => served.all(path));
const done = async (...words: string[]) => expect(await site.cli(...words)).toMatchObject({ code: 0, err: '' });

describe('a resource', () => {
  it('moves into a shared table and out again, with its ids, lists and meta', async () => {
    site.write({ memo: shared('memo') });
    await site.serving((served) => served.post('/memos', { title: 'first' }));
    site.write({ note: own });
    const notes = await fill('/notes');
    // The id 1 of the shared table is another item's.
    site.write({ note: shared('note', { movedFrom: 'notes' }) });
    const taken = await site.cli('migrate');
    expect(taken).toMatchObject({ code: 1, err: expect.stringMatching(/1 id of notes is taken in papers: id 1/) });
    await site.sql('DELETE FROM papers');
    expect(await site.startFailure()).toBeUndefined();
    expect(await all('/notes')).toEqual(notes);
    await site.serving(async (served) => {
      expect(await served.all('/memos')).toEqual([]);
      expect(await served.get('/notes?search=combining')).toHaveLength(1);
      expect((await served.post('/memos', { title: 'next' })).id).toBe(notes.length + 1);
    });

    site.write({ note: { ...own, storage: { table: 'notes_again', movedFrom: 'papers' } } });
    const unclear = await site.cli('migrate');
    expect(unclear).toMatchObject({
      code: 1,
      err: expect.stringMatching(/movedFrom names papers, which other resources/),
    });
    const movedFrom = { table: 'papers', where: { kind: 'note' } };
    site.write({ note: { ...own, storage: { table: 'notes_again', movedFrom } } });
    expect((await site.cli('diff')).out).toMatch(/safe +create table notes_again: its rows are copied from papers/);
    await done('migrate');
    expect(await all('/notes')).toEqual(notes);
    await site.serving(async (served) => {
      expect(await served.all('/memos')).toHaveLength(1);
      expect(await served.get('/notes?search=combining')).toHaveLength(1);
      expect(Number((await served.post('/notes', { title: 'next' })).id)).toBeGreaterThan(notes.length);
    });
    // Nothing was taken from where it came.
    expect(Number((await site.sql(`SELECT COUNT(*) AS n FROM papers WHERE kind = 'note'`))[0]!['n'])).toBe(
      notes.length,
    );
  });

  it('does not give the ids of deleted items to new ones after it has moved', async () => {
    const title = { type: 'string' };
    const at = (storage?: object) => ({ ...OPEN, fields: { title }, ...(storage ? { storage } : {}) });
    const next = () =>
      site.serving(async (served) => {
        const { id } = await served.post('/notes', { title: 'x' });
        await served.site.send('DELETE', `/notes/${id}?force=true`);
        return id;
      });
    const memo = at({ table: 'sheets', where: { kind: 'memo' } });
    site.write({ note: at() });
    expect(await next()).toBe(1);
    site.write({ note: at({ table: 'papers', movedFrom: 'notes' }) });
    expect(await next()).toBe(2);
    site.write({ note: at({ table: 'sheets', where: { kind: 'note' }, movedFrom: 'papers' }), memo });
    expect(await next()).toBe(3);
    site.write({ note: at({ table: 'leaves', movedFrom: { table: 'sheets', where: { kind: 'note' } } }), memo });
    expect(await next()).toBe(4);
  });

  it('can begin to share its own table', async () => {
    site.write({ note: own });
    const notes = await fill('/notes');
    const marked = (kind: string, more = {}) => ({ ...own, storage: { table: 'notes', where: { kind }, ...more } });
    site.write({ note: marked('note'), memo: marked('memo') });
    const unclear = await site.cli('migrate');
    expect(unclear).toMatchObject({
      code: 1,
      err: expect.stringMatching(/8 rows have no value for a required column.*movedFrom/s),
    });
    site.write({ note: marked('note', { movedFrom: 'notes' }) });
    expect(await site.startFailure()).toBeUndefined();
    expect(await all('/notes')).toEqual(notes);
    expect(await all('/memos')).toEqual([]);
    site.write({ note: marked('notice') });
    expect((await site.cli('diff')).out).toMatch(
      /notes: 8 rows with a mark .* that no resource has; nothing is dropped/,
    );
  });

  it('can have another name and path', async () => {
    site.write({ note: own });
    const notes = await fill('/notes');
    site.write({ note: null, memo: { ...own, storage: { movedFrom: 'notes' } } });
    await done('migrate');
    expect(await all('/memos')).toEqual(notes);
    expect((await site.cli('migrate')).out).not.toMatch(/^done/m);
  });

  it('can have an index with the name of one in a table without a schema', async () => {
    const indexed = { type: 'string', maxLength: 20, index: true };
    site.write({ loan: { ...OPEN, path: 'book_loan', fields: { day: indexed } } });
    expect(await site.startFailure()).toBeUndefined();
    const book = { ...OPEN, path: 'book', fields: { loan_day: indexed } };
    site.write({ book, loan: null });
    expect(await site.startFailure()).toBeUndefined();
    expect((await site.cli('diff')).out).not.toMatch(/^safe|made by hand/m);
    // It comes back.
    site.write({ book: null, loan: { ...OPEN, path: 'book_loan', fields: { day: indexed } } });
    expect(await site.startFailure()).toBeUndefined();
    expect(await site.startFailure('check')).toBeUndefined();
  });

  it('moves out of a table with the name of one whose rows have moved before', async () => {
    site.write({ note: own });
    const item = (text: string) => ({ title: text, many: [text], meta: { colour: text } });
    await site.serving((served) => served.post('/notes', item('first')));
    site.write({ note: shared('note', { movedFrom: 'notes' }) });
    expect(await site.startFailure()).toBeUndefined();
    const note = { ...shared('note'), path: 'papers' };
    site.write({ note, memo: { ...own, path: 'notes', storage: { movedFrom: null } } });
    await site.serving((served) => served.post('/notes', item('second')));
    site.write({
      note,
      memo: { ...shared('memo'), storage: { table: 'sheets', where: { kind: 'memo' }, movedFrom: 'notes' } },
    });
    await site.serving(async (served) => {
      expect(await served.all('/memos')).toMatchObject([item('second')]);
      expect(await served.all('/papers')).toMatchObject([item('first')]);
    });
    expect((await site.cli('diff')).out).not.toMatch(/^(safe|refused|note)/m);
    await done('migrate', '--allow-destructive');
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
    const saved = site.dropped.flatMap((file) => EvolvingSite.lines(file));
    expect(saved.flatMap(({ $table, $row }) => ($table === 'notes' ? $row.title : [])).sort()).toEqual([
      'first',
      'second',
    ]);
  });

  it('does not move while one of its items has the id of a moving item', async () => {
    site.write({ note: own });
    await fill('/notes');
    site.write({ note: shared('note', { movedFrom: null }) });
    await site.serving((served) => served.post('/notes', { title: 'late' }));
    site.write({ note: shared('note', { movedFrom: 'notes' }) });
    const failure = await site.startFailure();
    expect(failure).toMatch(/papers \(notes\): move rows: 1 id of notes is taken in papers: id 1/);
    await site.sql('UPDATE papers SET id = 100');
    expect((await all('/notes')).map((item) => item['id'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 100]);
  });

  it('completes a move that was interrupted after the copy', async () => {
    site.write({ note: own });
    const notes = await fill('/notes');
    site.write({ note: null, memo: { ...own, storage: { movedFrom: 'notes' } } });
    await done('migrate');
    // As MySQL leaves it, where each change of a table is final.
    await site.sql('ALTER TABLE notes__moved RENAME TO notes');
    await site.sql('UPDATE typecase_migrations SET finished = NULL');
    expect(await site.startFailure()).toBeUndefined();
    expect(await all('/memos')).toEqual(notes);
    expect((await site.cli('diff')).out).not.toMatch(/^(safe|refused|note)/m);
  });

  it('does not swap tables with another', async () => {
    site.write({ note: own, memo: own });
    await site.serving(async (served) => {
      await served.post('/notes', { title: 'a note' });
      await served.post('/memos', { title: 'a memo' });
    });
    const swapped = (path: string, movedFrom: string) => ({ ...own, path, storage: { movedFrom } });
    site.write({ note: swapped('memos', 'notes'), memo: swapped('notes', 'memos') });
    expect(await site.startFailure()).toMatch(/each of the tables notes and memos is said to have been the other/);
    site.write({
      note: { ...own, path: 'memos', storage: { table: 'notes' } },
      memo: { ...own, path: 'notes', storage: { table: 'memos' } },
    });
    expect(await all('/memos')).toMatchObject([{ title: 'a note' }]);
  });

  it('must not have a name that the database would truncate', async () => {
    const most = { sqlite: Infinity, mysql: 64, postgres: 63 }[site.engine]!;
    const long = (length: number) => 'n'.repeat(length);
    const made = { title: { type: 'string' }, [long(61)]: { type: 'rendered' }, [long(62)]: { type: 'strings' } };
    site.write({
      note: { ...OPEN, fields: { ...made, [long(65)]: { type: 'string' } } },
      memo: { ...OPEN, path: long(70), fields: { title: { type: 'string' } } },
      most: { ...OPEN, path: long(63), fields: { [long(63)]: { type: 'string' } } },
      // PostgreSQL gives the indexes of the keys of both tables names of its own.
      many: { ...OPEN, path: long(60), fields: { a: { type: 'strings' } } },
    });
    const refused = [long(65), `${long(61)}_rendered`, `notes_${long(62)}`, long(70)].filter(
      ({ length }) => length > most,
    );
    const failure = (await site.startFailure()) ?? '';
    const told = failure.match(/(?<=no names of more than \d+ characters: )\w+(?:, \w+)*/g) ?? [];
    expect(told.join().split(/, ?/).sort().join()).toBe(refused.sort().join());
    if (refused.length > 0) site.write({ note: null, memo: null });
    expect(await site.startFailure()).toBeUndefined();
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
  });

  it('must not have more indexed texts than a row of the database can hold', async () => {
    const wide = (number: number) => {
      const names = Array.from({ length: number }, (_, index) => `f${index}`);
      return {
        ...OPEN,
        fields: Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 500, index: true }])),
      };
    };
    const isRefused = site.engine === 'mysql';
    site.write({ note: wide(40) });
    const told =
      /notes: create table: a row would have \d+ bytes, .* f0, f1, .* and 30 more \(Give some of these fields/;
    const failure = await site.startFailure();
    expect(failure ?? 'none').toMatch(isRefused ? told : /^none$/);
    site.write({ note: wide(20) });
    expect(await site.startFailure()).toBeUndefined();
    site.write({ note: wide(40) });
    expect((await site.cli('migrate')).code).toBe(isRefused ? 1 : 0);
    expect((await site.cli('diff')).out).toMatch(isRefused ? /add column.*a row would have/s : /^Nothing to do/);
    site.write({ note: wide(21) });
    expect((await site.cli('migrate')).code).toBe(0);
  });

  it('can have more short texts than a page of the database holds, and gets more of them later', async () => {
    const note = (count: number) => ({
      note: {
        ...OPEN,
        fields: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string', maxLength: 60 }]),
        ),
      },
    });
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, '\u{1F600}'.repeat(60)]));
    for (const count of [25, 70, 150]) {
      site.write(note(count));
      await site.serving(async (served) => {
        expect(await served.post('/notes', values(count))).toMatchObject(values(count));
      });
      expect(await site.cli('diff')).toMatchObject({ code: 0, out: 'Nothing to do.\n' });
    }
    site.write(note(40));
    expect(await site.startFailure('check')).toBeUndefined();
    site.write(note(220));
    expect((await site.startFailure()) ?? 'none').toMatch(
      site.engine === 'mysql'
        ? /a row would have \d+ bytes, and this database allows \d+ \(Give the resource fewer/
        : /^none$/,
    );
  });

  it('gets more long texts than a row of the database can hold besides those that it has', async () => {
    const note = (count: number) => ({
      note: {
        ...OPEN,
        fields: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string', maxLength: 255 }]),
        ),
      },
    });
    for (const count of [57, 67]) {
      site.write(note(count));
      expect(await site.startFailure()).toBeUndefined();
    }
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
  });

  it('must not have more indexes than the database allows', async () => {
    const note = (count: number) => ({
      note: {
        ...OPEN,
        fields: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'integer', index: true }]),
        ),
      },
    });
    const isRefused = site.engine === 'mysql';
    site.write(note(63));
    expect(await site.startFailure()).toBeUndefined();
    site.write(note(64));
    const told = /create index: the table would have 64 indexes, and this database allows 63 \(Take fields out of/;
    expect((await site.startFailure()) ?? 'none').toMatch(isRefused ? told : /^none$/);
    expect(await site.sql('SELECT * FROM notes')).toEqual([]);
  });

  it('must not have a name that the database reserves', async () => {
    const title = { type: 'string' };
    site.write({
      note: { ...OPEN, fields: { title, xmin: title } },
      memo: { ...OPEN, path: 'pg_class', fields: { title } },
      list: { ...OPEN, path: 'sqlite', fields: { own: { type: 'strings' } } },
      open: { ...OPEN, path: 'pg', fields: { pg_class: title, sqlite_own: title } },
    });
    const kept = { sqlite: ['sqlite_own'], mysql: [], postgres: ['xmin', 'pg_class'] }[site.engine]!;
    const failure = (await site.startFailure()) ?? '';
    const told = failure.match(/(?<=reserves such names: )\w+/g) ?? [];
    expect(told.sort()).toEqual(kept.sort());
    if (kept.length > 0) site.write({ note: null, memo: null, list: null });
    expect(await site.startFailure()).toBeUndefined();
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
  });

  it('does not give the values of a renamed field to a new field with the old name', async () => {
    site.write({ note: own });
    const notes = await fill('/notes');
    const { title } = fields;
    const both = { ...fields, title: { ...title }, headline: { ...title, renamedFrom: 'title' } };
    site.write({ note: { ...own, fields: both } });
    const said = await site.cli('migrate');
    expect(said).toMatchObject({
      code: 1,
      err: expect.stringMatching(/headline: rename column: it says that it was title/),
    });
    expect(await site.startFailure()).toMatch(/Migrate once without that field/);
    site.write({ note: own });
    expect(await all('/notes')).toEqual(notes);
  });

  it('does not exchange the names of its fields', async () => {
    const string = { type: 'string' };
    const note = (a: object, b: object) => ({
      note: { ...OPEN, fields: { a: { ...string, ...a }, b: { ...string, ...b } } },
    });
    site.write(note({}, {}));
    await site.serving((served) => served.post('/notes', { a: 'first', b: 'second' }));
    site.write(note({ renamedFrom: 'b' }, { renamedFrom: 'a' }));
    expect(await site.cli('migrate')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /notes\.a: rename column: it says that it was b, which says that it was a \(.*say "column"/,
      ),
    });
    site.write(note({ column: 'b' }, { column: 'a' }));
    expect(await all('/notes')).toMatchObject([{ a: 'second', b: 'first' }]);
  });

  it('does not exchange the names of its lists', async () => {
    const note = (a: object, b: object) => ({
      note: { ...OPEN, fields: { a: { type: 'strings', ...a }, b: { type: 'strings', ...b } } },
    });
    site.write(note({}, {}));
    await site.serving((served) => served.post('/notes', { a: ['first'], b: ['second'] }));
    site.write(note({ renamedFrom: 'b' }, { renamedFrom: 'a' }));
    expect(await site.cli('migrate')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /notes_a.*: rename table: it says that it was notes_b, which says that it was notes_a \(.*say "column"/,
      ),
    });
    site.write(note({ renamedFrom: 'a' }, { renamedFrom: 'b' }));
    expect(await all('/notes')).toMatchObject([{ a: ['first'], b: ['second'] }]);
    site.write(note({ column: 'b' }, { column: 'a' }));
    expect(await all('/notes')).toMatchObject([{ a: ['second'], b: ['first'] }]);
  });

  it('that is removed keeps its tables until dropping them is allowed', async () => {
    site.write({ note: own, memo: { ...OPEN, fields: { title: { type: 'string' } } } });
    const notes = await fill('/notes');
    site.write({ note: null });
    const diff = await site.cli('diff');
    expect(diff.out).toMatch(/destructive +drop table notes:/);
    expect(diff.out).toMatch(/destructive +drop table notes_many:/);
    expect(diff.out).toMatch(/destructive +drop table notes_meta:/);
    await done('migrate');
    expect(await site.startFailure()).toBeUndefined();
    site.write({ note: own });
    expect(await all('/notes')).toEqual(notes);
  });

  it('gets sort keys and search texts for existing items', async () => {
    site.write({ note: { ...OPEN, fields } });
    const notes = await fill('/notes');
    const found = { ...own, list: { orderby: ['id', 'title'] } };
    site.write({ note: found });
    expect(await site.startFailure('check')).toMatch(/title_sort/);
    await site.serving(async (served) => {
      expect(await served.all('/notes')).toEqual(notes);
      for (const [word, id] of [
        ['combining', 6],
        ['trailing', 4],
        ['slash', 5],
      ])
        expect((await served.get(`/notes?search=${word}`)).map((item: Item) => item['id'])).toEqual([id]);
      const titles = (await served.get('/notes?orderby=title&order=asc')).map((item: Item) => item['title']);
      expect(titles.slice(0, 3)).toEqual(['12', AWKWARD[4], AWKWARD[2]]);
    });
    // Another field is searched from now on: the columns are the same, and what is in them is not.
    site.write({ note: { ...found, search: { fields: ['body'] } } });
    expect((await site.cli('diff')).out).toMatch(/safe +derive columns notes/);
    // On SQLite the index over them is another one, too.
    expect(await site.startFailure('check')).toMatch(
      /sort keys, search texts or rendered texts of the items of note|notes \(ix_notes_search_text\): create index/,
    );
    await done('migrate');
    expect(await site.startFailure('check')).toBeUndefined();
  });

  it.each(['auto', 'check'] as const)(
    'gets new sort keys and digests after a time without updates, %s',
    async (mode) => {
      const plain = { type: 'string', maxLength: 40, nullable: true };
      const kept = {
        ...OPEN,
        list: { orderby: ['id', 'v'] },
        fields: { v: { ...plain, unique: { ignore: ['case'] } } },
      };
      const lost = { ...OPEN, list: { orderby: ['id'] }, fields: { v: plain } };
      site.write({ note: kept });
      await site.serving(async (served) => {
        for (const v of ['x', 'a']) await served.post('/notes', { v });
      });
      site.write({ note: lost });
      if (mode === 'check') await done('migrate');
      await site.serving(async (served) => {
        // Each has what the other one had, for a moment.
        await served.post('/notes/1', { v: 'a' });
        await served.post('/notes/2', { v: 'b' });
      }, mode);
      site.write({ note: kept });
      await site.serving(async (served) => {
        expect((await served.get('/notes?orderby=v&order=asc')).map(({ v }: Item) => v)).toEqual(['a', 'b']);
        await expect(served.post('/notes', { v: 'B' })).rejects.toThrow(/rest_not_unique/);
        expect(await served.post('/notes', { v: 'X' })).toMatchObject({ v: 'X' });
      });
    },
  );

  it('is counted again after a time without updates of its counts', async () => {
    const note = { ...OPEN, fields: { state: { type: 'string', maxLength: 20, default: 'a' } } };
    const counted = { ...note, storage: { partition: ['state'] } };
    site.write({ note: counted });
    await site.serving((served) => served.post('/notes', { state: 'b' }));
    site.write({ note });
    await site.serving(async (served) => {
      await served.post('/notes', {});
      await served.post('/notes/1', { state: 'c' });
    });
    site.write({ note: counted });
    await site.serving(async ({ site: { send } }) => {
      expect((await send('GET', '/notes')).headers['x-wp-total']).toBe('2');
    });
    expect(await site.cli('check', '--data')).toMatchObject({ code: 0 });
  });

  it('counts rows by values of any length', async () => {
    const kind = { type: 'string', maxLength: 1000, filterable: true };
    site.write({
      note: {
        ...OPEN,
        storage: { partition: ['kind', 'size'] },
        fields: { kind, size: { type: 'integer', filterable: true } },
      },
    });
    const random = Array.from({ length: 1000 }, (_, at) =>
      String.fromCodePoint(0x1f600 + ((at * at * 7 + at) % 79)),
    ).join('');
    const kinds = ['short', 'x'.repeat(680), 'x'.repeat(1000), '"'.repeat(1000), random];
    await site.serving(async (served) => {
      for (const [size, value] of kinds.entries())
        expect(await served.post('/notes', { kind: value, size })).toMatchObject({ kind: value });
      for (const [size, value] of kinds.entries()) {
        expect(await served.get(`/notes?size=${size}`)).toMatchObject([{ kind: value }]);
        const total = async () => (await served.site.send('GET', '/notes?per_page=1')).headers['x-wp-total'];
        expect(await total()).toBe('5');
        await served.site.send('PUT', `/notes/${size + 1}`, { body: { kind: `${value.slice(0, 900)}.` } });
      }
    });
    expect((await site.cli('check', '--data')).out).toBe('0 problems\n');
  });

  it('keeps its values when a default changes, and gives the new default to new items', async () => {
    const withDefault = (value: string) => ({
      note: { ...shared('note'), fields: { ...fields, state: { type: 'string', default: value, maxLength: 20 } } },
    });
    site.write({ ...withDefault('draft'), memo: shared('memo') });
    await fill('/notes');
    site.write(withDefault('it\u2019s "new"'));
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
    await site.serving(async (served) => {
      expect((await served.all('/notes')).map((item) => item['state'])).toEqual(AWKWARD.map(() => 'draft'));
      expect((await served.post('/notes', { title: 'new' })).state).toBe('it\u2019s "new"');
      // Another resource of the table leaves the column to the store.
      const { id } = await served.post('/memos', { title: 'memo' });
      const [row] = await site.sql(`SELECT state FROM papers WHERE id = ${id}`);
      expect(row).toEqual({ state: 'it\u2019s "new"' });
    });
  });
});

describe('a table that was altered manually', () => {
  const CASES: {
    name: string;
    sql: Record<string, string[]> | string[];
    says: RegExp;
    mended: boolean;
    starts: boolean;
  }[] = [
    {
      name: 'has a column more',
      sql: ['ALTER TABLE notes ADD COLUMN extra varchar(9)', `UPDATE notes SET extra = 'mine'`],
      says: /destructive +drop column notes\.extra/,
      mended: false,
      starts: true,
    },
    {
      name: 'has a required column more',
      sql: [`ALTER TABLE notes ADD COLUMN extra varchar(9) NOT NULL DEFAULT 'mine'`],
      says: /destructive +drop column notes\.extra/,
      mended: false,
      starts: true,
    },
    {
      name: 'lacks an index',
      sql: {
        sqlite: ['DROP INDEX ix_notes_size'],
        mysql: ['DROP INDEX ix_notes_size ON notes'],
        postgres: ['DROP INDEX ix_notes_size'],
      },
      says: /safe +create index notes \(ix_notes_size\)/,
      mended: true,
      starts: true,
    },
    {
      name: 'has an index of its own',
      sql: ['CREATE INDEX mine ON notes (size)'],
      says: /the index mine was made by hand and stays/,
      mended: true,
      starts: true,
    },
    {
      name: 'has an index over other columns',
      sql: {
        sqlite: ['DROP INDEX ix_notes_size', 'CREATE INDEX ix_notes_size ON notes (id)'],
        mysql: ['DROP INDEX ix_notes_size ON notes', 'CREATE INDEX ix_notes_size ON notes (id)'],
        postgres: ['DROP INDEX ix_notes_size', 'CREATE INDEX ix_notes_size ON notes (id)'],
      },
      says: /safe +rebuild index notes \(ix_notes_size\)/,
      mended: true,
      starts: true,
    },
    {
      name: 'has another type',
      sql: {
        sqlite: [],
        mysql: ['ALTER TABLE notes MODIFY COLUMN size VARCHAR(40) NULL'],
        postgres: ['ALTER TABLE notes ALTER COLUMN size TYPE varchar(40)'],
      },
      says: /risky +convert column notes\.size/,
      mended: true,
      starts: false,
    },
    {
      name: 'allows null',
      sql: {
        sqlite: [],
        mysql: [`ALTER TABLE notes MODIFY COLUMN title VARCHAR(60) NULL`],
        postgres: ['ALTER TABLE notes ALTER COLUMN title DROP NOT NULL'],
      },
      says: /safe +require column notes\.title/,
      mended: true,
      starts: true,
    },
  ];

  it.each(CASES.map((each) => [each.name, each] as const))('%s', async (_name, { sql, says, mended, starts }) => {
    site.write({ note: own });
    const notes = await fill('/notes');
    const lines = Array.isArray(sql) ? sql : sql[site.engine]!;
    if (lines.length === 0) return;
    for (const line of lines) await site.sql(line);
    const diff = await site.cli('diff');
    expect(diff.out).toMatch(says);
    if (diff.code === 2 && !/made by hand/.test(`${says}`)) expect(await site.startFailure('check')).toMatch(/notes/);
    expect((await site.startFailure()) === undefined).toBe(starts);
    await done('migrate');
    expect(await all('/notes')).toEqual(notes);
    if (mended) expect((await site.cli('diff')).code).toBe(0);
    else
      expect((await site.sql('SELECT extra FROM notes')).map(({ extra }) => extra)).toEqual(AWKWARD.map(() => 'mine'));
  });

  it('keeps an index of its own while its column becomes longer', async () => {
    const note = (maxLength: number) => ({ note: { ...OPEN, fields: { title: { type: 'string', maxLength } } } });
    site.write(note(60));
    await site.serving((served) => served.post('/notes', { title: 'first' }));
    await site.sql('CREATE INDEX mine ON notes (title)');
    site.write(note(90));
    await done('migrate');
    const mine = {
      sqlite: 'sqlite_master WHERE name',
      mysql: 'information_schema.statistics WHERE table_schema = DATABASE() AND index_name',
      postgres: 'pg_indexes WHERE indexname',
    };
    expect(await site.sql(`SELECT 1 FROM ${mine[site.engine as keyof typeof mine]} = 'mine'`)).toHaveLength(1);
    expect((await site.cli('diff')).out).toMatch(/the index mine was made by hand and stays/);
  });

  it('without the table of a list gets a new one, and is reported as altered manually', async () => {
    site.write({ note: own });
    await fill('/notes');
    await site.sql('DROP TABLE notes_many');
    const diff = await site.cli('diff');
    expect(diff.out).toMatch(/somebody altered the tables by hand since/);
    expect(diff.out).toMatch(/safe +create table notes_many/);
    expect(await site.startFailure('check')).toMatch(/notes_many/);
    expect(await site.startFailure()).toBeUndefined();
  });
});

describe('read-only commands', () => {
  const FILES = ['', '-wal'];

  async function everything(): Promise<string> {
    if (site.engine === 'sqlite') {
      const file = /^sqlite:([^?]*)/.exec(site.database.url)![1]!;
      const bytes = FILES.map((end) => (existsSync(file + end) ? readFileSync(file + end) : Buffer.of()));
      return createHash('sha256').update(Buffer.concat(bytes)).digest('hex');
    }
    const here = site.engine === 'mysql' ? 'DATABASE()' : 'current_schema()';
    const tables = await site.sql(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${here} ORDER BY 1`,
    );
    const columns = await site.sql(
      `SELECT * FROM information_schema.columns WHERE table_schema = ${here} ORDER BY table_name, column_name`,
    );
    const indexes =
      site.engine === 'mysql'
        ? await site.sql(
            'SELECT table_name AS t, index_name AS i, column_name AS c, sub_part AS s FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, seq_in_index',
          )
        : await site.sql('SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1');
    const more = site.engine === 'postgres' ? await site.sql('SELECT extname FROM pg_extension ORDER BY 1') : [];
    const rows: unknown[] = [];
    for (const { name } of tables) rows.push(await site.sql(`SELECT * FROM ${name} ORDER BY 1, 2`));
    return JSON.stringify([tables, columns, indexes, more, rows]);
  }

  const CHANGED = {
    ...own,
    search: undefined,
    fields: {
      ...fields,
      title: { type: 'string', maxLength: 20 },
      size: { type: 'string' },
      body: undefined,
      fresh: { type: 'text' },
    },
  };

  it('change nothing', async () => {
    site.write({ note: own });
    await fill('/notes');
    site.write({ note: JSON.parse(JSON.stringify(CHANGED)) });
    const before = await everything();
    const diff = await site.cli('diff');
    expect(diff.code).toBe(2);
    expect(await site.cli('migrate', '--dry-run')).toMatchObject({ code: 0, out: diff.out });
    expect(await site.startFailure('check')).toMatch(/notes/);
    expect((await site.cli('migrate')).code).toBe(1);
    expect(await everything()).toBe(before);
    expect(readdirSync(site.work)).toEqual([]);
  });

  it('create nothing in a new database', async () => {
    site.write({ note: own });
    const file = /^sqlite:([^?]*)/.exec(site.database.url)?.[1];
    const before = file ? '' : await everything();
    expect((await site.cli('diff')).out).toMatch(/safe +create table notes:/);
    expect((await site.cli('migrate', '--dry-run')).code).toBe(0);
    if (file) expect(existsSync(dirname(file))).toBe(false);
    else expect(await everything()).toBe(before);
  });

  it('with DATABASE_MIGRATE=off, a start reads no tables', async () => {
    site.write({ note: own });
    await fill('/notes');
    await site.sql('ALTER TABLE notes ADD COLUMN extra varchar(9)');
    await site.serving((served) => served.all('/notes'), 'off');
    expect((await site.cli('diff')).out).toMatch(/drop column notes\.extra/);
  });

  it('detect that the record of migrations was edited', async () => {
    site.write({ note: own });
    await fill('/notes');
    expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
    await site.sql(`UPDATE typecase_migrations SET steps = '[]' WHERE id = 1`);
    const diff = await site.cli('diff');
    expect(diff.out).toMatch(/typecase_migrations: the line 1 was altered after it was written/);
    expect(diff.code).toBe(0);
  });
});

const RENAMED = {
  headline: { type: 'string', maxLength: 60, renamedFrom: 'title' },
  other: { type: 'reference', to: 'memo' },
  many: { type: 'strings' },
};
const UNRENAMED = { ...RENAMED, headline: undefined, title: { type: 'string', maxLength: 60 } };
const CHANGES: [string, object, RegExp | undefined][] = [
  ['has another name', RENAMED, undefined],
  [
    'has become a list',
    { ...UNRENAMED, other: { type: 'references', to: 'memo' } },
    /\.other would become the list \w+_other in the same migration/,
  ],
  [
    'is a list of another name',
    { ...UNRENAMED, many: undefined, lots: { type: 'strings', renamedFrom: 'many' } },
    /_many would be renamed to \w+_lots in the same migration/,
  ],
];
const PLACES: [string, object, object][] = [
  ['into a shared table', {}, { table: 'papers', where: { kind: 'note' }, movedFrom: 'notes' }],
  ['to a table of another name', {}, { table: 'leaves', movedFrom: 'notes' }],
  [
    'out of a shared table',
    { table: 'papers', where: { kind: 'note' } },
    { table: 'leaves', movedFrom: { table: 'papers', where: { kind: 'note' } } },
  ],
];

it.each(PLACES.flatMap(([where, from, to]) => CHANGES.map((change) => ({ where, from, to, change }))))(
  'moves $where while a field $change.0',
  async ({ from, to, change: [, fields, refused] }) => {
    const memo = {
      ...OPEN,
      storage: { table: 'papers', where: { kind: 'memo' } },
      fields: { text: { type: 'string' } },
    };
    site.write({ memo, note: { ...OPEN, storage: from, fields: UNRENAMED } });
    await site.serving(async (served) => {
      await served.post('/memos', { text: 'kept' });
      await served.post('/notes', { title: 'a', many: ['x'] });
      await served.post('/notes', { title: 'b', other: 1, many: ['x', 'y'] });
      await site.sql(`UPDATE papers SET id = id + 50 WHERE kind = 'memo'`);
    });
    site.write({ note: { ...OPEN, storage: to, fields } });
    const ran = await site.cli('migrate');
    if (refused) return expect(ran).toMatchObject({ code: 1, err: expect.stringMatching(refused) });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(
      (await site.serving((served) => served.all('/notes'))).map(({ headline, many }) => [headline, many]),
    ).toEqual([
      ['a', ['x']],
      ['b', ['x', 'y']],
    ]);
  },
);
