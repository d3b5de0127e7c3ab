// Delays between attempts, signatures, and which webhook receives which events.
import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { isMeant } from '../../../src/events/listener.js';
import { storedNames } from '../../../src/events/event.js';
import { pauseAfter, requestedPause } from '../../../src/events/webhooks/backoff.js';
import { signedHeaders } from '../../../src/events/webhooks/signature.js';
import { wants, type Webhook } from '../../../src/events/webhooks/webhook-list.js';
import { Positions } from '../../../src/http/live/position.js';
import type { SiteEvent } from '../../../src/model/audit.js';

const event = (more: Partial<SiteEvent> = {}): SiteEvent => ({
  id: 7,
  resource: 'order',
  item: 1,
  action: 'updated',
  fields: ['status', 'note'],
  account: 1,
  at: 0,
  open: { before: true, after: true },
  ...more,
});

test('pauses grow fourfold up to a day, with a jitter of half', () => {
  expect([1, 2, 3, 4].map((attempt) => pauseAfter(attempt, 5_000, 1))).toEqual([5_000, 20_000, 80_000, 320_000]);
  expect([1, 2, 3, 4].map((attempt) => pauseAfter(attempt, 5_000, 0))).toEqual([2_500, 10_000, 40_000, 160_000]);
  expect(pauseAfter(100, 5_000, 1)).toBe(24 * 60 * 60 * 1000);
});

test('a receiver can request a pause in seconds or until a date, of at most an hour', () => {
  const now = Date.parse('2026-10-21T07:28:00Z');
  const asked = ['120', '0.1234567', 'Wed, 21 Oct 2026 07:30:00 GMT', '7200', 'Thu, 22 Oct 2026 07:28:00 GMT'];
  expect(asked.map((each) => requestedPause(each, now))).toEqual([120_000, 124, 120_000, 3_600_000, 3_600_000]);
  const nothing = [undefined, '', '0', '-5', 'soon', 'Wed, 21 Oct 2020 07:30:00 GMT'];
  expect(nothing.map((each) => requestedPause(each, now))).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a signature equals the example of the specification', () => {
  // The example of https://www.standardwebhooks.com.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signedHeaders([secret], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('a webhook', () => {
  const webhook = (more: Partial<Webhook>): Webhook => ({
    id: 1,
    url: '',
    secret: '',
    former: '',
    formerUntil: 0,
    events: [],
    resources: [],
    fields: [],
    ...more,
  });

  test.each([
    [{}, {}, true],
    [{ events: ['updated'] }, {}, true],
    [{ events: ['deleted'] }, {}, false],
    [{ resources: ['order', 'line'] }, {}, true],
    [{ resources: ['line'] }, {}, false],
    [{ fields: ['note'] }, {}, true],
    [{ fields: ['total'] }, {}, false],
    [{ fields: ['total'] }, { action: 'created' as const }, true],
  ])('with %j receives %j: %s', (filter, more, wanted) => {
    expect(wants(webhook(filter), event(more))).toBe(wanted);
  });
});

test.each([
  [['*'], true],
  [['order.*'], true],
  [['*.updated'], true],
  [['order.updated'], true],
  [['line.updated', 'order.created'], false],
  [['orders.*'], false],
])('the list %j includes the event: %s', (on, wanted) => {
  expect(isMeant(on, event())).toBe(wanted);
});

test('names of fields fit into their column', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z_]{1,60}$/), { maxLength: 100 }), (names) => {
      const stored = storedNames(names);
      expect(stored.length).toBeLessThanOrEqual(1000);
      expect(names.join(' ').startsWith(stored.split(' ')[0]!)).toBe(true);
    }),
  );
});

describe('positions', () => {
  const positions = new Positions(randomBytes(32));

  test('can be opened with the key that sealed them', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (at) => positions.open(positions.seal(at)) === at));
  });

  test('cannot be opened with another key', () => {
    const others = new Positions(randomBytes(32));
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{32}$/)),
        (text) => positions.open(text) === undefined,
      ),
    );
    expect(positions.open(others.seal(1))).toBeUndefined();
  });
});
