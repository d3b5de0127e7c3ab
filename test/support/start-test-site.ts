// Starts a folder of schemas in process, on a new database file and a free loopback port. Used by the engine and cms
// suites.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/http/request/logger.js';
import { startSite, type RunningSite } from '../../src/server/start-site.js';
import { type FreshDatabase, freshDatabase, testEngine } from './fresh-database.js';
import { sender, type Send } from './send.js';
import type { Config } from '../../src/config/settings.js';

/** Username and password of the administrator that every running site has when a resource holds accounts. */
export const ADMINISTRATOR = { username: 'admin', password: 'correct horse battery' } as const;

/** Base URL of links in responses; deliberately different from the address of the server. */
export const PUBLIC_URL = 'http://api.test';
export const SITE_URL = 'http://site.test';

/** A running site, and how to send it requests. */
export interface TestSite {
  readonly site: RunningSite;
  readonly config: Config;
  readonly server: Server;
  /** Folder with everything the site writes. */
  readonly folder: string;
  /** Path of the namespace on this server: `/cms/v2`. */
  readonly base: string;
  /** Sends a request on a connection that earlier requests may have used. */
  readonly send: Send;
  close(): Promise<void>;
}

/**
 * Starts the schemas of a folder. `environment` holds further variables, read as the server reads them.
 * A later start on the same `DATABASE_URL` finds the data of the first one.
 */
export async function startTestSite(schemas: string, environment: Record<string, string> = {}): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-site-'));
  const ownFile = environment['DATABASE_URL'] !== undefined || testEngine() === 'sqlite';
  const database = ownFile ? undefined : await freshDatabase();
  const config = readConfig({ ...defaults(folder, schemas, database), ...environment }, false);
  const log = createLogger({ level: config.log.level, format: config.log.format });
  let site: RunningSite | undefined;
  try {
    site = await startSite(config, log);
    await site.app.listen(0, '127.0.0.1');
  } catch (error) {
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
    await database?.drop();
    throw error;
  }
  return new StartedTestSite(site, config, folder, database);
}

/** Starts a site with schemas that are written in a test. */
export async function startTestSchemas(
  schemas: readonly { name: string }[],
  environment: Record<string, string> = {},
): Promise<TestSite> {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-schemas-'));
  try {
    for (const schema of schemas) writeFileSync(join(folder, `${schema.name}.json`), JSON.stringify(schema));
    return await startTestSite(folder, environment);
  } finally {
    // The files are read only once, at the start.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Low costs, because test sites hash hundreds of passwords. */
export const CHEAP_HASHES = { HASH_MEMORY_COST: '8', HASH_TIME_COST: '1' };

class StartedTestSite implements TestSite {
  readonly server: Server;
  readonly base: string;
  readonly send: Send;
  /** A new connection for each request takes a tenth of the processor time of the suites. */
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    readonly site: RunningSite,
    readonly config: Config,
    readonly folder: string,
    private readonly database: FreshDatabase | undefined,
  ) {
    this.server = site.app.getHttpServer() as Server;
    this.base = `${config.apiRoot}/${config.apiNamespace}`;
    this.send = sender((this.server.address() as AddressInfo).port, this.base, this.agent);
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.site.close();
    rmSync(this.folder, { recursive: true, force: true });
    await this.database?.drop();
    // Variables of a spec file live as long as the worker: release what they hold.
    Object.assign(this, { site: undefined, server: undefined });
  }
}

function defaults(folder: string, schemas: string, database: FreshDatabase | undefined): Record<string, string> {
  return {
    SCHEMAS_DIR: schemas,
    DATABASE_URL: database?.url ?? `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
    MEDIA_DIR: join(folder, 'media'),
    PUBLIC_URL,
    SITE_URL,
    // LOG_LEVEL=error shows the cause of a 500.
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    LOG_FORMAT: 'json',
    RATE_LIMIT: 'none',
    ...CHEAP_HASHES,
    TOKEN_SECRET: 'a secret that only tests know',
    ADMIN_USERNAME: ADMINISTRATOR.username,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
  };
}
