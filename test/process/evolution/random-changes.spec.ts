// Chains of random changes of schemas with content: no value is lost, what is derived is that of a fresh site, and what is
// refused changes nothing.
import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { runs } from '../../support/runs.js';
import { EvolvingSite, type Item, type Served } from './evolving-site.js';
import { changeSchemas, Dice, randomSchemas, randomValue, type Field, type Schemas } from './random-schemas.js';

const STEPS = 4;
/** The place of a refused step: table, and column or index. */
const PLACE = /^(database |\/\S+ )?\w+(\.\w+| \(\w+\))?: /m;

type Items = Record<string, Item[]>;

/** The first of `make` that `check` accepts. */
async function accepted(site: EvolvingSite, make: () => Schemas): Promise<Schemas> {
  for (;;) {
    const schemas = make();
    site.write(schemas);
    if ((await site.cli('check')).code === 0) return schemas;
  }
}

async function fill(served: Served, schemas: Schemas, dice: Dice, count: number): Promise<void> {
  for (const { path, fields } of Object.values(schemas))
    for (let made = 0; made < count; made += 1) {
      const sent = dice.some(
        Object.keys(fields).filter((name) => !['parent', 'status'].includes(name)),
        0.85,
      );
      const body = Object.fromEntries(sent.map((name) => [name, randomValue(dice, fields[name]!)]));
      // A value may be taken, or an item that it refers to missing.
      expect((await served.site.send('POST', `/${path}`, { body })).status).toBeLessThan(500);
    }
}

async function itemsOf(served: Served, schemas: Schemas): Promise<Items> {
  const items: Items = {};
  for (const [name, { path }] of Object.entries(schemas)) items[name] = await served.all(`/${path}`);
  return items;
}

/** Ids and totals of lists in every order, with every filter and some searches. */
async function listsOf(served: Served, schemas: Schemas): Promise<Record<string, unknown>> {
  const lists: Record<string, unknown> = {};
  for (const { path, fields, ...schema } of Object.values(schemas)) {
    const filtered = Object.keys(fields).filter((name) => fields[name]!['filterable']);
    const values = ['1', '12', 'true', 'plain', 'slug-3', '2020-02-29'];
    const queries = [
      ...schema['list'].orderby.flatMap((name: string) => [`orderby=${name}&order=asc`, `orderby=${name}&order=desc`]),
      ...filtered.flatMap((name) => values.map((value) => `orderby=id&${name}=${value}`)),
      ...(schema['search'] ? ['plain', 'one', '12', 'quoted'].map((word) => `orderby=id&search=${word}`) : []),
    ];
    for (const query of queries) {
      const { status, body, headers } = await served.site.send('GET', `/${path}?per_page=100&${query}`);
      const found = status === 200 ? body.map(({ id }: Item) => id) : body.code;
      lists[`${path}?${query}`] = { status, found, total: headers['x-wp-total'] };
    }
  }
  return lists;
}

/** The field with this one's values before the change, where their form has not changed. */
function formerly(name: string, field: Field, former: Record<string, Field>): string | undefined {
  const form = ({ type, precision, scale, items, properties }: Field): string =>
    JSON.stringify([type, precision, scale, items, properties]);
  const columnOf = (each: string): string => former[each]!['column'] ?? each;
  const column = field['column'] ?? name;
  const names = Object.keys(former).filter((each) => form(former[each]!) === form(field));
  return (
    names.find((each) => each === name && columnOf(each) === column) ??
    names.find((each) => columnOf(each) === field['renamedFrom'] && !(column in former))
  );
}

/** Null becomes the default of a field that is no longer nullable, and an empty text null where there was no value. */
function isKept(before: unknown, after: unknown): boolean {
  return before === null || (before === '' && after === null) || JSON.stringify(before) === JSON.stringify(after);
}

function expectKept(before: Items, after: Items, from: Schemas, to: Schemas): void {
  for (const [name, { fields }] of Object.entries(to)) {
    expect(after[name]!.map(({ id }) => id)).toEqual(before[name]!.map(({ id }) => id));
    for (const [key, field] of Object.entries(fields)) {
      const was = formerly(key, field, from[name]!.fields);
      if (was === undefined) continue;
      const lost = before[name]!.flatMap((item, at) => {
        const [old, now] = [item[was], after[name]![at]![key]];
        return isKept(old, now) ? [] : [{ name, key, id: item['id'], old, now }];
      });
      expect(lost).toEqual([]);
    }
  }
}

function dumped(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Loads a dump into a fresh site with the same schemas, which must have the same content and lists. */
async function expectLikeFresh(folder: string, schemas: Schemas, lists: Record<string, unknown>): Promise<void> {
  const fresh = await EvolvingSite.make();
  try {
    const copy = structuredClone(schemas);
    for (const { fields, ...schema } of Object.values(copy)) {
      delete schema['storage']?.movedFrom;
      for (const field of Object.values(fields)) delete field['renamedFrom'];
    }
    fresh.write(copy);
    expect(await fresh.cli('load', folder)).toMatchObject({ code: 0 });
    expect(await fresh.cli('dump', '--out', 'again')).toMatchObject({ code: 0 });
    expect(dumped(join(fresh.work, 'again'))).toEqual(dumped(folder));
    expect(await fresh.serving((served) => listsOf(served, copy))).toEqual(lists);
  } finally {
    await fresh.close();
  }
}

async function expectChain(seed: number): Promise<void> {
  const dice = new Dice(seed);
  const site = await EvolvingSite.make();
  site.environment['DATABASE_ACCEPT'] = 'leftovers,values';
  const history: string[] = [];
  try {
    let schemas = await accepted(site, () => randomSchemas(dice));
    await site.serving((served) => fill(served, schemas, dice, 8));
    for (let step = 0; step < STEPS; step += 1) {
      site.write(schemas);
      const before = await site.serving((served) => itemsOf(served, schemas));
      let what: string[] = [];
      const next = await accepted(site, () => {
        what = [];
        let changed = schemas;
        do {
          const change = changeSchemas(dice, changed, schemas);
          changed = change.changed;
          what.push(change.what);
        } while (dice.chance(0.6));
        return changed;
      });
      history.push(...what);
      const { code, out, err } = await site.cli('migrate', ...(dice.chance(0.3) ? ['--allow-destructive'] : []));
      if (code !== 0) {
        history.push('(refused)');
        expect(out + err).toMatch(PLACE);
        continue;
      }
      expect(await site.cli('diff')).toMatchObject({ code: 0 });
      expectKept(before, await site.serving((served) => itemsOf(served, next)), schemas, next);
      expect(await site.cli('check', '--data')).toMatchObject({ code: 0 });
      schemas = next;
      const lists = await site.serving(async (served) => {
        await fill(served, schemas, dice, 2);
        return listsOf(served, schemas);
      });
      const folder = join(site.work, `dump-${step}`);
      expect(await site.cli('dump', '--out', folder)).toMatchObject({ code: 0 });
      await expectLikeFresh(folder, schemas, lists);
    }
  } catch (error) {
    throw new Error(`after ${history.join(', ')}: ${(error as Error).message}`, { cause: error });
  } finally {
    await site.close();
  }
}

it('no value is lost, and lists equal those of a fresh site', () =>
  fc.assert(fc.asyncProperty(fc.nat(), expectChain), { numRuns: runs(10, 1), endOnFailure: true }));
