// A write whose nth statement fails, for every n: it stores no row, no count and no file, and the response contains no
// SQL.
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditData } from '../../src/maintenance/check-data.js';
import { administrator, makeActor, type TestActor } from '../support/actors.js';
import type { TestSite } from '../support/start-test-site.js';
import type { HttpResponse, Method } from '../support/send.js';
import { driverError, Faults, type Place } from '../support/faults.js';
import { type Engine, testEngine } from '../support/fresh-database.js';
import { DatabaseWatch } from './database-watch.js';
import { openCms, PNG } from './stage.js';

const SECRET = 'INSERT INTO hidden_table (what the driver said)';
const broken = () => driverError({ code: 'XX000', errno: 1105, message: SECRET });

/** What drivers throw when a transaction was ended for another one, and on a full disk. */
const FAULTS: Record<Engine, { passing: () => Error; full: () => Error }> = {
  sqlite: {
    passing: () => driverError({ code: 'SQLITE_BUSY', message: SECRET }),
    full: () => driverError({ code: 'SQLITE_FULL', message: SECRET }),
  },
  mysql: {
    passing: () => driverError({ code: 'ER_LOCK_DEADLOCK', errno: 1213, message: SECRET }),
    full: () => driverError({ code: 'ER_DISK_FULL', errno: 1021, message: SECRET }),
  },
  postgres: {
    passing: () => driverError({ code: '40P01', message: SECRET }),
    full: () => driverError({ code: '53100', message: SECRET }),
  },
};

let site: TestSite;
let admin: TestActor;
let faults: Faults;
let watch: DatabaseWatch;

beforeAll(async () => {
  site = await openCms();
  admin = administrator(site);
  watch = await DatabaseWatch.of(site);
});
afterAll(async () => {
  await watch?.close();
  await site?.close();
});

const send = (method: Method, path: string, body?: object): Promise<HttpResponse> =>
  site.send(method, path, { as: admin.headers, body });
const make = async (path: string, body: object): Promise<number> => {
  const response = await send('POST', path, body);
  expect({ path, status: response.status, ...(response.status === 201 ? {} : response.body) }).toEqual({
    path,
    status: 201,
  });
  return response.body.id;
};
const files = (): string[] => {
  const folder = site.config.mediaUrl.replace('file:', '');
  return existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : [];
};

/** Everything that is stored: rows of every table, names of every file. */
async function state(): Promise<object> {
  return { tables: await watch.dump(), files: files().filter((name) => /\.\w+$/.test(name)) };
}

/** The write with a fault at every place in turn, until none is left to strike. */
async function failEverywhere(write: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const before = await state();
  const fails = async (place: Place): Promise<HttpResponse> => {
    faults.plan(place, broken, Infinity);
    const response = await write();
    faults.end();
    if (faults.struck === 0) return response;
    expect({ place, status: response.status }).toEqual({ place, status: 500 });
    expect(response.body).toMatchObject({ code: expect.any(String), data: { status: 500 } });
    expect(JSON.stringify([response.body, response.headers])).not.toMatch(/hidden_table|INSERT INTO|SELECT|driver/);
    expect({ place, state: await state() }).toEqual({ place, state: before });
    return response;
  };
  await fails('begin');
  await fails('commit');
  expect(faults.struck).toBeGreaterThan(0);
  for (let place = 1; ; place++) {
    const response = await fails(place);
    if (faults.struck > 0) continue;
    // The smallest of these writes has more statements than this.
    expect(place).toBeGreaterThan(4);
    expect(await state()).not.toEqual(before);
    expect((await auditData(site.site.models, site.site.store)).map(({ message }) => message)).toEqual([]);
    return response;
  }
}

describe('a write that fails at its nth statement is rolled back completely', () => {
  let category: number;
  let tags: number[];
  let post: number;
  let author: TestActor;

  beforeAll(async () => {
    category = await make('/categories', { name: 'Kind' });
    tags = [await make('/tags', { name: 'One' }), await make('/tags', { name: 'Two' })];
    author = await makeActor(site, 'author');
    faults = Faults.of(site.site.store);
  });

  it('when it creates a post with terms, meta and a sticky flag', async () => {
    const response = await failEverywhere(() =>
      send('POST', '/posts', {
        title: 'First',
        content: 'One "two"',
        status: 'publish',
        categories: [category],
        tags,
        sticky: true,
        author: author.id,
        meta: { footnotes: '[]' },
      }),
    );
    expect(response.status).toBe(201);
    post = response.body.id;
  });

  it('when it changes a post, with a revision and other terms', async () => {
    const change = { title: 'Second', content: 'Three', tags: [tags[1]], sticky: false, meta: { footnotes: '[1]' } };
    const response = await failEverywhere(() => send('POST', `/posts/${post}`, change));
    expect(response.status).toBe(200);
  });

  it('when it creates a comment', async () => {
    const response = await failEverywhere(() => send('POST', '/comments', { post, content: 'Remark', meta: {} }));
    expect(response.status).toBe(201);
  });

  it('when it uploads a file', async () => {
    const upload = () =>
      site.send('POST', '/media', {
        as: admin.headers,
        file: { name: 'grey.png', type: 'image/png', content: PNG },
      });
    const response = await failEverywhere(upload);
    expect(response.status).toBe(201);
    expect(files().filter((name) => name.endsWith('grey.png'))).toHaveLength(1);
  });

  it('when it deletes a term', async () => {
    expect((await failEverywhere(() => send('DELETE', `/categories/${category}?force=true`))).status).toBe(200);
  });

  it('when it deletes an account and reassigns its posts', async () => {
    const path = `/users/${author.id}?force=true&reassign=${admin.id}`;
    expect((await failEverywhere(() => send('DELETE', path))).status).toBe(200);
    const { body } = await site.send('GET', `/posts/${post}`);
    expect(body.author).toBe(admin.id);
  });

  it('when it deletes a post with comments and revisions', async () => {
    expect((await failEverywhere(() => send('DELETE', `/posts/${post}?force=true`))).status).toBe(200);
  });
});

describe('several writes in one transaction', () => {
  const made = () => ({
    validation: 'atomic',
    requests: [
      { method: 'POST', path: '/cms/v2/tags', body: { name: `Tag ${++serial}` } },
      { method: 'POST', path: '/cms/v2/posts', body: { title: 'Together', status: 'publish', tags: [] } },
    ],
  });
  let serial = 0;
  const batch = () => site.send('POST', '//batch/v1', { as: admin.headers, body: made() });
  const { passing, full } = FAULTS[testEngine()];

  /** The responses to batches that a fault strikes, at every place in turn. */
  async function strikeEverywhere(
    fault: () => Error,
    times: number,
    check: (response: HttpResponse) => void,
  ): Promise<void> {
    for (let place = 1; ; place++) {
      faults.plan(place, fault, times);
      const response = await batch();
      faults.end();
      if (faults.struck > 0) check(response);
      else return expect(place).toBeGreaterThan(6);
    }
  }

  it('are retried where the database had to abort the transaction', async () => {
    await strikeEverywhere(passing, 1, ({ status, body }) => {
      expect({ status, responses: body.responses?.map((each: HttpResponse) => each?.status) }).toEqual({
        status: 207,
        responses: [201, 201],
      });
    });
  });

  it('are refused with 503 and Retry-After where that continues, and rolled back', async () => {
    const before = await state();
    for (const place of [2, 5]) {
      faults.plan(place, passing, Infinity);
      const { status, headers, body } = await batch();
      faults.end();
      expect({ place, status, code: body.code, wait: headers['retry-after'] }).toEqual({
        place,
        status: 503,
        code: 'rest_unavailable',
        wait: '1',
      });
    }
    expect(await state()).toEqual(before);
  });

  it('report a full disk', async () => {
    await strikeEverywhere(full, Infinity, ({ status, body }) => {
      expect({ status, code: body.code }).toEqual({ status: 507, code: 'rest_insufficient_storage' });
    });
  });

  it('identify the one that the database rejects', async () => {
    const rejected: unknown[] = [];
    await strikeEverywhere(broken, Infinity, ({ body }) => {
      if (body.failed === 'request') rejected.push(body.responses.findIndex((each: unknown) => each !== null));
    });
    expect(new Set(rejected)).toContain(1);
  });
});
