// A SQLite file from 6 MiB on is read in other ways than a smaller one: by child processes, and pages in two steps. Both
// give the same responses, byte for byte.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SqliteReads } from '../../src/storage/sqlite/reads.js';
import { basic, type Headers, makeActor } from '../support/actors.js';
import { ADMINISTRATOR, type TestSite } from '../support/start-test-site.js';
import { testEngine } from '../support/fresh-database.js';
import { runs, stride } from '../support/runs.js';
import { fillCms } from '../unit/transfer/dump-full-site.js';
import { start, newPlace } from '../unit/transfer/dump-world.js';
import { type Asker, type Question, Questions } from './questions.js';
import { addWildItems } from './wild-site.js';

const SEED = 20_261_130;
/** More posts than pages near the first one have. */
const POSTS = 160;
/** Headers that differ from response to response. */
const OWN = new Set(['date', 'x-request-id', 'keep-alive', 'connection']);

const onSqlite = testEngine() === 'sqlite' ? describe : describe.skip;

onSqlite('a large file gives the same responses as a small one', () => {
  const askers: Record<Asker, Headers> = { anonymous: {}, administrator: {}, author: {} };
  const ids: number[] = [];
  let site: TestSite;
  let questions: Questions;
  let isLarge = false;
  let last = 100_000;
  const { isCheap } = SqliteReads.prototype as any;

  beforeAll(async () => {
    (SqliteReads.prototype as any).isCheap = function (this: any, ...args: unknown[]) {
      this.isLarge = isLarge;
      return isCheap.apply(this, args);
    };
    const place = newPlace('schemas', { ROLES_FILE: 'roles.json' });
    await fillCms(place);
    site = await start(place);
    const pools = await addWildItems(site, SEED);
    askers.author = (await makeActor(site, 'author', 'asker')).headers;
    askers.administrator = basic(ADMINISTRATOR.username, ADMINISTRATOR.password);
    questions = new Questions(site.site.models, pools);
    await site.site.writer.batch(async ({ create }) => {
      for (let at = 0; at < POSTS; at++) {
        const title = at % 3 === 0 ? `Water ${at}` : `Zebra of water ${at}`;
        ids.push(await create('post', { title, status: 'publish', excerpt: 'A zebra.', categories: [1] }));
      }
    });
  });

  afterAll(async () => {
    Object.assign(SqliteReads.prototype, { isCheap });
    await site?.close();
  });

  it('to every order, filter and page', async () => {
    const step = stride();
    for (const [at, question] of questions.table(SEED).entries()) if (at % step === 0) await sameResponses(question);
  });

  it('to any question', async () => {
    await fc.assert(fc.asyncProperty(questions.any(), sameResponses), { seed: SEED, numRuns: runs(400, 40) });
  });

  it.each([
    'posts?orderby=include&include=',
    'posts?search=water&orderby=relevance',
    'posts?search=zebra%20water&orderby=relevance',
    'posts?title[startswith]=w',
    'posts?author.name[contains]=a',
    'posts?categories=1&orderby=title',
    'search?search=zebra',
    'search?search=water&subtype=post',
    'search?subtype=post',
    'search?type=post-format',
  ])('to far pages of /%s', async (path) => {
    const list = path.endsWith('include=') ? `${path}${ids.join(',')}` : path;
    for (const page of ['per_page=3', 'per_page=1&page=101', 'per_page=3&page=35', 'per_page=100&page=2'])
      for (const as of ['anonymous', 'administrator'] as const)
        await sameResponses({ method: 'GET', path: `/${list}&${page}`, as });
  });

  async function sameResponses(question: Question): Promise<void> {
    if (question.method === 'OPTIONS') return;
    isLarge = false;
    const wanted = await responseTo(question);
    isLarge = true;
    expect(await responseTo(question)).toEqual(wanted);
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
});
