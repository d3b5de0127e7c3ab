// Periodic tasks of which some fail.
import { expect, it, jest } from '@jest/globals';
import type { ContentWriter } from '../../../src/engine/content-writer.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { startSchedule } from '../../../src/maintenance/scheduler.js';
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

it('a task that fails stops neither those of other resources nor the sweeps', async () => {
  const failure = new Error('an extension broke');
  const { ran, errors } = await runOnce(failure);
  expect(ran).toEqual(['posts due', 'pages due', 'posts sweep', 'pages sweep', 'leftovers']);
  expect(errors).toEqual([failure, failure]);
});

it('a database that is away ends the run', async () => {
  const { ran, errors } = await runOnce(new ResourceError('rest_unavailable', { status: 503 }));
  expect(ran).toEqual(['posts due']);
  expect(errors).toHaveLength(1);
});
