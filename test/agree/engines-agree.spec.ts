// One site on every available database: random content on SQLite, dumped, and loaded into the others. All give the same
// response to every request, byte by byte. Databases beyond SQLite take part where TEST_MYSQL_URL and TEST_POSTGRES_URL
// name them.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { basic, type Headers, makeActor } from '../support/actors.js';
import { ADMINISTRATOR, type TestSite } from '../support/start-test-site.js';
import { type Engine, availableEngines, freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { fillCms } from '../unit/transfer/dump-full-site.js';
import { start, dump, load, newPlace, type Place, tablesOf, textsOf } from '../unit/transfer/dump-world.js';
import { type Asker, type Pools, type Question, Questions } from './questions.js';
import { addWildItems } from './wild-site.js';
import { runs, stride } from '../support/runs.js';

const SEED = 20_261_120;
const SETTINGS = { ROLES_FILE: 'roles.json', SITE_TIMEZONE: 'America/New_York' };
const HEADERS = ['content-type', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow', 'vary', 'etag', 'cache-control'];

const askers: Record<Asker, Headers> = { anonymous: {}, administrator: {}, author: {} };
const databases: FreshDatabase[] = [];
let source: Place;
let original: TestSite;
let others: { name: string; place: Place; site: TestSite }[];
let folder: string;
let questions: Questions;

beforeAll(async () => {
  source = newPlace('schemas', SETTINGS);
  const made = await fillCms(source);
  const filling = await start(source);
  let pools: Pools;
  try {
    pools = await addWildItems(filling, SEED);
    askers.author = (await makeActor(filling, 'author', 'asker')).headers;
  } finally {
    await filling.close();
  }
  ({ folder } = await dump(source, true));
  const places = await Promise.all(availableEngines().map(async (name) => ({ name, place: await placeOn(name) })));
  for (const { place } of places) await load(place, folder);
  original = await start(source);
  others = [];
  for (const { name, place } of places) others.push({ name, place, site: await start(place) });
  askers.administrator = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
  for (const [name, path] of [
    ['publish', 'posts'],
    ['about', 'pages'],
    ['image', 'media'],
    ['comment', 'comments'],
  ] as const)
    (pools.ids[path] ??= []).unshift(made[name]!);
  questions = new Questions(original.site.models, pools);
});

afterAll(async () => {
  await original?.close();
  for (const { site } of others ?? []) await site.close();
  for (const database of databases) await database.drop();
});

test('the engines have the same rows and the same dump', async () => {
  const rows = await tablesOf(source);
  for (const { place } of others) {
    expect(await tablesOf(place)).toEqual(rows);
    expect(textsOf((await dump(place, true)).folder)).toEqual(textsOf(folder));
  }
});

test('the engines agree on every order, filter and page', async () => {
  // Alone, SQLite is compared with itself: that only checks whether everything was loaded, with fewer requests.
  const step = availableEngines().length > 1 ? 1 : stride();
  for (const [at, question] of questions.table(SEED).entries()) if (at % step === 0) await sameResponses(question);
});

test('the engines agree on random queries', async () => {
  await fc.assert(fc.asyncProperty(questions.any(), sameResponses), { seed: SEED, numRuns: runs(600) });
});

async function placeOn(engine: Engine): Promise<Place> {
  const database = await freshDatabase(engine);
  databases.push(database);
  return newPlace('schemas', { ...SETTINGS, DATABASE_URL: database.url });
}

async function sameResponses(question: Question): Promise<void> {
  const wanted = await responseOf(original, question);
  for (const { name, site } of others)
    expect({ name, ...(await responseOf(site, question)) }).toEqual({ name, ...wanted });
}

async function responseOf(site: TestSite, { method, path, as }: Question): Promise<object> {
  const { status, text, headers } = await site.send(method, path, { as: askers[as] });
  const compared = HEADERS.map((name) => [name, headers[name]]);
  return { question: `${method} ${path} (${as})`, status, ...Object.fromEntries(compared), text };
}
