// Responses that depend on the time are not cached: rules with `$now` about the items of a list, and about those it shows or counts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSchemas, type TestSite } from '../../support/start-test-site.js';

const resource = (name: string, fields: object, read: unknown) => ({
  name,
  path: `${name}s`,
  fields: { title: { type: 'string' }, ...fields },
  permissions: { rules: { read } },
});

const SCHEMAS = [
  resource('notice', { until: { type: 'datetime' } }, { is: { until: { gt: '$now' } } }),
  resource('mention', { notice: { type: 'reference', to: 'notice' } }, true),
];

describe('responses that depend on the time', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSchemas(SCHEMAS);
    await site.site.writer.batch(async ({ create }) => {
      const notice = await create('notice', { title: 'Soon over', until: '2999-01-01T00:00:00Z' });
      await create('mention', { title: 'There', notice });
    });
  });
  afterAll(() => site?.close());

  it.each([
    ['a list', '/notices'],
    ['an item', '/notices/1'],
    ['a summary', '/notices?aggregate=count'],
    ['a summary with groups', '/notices?aggregate=count&group=title'],
    ['a list with other items in it', '/mentions?expand=notice'],
    ['an item with another in it', '/mentions/1?expand=notice'],
    ['a list with embedded items', '/mentions?_embed=1'],
  ])('are not cached for %s', async (_what, path) => {
    // Repeated requests use compiled reads and caches, where there are any.
    for (let time = 0; time < 4; time++) {
      const { status, headers } = await site.send('GET', path, { status: 200 });
      expect({ status, kept: headers['cache-control'] }).toEqual({ status: 200, kept: 'no-store' });
    }
  });

  it('other responses may be cached', async () => {
    for (const path of ['/mentions', '/mentions/1', '/mentions?aggregate=count'])
      expect((await site.send('GET', path)).headers['cache-control']).toMatch(/public/);
  });
});
