// Streams of events of one process, with a log that a test moves on.
import { expect, it } from '@jest/globals';
import { LiveStreams, type StreamRequest } from '../../../src/http/live/live-streams.js';
import { Positions } from '../../../src/http/live/position.js';

function streamsOf(positions: { last: number }) {
  let tell = (_last: number): void => undefined;
  const asked: number[] = [];
  const log = {
    last: async () => positions.last,
    first: async () => 1,
    after: async (position: number) => (asked.push(position), []),
    watch: (watch: (last: number) => void) => ((tell = watch), () => undefined),
  };
  const logger = { error: () => undefined };
  const streams = new LiveStreams({
    log,
    sight: {} as never,
    positions: new Positions(Buffer.alloc(32)),
    logger,
    most: 10,
  });
  streams.begin();
  return { streams, asked, tell: (last: number) => tell(last) };
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

it('an event that comes while a stream is being opened is sent', async () => {
  const { streams, asked, tell } = streamsOf({ last: 7 });
  const opened = streams.open(request());
  // The log has answered 7, and the stream does not listen yet.
  tell(8);
  await opened;
  expect(asked).toEqual([7]);
  streams.close();
});

it('nothing is read for a stream that has seen everything', async () => {
  const { streams, asked } = streamsOf({ last: 7 });
  await streams.open(request());
  expect(asked).toEqual([]);
  streams.close();
});
