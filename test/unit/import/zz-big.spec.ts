import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { formatSummary } from '../../../src/import/import-summary.js';
import { importWxr } from '../../../src/import/wxr-import.js';
import { openSite } from '../../../src/start-site.js';
it('big', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'imp-'));
  const config = readConfig({ DATABASE_URL: `sqlite:${dir}/x.sqlite`, MEDIA_URL: `file:${dir}/media` }, false);
  const open = await openSite(config, { warn: () => {} } as never);
  let max = 0; const timer = setInterval(() => { max = Math.max(max, process.memoryUsage().heapUsed); }, 20);
  for (let n = 0; n < 2; n += 1) {
    const t = Date.now(); max = 0;
    console.log(formatSummary(await importWxr('/tmp/big.wxr.xml', open.writer)), Date.now() - t, Math.round(max / 1e6), Math.round(process.memoryUsage().rss / 1e6));
  }
  clearInterval(timer);
  await open.close();
  expect(1).toBe(1);
}, 900000);
