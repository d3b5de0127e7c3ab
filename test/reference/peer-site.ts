// A site of our own with the content of the reference, listening on the loopback. Made by the replay, once per time zone.
import { freshDatabase } from '../support/fresh-database.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { readConfig } from '../../src/config/config.js';
import { startSite, type RunningSite } from '../../src/server/start-site.js';
import { createLogger } from '../../src/http/request/logger.js';
import type { Content, Recording } from './content.js';
import { loadContent } from './load-content.js';

/** Host of every address in the recordings. */
export const HOST = 'http://127.0.0.1:8081';
const TOKEN_SECRET = 'the replay needs no secret';
const SCHEMAS = fileURLToPath(new URL('schemas', import.meta.url));
const ROLES = fileURLToPath(new URL('../../roles.json', import.meta.url));

/** A response of ours. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: any;
}

export interface PeerSite {
  site: RunningSite;
  ask(asked: Recording['request'], authorization?: string): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** Starts a site and fills it. */
export async function bootPeer(content: Content, timezone = 'UTC'): Promise<PeerSite> {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  const database = await freshDatabase();
  const config = readConfig({
    API_ROOT: '/wp-json',
    API_NAMESPACE: 'wp/v2',
    PUBLIC_URL: HOST,
    SITE_URL: HOST,
    DATABASE_URL: database.url,
    MEDIA_DIR: join(folder, 'media'),
    SCHEMAS_DIR: SCHEMAS,
    ROLES_FILE: ROLES,
    TOKEN_SECRET,
    ADMIN_USERNAME: content.users[0]!.login,
    ADMIN_PASSWORD: content.users[0]!.password,
    ADMIN_EMAIL: content.users[0]!.email,
    PASSWORD_MIN_LENGTH: '1',
    RATE_LIMIT: 'none',
    ...CHEAP_HASHES,
    SITE_TITLE: content.site.title,
    SITE_DESCRIPTION: content.site.description,
    SITE_DEFAULT_CATEGORY: String(content.site.default_category),
    SITE_TIMEZONE: timezone,
  });
  const site = await startSite(config, createLogger({ level: 'error', format: 'json' }));
  await loadContent(site, content, TOKEN_SECRET);
  await site.app.listen(0, '127.0.0.1');
  const { port } = site.app.getHttpServer().address() as AddressInfo;
  return {
    site,
    ask: (asked, authorization) => send(port, asked, authorization),
    close: async () => {
      await site.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function send(port: number, asked: Recording['request'], authorization?: string): Promise<HttpResponse> {
  const { body, type } = payload(asked);
  const headers: Record<string, string> = {
    Host: '127.0.0.1:8081',
    'User-Agent': 'cms-lab-recorder',
    ...(type ? { 'Content-Type': type } : {}),
    ...(body ? { 'Content-Length': String(body.length) } : {}),
    ...(authorization ? { Authorization: authorization } : {}),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            body: parsed(text),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function payload({ body, raw }: Recording['request']): { body?: Buffer; type?: string } {
  if (raw)
    return {
      body: raw.base64 === undefined ? Buffer.from(raw.text ?? '') : Buffer.from(raw.base64, 'base64'),
      type: raw.type,
    };
  return body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
