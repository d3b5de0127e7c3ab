// `npm run bench -- writers <DATABASE_URL> [ms]`: posts per second of 1, 8 and 32 writers on an empty database
// whose responses are delayed by `ms` milliseconds (default 1).
import { join } from 'node:path';
import { load, percentile, together, type Measured, type Shot } from './load.js';
import { slowLine } from './slow-line.js';
import { type RunningServer, startServer } from './servers.js';

const ROOT = join(import.meta.dirname, '../..');
const WRITERS = [1, 8, 32];
const SECONDS = 6;
const WARM_UP_SECONDS = 8;
const AWAY_MS = '1';
const PASSWORD = 'correct horse battery';

/** Runs the benchmark; the database must be empty and is filled. */
export async function run([url = '', ms = AWAY_MS]: string[]): Promise<void> {
  const target = new URL(url);
  const isMysql = /^(mysql|mariadb):/.test(url);
  const line = await slowLine(target.hostname, Number(target.port) || (isMysql ? 3306 : 5432), Number(ms));
  target.hostname = '127.0.0.1';
  target.port = String(line.port);
  const typecase = await startServer('Typecase', [join(ROOT, 'dist/main.js')], {
    DATABASE_URL: target.href,
    DATABASE_POOL: process.env['DATABASE_POOL'] ?? '10',
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  try {
    await posts(typecase, 8, WARM_UP_SECONDS);
    for (const writers of WRITERS) {
      const [cpu, sent] = [typecase.cpuSeconds() ?? 0, line.sent()];
      const measured = await posts(typecase, writers, SECONDS);
      report(writers, measured, (typecase.cpuSeconds() ?? 0) - cpu, line.sent() - sent);
    }
  } finally {
    await typecase.stop();
    line.close();
  }
}

function report(writers: number, measured: Measured, cpu: number, sent: number): void {
  const at = (share: number) => percentile(measured, share).toFixed(1);
  const each = (total: number) => (total / measured.requests).toFixed(1);
  process.stdout.write(
    `${writers} writers: ${(measured.requests / measured.seconds).toFixed(1)} posts/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${each(cpu * 1000)} ms of processor time and ${each(sent)} packets a post\n`,
  );
}

/** Lets `writers` clients create posts for some seconds. */
async function posts(server: RunningServer, writers: number, seconds: number): Promise<Measured> {
  return together([await load(server, post, seconds, writers)]);
}

function post(number: number): Shot {
  return {
    path: '/cms/v2/posts',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({
      title: `Writer ${number} ${Math.random()}`,
      content: 'Some text of a post.',
      status: 'publish',
    }),
  };
}
