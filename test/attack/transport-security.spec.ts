// `Strict-Transport-Security` binds browsers for a year: it is sent only where the site is https, and for its own host
// unless configured otherwise.
import { expect, test } from '@jest/globals';
import { startTestSite } from '../support/start-test-site.js';

const YEAR = 'max-age=31536000';

test.each<[string, Record<string, string>, string | undefined]>([
  ['is not sent by a site on http', { PUBLIC_URL: 'http://api.test', HSTS: 'include-subdomains' }, undefined],
  ['is sent by a site on https, for its host', { PUBLIC_URL: 'https://api.test' }, YEAR],
  [
    'covers the hosts below when asked',
    { PUBLIC_URL: 'https://api.test', HSTS: 'include-subdomains' },
    `${YEAR}; includeSubDomains`,
  ],
  ['can be left out', { PUBLIC_URL: 'https://api.test', HSTS: 'off' }, undefined],
])('the header %s is sent', async (_, environment, value) => {
  const site = await startTestSite('test/engine/accounts/schemas', environment);
  try {
    for (const path of ['/cups', '//nowhere', '//livez', '//uploads/none.png'])
      expect([path, (await site.send('GET', path)).headers['strict-transport-security']]).toEqual([path, value]);
  } finally {
    await site.close();
  }
});
