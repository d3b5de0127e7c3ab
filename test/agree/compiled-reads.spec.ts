// Compiled reads give the same responses as the general way, byte for byte: status, headers, body. Every request is
// sent both ways, and several times, because the first requests of a kind compile it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { CompiledReads } from '../../src/engine/reads/compiled-reads.js';
import { basic, type Headers, makeActor } from '../support/actors.js';
import { ADMINISTRATOR, type TestSite } from '../support/start-test-site.js';
import { freshDatabase, type FreshDatabase, testEngine } from '../support/fresh-database.js';
import { runs, stride } from '../support/runs.js';
import { fillCms } from '../unit/transfer/dump-full-site.js';
import { start, newPlace } from '../unit/transfer/dump-world.js';
import { type Asker, type Question, Questions } from './questions.js';
import { addWildItems } from './wild-site.js';

const SEED = 20_261_122;
/** Requests until the read of one kind is compiled and its permissions are decided. */
const TIMES = 3;
/** Headers that differ from response to response. */
const OWN = new Set(['date', 'x-request-id', 'keep-alive', 'connection']);

const askers: Record<Asker, Headers> = { anonymous: {}, administrator: {}, author: {} };
let database: FreshDatabase | undefined;
let site: TestSite;
let questions: Questions;
let reads: CompiledReads;
let compiled = 0;
let last = 100_000;

beforeAll(async () => {
  database = testEngine() === 'sqlite' ? undefined : await freshDatabase();
  const place = newPlace('schemas', { ROLES_FILE: 'roles.json', ...(database ? { DATABASE_URL: database.url } : {}) });
  const made = await fillCms(place);
  site = await start(place);
  const pools = await addWildItems(site, SEED);
  askers.author = (await makeActor(site, 'author', 'asker')).headers;
  askers.administrator = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
  (pools.ids['posts'] ??= []).unshift(made['publish']!);
  questions = new Questions(site.site.models, pools);
  reads = site.site.app.get(CompiledReads);
  const run = reads.run.bind(reads);
  reads.run = (...args) => {
    const result = run(...args);
    void Promise.resolve(result).then(
      (found) => (compiled += found ? 1 : 0),
      () => undefined,
    );
    return result;
  };
});

afterAll(async () => {
  await site?.close();
  await database?.drop();
});

test.each(['posts', 'pages', 'media'])(
  'lists and items of %s are read by compiled reads, for every caller',
  async (name) => {
    const [first] = (await site.send('GET', `/${name}?per_page=1`)).body;
    for (const as of Object.keys(askers) as Asker[])
      for (const path of [`/${name}?per_page=3`, `/${name}/${first.id}`]) {
        for (let time = 0; time < TIMES; time += 1) await responseTo({ method: 'GET', path, as });
        compiled = 0;
        await responseTo({ method: 'GET', path, as });
        expect({ as, path, compiled }).toEqual({ as, path, compiled: 1 });
      }
  },
);

test('searches with few results use compiled reads in any order and page, and see new items', async () => {
  const words = ['marzipan hill', 'hill of marzipan', 'marzipan', 'no sweets'];
  const made: { id: number }[] = [];
  const create = async (title: string) => {
    const sent = { title, status: 'publish' };
    made.push((await site.send('POST', '/posts', { as: askers.administrator, body: sent })).body);
  };
  for (const title of words) await create(title);
  const lists = [
    'per_page=2',
    'per_page=2&page=2',
    'per_page=2&page=3',
    'per_page=100&orderby=title&order=asc',
    'offset=1&_fields=title',
    'orderby=relevance',
  ];
  const read = async () => {
    for (const list of lists)
      await bothWays({ method: 'GET', path: `/posts?search=marzipan&${list}`, as: 'anonymous' });
    return (await site.send('GET', '/posts?search=marzipan')).body;
  };
  expect(await read()).toHaveLength(3);
  compiled = 0;
  await responseTo({ method: 'GET', path: `/posts?search=marzipan&${lists[0]}`, as: 'anonymous' });
  expect(compiled).toBe(1);
  await create('another marzipan');
  expect(await read()).toHaveLength(4);
  await site.send('POST', `/posts/${made[0]!.id}`, { as: askers.administrator, body: { status: 'draft' } });
  expect(await read()).toHaveLength(3);
  await site.send('POST', `/posts/${made[1]!.id}`, { as: askers.administrator, body: { title: 'Nothing sweet' } });
  expect(await read()).toHaveLength(2);
});

test('every order, filter and page', async () => {
  const step = stride();
  for (const [at, question] of questions.table(SEED).entries()) if (at % step === 0) await bothWays(question);
  expect(compiled).toBeGreaterThan(100);
});

test('any question', async () => {
  compiled = 0;
  await fc.assert(fc.asyncProperty(questions.any(), bothWays), { seed: SEED, numRuns: runs(400, 40) });
  expect(compiled).toBeGreaterThan(10);
});

async function bothWays(question: Question): Promise<void> {
  if (question.method === 'OPTIONS') return;
  reads.enabled = false;
  const wanted = await responseTo(question);
  reads.enabled = true;
  for (let time = 0; time < TIMES; time += 1) expect(await responseTo(question)).toEqual(wanted);
}

/** At a URL that was never requested before, so that no cached response is sent. */
async function responseTo({ method, path, as }: Question): Promise<object> {
  const target = `${path}${path.includes('?') ? '&' : '?'}unknown=${(last += 1)}`;
  const { status, text, headers } = await site.send(method, target, { as: askers[as] });
  const compared = Object.entries(headers)
    .filter(([name]) => !OWN.has(name))
    .map(([name, value]) => [name, String(value).replaceAll(/unknown=\d+/g, 'unknown')]);
  return { question: `${method} ${path} (${as})`, status, text, ...Object.fromEntries(compared) };
}
