// `npm run bench -- writers <DATABASE_URL>`: posts that 1, 8 and 32 writers make a second on an empty database whose
// server is a millisecond away.
import { join } from 'node:path';
import { slowLine, type SlowLine } from './slow-line.js';
import { startServer } from './servers.js';

const ROOT = join(import.meta.dirname, '../..');
const WRITERS = [1, 8, 32];
const SECONDS = 6;
const WARM_UP_SECONDS = 4;
const AWAY_MS = 1;
const PASSWORD = 'correct horse battery';

/** Runs the benchmark; the database must be empty and is filled. */
export async function run([url = '']: string[]): Promise<void> {
  const target = new URL(url);
  const line = await slowLine(target.hostname, Number(target.port), AWAY_MS);
  target.hostname = '127.0.0.1';
  target.port = String(line.port);
  const typecase = await startServer('Typecase', [join(ROOT, 'dist/main.js')], {
    DATABASE_URL: target.href,
    DATABASE_POOL: process.env['DATABASE_POOL'] ?? '10',
    SCHEMAS_DIR: join(ROOT, 'schemas'),
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATA_DIR: join(ROOT, '.bench/writers'),
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  try {
    await together(typecase.origin, 8, WARM_UP_SECONDS);
    for (const writers of WRITERS) {
      const [cpu, sent] = [typecase.cpuSeconds() ?? 0, line.sent()];
      const took = await together(typecase.origin, writers, SECONDS);
      report(writers, took, (typecase.cpuSeconds() ?? 0) - cpu, line, sent);
    }
  } finally {
    await typecase.stop();
    line.close();
  }
}

function report(writers: number, took: number[], cpu: number, line: SlowLine, sent: number): void {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
  const each = (total: number) => (total / took.length).toFixed(1);
  process.stdout.write(
    `${writers} writers: ${(took.length / SECONDS).toFixed(1)} posts/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${each(cpu * 1000)} ms of processor time and ${each(line.sent() - sent)} packets a post\n`,
  );
}

/** Lets so many clients post for a while; the milliseconds of each post. */
async function together(origin: string, writers: number, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  const took: number[] = [];
  const client = async (name: number): Promise<void> => {
    for (let n = 0; performance.now() < end; n++) {
      const start = performance.now();
      await post(origin, `Writer ${name} ${n} ${Math.random()}`);
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, name) => client(name)));
  return took;
}

async function post(origin: string, title: string): Promise<void> {
  const response = await fetch(`${origin}/cms/v2/posts`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({ title, content: 'Some text of a post.', status: 'publish' }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
}
