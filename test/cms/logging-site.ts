// A site in process whose log lines are recorded, to search them for what they must not contain. Called by specs.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { readConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/http/request/logger.js';
import { startSite } from '../../src/server/start-site.js';
import { sender, type Send } from '../support/send.js';

export interface LoggingSite {
  readonly send: Send;
  /** Everything logged so far. */
  lines(): string;
  close(): Promise<void>;
}

/** Starts the shipped schemas, or those of `more`, with an administrator of this password. */
export async function bootLoggingSite(
  adminPassword: string,
  tokenSecret: string,
  more: Record<string, string> = {},
): Promise<LoggingSite> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-logs-'));
  const written: string[] = [];
  const config = readConfig(
    {
      SCHEMAS_DIR: 'schemas',
      DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
      MEDIA_DIR: join(folder, 'media'),
      ADMIN_USERNAME: 'admin',
      ADMIN_PASSWORD: adminPassword,
      TOKEN_SECRET: tokenSecret,
      LOG_LEVEL: 'trace',
      LOG_FORMAT: 'json',
      RATE_LIMIT: 'none',
      ...CHEAP_HASHES,
      ...more,
    },
    false,
  );
  const log = createLogger({ level: 'trace', format: 'json' }, { write: (line: string) => void written.push(line) });
  const site = await startSite(config, log);
  await site.app.listen(0, '127.0.0.1');
  const server = site.app.getHttpServer() as Server;
  return {
    send: sender((server.address() as AddressInfo).port, '/cms/v2'),
    lines: () => written.join(''),
    close: async () => {
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
