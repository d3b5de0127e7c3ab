import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SharedRequesters } from '../../../src/storage/sql/shared-requesters.js';
import { BoundedSemaphore } from '../../../src/storage/sql/semaphore.js';

it('runs a limited number of tasks at once, the others in order', async () => {
  const gate = new BoundedSemaphore({ size: 2, queue: 10, timeout: 60_000 });
  const begun: number[] = [];
  let inside = 0;
  let most = 0;
  await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      gate.run(async () => {
        begun.push(n);
        most = Math.max(most, ++inside);
        await sleep(5);
        inside--;
      }),
    ),
  );
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('rejects tasks when the queue is full or after the timeout, and continues after failures', async () => {
  const gate = new BoundedSemaphore({ size: 1, queue: 1, timeout: 30 });
  const long = gate.run(() => sleep(80));
  const waits = gate.run(async () => undefined);
  const refused = { code: 'rest_unavailable', status: 503, headers: { 'Retry-After': '1' } };
  await expect(gate.run(async () => undefined)).rejects.toMatchObject(refused);
  await expect(waits).rejects.toMatchObject(refused);
  await long;
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(async () => 'in')).toBe('in');
});

/** A semaphore with one slot, which one task has until `end`; tasks note their names as they run. */
function busyGate(queue = 10) {
  const gate = new BoundedSemaphore({ size: 1, queue, timeout: 60_000 });
  const ran: string[] = [];
  let end!: () => void;
  const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)));
  const ask = (name: string, requester?: { client: string; hasLeft?: boolean }) =>
    gate.run(async () => void ran.push(name), requester);
  return { gate, ran, ask, end: () => end(), first };
}

it('lets clients take turns, with the engine as one of them', async () => {
  const { ran, ask, end } = busyGate();
  const all = [
    ...['a1', 'a2', 'a3'].map((name) => ask(name, { client: 'a' })),
    ask('own 1'),
    ask('own 2'),
    ask('b1', { client: 'b' }),
  ];
  end();
  await Promise.all(all);
  expect(ran).toEqual(['a1', 'own 1', 'b1', 'a2', 'own 2', 'a3']);
});

it('does not read the client while a slot is free', async () => {
  const gate = new BoundedSemaphore({ size: 1, queue: 1, timeout: 10 });
  const requester = {
    get client(): string {
      throw new Error('asked');
    },
  };
  expect(await gate.run(async () => 'in', requester)).toBe('in');
  expect(await gate.run(async () => 'in', requester)).toBe('in');
});

it('a full queue rejects the newest task of the client with the most tasks', async () => {
  const { gate, ran, ask, end } = busyGate(3);
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, { client: 'a' }));
  const settled = Promise.allSettled(many);
  const others = ['b1', 'c1'].map((name) => ask(name, { client: name }));
  await expect(ask('d1', { client: 'd' })).rejects.toMatchObject({ status: 503 });
  expect(gate.waiting).toBe(3);
  end();
  await Promise.all(others);
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(ran).toEqual(['a1', 'b1', 'c1']);
});

it('does not start tasks whose requester has left', async () => {
  const { ran, ask, end } = busyGate();
  const gone = { client: 'a', hasLeft: false };
  const left = [ask('a1', gone), ask('a2', gone)].map((each) => expect(each).rejects.toMatchObject({ status: 503 }));
  const stays = ask('b1', { client: 'b' });
  gone.hasLeft = true;
  end();
  await Promise.all([stays, ...left]);
  expect(ran).toEqual(['b1']);
  // The slot is free again.
  await ask('a3', { client: 'a' });
});

it('a shared task takes the earliest turn of its requesters, and runs while one of them remains', async () => {
  const { ran, ask, end } = busyGate();
  const gone = { client: 'a', hasLeft: false };
  const shared = new SharedRequesters(gone);
  const all = [ask('a1', { client: 'a' }), ask('a2', { client: 'a' }), ask('both', shared), ask('a3', { client: 'a' })];
  shared.join({ client: 'b' });
  shared.join({ client: 'c' });
  gone.hasLeft = true;
  end();
  await Promise.all(all);
  expect(ran).toEqual(['a1', 'both', 'a2', 'a3']);
});

it('a requester that joins before the wait counts for the turn', async () => {
  const { ran, ask, end } = busyGate();
  const shared = new SharedRequesters({ client: 'a' });
  shared.join({ client: 'b' });
  const all = [ask('a1', { client: 'a' }), ask('a2', { client: 'a' }), ask('both', shared)];
  end();
  await Promise.all(all);
  expect(ran).toEqual(['a1', 'both', 'a2']);
});

it('a task that times out frees its place at any position', async () => {
  const gate = new BoundedSemaphore({ size: 1, queue: 10, timeout: 30 });
  const long = gate.run(() => sleep(80));
  const shared = new SharedRequesters({ client: 'a' });
  const refused = ['a', 'a', 'b'].map((client) => gate.run(async () => undefined, { client }));
  refused.push(gate.run(async () => undefined, shared));
  shared.join({ client: 'c' });
  const settled = await Promise.allSettled(refused);
  expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  expect(gate.waiting).toBe(0);
  await long;
  expect(await gate.run(async () => 'in')).toBe('in');
});
