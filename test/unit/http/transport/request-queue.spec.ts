// Requests of many connections that come at once: some of them are handled in a later turn of the event loop.
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RequestQueue } from '../../../../src/http/transport/request-queue.js';

const COUNT = 12;

/** A response to a request on a connection of its own. */
function responseOf(number: number): any {
  const socket = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => undefined });
  return { number, req: { socket } };
}

/** A queue whose requests take `ms` each. */
function busy(ms: number) {
  const begun: number[] = [];
  const requests = new RequestQueue((_request, response: any) => {
    begun.push(response.number);
    for (const end = performance.now() + ms; performance.now() < end;);
    // Handled at once, as from memory.
    requests.next(response);
  });
  const responses = Array.from({ length: COUNT }, (_, number) => responseOf(number));
  const take = (response: any): void => requests.take(response.req, response);
  return { begun, responses, take };
}

const all = Array.from({ length: COUNT }, (_, number) => number);

async function until(done: () => boolean): Promise<number> {
  let turns = 0;
  for (; !done(); turns += 1) await nextTurn();
  return turns;
}

describe('concurrent requests', () => {
  it('begin in order, over several turns of the event loop', async () => {
    const { begun, responses, take } = busy(3);
    responses.forEach(take);
    expect(begun.length).toBeLessThan(4);
    expect(await until(() => begun.length === COUNT)).toBeGreaterThan(3);
    expect(begun).toEqual(all);
  });

  it('begin at once when they take little time', () => {
    const { begun, responses, take } = busy(0);
    take(responses[0]);
    expect(begun).toEqual([0]);
  });

  it('wait behind requests that are waiting already', async () => {
    const { begun, responses, take } = busy(6);
    responses.slice(0, 4).forEach(take);
    const before = begun.length;
    await nextTurn();
    responses.slice(4).forEach(take);
    await until(() => begun.length === COUNT);
    expect(before).toBeLessThan(4);
    expect(begun).toEqual(all);
  });

  it('do not begin when their connection has closed', async () => {
    const { begun, responses, take } = busy(6);
    responses.forEach(take);
    responses[COUNT - 1].req.socket.destroyed = true;
    await until(() => begun.length === COUNT - 1);
    await nextTurn();
    expect(begun).toEqual(all.slice(0, -1));
  });

  it('begin again on a connection whose waiting request was dropped', async () => {
    const { begun, responses, take } = busy(6);
    responses.forEach(take);
    const { socket } = responses[COUNT - 1].req;
    socket.destroyed = true;
    await until(() => begun.length === COUNT - 1);
    await nextTurn();
    socket.destroyed = false;
    take({ number: COUNT, req: { socket } });
    await until(() => begun.length === COUNT);
    expect(begun.at(-1)).toBe(COUNT);
  });
});
