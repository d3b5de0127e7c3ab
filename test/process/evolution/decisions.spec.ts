// What a start asks before it goes on: renamed or new, moved or new, values that a narrower rule refuses, another site.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EvolvingSite, OPEN } from './evolving-site.js';

const text = (more: object = {}) => ({ type: 'string', maxLength: 60, ...more });
const note = (fields: object, more: object = {}) => ({ ...OPEN, fields, ...more });

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
});
afterEach(() => site.close());

const all = (path: string) => site.serving((served) => served.all(path));
const accept = (words: string) => (site.environment['DATABASE_ACCEPT'] = words);

async function fill(path: string, ...items: object[]): Promise<void> {
  await site.serving(async (served) => {
    for (const item of items) await served.post(path, item);
  });
}

it('a new field beside a leftover column requires a decision: renamed or new', async () => {
  site.write({ note: note({ title: text(), size: { type: 'integer' } }) });
  await fill('/notes', { title: 'first', size: 3 }, { title: '' });
  site.write({ note: note({ headline: text(), size: { type: 'integer' } }) });
  const refused =
    /notes\.headline: add column: 1 value is in the column title.*: id 1.*"renamedFrom": "title".*"renamedFrom": null/;
  expect(await site.startFailure()).toMatch(refused);
  expect(await site.startFailure('check')).toMatch(refused);
  expect((await site.cli('diff')).out).toMatch(/refused +add column notes\.headline: 1 value is in the column title/);
  // By a word for all questions of one start: then the values come late, and what was written meanwhile stays.
  accept('leftovers');
  await site.serving((served) => served.post('/notes/2', { headline: 'second' }));
  accept('');
  expect(await all('/notes')).toMatchObject([{ headline: '' }, { headline: 'second' }]);
  site.write({ note: note({ headline: text({ renamedFrom: 'title' }), size: { type: 'integer' } }) });
  expect(await all('/notes')).toMatchObject([{ headline: 'first' }, { headline: 'second' }]);
  await site.serving((served) => served.post('/notes/1', { headline: '' }));
  expect(await all('/notes')).toMatchObject([{ headline: '' }, { headline: 'second' }]);
  // The former column is left over: listed, and no difference.
  expect(await site.cli('diff')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/destructive +drop column notes\.title__moved/),
  });
  expect(await site.startFailure('check')).toBeUndefined();
  // By a word for one field. Another kind of column is not asked about, nor is an empty one.
  site.write({ note: note({ caption: text({ renamedFrom: null }), done: { type: 'boolean' } }) });
  expect(await all('/notes')).toMatchObject([{ caption: '', done: false }, { caption: '' }]);
});

it('a new field beside a column that has become a list requires no decision', async () => {
  site.write({ note: note({ label: text(), size: { type: 'integer' } }) });
  await fill('/notes', { label: 'first', size: 3 });
  site.write({ note: note({ label: { type: 'strings' }, size: { type: 'strings' }, title: text() }) });
  const { out } = await site.cli('diff');
  expect(out).not.toMatch(/refused/);
  expect(await all('/notes')).toMatchObject([{ label: ['first'], size: ['3'], title: '' }]);
  // The column is left over, and still no question.
  site.write({
    note: note({ label: { type: 'strings' }, size: { type: 'strings' }, title: text(), count: { type: 'integer' } }),
  });
  expect(await all('/notes')).toMatchObject([{ label: ['first'], size: ['3'], title: '', count: 0 }]);
});

it.each(['label', 'title'])(
  'a list that becomes a single value under the name %s is refused while it has values',
  async (name) => {
    site.write({ note: note({ label: { type: 'strings' } }) });
    await fill('/notes', { label: ['first'] });
    const said = name === 'label' ? {} : { renamedFrom: 'label' };
    site.write({ note: note({ [name]: text(said) }) });
    expect(await site.startFailure()).toMatch(
      new RegExp(`notes\\.${name}: add column: 1 value of the former list label is in the table notes_label`),
    );
    site.write({ note: note({ label: { type: 'strings' } }) });
    expect(await all('/notes')).toMatchObject([{ label: ['first'] }]);
  },
);

it.each<[string, object, unknown[], object]>([
  ['a structure becomes an address', { type: 'object', additionalProperties: true }, [{ a: 1 }, {}], { type: 'uri' }],
  [
    'a date becomes a text',
    { type: 'date', nullable: true },
    ['2024-02-29', null],
    text({ nullable: true, pattern: '^19' }),
  ],
  ['a flag becomes a number', { type: 'boolean' }, [true, false], { type: 'integer', maximum: 0 }],
])('values that the rule refuses are reported where %s', async (_, was, [bad, good], now) => {
  site.write({ note: note({ v: was }) });
  await fill('/notes', { v: good }, { v: bad });
  const rows = await site.sql('SELECT * FROM notes');
  site.write({ note: note({ v: now }) });
  expect(await site.startFailure()).toMatch(/note\.v: \d values? (is|are) not allowed by the rule .*: ids? .*2 /);
  expect(await site.sql('SELECT * FROM notes')).toEqual(rows);
});

it('a single value that became a list and becomes one again requires a decision about its former values', async () => {
  const list = { label: { type: 'strings' } };
  site.write({ note: note({ label: text() }) });
  await fill('/notes', { label: 'first' });
  site.write({ note: note(list) });
  await site.serving((served) => served.post('/notes/1', { label: ['first', 'second'] }));
  site.write({ note: note({ label: text() }) });
  const asked = /note\.label: the field was a list, and the table notes_label has its values/;
  expect(await site.startFailure()).toMatch(asked);
  expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringMatching(asked) });
  site.write({ note: note(list) });
  expect(await all('/notes')).toMatchObject([{ label: ['first', 'second'] }]);
  site.write({ note: note({ label: text() }) });
  accept('leftovers');
  expect(await all('/notes')).toMatchObject([{ label: 'first' }]);
  accept('');
  expect(await site.startFailure()).toBeUndefined();
});

it('a field that has become a list with another name is refused only while another field has its column', async () => {
  site.write({ note: note({ label: text() }) });
  await fill('/notes', { label: 'first' });
  const labels = { type: 'strings', renamedFrom: 'label' };
  // The values cannot belong to both.
  site.write({ note: note({ labels, label: text() }) });
  expect(await site.startFailure()).toMatch(
    /notes_labels: create table: it says that it was label, and a field has the column label as well/,
  );
  site.write({ note: note({ labels, title: text() }) });
  expect(await all('/notes')).toMatchObject([{ labels: ['first'], title: '' }]);
  site.write({ note: note({ labels, label: text({ column: 'short_label' }), title: text() }) });
  expect(await all('/notes')).toMatchObject([{ labels: ['first'], label: '', title: '' }]);
});

it('a new field beside a leftover digest of unique values requires no decision', async () => {
  const fields = { title: text(), ward: text() };
  site.write({ note: note(fields, { unique: [['ward', 'title']] }) });
  await fill('/notes', { title: 'first', ward: 'A' });
  site.write({ note: note(fields) });
  expect(await site.startFailure()).toBeUndefined();
  site.write({ note: note({ ...fields, headline: text() }) });
  expect(await all('/notes')).toMatchObject([{ title: 'first', headline: '' }]);
});

it('a new field beside a leftover column named like a digest requires a decision: renamed or new', async () => {
  site.write({ note: note({ title: text(), is_unique: { type: 'boolean' } }) });
  await fill('/notes', { title: 'first', is_unique: true });
  site.write({ note: note({ title: text(), single: { type: 'boolean' } }) });
  expect(await site.startFailure()).toMatch(/notes\.single: add column: 1 value is in the column is_unique/);
});

it('a new resource beside a leftover table with its columns requires a decision: moved or new', async () => {
  const fields = { title: text(), body: { type: 'text' } };
  site.write({ note: note(fields), other: note({ word: text() }) });
  await fill('/notes', { title: 'first', body: 'x' });
  await fill('/others', { word: 'stays' });
  site.write({ note: null, memo: note(fields) });
  expect(await site.startFailure()).toMatch(
    /memos: create table: 1 row is in the table notes.*: id 1.*"movedFrom": "notes"/,
  );
  site.write({ memo: note(fields, { storage: { movedFrom: null } }) });
  expect(await all('/memos')).toEqual([]);
  site.write({ memo: null, paper: note(fields, { storage: { movedFrom: 'notes' } }) });
  expect(await all('/papers')).toMatchObject([{ id: 1, title: 'first' }]);
});

it('a resource with another path and other fields requires a decision about its rows of the last start', async () => {
  const other = { name: { type: 'string' } };
  site.write({ note: note({ title: text(), size: { type: 'integer' } }), other: note(other), more: note(other) });
  await fill('/notes', { title: 'first', size: 3 });
  await fill('/others', { name: 'x' });
  const moved = { body: { type: 'text' }, when: { type: 'date' }, title: text() };
  site.write({ note: note(moved, { path: 'papers' }) });
  const refused =
    /papers.*: 1 row is in the table notes, where it was at the last start.*: id 1.*"movedFrom": "notes".*"movedFrom": null/;
  expect(await site.startFailure()).toMatch(refused);
  const { out } = await site.cli('diff');
  expect(out).toMatch(/refused +move rows papers \(note\): 1 row is in the table notes/);
  expect(out.match(/row is in the table/g)).toHaveLength(1);
  site.write({ note: note(moved, { path: 'papers', storage: { movedFrom: 'notes' } }) });
  expect(await all('/papers')).toMatchObject([{ id: 1, title: 'first', body: '' }]);
  // A table of the same columns is asked about once.
  site.write({ other: note(other, { path: 'things' }) });
  expect((await site.cli('diff')).out.match(/row is in the table/g)).toHaveLength(1);
});

describe('a resource that begins to share a table', () => {
  const fields = { title: text(), body: { type: 'text' } };
  const other = note({ word: text(), number: { type: 'integer' } });
  const shared = (kind: string, more: object = {}) =>
    note(fields, { storage: { table: 'papers', where: { kind }, ...more } });

  beforeEach(async () => {
    site.write({ note: note(fields), memo: shared('memo'), other });
    await fill('/notes', { title: 'first', body: 'x' }, { title: 'second' });
    await fill('/others', { word: 'stays' });
  });

  it('requires a decision about its rows of the last start', async () => {
    site.write({ note: shared('note') });
    const refused = /papers \(note\): move rows: 2 rows are in the table notes, where it was.*ids 1, 2/;
    expect(await site.startFailure()).toMatch(refused);
    expect(await site.startFailure()).toMatch(/If they are those of note, say "movedFrom": "notes".*"movedFrom": null/);
    expect(await site.startFailure('check')).toMatch(refused);
    const diff = await site.cli('diff');
    expect(diff).toMatchObject({ code: 2, out: expect.stringMatching(/refused +move rows papers \(note\): 2 rows/) });
    // Nothing is dropped before the question is answered.
    const migrated = await site.cli('migrate', '--allow-destructive');
    expect(migrated).toMatchObject({ code: 1, err: expect.stringMatching(refused) });
    expect(await site.sql('SELECT id FROM notes')).toHaveLength(2);
    site.write({ note: shared('note', { movedFrom: 'notes' }) });
    expect(await all('/notes')).toMatchObject([{ id: 1, title: 'first', body: 'x' }, { title: 'second' }]);
    expect(await all('/memos')).toEqual([]);
    // It has its rows: nothing is asked when the answer is taken away.
    site.write({ note: shared('note') });
    expect(await site.startFailure('check')).toBeUndefined();
    expect(await site.cli('diff')).toMatchObject({ code: 0 });
    expect(await all('/notes')).toHaveLength(2);
  });

  it('requires one decision about rows of a similar table with another name', async () => {
    site.write({ note: null, letter: shared('letter') });
    expect(await site.startFailure()).toMatch(
      /papers \(letter\): move rows: 2 rows are in the table notes, which has the same columns/,
    );
    accept('leftovers');
    expect(await all('/letters')).toEqual([]);
    accept('');
    expect(await all('/letters')).toEqual([]);
    expect(await site.cli('diff')).toMatchObject({ code: 0 });
  });

  it('can be declared new', async () => {
    site.write({ note: shared('note', { movedFrom: null }) });
    expect(await all('/notes')).toEqual([]);
    expect(await site.sql('SELECT id FROM notes')).toHaveLength(2);
  });

  it('requires no decision about empty or different tables', async () => {
    await fill('/memos', { title: 'also stays' });
    await site.sql('DELETE FROM notes');
    site.write({ note: shared('note'), other: null, letter: shared('letter') });
    expect(await site.startFailure()).toBeUndefined();
    expect(await all('/letters')).toEqual([]);
  });
});

it('the database of another site is unchanged', async () => {
  const fields = { title: text(), data: { type: 'object', additionalProperties: true }, done: { type: 'boolean' } };
  site.write({ note: note(fields), memo: note(fields), paper: note(fields) });
  for (const path of ['/notes', '/memos', '/papers']) await fill(path, { title: 'first', data: { a: 1 } });
  const before = await all('/notes');
  const others = { note: null, memo: null, paper: null };
  site.write({ ...others, shop: note({ label: text() }) });
  expect(await site.startFailure()).toMatch(
    /keep site: the database holds rows of other resources.*SCHEMAS_DIR.*DATABASE_ACCEPT=other-site/,
  );
  expect(await site.startFailure('check')).toMatch(/keep site/);
  expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringMatching(/keep site/) });
  accept('other-site');
  expect(await all('/shops')).toEqual([]);
  accept('');
  site.write({ shop: null, note: note(fields), memo: note(fields), paper: note(fields) });
  expect(await all('/notes')).toEqual(before);
});

it('values that a narrower rule refuses are reported for a renamed field', async () => {
  site.write({ note: note({ state: text({ enum: ['a', 'b', 'c'], default: 'a' }) }) });
  await fill('/notes', { state: 'a' }, { state: 'c' });
  site.write({ note: note({ mood: text({ enum: ['a', 'b'], default: 'a', renamedFrom: 'state' }) }) });
  const refused = /note\.mood: 1 value is not allowed by the rule of the schema any more: id 2/;
  expect(await site.startFailure()).toMatch(refused);
  expect(await site.startFailure()).toMatch(refused);
  accept('values');
  expect(await all('/notes')).toMatchObject([{ mood: 'a' }, { mood: 'c' }]);
  accept('');
  expect(await site.startFailure()).toBeUndefined();
});

it('values that a narrower rule refuses are reported, and can be accepted', async () => {
  site.write({
    note: note({ state: text({ enum: ['a', 'b', 'c'], default: 'a' }), word: text(), size: { type: 'integer' } }),
  });
  await fill(
    '/notes',
    { state: 'a', word: 'abc', size: 1 },
    { state: 'c', word: 'two words', size: 9 },
    { state: 'b', word: 'x', size: 5 },
  );
  const narrower = {
    state: text({ enum: ['a', 'b'], default: 'a' }),
    word: { type: 'slug', maxLength: 60, renamedFrom: 'word' },
    size: { type: 'integer', maximum: 6 },
  };
  site.write({ note: note(narrower) });
  const said = await site.startFailure();
  expect(said).toMatch(/note\.state: 1 value is not allowed by the rule of the schema any more: id 2/);
  expect(said).toMatch(/note\.word: 1 value .* id 2/);
  expect(said).toMatch(/note\.size: 1 value .* id 2 .*DATABASE_ACCEPT=values/);
  expect(await site.startFailure('check')).toMatch(/note\.state/);
  expect(await site.cli('diff')).toMatchObject({
    code: 2,
    out: expect.stringMatching(/refused +keep values notes\.state: 1 value is not allowed/),
  });
  expect(await site.cli('migrate')).toMatchObject({ code: 1 });
  accept('values');
  expect(await all('/notes')).toMatchObject([{}, { state: 'c', size: 9 }, {}]);
  accept('');
  // Asked once; a wider rule asks nothing.
  expect(await site.startFailure()).toBeUndefined();
  site.write({
    note: note({
      ...narrower,
      size: { type: 'integer', maximum: 8 },
      state: text({ enum: ['a', 'b', 'd'], default: 'a' }),
    }),
  });
  expect(await site.startFailure()).toBeUndefined();
});

it.each<[string, Record<string, object>]>([
  ['has another column', { more: { type: 'integer', default: 3, renamedFrom: null } }],
  ['lacks a column', { size: undefined! }],
  ['converts a column', { size: { type: 'string' } }],
  ['has another index', { size: { type: 'integer', index: true } }],
])('values that a narrower rule refuses are reported first when the table %s too', async (_, change) => {
  const fields = { state: text({ enum: ['a', 'b'], default: 'a' }), size: { type: 'integer' } };
  site.write({ note: note(fields) });
  await fill('/notes', { state: 'a', size: 1 }, { state: 'b', size: 2 });
  const columns = await site.sql('SELECT * FROM notes');
  site.write({ note: note({ ...fields, state: text({ enum: ['a'], default: 'a' }), ...change }) });
  expect(await site.cli('diff')).toMatchObject({
    code: 2,
    out: expect.stringMatching(/refused +keep values notes\.state: 1 value is not allowed by the rule .*: id 2\n/),
  });
  expect(await site.cli('migrate', '--allow-destructive')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/note\.state: 1 value is not allowed/),
  });
  expect(await site.sql('SELECT * FROM notes')).toEqual(columns);
  accept('values');
  expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
});

describe('values that a narrower rule refuses are reported before anything is changed', () => {
  const small = { type: 'integer', maximum: 6 };
  const few = (more: object = {}) => text({ enum: ['a', 'b'], default: 'a', ...more });
  const fields = { state: text({ enum: ['a', 'b', 'c'], default: 'a' }), size: text(), number: { type: 'number' } };

  beforeEach(async () => {
    site.write({ note: note(fields) });
    await fill('/notes', { state: 'a', size: '5', number: 5 }, { state: 'c', size: '9', number: 9 });
  });

  it.each<[string, Record<string, object>, string]>([
    ['is renamed', { ...fields, state: undefined!, mood: few({ renamedFrom: 'state' }) }, 'mood'],
    ['is converted', { ...fields, size: small }, 'size'],
    ['is converted to a text', { ...fields, number: text({ pattern: '^[0-5]?$' }) }, 'number'],
    ['is renamed and converted', { ...fields, size: undefined!, amount: { ...small, renamedFrom: 'size' } }, 'amount'],
  ])('where the column %s', async (_, changed, name) => {
    const columns = await site.sql('SELECT * FROM notes');
    site.write({ note: note(changed) });
    const refused = new RegExp(`note\\.${name}: 1 value is not allowed by the rule of the schema any more: id 2`);
    expect((await site.cli('diff')).out).toMatch(
      new RegExp(`refused +keep values notes\\.${name}: 1 value is not allowed by the rule .*: id 2\n`),
    );
    expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringMatching(refused) });
    // The former schemas can serve on.
    expect(await site.sql('SELECT * FROM notes')).toEqual(columns);
    accept('values');
    expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
    accept('');
    expect(await all('/notes')).toHaveLength(2);
  });

  it('by a start as well', async () => {
    const columns = await site.sql('SELECT * FROM notes');
    const { state: _, ...rest } = fields;
    site.write({ note: note({ ...rest, mood: few({ renamedFrom: 'state' }), more: { type: 'boolean' } }) });
    expect(await site.startFailure()).toMatch(/note\.mood: 1 value is not allowed/);
    expect(await site.sql('SELECT * FROM notes')).toEqual(columns);
  });

  it('where a rename copies the former values', async () => {
    site.write({ note: note({ ...fields, state: undefined!, mood: few() }) });
    accept('leftovers');
    await fill('/notes', { mood: 'b' });
    accept('');
    site.write({
      note: note({ ...fields, state: undefined!, mood: text({ enum: ['a'], default: 'a', renamedFrom: 'state' }) }),
    });
    expect(await site.cli('migrate')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/note\.mood: 1 value is not allowed .* id 3/),
    });
    expect(await site.sql('SELECT state FROM notes ORDER BY id')).toMatchObject([{ state: 'a' }, { state: 'c' }, {}]);
  });

  it('where the rows move to another table', async () => {
    const storage = { movedFrom: 'notes' };
    for (const more of [
      { path: 'papers', storage },
      { storage: { table: 'papers', where: { kind: 'note' }, ...storage } },
    ]) {
      site.write({ note: note({ ...fields, state: few() }, more) });
      expect(await site.cli('migrate')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/note\.state: 1 value is not allowed .* id 2/),
      });
      expect(await site.sql('SELECT state FROM notes')).toHaveLength(2);
    }
    accept('values');
    expect(await site.cli('migrate')).toMatchObject({ code: 0, err: '' });
    expect(await all('/notes')).toMatchObject([{ state: 'a' }, { state: 'c' }]);
  });

  it('where some rows leave a shared table', async () => {
    const kept = (kind: string) => ({ storage: { table: 'papers', where: { kind } } });
    site.write({ memo: note(fields, kept('memo')), letter: note(fields, kept('letter')) });
    await fill('/memos', { state: 'c' });
    await fill('/letters', { state: 'a' }, { state: 'c' });
    const storage = { movedFrom: { table: 'papers', where: { kind: 'letter' } } };
    site.write({ letter: note({ ...fields, state: few() }, { storage }) });
    expect(await site.cli('migrate')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/letter\.state: 1 value is not allowed .* id 3/),
    });
    await expect(site.sql('SELECT * FROM letters')).rejects.toThrow();
  });
});

it.each([
  ['email', 'ann@example.org', 'not an address'],
  ['uri', 'https://example.org/', 'no address either'],
])('values without the format %s are reported when a string becomes one', async (type, good, bad) => {
  site.write({ note: note({ link: text() }) });
  await fill('/notes', { link: good }, { link: bad }, {});
  site.write({ note: note({ link: { type } }) });
  expect(await site.startFailure()).toMatch(/note\.link: 1 value is not allowed .* id 2 .*DATABASE_ACCEPT=values/);
  accept('values');
  expect(await all('/notes')).toMatchObject([{ link: good }, { link: bad }, { link: null }]);
});

it.each<[string, object]>([
  ['another table', { movedFrom: 'notes' }],
  ['a shared table', { table: 'papers', where: { kind: 'paper' }, movedFrom: 'notes' }],
])('values that would no longer be unique are reported before their rows move to %s', async (_, storage) => {
  const fields = { title: text(), size: { type: 'integer' } };
  site.write({ note: note(fields) });
  await fill('/notes', { title: 'a', size: 1 }, { title: 'b', size: 1 }, { title: 'a', size: 1 });
  const rows = await site.sql('SELECT * FROM notes');
  const { title, ...rest } = fields;
  const moved = { ...rest, headline: { ...title, renamedFrom: 'title' } };
  site.write({ note: null, paper: note(moved, { storage, unique: [['headline', 'size']] }) });
  const refused = /move rows.*: 1 value of headline, size occurs in more than one row: ids 1, 3/;
  expect((await site.cli('diff')).out).toMatch(refused);
  expect(await site.cli('migrate')).toMatchObject({ code: 1, err: expect.stringMatching(refused) });
  expect(await site.startFailure()).toMatch(refused);
  // The former schemas can serve on.
  expect(await site.sql('SELECT * FROM notes')).toEqual(rows);
  await site.sql("UPDATE notes SET title = 'c' WHERE id = 3");
  expect(await site.cli('migrate')).toMatchObject({ code: 0 });
  expect(await all('/papers')).toMatchObject([{ headline: 'a' }, { headline: 'b' }, { headline: 'c' }]);
});
