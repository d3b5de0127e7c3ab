// The tasks of a site stop together: a failure of one does not hide that others still run.
import { expect, it } from '@jest/globals';
import { SiteTasks } from '../../../src/server/site-tasks.js';

it('a stop waits for all tasks, also where one of them fails', async () => {
  const order: string[] = [];
  let end = (): void => undefined;
  const task = { when: 'due', run: () => new Promise<void>((resolve) => (end = resolve)) };
  const site = {
    writer: { models: { byName: new Map([['a', { tasks: new Map([['t', task]]) }]]) } },
    events: { start: () => undefined, stop: () => Promise.reject(new Error('the events failed')) },
    extensions: { jobs: [] },
    store: {},
  };
  const log = { warn: () => undefined, error: () => undefined, info: () => undefined };
  const tasks = new SiteTasks(site as never, { singletons: true, folders: [], context: {}, log } as never);
  tasks.start();
  const stopped = tasks.stop().catch((error: Error) => order.push(error.message));
  await new Promise((resolve) => setTimeout(resolve, 20));
  order.push('the task ended');
  // The run continues with its sweeps, which this site does not have.
  end();
  await stopped;
  expect(order).toEqual(['the task ended', 'the events failed']);
});
