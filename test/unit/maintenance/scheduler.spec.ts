// Periodic tasks of which some fail.
import { expect, it, jest } from '@jest/globals';
import type { ContentWriter } from '../../../src/engine/content-writer.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { readConfig } from '../../../src/config/config.js';
import { runTasks, startSchedule } from '../../../src/maintenance/scheduler.js';
import { equals } from '../../../src/model/query.js';
import { openSite } from '../../../src/server/open-site.js';
import { CHEAP_HASHES } from '../../support/start-test-site.js';
import { freshDatabase } from '../../support/fresh-database.js';
import type { TaskModel } from '../../../src/model/faces.js';

/** Runs each task once, and the sweeps; returns what ran, and the errors that were reported. */
async function runOnce(failure: Error): Promise<{ ran: string[]; errors: unknown[] }> {
  const ran: string[] = [];
  const task = (name: string, when: TaskModel['when'], error?: Error): TaskModel => ({
    when,
    run: async () => {
      ran.push(name);
      if (error) throw error;
    },
  });
  const model = (name: string, error?: Error) => ({
    faces: {},
    tasks: new Map([
      ['publish', task(`${name} due`, 'due', error)],
      ['purge', task(`${name} sweep`, 'sweep', error)],
    ]),
  });
  const writer = {
    models: { byName: new Map([model('posts', failure), model('pages')].map((each, at) => [`${at}`, each])) },
    store: { reader: { first: async () => undefined } },
    site: { now: () => Date.now(), files: { claimed: async () => [] } },
  };
  const errors: unknown[] = [];
  const sweep = jest.fn(async () => void ran.push('leftovers'));
  const schedule = startSchedule(writer as unknown as ContentWriter, sweep, (error) => errors.push(error));
  await schedule.stop();
  return { ran, errors };
}

it('a failed task stops neither tasks of other resources nor the sweeps', async () => {
  const failure = new Error('an extension broke');
  const { ran, errors } = await runOnce(failure);
  expect(ran).toEqual(['posts due', 'pages due', 'posts sweep', 'pages sweep', 'leftovers']);
  expect(errors).toEqual([failure, failure]);
});

it('an unavailable database ends the run', async () => {
  const { ran, errors } = await runOnce(new ResourceError('rest_unavailable', { status: 503 }));
  expect(ran).toEqual(['posts due']);
  expect(errors).toHaveLength(1);
});

it('a failed sweep is repeated within a minute, and then at the usual interval', async () => {
  let runs = 0;
  const tried: number[] = [];
  const due: TaskModel = { when: 'due', run: async () => void runs++ };
  const purge: TaskModel = {
    when: 'sweep',
    run: async () => {
      tried.push(runs);
      if (tried.length === 1) throw new ResourceError('rest_unavailable', { status: 503 });
    },
  };
  const tasks = new Map(Object.entries({ due, purge }));
  const writer = {
    models: { byName: new Map([['posts', { faces: {}, tasks }]]) },
    store: { reader: { first: async () => undefined } },
    site: { now: () => Date.now(), files: { claimed: async () => [] } },
  };
  let third = (): void => undefined;
  const done = new Promise<void>((resolve) => (third = resolve));
  const completed: number[] = [];
  const sweep = async () => void (completed.push(runs) === 2 && third());
  const schedule = startSchedule(writer as unknown as ContentWriter, sweep, () => undefined, 1);
  await done;
  await schedule.stop();
  expect(tried).toEqual([1, expect.any(Number), expect.any(Number)]);
  expect(completed).toEqual(tried.slice(1));
  // A run takes a second.
  expect(tried[1]).toBeLessThanOrEqual(60);
  expect(tried[2]! - tried[1]!).toBeGreaterThanOrEqual(600);
});

it('an item that cannot be published does not delay the others', async () => {
  const database = await freshDatabase('sqlite');
  const config = readConfig({ DATABASE_URL: database.url, SCHEMAS_DIR: 'schemas', ...CHEAP_HASHES }, false);
  const { writer, store, close } = await openSite(config, { warn: () => undefined });
  try {
    const titles = ['One', 'Two', 'Three'];
    for (const title of titles)
      await writer.batch((batch) =>
        batch.create('post', { title, status: 'future', date_gmt: '2999-01-01T00:00:00Z' }),
      );
    await writer.batch(({ tx }) => tx.update('contents', { date_gmt: '2001-01-01T00:00:00' }, equals('type', 'post')));
    await database.run(
      "CREATE TRIGGER refuse BEFORE UPDATE ON contents WHEN NEW.title = 'Two' AND NEW.status = 'publish' BEGIN SELECT RAISE(ABORT, 'refused'); END",
    );
    const errors: unknown[] = [];
    await runTasks(writer, 'due', (error) => errors.push(error));
    expect(errors).toMatchObject([{ message: expect.stringContaining('refused') }]);
    const order = [{ column: 'id', direction: 'asc' as const }];
    const posts = { table: 'contents', columns: ['title', 'status'], where: equals('type', 'post'), order };
    expect(await store.reader.select(posts)).toEqual(
      titles.map((title) => ({ title, status: title === 'Two' ? 'future' : 'publish' })),
    );
  } finally {
    await close();
    await database.drop();
  }
});
