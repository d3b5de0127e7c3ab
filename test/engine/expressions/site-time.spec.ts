// Differences of times of the site in a zone whose clocks are changed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';

const between = (operator: string, ...fields: string[]) => ({
  function: 'expression',
  options: { value: { [operator]: fields.map((field) => ({ field })) } },
});
const shift = {
  name: 'shift',
  path: 'shifts',
  fields: {
    start: { type: 'datetime', clock: 'site' },
    end: { type: 'datetime', clock: 'site' },
    from: { type: 'datetime' },
    to: { type: 'datetime', clock: 'utc' },
    worked: between('secondsBetween', 'start', 'end'),
    days: between('daysBetween', 'start', 'end'),
    passed: between('secondsBetween', 'from', 'to'),
  },
};

let site: TestSite;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'typecase-site-time-'));
  writeFileSync(join(folder, 'shift.json'), JSON.stringify(shift));
  site = await startTestSite(folder, { SITE_TIMEZONE: 'Europe/Berlin' });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['on an ordinary day', '2026-06-01T22:00:00', '2026-06-02T06:00:00', 8, 0],
  ['when an hour is skipped', '2026-03-28T22:00:00', '2026-03-29T06:00:00', 7, 0],
  ['when an hour comes twice', '2026-10-24T22:00:00', '2026-10-25T06:00:00', 9, 0],
  ['over a day of 23 hours', '2026-03-28T12:00:00', '2026-03-29T12:00:00', 23, 1],
])('%s the seconds are those that pass', async (_when, start, end, hours, days) => {
  const instant = (text: string): string => new Date(`${text}${OFFSETS[text.slice(0, 10)] ?? '+02:00'}`).toISOString();
  const body = { start, end, from: instant(start), to: instant(end) };
  const response = await site.send('POST', '/shifts', { as: administrator(site).headers, body, status: 201 });
  expect(response.body).toMatchObject({ worked: hours * 3600, passed: hours * 3600, days });
});

/** Of the times above, those in winter. */
const OFFSETS: Record<string, string> = { '2026-03-28': '+01:00', '2026-10-25': '+01:00' };
