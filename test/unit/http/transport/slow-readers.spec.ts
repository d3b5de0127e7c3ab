// Which clients are disconnected for reading too slowly. The system takes what is sent in large pieces: a slow client that reads all
// the time is seen to read only when a third of the buffer of its connection is free again.
import { beforeEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { InFlight } from '../../../../src/http/transport/in-flight.js';
import { SlowReaders } from '../../../../src/http/transport/slow-readers.js';
import type { ResponseMemory } from '../../../../src/http/memory/response-memory.js';

const SECOND = 1_000;
/** A third of the largest buffer that Linux gives a connection by default. */
const PIECE = (4 * 1024 * 1024) / 3;

let socket: { bytesWritten: number; writableLength: number };
let ended: boolean;
let isPressed: boolean;
/** Bytes of the memory for large responses that this one holds. */
let output: { holds: number };
let readers: SlowReaders;

beforeEach(() => {
  socket = { bytesWritten: 0, writableLength: 0 };
  [ended, isPressed] = [false, false];
  output = { holds: PIECE };
  const response = { req: { socket, context: { output } }, destroy: () => (ended = true) } as unknown as ServerResponse;
  const inFlight = { begun: () => (ended ? [] : [response]) } as unknown as InFlight;
  const memory = {
    get isPressed() {
      return isPressed;
    },
  } as unknown as ResponseMemory;
  readers = new SlowReaders(inFlight, memory);
});

/** Sends a large response to a client that reads at a rate, for so many seconds; whether it was disconnected. */
function sent(rate: number, seconds: number): boolean {
  for (let at = 0; at <= seconds && !ended; at++) {
    const taken = Math.floor((at * rate) / PIECE) * PIECE;
    Object.assign(socket, { bytesWritten: taken + PIECE, writableLength: PIECE });
    readers.sweep(at * SECOND);
  }
  return ended;
}

test.each([12_000, 30_000, 100_000, 1_000_000])(
  'a client that reads %d bytes a second gets a large response',
  (rate) => {
    expect(sent(rate, 600)).toBe(false);
  },
);

test('a client that reads nothing is disconnected', () => {
  expect(sent(0, 119)).toBe(false);
  expect(sent(0, 121)).toBe(true);
});

test('a slow client that holds memory is disconnected after seconds while others wait for memory', () => {
  isPressed = true;
  expect(sent(30_000, 6)).toBe(true);
});

test('a slow client that holds no memory, as with file downloads, continues', () => {
  isPressed = true;
  output.holds = 0;
  expect(sent(30_000, 600)).toBe(false);
  expect(sent(0, 121)).toBe(true);
});

test.each([
  ['one that is larger than the memory is sent', [90], []],
  ['the client that has read nothing for the longest time is disconnected', [30, 30], [0]],
  ['the last one is sent, however much the others hold', [60, 30, 90], [0, 1]],
])('%s', (_about, sizes, disconnected) => {
  const gone = new Set<number>();
  const capacity = 48;
  const responses = sizes.map((holds, at) => ({
    req: { socket: { bytesWritten: 0, writableLength: holds }, context: { output: { holds } } },
    destroy: () => gone.add(at),
  })) as unknown as ServerResponse[];
  let begun = 0;
  const inFlight = { begun: () => responses.slice(0, begun).filter((_each, at) => !gone.has(at)) };
  const excess = () =>
    responses.slice(0, begun).reduce((sum, _each, at) => sum + (gone.has(at) ? 0 : sizes[at]!), -capacity);
  const memory = {
    get excess() {
      return Math.max(0, excess());
    },
  };
  const all = new SlowReaders(inFlight as unknown as InFlight, memory as ResponseMemory);
  for (begun = 1; begun <= sizes.length; begun++) all.relieve(begun * SECOND);
  expect([...gone]).toEqual(disconnected);
});
