// Streams of events of one process, with a log that a test moves on.
import { describe, expect, it } from '@jest/globals';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANONYMOUS } from '../../../src/model/actor.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { LiveStreams, type StreamRequest } from '../../../src/http/live/live-streams.js';
import { Positions } from '../../../src/http/live/position.js';

/** One resource, whose items everybody may read. */
const MODEL = {
  table: { name: 'thing' },
  operations: new Set(['retrieve']),
  key: { column: 'id' },
  rowScope: { op: 'true' },
  fields: new Map(),
  hooks: { authorize: [] },
  policy: { retrieve: [{ needs: () => ({ op: 'false' }) }] },
};
const READS = {
  models: { byName: new Map([['thing', MODEL]]) },
  store: { reader: { select: async () => [{ id: 1 }] } },
  service: { retrieve: async () => ({}) },
};
const eventOf = (id: number) => ({
  id,
  resource: 'thing',
  item: 1,
  action: 'created',
  fields: [],
  at: 0,
  open: { before: false, after: true },
});

function streamsOf(positions: { last: number }, events: (position: number) => Promise<unknown[]> = async () => []) {
  let notify = (_last: number): void => undefined;
  const asked: number[] = [];
  const log = {
    last: async () => positions.last,
    first: async () => 1,
    after: async (position: number) => (asked.push(position), events(position)) as never,
    watch: (watch: (last: number) => void) => ((notify = watch), () => undefined),
  };
  const logger = { error: () => undefined };
  const streams = new LiveStreams({
    log,
    reads: READS as never,
    positions: new Positions(Buffer.alloc(32)),
    logger,
    most: 10,
  });
  streams.begin();
  return { streams, asked, tell: (last: number) => notify(last) };
}

function request(): StreamRequest {
  const response = {
    destroyed: false,
    writeHead: () => undefined,
    write: () => true,
    once: () => undefined,
    end: () => undefined,
  };
  return {
    resources: new Set(),
    ids: new Set(),
    response,
    actor: { id: 1 },
    credentials: '',
    identify: () => ({}),
  } as never;
}

it('an event that occurs while a stream is opened is sent', async () => {
  const { streams, asked, tell } = streamsOf({ last: 7 });
  const opened = streams.open(request());
  // The log has returned 7, and the stream does not listen yet.
  tell(8);
  await opened;
  expect(asked).toEqual([7]);
  streams.close();
});

it('the log is not read for a stream that has all events', async () => {
  const { streams, asked } = streamsOf({ last: 7 });
  await streams.open(request());
  expect(asked).toEqual([]);
  streams.close();
});

it('the log is read again after a failure', async () => {
  let failures = 1;
  const { streams, asked, tell } = streamsOf({ last: 7 }, async () => {
    if (failures-- > 0) throw new Error('The database does not respond.');
    return [];
  });
  await streams.open(request());
  tell(8);
  for (let waited = 0; asked.length < 2 && waited < 3_000; waited += 50) await sleep(50);
  streams.close();
  expect(asked).toEqual([7, 7]);
});

it('nothing is written to a stream that ends while an event is checked', async () => {
  const { streams, tell } = streamsOf({ last: 7 }, async (position) => (position < 8 ? [eventOf(8)] : []));
  const errors: unknown[] = [];
  const server = createServer((_request, response) => {
    response.on('error', (error) => errors.push(error));
    // Its schemas are replaced at this moment.
    const identify = () => (streams.close(), ANONYMOUS);
    void streams.open({ ...request(), response, identify } as never).then(() => tell(8));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => {
    const { port } = server.address() as AddressInfo;
    get({ host: '127.0.0.1', port, agent: false }, (response) => response.resume().on('end', resolve));
  });
  await sleep(10);
  server.close();
  expect(errors).toEqual([]);
});

it.each([
  ['credentials cannot be checked', { identify: () => Promise.reject(new ResourceError('rest_unavailable')) }, {}],
  ['items cannot be read', {}, { retrieve: () => Promise.reject(new ResourceError('rest_unavailable')) }],
])('a stream continues when %s for a moment', async (_about, callers, service) => {
  const { streams, asked, tell } = streamsOf({ last: 7 }, async (position) => (position < 8 ? [eventOf(8)] : []));
  const written: string[] = [];
  const asking = request();
  const response = { ...asking.response, write: (text: string) => written.push(text), end: () => written.push('end') };
  const { retrieve } = READS.service;
  const identify = () => ANONYMOUS;
  Object.assign(READS.service, service);
  await streams.open({ ...asking, response, identify, ...callers } as never);
  tell(8);
  await sleep(100);
  const before = written.splice(0);
  Object.assign(READS.service, { retrieve });
  for (let waited = 0; asked.length < 2 && waited < 3_000; waited += 50) await sleep(50);
  await sleep(100);
  streams.close();
  expect(before).toHaveLength(1);
  if (!('identify' in callers)) expect(written[0]).toContain('event: thing.created');
});

describe('a caller whose credentials cannot be verified at the moment', () => {
  const busy = () => Promise.reject(new ResourceError('rest_unavailable'));

  it.each([
    ['keeps no others waiting', busy],
    ['nor while that takes long', () => new Promise(() => undefined)],
  ])('%s', async (_name, identify) => {
    const { streams, tell } = streamsOf({ last: 7 }, async (position) => (position < 8 ? [eventOf(8)] : []));
    const [first, second] = [request(), request()];
    const texts: string[] = [];
    second.response.write = ((text: string) => texts.push(text)) as never;
    await streams.open({ ...first, credentials: 'of the first', identify: identify as never });
    await streams.open({ ...second, identify: () => ANONYMOUS });
    tell(8);
    for (let waited = 0; texts.length < 2 && waited < 500; waited += 5) await sleep(5);
    streams.close();
    expect(texts.slice(1)).toEqual([expect.stringContaining('event: thing.created')]);
  });
});

describe('a client with the most streams', () => {
  const busy = { code: 'rest_unavailable' };
  const by = (client: string, id = 0, end = () => undefined as unknown): StreamRequest => {
    const { response, ...rest } = request();
    return { ...rest, client, actor: { id }, response: { ...response, end } } as never;
  };

  it('loses a stream when another client needs one', async () => {
    const { streams } = streamsOf({ last: 7 });
    const ended: number[] = [];
    // Eight of the ten places are for visitors.
    for (let at = 0; at < 8; at++) await streams.open(by('192.0.2.1', 0, () => ended.push(at)));
    await expect(streams.open(by('192.0.2.1'))).rejects.toMatchObject(busy);
    for (const client of ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.2', '192.0.2.3'])
      await streams.open(by(client));
    // All have about as many by now.
    await expect(streams.open(by('192.0.2.2'))).rejects.toMatchObject(busy);
    expect([ended, streams.size]).toEqual([[7, 6, 5, 4, 3], 8]);
    streams.close();
  });

  it('loses none to anonymous callers where it has an account', async () => {
    const { streams } = streamsOf({ last: 7 });
    for (let at = 0; at < 10; at++) await streams.open(by('#1', 1));
    await expect(streams.open(by('192.0.2.1'))).rejects.toMatchObject(busy);
    await streams.open(by('#2', 2));
    expect(streams.size).toBe(10);
    streams.close();
  });
});
