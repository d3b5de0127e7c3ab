// Migrations that are killed at every statement (or at some: runs.ts), and many that begin at once: the next run finishes, and no value is lost.
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ExitResult, run } from '../../support/built-program.js';
import { runs, stride } from '../../support/runs.js';
import { AWKWARD, EvolvingSite, type Item, OPEN } from './evolving-site.js';

const SEARCHED = { search: { fields: ['text'] } };
const before = {
  note: {
    ...OPEN,
    list: { orderby: ['id', 'title'] },
    search: { fields: ['title', 'size'] },
    fields: {
      title: { type: 'string', maxLength: 60 },
      size: { type: 'string', index: true, default: '0' },
      gap: { type: 'integer', nullable: true },
      one: { type: 'string', maxLength: 80 },
      tags: { type: 'strings' },
      gone: { type: 'text' },
      due: { type: 'date', nullable: false },
    },
  },
  memo: { ...OPEN, ...SEARCHED, fields: { text: { type: 'string' }, labels: { type: 'strings' } } },
  sheet: {
    ...OPEN,
    ...SEARCHED,
    storage: { table: 'sheets', where: { kind: 'a' } },
    fields: { text: { type: 'string' } },
  },
};
/** Renames, converts, fills nulls, allows null, makes a list of a value, adds a backfilled field, and moves a resource into a shared table. */
const after = {
  note: {
    ...OPEN,
    list: { orderby: ['id', 'headline', 'size'] },
    search: { fields: ['headline'] },
    fields: {
      headline: { type: 'string', maxLength: 700, renamedFrom: 'title', index: true },
      size: { type: 'integer', index: true },
      gap: { type: 'integer', default: 7 },
      one: { type: 'strings' },
      labels: { type: 'strings', renamedFrom: 'tags' },
      fresh: { renamedFrom: null, type: 'string', required: true, backfill: 'there "before"' },
      due: { type: 'date', filterable: true },
    },
  },
  memo: {
    ...OPEN,
    ...SEARCHED,
    storage: { table: 'sheets', where: { kind: 'b' }, movedFrom: 'memos' },
    fields: { text: { type: 'string' }, labels: { type: 'strings' } },
  },
  sheet: before.sheet,
};

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
});
afterEach(() => site.close());

async function fill(): Promise<void> {
  site.write(before);
  await site.serving(async (served) => {
    for (const [at, text] of AWKWARD.entries()) {
      const numbers = { size: String(at * 3), gap: at % 3 === 0 ? null : at };
      await served.post('/notes', { title: text, ...numbers, one: text, tags: ['b', text], gone: text });
      await served.post('/memos', { text, labels: [text] });
    }
    await served.post('/sheets', { text: 'own', id: 90 });
  });
  // Ids of the two must differ for the move.
  const parts = [
    ['memos', 'id'],
    ['memos_labels', 'owner_id'],
  ];
  for (const [table, id] of parts) await site.sql(`UPDATE ${table} SET ${id} = ${id} + 100`);
}

const NOTES = AWKWARD.map((text, at) => ({
  id: at + 1,
  headline: text,
  size: at * 3,
  gap: at % 3 === 0 ? 7 : at,
  one: [text],
  labels: ['b', text],
  fresh: 'there "before"',
  due: null,
}));
const MEMOS = AWKWARD.map((text, at) => ({ id: at + 101, text, labels: [text] }));

async function expectWhole(): Promise<void> {
  const diff = (await site.cli('diff')).out;
  expect(diff).not.toMatch(/^(safe|risky|refused)/m);
  expect(diff).not.toContain('was interrupted');
  expect((await site.cli('check', '--data')).out).toBe('0 problems\n');
  await site.serving(async (served) => {
    expect(await served.all('/notes')).toEqual(NOTES);
    expect(await served.all('/memos')).toEqual(MEMOS);
    expect(await served.all('/sheets')).toHaveLength(1);
    const found: Item[] = await served.get('/notes?search=combining');
    expect(found.map(({ id }) => id)).toEqual([6]);
    const moved: Item[] = await served.get('/memos?search=combining');
    expect(moved.map(({ id }) => id)).toEqual([106]);
    const ordered: Item[] = await served.get('/notes?orderby=size&order=desc&per_page=1');
    expect(ordered[0]!['id']).toBe(8);
    expect(await served.get('/notes?due[null]=true')).toHaveLength(NOTES.length);
  });
  expect((await site.sql('SELECT gone FROM notes ORDER BY id')).map(({ gone }) => gone)).toEqual(AWKWARD);
}

/** The command in a process of its own; returns what ended it. */
function child(killAt: number, ...words: string[]): Promise<ExitResult> {
  const script = fileURLToPath(new URL('./killed-child.mjs', import.meta.url));
  return run(script, words, { ...site.environment, KILL_AT: String(killAt) }, site.work).ended;
}

/** What was reported, without the sentences of a command that waits: one for a lock, and one on a slow machine. */
const withoutWaits = (errors: string): string =>
  errors
    .replace('another process has locked this database: waiting until it is done\n', '')
    .replace(
      'the database is taking a long time: its tables are being changed or filled, or another session has locked them\n',
      '',
    );

const steps = async (): Promise<string> => {
  const { out } = await site.cli('diff');
  expect(out).not.toMatch(/^refused/m);
  return out.replace(/^note .*\n\n?/gm, '');
};

/** Statements between two places where it is killed. */
const STRIDE = stride();

it('a migration that is killed at any point is completed by the next run', async () => {
  await fill();
  site.write(after);
  let left = await steps();
  let kills = 0;
  // Killed ever later while nothing of it stays (one transaction), and again at the same place where something did (MySQL).
  for (let at = 0; ;) {
    const { signal, errors } = await child(at, 'migrate');
    expect(withoutWaits(errors)).toBe('');
    if (signal === null) break;
    expect(signal).toBe('SIGKILL');
    kills += 1;
    const now = await steps();
    if (now === left) at += STRIDE;
    left = now;
  }
  expect(kills).toBeGreaterThan(20 / STRIDE);
  await expectWhole();
});

it('a migration runs once when several start concurrently', async () => {
  await fill();
  site.write(after);
  const all = await Promise.all(Array.from({ length: runs(30, 5) }, () => child(-1, 'migrate')));
  expect(all.map(({ errors }) => withoutWaits(errors))).toEqual(all.map(() => ''));
  // One of them did it; the items that were waiting for sort keys may have been shared out.
  expect(all.filter(({ output }) => output.includes('done: rename column'))).toHaveLength(1);
  await expectWhole();
});

it('a migration that was killed after its last step is completed by the next run, which has no steps left', async () => {
  site.write(before);
  expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
  await site.sql('UPDATE typecase_migrations SET finished = NULL');
  expect((await site.cli('diff')).out).toContain('was interrupted');
  expect((await site.cli('migrate')).out).toContain('Nothing to do.');
  expect(await site.cli('diff')).toMatchObject({ code: 0, out: 'Nothing to do.\n' });
});

describe('values with a meaning of their own (objects, passwords) in a migration that was killed after a step', () => {
  const object = { type: 'object', properties: { a: { type: 'integer' } } };
  const fields = { data: object, secret: { type: 'password' } };
  const renamed = {
    info: { ...object, renamedFrom: 'data' },
    word: { type: 'password', renamedFrom: 'secret' },
  };

  it.each([
    ['renamed their columns', { note: { ...OPEN, fields: renamed } }, 'info'],
    ['moved them', { note: { ...OPEN, fields, storage: { table: 'sheets', movedFrom: 'notes' } } }, 'data'],
  ])('that %s are kept by the next run', async (_what, later, field) => {
    site.write({ note: { ...OPEN, fields } });
    await site.serving((served) => served.post('/notes', { data: { a: 1 }, secret: 'correct horse battery' }));
    const hashes = async (table: string, column: string) =>
      (await site.sql(`SELECT ${column} AS hash FROM ${table}`)).map(({ hash }) => hash);
    const [hash] = await hashes('notes', 'secret');
    site.write(later);
    expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
    // As where the process was killed before the end.
    await site.sql('UPDATE typecase_migrations SET finished = NULL WHERE id = 2');
    expect((await site.cli('diff')).out).not.toContain('refused');
    expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
    await site.serving(async (served) => expect(await served.get('/notes/1')).toMatchObject({ [field]: { a: 1 } }));
    expect(await hashes(field === 'info' ? 'notes' : 'sheets', field === 'info' ? 'word' : 'secret')).toEqual([hash]);
  });
});
