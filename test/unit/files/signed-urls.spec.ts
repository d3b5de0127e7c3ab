// Signed URLs: stable for a while, never valid for longer than their lifetime, for one file alone.
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SignedUrls } from '../../../src/files/signed-urls.js';
import { runs } from '../../support/runs.js';

const LIFETIME = 15 * 60_000;
const KEY = 'private/2026/11/4f-a b.pdf';
const urls = new SignedUrls(Buffer.from('secret'), 'https://example.test/uploads', LIFETIME);
const queryOf = (url: string) => new URL(url).searchParams;

it('signed URLs exist only for private files', () => {
  expect(urls.sign('2026/11/a.pdf', 0)).toBeUndefined();
  expect(urls.sign(KEY, 0)).toMatch(
    /^https:\/\/example\.test\/uploads\/private\/2026\/11\/4f-a%20b\.pdf\?expires=900&/,
  );
});

it('signed URLs are valid for at least half of the lifetime and at most all of it', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 * LIFETIME), (made, later) => {
      const verdict = urls.check(KEY, queryOf(urls.sign(KEY, made)!), made + later);
      if (later < LIFETIME / 2 - 1000) expect(verdict).toHaveProperty('expires');
      if (later > LIFETIME) expect(verdict).toBe('expired');
    }),
    { numRuns: runs(500) },
  );
});

it('signed URLs are not valid beyond their lifetime after the clock was set back, except for clock skew', () => {
  const query = queryOf(urls.sign(KEY, 10 * LIFETIME)!);
  expect(urls.check(KEY, query, 8 * LIFETIME)).toBe('expired');
  expect(urls.check(KEY, query, 10 * LIFETIME - 30_000)).toHaveProperty('expires');
});

it('signed URLs stay the same for half of the lifetime', () => {
  const half = LIFETIME / 2;
  expect(urls.sign(KEY, 1)).toBe(urls.sign(KEY, half - 1));
  expect(urls.sign(KEY, half)).not.toBe(urls.sign(KEY, half - 1));
});

it('signed URLs are refused for another file, another expiry and another secret', () => {
  const query = queryOf(urls.sign(KEY, 0)!);
  const other = new SignedUrls(Buffer.from('other'), 'https://example.test/uploads', LIFETIME);
  expect(urls.check('private/2026/11/b.pdf', query, 1)).toBe('wrong');
  expect(other.check(KEY, query, 1)).toBe('wrong');
  query.set('expires', '901');
  expect(urls.check(KEY, query, 1)).toBe('wrong');
  expect(urls.check(KEY, new URLSearchParams(), 1)).toBe('unsigned');
  expect(urls.check(KEY, new URLSearchParams('expires=900'), 1)).toBe('wrong');
  expect(urls.check(KEY, new URLSearchParams('signature=ä'), 1)).toBe('wrong');
});
