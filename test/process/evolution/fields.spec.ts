// One field of each filled resource changes: what diff says, what startup and migrations do, and every value afterwards, row by row and over HTTP.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestSite } from '../../support/start-test-site.js';
import { AWKWARD, EvolvingSite, type Item, OPEN, type Said, Served } from './evolving-site.js';

interface Change {
  name: string;
  /** The field `v` before and after; null: there is none. */
  from: object | null;
  to: object | null;
  /** Values of the items, one each; undefined: not sent. */
  values: unknown[];
  /** Line of `diff`: its class and its kind. */
  says: string;
  /** Refused: what migrate prints. */
  refused?: RegExp;
  /** Starts with the new schema although the step did not run. */
  starts?: true;
  /** Values afterwards; default: those before. */
  after?: unknown[];
  /** The response shows it under another name afterwards. */
  as?: string;
  /** Left over for --allow-destructive. */
  leaves?: true;
  /** Value of a new item, and what is found when lists are ordered by it. */
  fresh?: unknown;
  unordered?: true;
}

const string = (more: object = {}) => ({ type: 'string', ...more });
const nullable = { nullable: true };
const long = (length: number) => '\u{1F600}'.repeat(length);
const LIST = { list: { orderby: ['id', 'title'] } };
const toNote = (name: string, more: object) => ({ type: 'reference', to: 'note', ...more, description: name });

const CHANGES: Change[] = [
  {
    name: 'a longer string',
    from: string({ maxLength: 40 }),
    to: string({ maxLength: 900 }),
    values: [...AWKWARD, '', long(40)],
    says: 'safe         widen column',
    fresh: long(900),
  },
  {
    name: 'a longer string with an index',
    from: string({ maxLength: 100, index: true }),
    to: string({ maxLength: 1000, index: true }),
    values: [...AWKWARD, long(100)],
    says: 'safe         widen column',
    fresh: 'ab'.repeat(500),
  },
  {
    name: 'a longer string that is unique',
    from: string({ maxLength: 60, unique: true, nullable: true }),
    to: string({ maxLength: 191, unique: true, nullable: true }),
    values: [...AWKWARD, null, null],
    says: 'safe         widen column',
    fresh: long(191),
  },
  {
    name: 'string to text',
    from: string({ maxLength: 40, nullable: true }),
    to: { type: 'text', nullable: true },
    values: [...AWKWARD, '', null],
    says: 'safe         widen column',
    fresh: 'x'.repeat(100_000),
  },
  {
    name: 'integer to number',
    from: { type: 'integer', nullable: true },
    to: { type: 'number', nullable: true },
    values: [0, -7, 9007199254740991, null],
    says: 'safe         convert column',
    fresh: 1.5,
  },
  {
    name: 'a shorter string that fits',
    from: string({ maxLength: 80 }),
    to: string({ maxLength: 50 }),
    values: [...AWKWARD, long(50)],
    says: 'risky        narrow column',
    starts: true,
    fresh: 'short',
  },
  {
    name: 'a shorter string that does not fit',
    from: string({ maxLength: 80 }),
    to: string({ maxLength: 20 }),
    values: ['short', long(21), 'x'.repeat(80)],
    says: 'refused      narrow column',
    refused: /2 values are longer than 20 characters: ids 2, 3/,
    starts: true,
  },
  {
    name: 'text to string that fits',
    from: { type: 'text' },
    to: string({ maxLength: 191, index: true }),
    values: [...AWKWARD, long(191)],
    says: 'risky        narrow column',
    starts: true,
    fresh: 'new',
  },
  {
    name: 'text to string that does not fit',
    from: { type: 'text' },
    to: string({ maxLength: 100 }),
    values: ['a', 'b'.repeat(101)],
    says: 'refused      narrow column',
    refused: /1 value is longer than 100 characters: id 2/,
    starts: true,
  },
  {
    name: 'a renamed string',
    from: string(),
    to: string({ renamedFrom: 'v' }),
    as: 'w',
    values: [...AWKWARD, ''],
    says: 'safe         rename column',
    fresh: 'new',
  },
  {
    name: 'a renamed rendered text',
    from: { type: 'rendered' },
    to: { type: 'rendered', renamedFrom: 'v' },
    as: 'w',
    values: AWKWARD,
    says: 'safe         rename column',
    fresh: 'new',
    unordered: true,
  },
  {
    name: 'renamed strings',
    from: { type: 'strings' },
    to: { type: 'strings', renamedFrom: 'v' },
    as: 'w',
    values: [['b', 'a'], [], AWKWARD],
    says: 'safe         rename table',
    fresh: ['n'],
    unordered: true,
  },
  {
    name: 'a renamed object',
    from: { type: 'object', properties: { a: { type: 'string' } } },
    to: { type: 'object', properties: { a: { type: 'string' } }, renamedFrom: 'v' },
    as: 'w',
    values: AWKWARD.map((a) => ({ a })),
    says: 'safe         rename column',
    fresh: { a: 'n' },
    unordered: true,
  },
  {
    name: 'a renamed reference',
    from: toNote('one', {}),
    to: toNote('one', { renamedFrom: 'v' }),
    as: 'w',
    values: [0, 1, 2],
    says: 'safe         rename column',
    fresh: 1,
    unordered: true,
  },
  {
    name: 'a name that says nothing of the old one',
    from: string(),
    to: string({ renamedFrom: null }),
    as: 'w',
    values: ['a', 'b'],
    says: 'safe         add column',
    after: ['', ''],
    leaves: true,
    fresh: 'new',
  },
  {
    name: 'a new nullable field',
    from: null,
    to: string(nullable),
    values: [undefined, undefined],
    says: 'safe         add column',
    after: [null, null],
    fresh: 'new',
  },
  {
    name: 'a new field with a default',
    from: null,
    to: string({ default: 'it\u2019s \\ \u{1F600}' }),
    values: [undefined, undefined],
    says: 'safe         add column',
    after: ['it\u2019s \\ \u{1F600}', 'it\u2019s \\ \u{1F600}'],
    fresh: 'new',
  },
  {
    name: 'a new required field with a default',
    from: null,
    to: { type: 'integer', required: true, default: 3 },
    values: [undefined],
    says: 'safe         add column',
    after: [3],
    fresh: 5,
  },
  {
    name: 'a new required field with a backfill',
    from: null,
    to: string({ required: true, backfill: 'was "there"' }),
    values: [undefined, undefined],
    says: 'safe         add column',
    after: ['was "there"', 'was "there"'],
    fresh: 'new',
  },
  {
    name: 'a new required field with nothing',
    from: null,
    to: string({ required: true }),
    values: [undefined, undefined],
    says: 'refused      add column',
    refused: /2 rows have no value for a required column: ids 1, 2 \(Give the field a default or a backfill/,
  },
  {
    name: 'a new list',
    from: null,
    to: { type: 'strings' },
    values: [undefined],
    says: 'safe         create table',
    after: [[]],
    fresh: ['a'],
    unordered: true,
  },
  {
    name: 'unique over duplicates',
    from: string(nullable),
    to: string({ nullable: true, unique: true }),
    values: ['twice', 'once', 'twice', null, null],
    says: 'refused      create index',
    refused: /1 value of v occurs in more than one row: ids 1, 3/,
  },
  {
    name: 'unique without regard to case over duplicates',
    from: string(nullable),
    to: string({ nullable: true, unique: { ignore: ['case'] } }),
    values: ['Twice', 'once', 'twice', null, null],
    says: 'refused      create index',
    refused: /1 value of v occurs in more than one row: ids 1, 3/,
  },
  {
    name: 'a long text unique over duplicates',
    from: { type: 'text', nullable: true },
    to: { type: 'text', nullable: true, unique: true },
    values: ['x'.repeat(2000), 'once', 'x'.repeat(2000), null, null],
    says: 'refused      create index',
    refused: /1 value of v occurs in more than one row: ids 1, 3/,
  },
  {
    name: 'unique over different values',
    from: string(nullable),
    to: string({ nullable: true, unique: true }),
    values: [...AWKWARD, null, null],
    says: 'safe         create index',
    fresh: 'new',
  },
  {
    name: 'no longer unique',
    from: string({ nullable: true, unique: true }),
    to: string(nullable),
    values: ['a', 'b', null],
    says: 'safe         drop index',
    fresh: 'a',
  },
  {
    name: 'an index',
    from: string(),
    to: string({ index: true }),
    values: AWKWARD,
    says: 'safe         create index',
    fresh: 'new',
  },
  {
    name: 'no index',
    from: string({ index: true }),
    to: string(),
    values: AWKWARD,
    says: 'safe         drop index',
    fresh: 'new',
  },
  {
    name: 'nullable',
    from: string(),
    to: string(nullable),
    values: [...AWKWARD, ''],
    says: 'safe         relax column',
    fresh: null,
  },
  {
    name: 'not nullable, without nulls',
    from: string(nullable),
    to: string(),
    values: [...AWKWARD, ''],
    says: 'safe         require column',
    fresh: 'new',
  },
  {
    name: 'unique and no longer nullable, with a default that several items would share',
    from: string({ maxLength: 60, nullable: true, unique: true }),
    to: string({ maxLength: 60, unique: true, default: 'none' }),
    values: [null, 'once', null],
    says: 'refused      require column',
    refused: /1 value of v occurs in more than one row: ids 1, 3/,
  },
  {
    name: 'unique integers no longer nullable, with a default that an item has',
    from: { type: 'integer', nullable: true, unique: true },
    to: { type: 'integer', unique: true, default: 7 },
    values: [null, 7, 8],
    says: 'refused      require column',
    refused: /1 value of v occurs in more than one row: ids 1, 2/,
  },
  {
    name: 'unique without regard to case and no longer nullable, with a default that an item has',
    from: string({ maxLength: 900, nullable: true, unique: { ignore: ['case'] } }),
    to: string({ maxLength: 900, unique: { ignore: ['case'] }, default: 'none' }),
    values: [null, 'once', 'NONE'],
    says: 'refused      require column',
    refused: /1 value of v occurs in more than one row: ids 1, 3/,
  },
  {
    name: 'unique and no longer nullable, with a default that one item gets',
    from: string({ maxLength: 60, nullable: true, unique: true }),
    to: string({ maxLength: 60, unique: true, default: 'none' }),
    values: [null, 'once', 'twice'],
    says: 'risky        require column',
    after: ['none', 'once', 'twice'],
    fresh: 'new',
  },
  {
    name: 'not nullable, with nulls',
    from: { type: 'integer', nullable: true },
    to: { type: 'integer' },
    values: [1, null, 0],
    says: 'refused      require column',
    refused: /1 row holds null: id 2/,
  },
  {
    name: 'not nullable, with nulls and a default',
    from: { type: 'integer', nullable: true },
    to: { type: 'integer', default: 9 },
    values: [1, null, 0],
    says: 'risky        require column',
    after: [1, 9, 0],
    fresh: 5,
  },
  {
    name: 'not nullable, with nulls and a backfill',
    from: string(nullable),
    to: string({ backfill: 'none' }),
    values: ['a', null, ''],
    says: 'risky        require column',
    after: ['a', 'none', ''],
    fresh: 'x',
  },
  {
    name: 'digits to integer',
    from: string(nullable),
    to: { type: 'integer', nullable: true },
    values: ['12', '0', '-7', null, '9007199254740991'],
    says: 'risky        convert column',
    after: [12, 0, -7, null, 9007199254740991],
    fresh: 4,
  },
  {
    name: 'an indexed long string of digits to integer',
    from: string({ maxLength: 1000, index: true, default: '0' }),
    to: { type: 'integer', index: true },
    values: ['12', '0'],
    says: 'risky        convert column',
    after: [12, 0],
    fresh: 4,
  },
  {
    name: 'texts to number',
    from: string(),
    to: { type: 'number' },
    values: ['1.5', '0', '-7.25', '-0.5', '123456789.25', '-123456789012345', '0.00000025'],
    says: 'risky        convert column',
    after: [1.5, 0, -7.25, -0.5, 123456789.25, -123456789012345, 0.00000025],
    fresh: 2.5,
  },
  {
    name: 'texts that are no number',
    from: string(),
    to: { type: 'number' },
    values: ['1.5', 'many', ''],
    says: 'refused      convert column',
    refused: /2 values are not of type number: ids 2, 3/,
  },
  {
    name: 'texts to integer',
    from: string(),
    to: { type: 'integer' },
    values: ['12', 'twelve', '', '1.5', '12 ', '9007199254740993'],
    says: 'refused      convert column',
    refused: /5 values are not of type integer: ids 2, 3, 4, 5, 6/,
  },
  {
    name: 'integer to string',
    from: { type: 'integer', nullable: true, index: true },
    to: string({ nullable: true, index: true }),
    values: [12, 0, -7, null, 9007199254740991],
    says: 'safe         convert column',
    after: ['12', '0', '-7', null, '9007199254740991'],
    fresh: 'x',
  },
  {
    name: 'number to string',
    from: { type: 'number' },
    to: string(),
    values: [0, 1.5, -3, 0.1, 0.30000000000000004],
    says: 'risky        convert column',
    after: ['0', '1.5', '-3', '0.1', '0.30000000000000004'],
    fresh: 'x',
  },
  {
    name: 'whole numbers to integer',
    from: { type: 'number' },
    to: { type: 'integer' },
    values: [0, -3, 12],
    says: 'risky        convert column',
    fresh: 5,
  },
  {
    name: 'fractions to integer',
    from: { type: 'number' },
    to: { type: 'integer' },
    values: [0, 1.5],
    says: 'refused      convert column',
    refused: /1 value is not of type integer: id 2/,
  },
  {
    name: 'boolean to integer',
    from: { type: 'boolean' },
    to: { type: 'integer' },
    values: [true, false],
    says: 'safe         convert column',
    after: [1, 0],
    fresh: 5,
  },
  {
    name: 'integer to boolean',
    from: { type: 'integer' },
    to: { type: 'boolean' },
    values: [1, 0],
    says: 'risky        convert column',
    after: [true, false],
    fresh: true,
  },
  {
    name: 'other integers to boolean',
    from: { type: 'integer' },
    to: { type: 'boolean' },
    values: [1, 2],
    says: 'refused      convert column',
    refused: /1 value is not of type boolean: id 2/,
  },
  {
    name: 'moments to datetime',
    from: string({ maxLength: 40, nullable: true }),
    to: { type: 'datetime', clock: 'utc' },
    values: ['2024-02-29T23:59:59', null],
    says: 'risky        convert column',
    fresh: '2025-01-01T00:00:00',
  },
  {
    name: 'texts to datetime',
    from: string({ maxLength: 40, nullable: true }),
    to: { type: 'datetime' },
    values: ['2024-02-29T23:59:59', 'soon', '2023-02-29T00:00:00', '2024-02-29 10:00:00', '0000-02-29T10:00:00'],
    says: 'refused      convert column',
    refused: /4 values do not have the form of dates and times \(YYYY-MM-DDTHH:MM:SS\): ids 2, 3, 4, 5/,
  },
  {
    name: 'texts as long as a date to date',
    from: string({ maxLength: 10, nullable: true }),
    to: { type: 'date' },
    values: ['2024-02-29', 'day after', '2024-13-01', '0000-05-05'],
    says: 'refused      convert column',
    refused: /3 values do not have the form of dates \(YYYY-MM-DD\): ids 2, 3, 4/,
  },
  {
    name: 'days to date',
    from: string({ maxLength: 10, nullable: true }),
    to: { type: 'date' },
    values: ['2024-02-29', null],
    says: 'safe         convert column',
    fresh: '2025-01-01',
  },
  {
    name: 'date to string',
    from: { type: 'date' },
    to: string(nullable),
    values: ['2024-02-29', null],
    says: 'safe         widen column',
    fresh: 'x',
  },
  {
    name: 'text to object',
    from: { type: 'text' },
    to: { type: 'object', additionalProperties: true },
    values: ['{"a":1}', 'no'],
    says: 'refused      convert column',
    refused: /2 values would change their meaning, from text to object/,
  },
  {
    name: 'array to object',
    from: { type: 'array', items: { type: 'string' } },
    to: { type: 'object', additionalProperties: true },
    values: [['a']],
    says: 'refused      convert column',
    refused: /1 value would change its meaning, from array to object/,
  },
  {
    name: 'reference to references',
    from: toNote('one', {}),
    to: { type: 'references', to: 'note' },
    values: [0, 1, 2],
    says: 'safe         create table',
    after: [[], [1], [2]],
    leaves: true,
    fresh: [1, 2],
    unordered: true,
  },
  {
    name: 'string to strings',
    from: string(),
    to: { type: 'strings' },
    values: [...AWKWARD, ''],
    says: 'safe         create table',
    after: [...AWKWARD.map((each) => [each]), []],
    leaves: true,
    fresh: ['x'],
    unordered: true,
  },
  {
    name: 'a long string to strings',
    from: string({ maxLength: 300 }),
    to: { type: 'strings' },
    values: ['a', 'b'.repeat(192)],
    says: 'refused      create table',
    refused: /1 value is longer than 191 characters: id 2/,
  },
  {
    name: 'references to reference',
    from: { type: 'references', to: 'note' },
    to: toNote('one', {}),
    values: [[], [], [1, 2]],
    says: 'refused      add column',
    refused: /2 values of the former list v are in the table notes_v/,
  },
  {
    name: 'strings to references',
    from: { type: 'strings' },
    to: { type: 'references', to: 'note' },
    values: [['a']],
    says: 'refused      create table',
    refused: /1 value of another type is in this table/,
  },
  {
    name: 'empty strings to references',
    from: { type: 'strings' },
    to: { type: 'references', to: 'note' },
    values: [[]],
    says: 'safe         create table',
    fresh: [1],
    unordered: true,
  },
  {
    name: 'a field that goes',
    from: string({ required: true }),
    to: null,
    values: AWKWARD,
    says: 'destructive  drop column',
    leaves: true,
    after: AWKWARD.map(() => undefined),
  },
  {
    name: 'a list that goes',
    from: { type: 'strings' },
    to: null,
    values: [['a'], []],
    says: 'destructive  drop table',
    leaves: true,
    after: [undefined, undefined],
  },
];

/** Fields that nothing happens to. */
const NEIGHBOURS = {
  title: { type: 'string', maxLength: 60 },
  body: { type: 'rendered' },
  flag: { type: 'boolean' },
  many: { type: 'strings' },
  meta: { type: 'metadata', keys: { colour: { type: 'string' } } },
};

const schemaWith = (name: string, field: object | null) => ({
  ...OPEN,
  ...(field && 'orderable' in field ? {} : LIST),
  fields: { ...NEIGHBOURS, ...(field ? { [name]: field } : {}) },
});

const shown = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'raw' in value ? (value as { raw: unknown }).raw : value;
const without = ({ v: _v, w: _w, ...rest }: Item): Item => rest;
const inOrder = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value);

/** A change with a resource of its own. */
interface Case extends Change {
  resource: string;
  /** Also the path. */
  table: string;
}

const CASES = CHANGES.map((change, at): Case => ({ ...change, resource: `n${at}note`, table: `n${at}notes` }));

/** What the engine does with changes of these kinds is the same, so that one site can have them all. */
const KINDS: [string, Case[]][] = [
  ['safe', CASES.filter(({ says, leaves }) => says.startsWith('safe') && !leaves)],
  ['with leftovers', CASES.filter(({ says, leaves }) => says.startsWith('safe') && leaves)],
  ['that go', CASES.filter(({ says }) => says.startsWith('destructive'))],
  ['risky', CASES.filter(({ says, starts }) => says.startsWith('risky') && !starts)],
  ['risky, but can start', CASES.filter(({ says, starts }) => says.startsWith('risky') && starts)],
  ['refused', CASES.filter(({ refused, starts }) => refused && !starts)],
  ['refused, but can start', CASES.filter(({ refused, starts }) => refused && starts)],
];

/** A schema with a field of the case; references to `note` are references to itself. */
function schemaOf({ resource }: Case, name: string, field: object | null): object {
  const own = JSON.stringify(schemaWith(name, field)).replaceAll('"to":"note"', `"to":"${resource}"`);
  return JSON.parse(own) as object;
}

const before = (cases: Case[]) =>
  Object.fromEntries(cases.map((each) => [each.resource, schemaOf(each, 'v', each.from)]));
const nameOf = ({ as }: Case): string => as ?? 'v';
const changed = (cases: Case[]) =>
  Object.fromEntries(cases.map((each) => [each.resource, schemaOf(each, nameOf(each), each.to)]));

/** What each resource holds, by its name. */
type Held = Record<string, Item[]>;

async function fill(served: Served, { table, values }: Case): Promise<Item[]> {
  for (const [at, v] of values.entries())
    await served.post(`/${table}`, {
      title: AWKWARD[at % AWKWARD.length],
      body: AWKWARD[(at + 1) % AWKWARD.length],
      flag: at % 2 === 0,
      many: [`m${at}`, 'same'],
      meta: { colour: AWKWARD[(at + 2) % AWKWARD.length] },
      ...(v === undefined ? {} : { v }),
    });
  return served.all(`/${table}`);
}

async function gather(cases: Case[], work: (each: Case) => Promise<Item[]>): Promise<Held> {
  const held: Held = {};
  for (const each of cases) held[each.resource] = await work(each);
  return held;
}

/** The lines of a report that are about a resource, and those below them, as if it were called `note`. */
function about(text: string, { resource }: Case): string {
  const blocks = text.split(/\n(?=\S)/).filter((block) => block.includes(resource));
  return blocks.join('\n').replaceAll(resource, 'note');
}

describe.each(KINDS)('fields of filled resources, %s', (kind, cases) => {
  const isRefused = kind.startsWith('refused');
  let site: EvolvingSite;
  let held: Held;
  let diff: Said;
  let dry: Said;
  let checked: string | undefined;
  let started: string | undefined;
  let migrated: Said;

  beforeAll(async () => {
    site = await EvolvingSite.make();
    site.write(before(cases));
    held = await site.serving((served) => gather(cases, (each) => fill(served, each)));
    site.write(changed(cases));
    diff = await site.cli('diff');
    dry = await site.cli('migrate', '--dry-run');
    checked = await site.startFailure('check');
    // Startup would migrate what can start.
    if (kind === 'risky' || kind === 'refused') started = await site.startFailure();
    migrated = await site.cli('migrate');
  });
  afterAll(() => site.close());

  it.each(cases.map((each) => [each.name, each] as const))('%s: is reported', (_name, each) => {
    const { says, refused } = each;
    expect(about(diff.out, each)).toContain(says);
    expect(about(checked!, each)).toMatch(/note/);
    if (kind === 'risky' || kind === 'refused')
      expect(about(started!, each)).toMatch(refused ?? /npm run cms -- migrate/);
    if (refused) expect(about(migrated.err, each)).toMatch(refused);
  });

  it('the output ends with the exit code of the plan, without a stack trace', () => {
    expect(diff.code).toBe(2);
    expect(dry).toEqual({ ...diff, code: 0 });
    expect(migrated.err).not.toMatch(/\n\s+at /);
    expect(migrated).toMatchObject(isRefused ? { code: 1, err: expect.stringMatching(/\S/) } : { code: 0, err: '' });
    if (!isRefused) expect(migrated.out).not.toBe('');
  });

  if (isRefused) {
    it('changes nothing', async () => {
      site.write(before(cases));
      expect((await site.cli('diff')).out).toBe('Nothing to do.\n');
      expect(await site.serving((served) => gather(cases, ({ table }) => served.all(`/${table}`)))).toEqual(held);
    });
    return;
  }

  describe('after the migration', () => {
    let running: TestSite;
    let served: Served;

    beforeAll(async () => {
      const again = await site.cli('diff');
      if (cases.every(({ leaves }) => !leaves)) expect(again.out).toBe('Nothing to do.\n');
      expect((await site.cli('migrate')).out).not.toMatch(/^done/m);
      running = await site.start();
      served = new Served(running);
    });
    afterAll(() => running.close());

    it.each(cases.map((each) => [each.name, each] as const))('%s: keeps the values', async (_name, each) => {
      const { resource, table, after: wanted, fresh } = each;
      const name = nameOf(each);
      const after = await served.all(`/${table}`);
      expect(after.map(without)).toEqual(held[resource]!.map(without));
      const expected = wanted ?? held[resource]!.map((item) => item['v']);
      expect(after.map((item) => inOrder(shown(item[name])))).toEqual(expected.map(inOrder));
      if (fresh === undefined) return;
      const made = await served.post(`/${table}`, { title: 'fresh', [name]: fresh });
      const read = await served.get(`/${table}/${made.id}?context=edit`);
      expect(shown(read[name])).toEqual(fresh);
      expect(made.id).toBe(held[resource]!.length + 1);
    });
  });
});
