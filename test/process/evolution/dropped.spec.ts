// What `migrate --allow-destructive` drops, it saves first; `load` puts it back once the schema has the place for it again.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { run } from '../../support/built-program.js';
import { AWKWARD, EvolvingSite, type Item, OPEN } from './evolving-site.js';

const GOING = {
  v: { type: 'string', maxLength: 90, nullable: true, unique: true },
  body: { type: 'rendered' },
  flag: { type: 'boolean' },
  size: { type: 'number', nullable: true },
  when: { type: 'datetime' },
  data: { type: 'object', additionalProperties: true },
  other: { type: 'reference', to: 'note' },
  secret: { type: 'password' },
  many: { type: 'strings' },
  notes: { type: 'references', to: 'note' },
  meta: { type: 'metadata', keys: { colour: { type: 'string' }, sizes: { type: 'integer', single: false } } },
};
const KEPT = { title: { type: 'string', maxLength: 60 } };
const whole = {
  ...OPEN,
  list: { orderby: ['id', 'v'] },
  search: { fields: ['v', 'body'] },
  fields: { ...KEPT, ...GOING },
};
const rest = { ...OPEN, fields: KEPT };
const other = { ...OPEN, fields: { ...KEPT, note: { type: 'reference', to: 'note' } } };

let site: EvolvingSite;
beforeEach(async () => {
  site = await EvolvingSite.make();
  site.write({ note: whole });
});
afterEach(() => site.close());

const COLUMNS = 'SELECT id, v, body, body_rendered, flag, size, data, other, secret FROM notes ORDER BY id';

async function fill(): Promise<void> {
  await site.serving(async (served) => {
    for (const [at, text] of AWKWARD.entries())
      await served.post('/notes', {
        title: `t${at}`,
        v: text,
        body: text,
        flag: at % 2 === 1,
        size: at === 3 ? null : at / 4,
        ...(at === 2 ? {} : { when: '2024-02-29T12:00:00' }),
        data: { [text]: [at, null] },
        other: at,
        secret: `a long pass phrase ${at}`,
        many: ['b', 'a', text],
        notes: at > 1 ? [1, at] : [],
        meta: { colour: text, sizes: [at, 7] },
      });
    await served.post('/notes', { title: 'nothing' });
  });
}

const count = async (sql: string): Promise<number> => Number((await site.sql(sql))[0]!['n']);
const all = (): Promise<Item[]> => site.serving((served) => served.all('/notes'));

it('load restores saved fields of every type, and keeps later values', async () => {
  await fill();
  const before = await all();
  const stored = await site.sql(COLUMNS);
  site.write({ note: rest });
  const plain = await site.cli('migrate');
  expect(plain.out).toContain('left: drop column notes.v (needs --allow-destructive)');
  expect(await site.sql(COLUMNS)).toEqual(stored);
  const dropped = await site.cli('migrate', '--allow-destructive');
  expect(dropped).toMatchObject({ code: 0, err: '' });
  expect(site.dropped).toHaveLength(4);
  for (const file of site.dropped) {
    expect(dropped.out).toContain(`saved: ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
  expect((await all()).map((item) => Object.keys(item))).toEqual(before.map(() => ['id', 'title']));

  const early = await site.cli('load', site.dropped[0]!);
  expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/has no column "v": put its field back/) });
  site.write({ note: whole });
  await site.serving((served) => served.post('/notes', { title: 'since', v: 'since' }));
  expect((await site.cli('load', site.work, '--dry-run')).code).toBe(0);
  expect((await site.sql('SELECT v FROM notes WHERE id = 1'))[0]).toEqual({ v: null });
  const loaded = await site.cli('load', site.work);
  expect(loaded).toMatchObject({ code: 0 });
  expect((await all()).slice(0, -1)).toEqual(before);
  expect((await site.sql(COLUMNS)).slice(0, -1)).toEqual(stored);
  await site.serving(async (served) => {
    expect(await served.get('/notes?search=combining')).toHaveLength(1);
    const ordered: Item[] = await served.get('/notes?orderby=v&order=desc&per_page=1');
    expect(ordered[0]!['v']).toBe(AWKWARD[5]);
  });
  // Twice does nothing, and nothing that was written since is lost.
  expect((await site.cli('load', site.work)).code).toBe(0);
  await site.serving((served) => served.post('/notes/2', { v: 'mine' }));
  const refused = await site.cli('load', site.work);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/:2: v of item 2 was written since/) });
  expect((await all())[1]!['v']).toBe('mine');
});

it('load restores a saved resource with its ids, lists and meta, on any engine', async () => {
  site.write({ note: whole, other });
  await fill();
  await site.serving((served) => served.post('/others', { title: 'kept', note: 5 }));
  const before = await all();
  const stored = await site.sql(COLUMNS);
  site.write({ note: null, other: { ...OPEN, fields: KEPT } });
  expect((await site.cli('migrate', '--allow-destructive')).code).toBe(0);
  expect(site.dropped).toHaveLength(5);
  expect((await site.cli('load', site.work)).err).toMatch(
    /no schema has the table "notes": put its resource or field back/,
  );
  site.write({ note: whole, other });
  expect((await site.cli('migrate')).code).toBe(0);
  const loaded = await site.cli('load', site.work);
  expect(loaded).toMatchObject({ code: 0 });
  expect(await all()).toEqual(before);
  expect(await site.sql(COLUMNS)).toEqual(stored);
  await site.serving(async (served) => {
    expect((await served.get('/others/1')).note).toBe(5);
    expect((await served.post('/notes', { title: 'next' })).id).toBe(before.length + 1);
    expect(await served.get('/notes?search=combining')).toHaveLength(1);
  });
  const again = await site.cli('load', site.work);
  expect(again.code).toBe(0);
  expect(await count('SELECT COUNT(*) AS n FROM notes_many')).toBe(3 * AWKWARD.length);
});

it.each([
  ['date', 'v must be a day of the calendar, YYYY-MM-DD'],
  ['object', 'v must be JSON'],
])('load reports saved texts that do not fit the new type of a field: %s', async (type, reason) => {
  await site.serving((served) => served.post('/notes', { title: 'a', v: 'some day' }));
  site.write({ note: rest });
  expect(await site.cli('migrate', '--allow-destructive')).toMatchObject({ code: 0, err: '' });
  site.write({ note: { ...OPEN, fields: { ...KEPT, v: { type, nullable: true } } } });
  await site.cli('migrate');
  const refused = await site.cli('load', site.work);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(reason);
  expect(await count('SELECT COUNT(*) AS n FROM notes WHERE v IS NOT NULL')).toBe(0);
});

it('load reports saved values that no longer fit', async () => {
  await fill();
  site.write({ note: rest });
  expect(await site.cli('migrate', '--allow-destructive')).toMatchObject({ code: 0, err: '' });
  site.write({
    note: { ...whole, fields: { ...KEPT, ...GOING, v: { type: 'string', maxLength: 12, nullable: true } } },
  });
  await site.cli('migrate');
  const refused = await site.cli('load', site.work);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/v has more than 12 characters/);
  expect(refused.err).not.toContain(AWKWARD[1]);
  expect(await count('SELECT COUNT(*) AS n FROM notes WHERE flag = 1')).toBe(0);
});

it('a migration that is killed while it saves data leaves no partial file', async () => {
  const MANY = 2_000;
  const lines = Array.from({ length: MANY }, (_, at) =>
    JSON.stringify({ $resource: 'note', id: at + 1, title: `t${at}`, body: `${at} `.repeat(2_000) }),
  );
  const file = join(site.folder, 'notes.jsonl');
  writeFileSync(file, lines.join('\n'));
  expect(await site.cli('load', file)).toMatchObject({ code: 0 });
  site.write({ note: rest });

  const command = run('dist/cli.js', ['migrate', '--allow-destructive'], site.environment, site.work);
  let over = false;
  void command.ended.then(() => (over = true));
  while (!over && readdirSync(site.work).length === 0) await sleep(1);
  expect(await command.kill()).toMatchObject({ signal: 'SIGKILL' });
  expect(await site.cli('migrate', '--allow-destructive')).toMatchObject({ code: 0, err: '' });

  const saved = readdirSync(site.work).filter((name) => name.endsWith('.jsonl'));
  expect(saved.map((name) => EvolvingSite.lines(join(site.work, name)).length)).toEqual(saved.map(() => MANY));
  site.write({ note: whole });
  await site.cli('migrate');
  expect(await site.cli('load', site.work)).toMatchObject({ code: 0 });
  expect(await count("SELECT COUNT(*) AS n FROM notes WHERE body <> ''")).toBe(MANY);
});

interface Move {
  /** Resource `note` afterwards. */
  after: Record<string, unknown>;
  shows: Item;
  /** Tables and columns that the one run has dropped. */
  drops: string[];
}

const sheets = (kind: string) => ({ table: 'sheets', where: { kind } });

it.each<[string, Move]>([
  [
    'a value becomes a list of one',
    {
      after: { fields: { ...KEPT, v: { type: 'strings' }, many: { type: 'strings' } } },
      shows: { title: 'a', v: ['one'], many: ['x', 'y'] },
      drops: ['notes.v', 'notes.other'],
    },
  ],
  [
    'a reference becomes a list of one, under another name',
    {
      after: {
        fields: { ...KEPT, v: { type: 'string' }, others: { type: 'references', to: 'sheet', renamedFrom: 'other' } },
      },
      shows: { title: 'a', v: 'one', others: [1] },
      drops: ['notes.other', 'notes_many'],
    },
  ],
  [
    'items move into a shared table with their lists',
    {
      after: {
        storage: { ...sheets('b'), movedFrom: 'notes' },
        fields: { ...KEPT, v: { type: 'string', default: '' }, many: { type: 'strings' } },
      },
      shows: { title: 'a', v: 'one', many: ['x', 'y'] },
      drops: [],
    },
  ],
])('one migration both fills and drops columns: %s', async (_, { after, shows, drops }) => {
  const sheet = { ...OPEN, storage: sheets('a'), fields: { ...KEPT, v: { type: 'string', default: '' } } };
  const fields = { ...KEPT, v: { type: 'string' }, many: { type: 'strings' } };
  site.write({ sheet, note: { ...OPEN, fields: { ...fields, other: { type: 'reference', to: 'sheet' } } } });
  await site.serving(async (served) => {
    await served.post('/sheets', { title: 'kept' });
    await served.post('/notes', { title: 'a', v: 'one', other: 1, many: ['x', 'y'] });
  });
  await site.sql('UPDATE notes SET id = 8');
  await site.sql('UPDATE notes_many SET owner_id = 8');
  site.write({ note: { ...OPEN, ...after } });
  const ran = await site.cli('migrate', '--allow-destructive');
  expect(ran).toMatchObject({ code: 0, err: '' });
  for (const name of drops) expect(ran.out).toMatch(new RegExp(`^done: drop \\w+ ${name}$`, 'm'));
  expect(await all()).toEqual([{ id: 8, ...shows }]);
  // What a move has left aside is dropped by the next run.
  expect((await site.cli('migrate', '--allow-destructive')).code).toBe(0);
  expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
  expect(await all()).toEqual([{ id: 8, ...shows }]);
});

/** Refuses updates of a table. */
const REFUSING: Record<string, string[]> = {
  sqlite: ["CREATE TRIGGER refusing BEFORE UPDATE ON typecase_rules BEGIN SELECT RAISE(ABORT, 'refused'); END"],
  mysql: ["CREATE TRIGGER refusing BEFORE UPDATE ON typecase_rules FOR EACH ROW SIGNAL SQLSTATE '45000'"],
  postgres: [
    "CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$ LANGUAGE plpgsql",
    'CREATE TRIGGER refusing BEFORE UPDATE ON typecase_rules FOR EACH ROW EXECUTE FUNCTION refuse()',
  ],
};

it('a migration that fails at the items has named the files with what it dropped, and its steps', async () => {
  await fill();
  for (const statement of REFUSING[site.engine]!) await site.sql(statement);
  site.write({ note: rest });
  const { code, out, err } = await site.cli('migrate', '--allow-destructive');
  expect(code).toBe(1);
  expect(err).not.toBe('');
  expect(site.dropped.length).toBeGreaterThan(1);
  for (const file of site.dropped) expect(out).toContain(`saved: ${file}\n`);
  expect(out).toContain('done: drop column notes.v\n');
});
