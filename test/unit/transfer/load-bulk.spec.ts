// Lines that are loaded together have the same result as one by one: the same rows, the same counts, the same problems.
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  oneof,
  option,
  record,
  subarray,
  type Arbitrary,
} from 'fast-check';
import { CARRIED } from '../../../src/cli/dump.command.js';
import { ContentWriter } from '../../../src/engine/content-writer.js';
import type { Row } from '../../../src/model/query.js';
import type { TextCallsRunner } from '../../../src/model/runtime/texts.js';
import type { Store } from '../../../src/model/store.js';
import { nearest } from '../../../src/text/nearest-name.js';
import { loadSite } from '../../../src/transfer/load/load-site.js';
import { availableEngines, freshDatabase, type Engine, type FreshDatabase } from '../../support/fresh-database.js';
import { runs } from '../../support/runs.js';
import { at, newFolder, newPlace, tablesOf } from './dump-world.js';

const NOW = Date.UTC(2026, 0, 2);
const TERMS = [21, 22, 23];
const databases: FreshDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

const TITLES = ['Same', 'Same', 'Other', 'Ünïque & more', '', '7'];
const slugged = { title: constantFrom(...TITLES), slug: constantFrom(undefined, undefined, 'same', 'same-2', 'other') };
const status = constantFrom('publish', 'publish', 'draft', 'private');

const post: Arbitrary<object> = record({
  $resource: constantFrom('post'),
  ...slugged,
  status,
  content: constantFrom('A\n\nB', 'It\'s "quoted"\n\n'.repeat(30), ''),
  categories: option(subarray([21, 22]), { nil: undefined }),
  tags: subarray([23]),
  author: constantFrom(undefined, 5),
  sticky: constantFrom(false, false, true),
  password: constantFrom(...Array.from({ length: 30 }, () => ''), 'x'),
  meta: constantFrom(undefined, { mood: 'calm', list: ['a', 'b'] }),
});
const page: Arbitrary<object> = record({ $resource: constantFrom('page'), ...slugged, status, ...below() });
const term: Arbitrary<object> = record({
  $resource: constantFrom('tag', 'category'),
  name: constantFrom('Same', 'Éa', 'b'),
});
const comment: Arbitrary<object> = record({
  $resource: constantFrom('comment'),
  content: constantFrom('Nice', 'Nice', 'Other'),
  status: constantFrom('approved', 'hold'),
  author_name: constantFrom('Bo'),
  post: constantFrom(100, 101, 102),
});
const user: Arbitrary<object> = record({
  $resource: constantFrom('user'),
  username: constantFrom('ann', 'Ann', 'bea', 'cem', 'dee', 'eli'),
  email: constantFrom(...Array.from({ length: 9 }, (_, at) => `${at}@example.org`)),
});

/** Pages below others that may come before or after them. */
function below(): { parent: Arbitrary<number | undefined> } {
  return { parent: constantFrom(undefined, undefined, 100, 101) };
}

/** What all of them refer to; without ids the others get the next ones. */
function linesOf(items: readonly object[], withIds: boolean): object[] {
  const [category, child, tag] = TERMS;
  return [
    { $resource: 'user', id: 5, username: 'first', email: 'first@example.org' },
    { $resource: 'category', id: category, name: 'News' },
    ...[100, 101, 102].map((id) => ({ $resource: 'page', id, title: 'Same', date: '2024-01-01T00:00:00' })),
    ...items.map((item, index) => ({ ...(withIds ? { id: 200 + index } : {}), ...dated(item), ...item })),
    { $resource: 'category', id: child, name: 'Below', parent: category },
    { $resource: 'tag', id: tag, name: 'Blue' },
  ];
}

function dated(item: object): object {
  return 'title' in item || 'post' in item ? { date: '2024-05-01T12:00:00' } : {};
}

/** What a load of the lines leaves, or says. */
async function loaded(engine: Engine, lines: readonly object[], together: boolean): Promise<unknown> {
  const database = await freshDatabase(engine);
  databases.push(database);
  const place = newPlace('schemas', { ROLES_FILE: 'roles.json', DATABASE_URL: database.url });
  const source = join(newFolder(), 'lines.jsonl');
  writeFileSync(source, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said = await at(place, async ({ models, store, site }) => {
    const still = Object.assign(Object.create(site) as typeof site, { now: () => NOW });
    const writer = new ContentWriter(models, together ? store : oneByOne(store), still);
    const ahead = together ? { runCalls: someResults } : {};
    return loadSite({ source, writer, engineTables: CARRIED, nearest, ...ahead }).then(
      ({ summary }) => Object.fromEntries(summary.counts),
      (error: Error) => error.message.replaceAll(source, ''),
    );
  });
  return { said, tables: plain(await tablesOf(place)) };
}

/** Some results are missing, as where a thread takes too long. */
const someResults: TextCallsRunner = async (calls) =>
  calls.map(({ work, texts }, at) => (at % 3 === 0 ? undefined : work(...texts)));

/** The store without its way to insert many rows. */
function oneByOne(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = name === 'bulk' ? undefined : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The server numbers rows that are taken back, too, and dates accounts by its own clock. */
function plain(tables: Record<string, Row[]>): object {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.map((row) => JSON.stringify(logged(name) ? { ...row, id: 0 } : row)).sort(),
    ]),
  );
}

function logged(table: string): boolean {
  return !['contents', 'terms', 'users', 'comments'].includes(table);
}

it.each(availableEngines())(
  'bulk and ordinary loads give the same rows on %s',
  async (engine) => {
    const kinds: [number, Arbitrary<object>][] = [
      [8, post],
      [3, page],
      [3, term],
      [3, comment],
      [1, user],
    ];
    const item = oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
    const items = array(item, { minLength: 3, maxLength: 25 });
    await assert(
      asyncProperty(items, async (some) => {
        const lines = linesOf(some, engine !== 'sqlite');
        expect(await loaded(engine, lines, true)).toEqual(await loaded(engine, lines, false));
      }),
      { numRuns: runs(engine === 'sqlite' ? 60 : 10), endOnFailure: true },
    );
  },
  300_000,
);
