// `npm run fuzz`: starts the server on a new database, sends it random and hostile requests, and reports
// faults. Options: `npm run fuzz -- --help`. Exit code 1 on any fault: a 5xx, an error of another shape, a crash,
// inconsistent data.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as requestHttp } from 'node:http';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWhenNeeded } from './build-when-needed.mjs';
import { chance, requestOf } from './fuzz-requests.mjs';

const HELP = `DATABASE_URL=… npm run fuzz -- [options]     (a database of its own is made on that engine and dropped)
  --requests <n>  how many (20000)          --clients <n>  at the same time (12)
  --seed <n>      which ones (1)            --from <n>     number of the first (0): with --requests 1 one again
  --schemas <dir> schemas of the site (schemas)
`;
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    schemas: { type: 'string', default: 'schemas' },
    help: { type: 'boolean', default: false },
  },
});
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TIMEOUT_MS = 60_000;
/** Intentional 5xx statuses: trash not supported, busy. */
const EXPECTED = new Set([501, 503]);
const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];
const PASSWORD = 'long enough for everybody';
const MAX_FAULTS = 20;

const folder = mkdtempSync(join(tmpdir(), 'typecase-fuzz-'));
const faults = [];
const statuses = {};
let log = '';

if (options.help) process.stdout.write(HELP);
else await main();

async function main() {
  await buildWhenNeeded();
  const database = await freshDatabase(process.env.DATABASE_URL ?? 'sqlite:');
  try {
    const { server, environment } = await start(database.url);
    const probe = watch(server);
    await fuzz(server);
    const seen = probe.end();
    const stopped = await stop(server);
    if (stopped !== 0) fault(`the server ended with ${stopped}`);
    const { code, output } = await run(['dist/cli.js', 'check', '--data', '--files'], environment);
    if (code !== 0) fault(`check --data: ${output}`);
    print(seen, output);
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(faults.length > 0 ? 1 : 0);
}

function print({ delay, rss }, verdict) {
  const counts = Object.entries(statuses).map(([status, n]) => `${status}: ${n}`);
  process.stdout.write(`\nRequests by status: ${counts.join(', ')}\n`);
  process.stdout.write(`Longest /livez delay: ${delay.toFixed()} ms. Peak memory: ${rss} MiB.\n`);
  process.stdout.write(`check --data --files: ${verdict.trim()}\n`);
  for (const text of faults.slice(0, MAX_FAULTS)) process.stdout.write(`\nFAULT ${text}\n`);
  process.stdout.write(`\n${faults.length} faults\n`);
}

function fault(text) {
  faults.push(text);
  if (faults.length <= MAX_FAULTS) process.stderr.write(`\nFAULT ${text.slice(0, 400)}\n`);
}

/** How to repeat a request, and the log lines that belong to it. */
function reproduction(request, response) {
  const id = /"request_id":"([^"]+)"/.exec(response)?.[1];
  const line = id && log.split('\n').find((each) => each.includes(id));
  const body = request.body === undefined ? '' : `\n  body ${request.body.toString('utf8').slice(0, 1000)}`;
  return `--seed ${options.seed} --from ${request.n} --requests 1: ${request.method} ${request.path.slice(0, 1000)} as ${request.role}
  headers ${JSON.stringify(request.headers)}${body}\n  response ${response.slice(0, 500)}${line ? `\n  log ${line.slice(0, 3000)}` : ''}`;
}

async function fuzz(server) {
  const routes = await routesOf(server);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(options.clients) });
  const signedIn = await accounts(server);
  await plant(server, signedIn.headers.administrator, routes);
  const roles = ['nobody', 'nobody', 'wrong', ...ROLES, 'administrator', 'editor'];
  const first = Number(options.from);
  const last = first + Number(options.requests);
  let next = first;
  const client = async () => {
    while (next < last && server.child.exitCode === null) {
      const request = requestOf(Number(options.seed), next++, routes, roles);
      if ((next - first) % 2000 === 0) {
        if (process.stderr.isTTY) process.stderr.write(`\r${next - first} requests, ${faults.length} faults `);
        await signedIn.renew();
      }
      // The account that recreates the others must stay usable.
      if (/\/users\/(1|me)\b/.test(request.path) && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) continue;
      await one(server, agent, request, signedIn.headers);
    }
  };
  await Promise.all(Array.from({ length: Number(options.clients) }, client));
  if (server.child.exitCode !== null) fault(`the server died with ${server.child.exitCode}: ${log.slice(-3000)}`);
  agent.destroy();
}

async function one(server, agent, request, headersOf) {
  request.headers = { ...request.headers, ...headersOf[request.role] };
  const { status, text } = request.raw ? await sendRaw(server, request) : await send(server, agent, request);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status >= 500 && !EXPECTED.has(status)) fault(reproduction(request, text));
  else if (status === 'timeout' && server.child.exitCode === null) fault(`no response: ${reproduction(request, '')}`);
  else if (
    status >= 400 &&
    request.method !== 'HEAD' &&
    !request.raw &&
    !isRefusal(text, status) &&
    !isPage(request, text)
  )
    fault(`no error shape: ${reproduction(request, text)}`);
}

/** Whether a response is the page that browsers get for an unknown path. */
function isPage({ method, headers }, text) {
  const effective = method === 'POST' ? (headers['X-HTTP-Method-Override'] ?? method) : method;
  return effective === 'GET' && headers['Accept'] === 'text/html' && text.startsWith('<!doctype html>');
}

function isRefusal(text, status) {
  try {
    const body = JSON.parse(text);
    return typeof body.code === 'string' && typeof body.message === 'string' && body.data.status === status;
  } catch {
    return false;
  }
}

function send(server, agent, { method, path, headers, body, cut }) {
  return new Promise((resolve) => {
    let text = '';
    const end = (status) => resolve({ status, text });
    let sent;
    try {
      const length = body === undefined ? {} : { 'Content-Length': body.length };
      sent = requestHttp({
        host: '127.0.0.1',
        port: server.port,
        method,
        path,
        agent,
        headers: { ...headers, ...length },
      });
    } catch {
      return end('unsendable');
    }
    sent.setTimeout(TIMEOUT_MS, () => {
      end('timeout');
      sent.destroy();
    });
    sent.on('error', () => end('cut off'));
    sent.on('response', (response) => {
      response.setEncoding('utf8').on('data', (chunk) => text.length < 1e6 && (text += chunk));
      response.on('end', () => end(response.statusCode)).on('error', () => end('cut off'));
      response.on('close', () => end('cut off'));
    });
    if (cut && body) {
      sent.write(body.subarray(0, body.length >> 1));
      setTimeout(() => sent.destroy(), 5);
    } else sent.end(body);
  });
}

/** Sends the raw bytes of a request with some of them changed. */
function sendRaw(server, { n, method, path, headers, body = Buffer.alloc(0) }) {
  const random = chance(n);
  const lines = Object.entries({ Host: 'x', ...headers, 'Content-Length': body.length }).map(
    ([name, text]) => `${name}: ${text}\r\n`,
  );
  const bytes = Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
  for (let times = random.below(4); times > 0; times -= 1) bytes[random.below(bytes.length)] = random.below(256);
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ port: server.port, host: '127.0.0.1' });
    socket.setTimeout(500, () => socket.destroy());
    socket.on('error', () => undefined).on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]) || 'cut off', text }));
    socket.end(random.maybe(0.5) ? bytes : bytes.subarray(0, random.below(bytes.length)));
  });
}

/** Route patterns of the index with the parameters of each method. */
async function routesOf(server) {
  const index = JSON.parse((await request(server, 'GET', '/cms/v2')).text);
  const routes = Object.entries(index.routes).map(([pattern, { endpoints = [] }]) => {
    const args = {};
    for (const endpoint of endpoints)
      for (const method of endpoint.methods) args[method] = { ...args[method], ...endpoint.args };
    return { pattern, args };
  });
  const others = ['/', '/livez', '/readyz', '/docs', '/openapi.json', '/auth/token', '/uploads/x'].map((pattern) => ({
    pattern,
    args: {},
  }));
  return [...routes, ...routes, ...others.filter(({ pattern }) => !routes.some((route) => route.pattern === pattern))];
}

/** One account per role; `renew` recreates those that have been changed or deleted since. */
async function accounts(server) {
  const basic = (name, password) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  });
  const admin = basic('admin', PASSWORD);
  const headers = { nobody: {}, wrong: basic('nobody-of-that-name', 'x') };
  let made = 0;
  const renew = async () => {
    for (const role of ROLES) {
      if (headers[role] && (await request(server, 'GET', '/cms/v2/users/me', headers[role])).status === 200) continue;
      const username = `${role}${made++}`;
      const body = { username, email: `${username}@example.org`, password: PASSWORD, roles: [role] };
      const { status, text } = await request(server, 'POST', '/cms/v2/users', admin, body);
      if (status !== 201) return fault(`no account could be made: ${status} ${text}`);
      headers[role] = basic(username, PASSWORD);
    }
  };
  await renew();
  return { headers, renew };
}

/** Creates a few items of every resource whose required fields are texts, so that ids and references exist. */
async function plant(server, headers, routes) {
  const collections = routes.filter(({ pattern, args }) => args.POST && !pattern.includes('(?P<'));
  for (let n = 0; n < 20; n += 1) {
    for (const { pattern, args } of collections) {
      const required = Object.keys(args.POST).filter((name) => args.POST[name].required === true);
      const body = Object.fromEntries(required.map((name) => [name, `${name} ${n}`]));
      await request(server, 'POST', pattern, headers, {
        title: `Item ${n}`,
        content: `Text ${n}`,
        post: 1,
        status: 'publish',
        ...body,
      });
    }
  }
}

function request(server, method, path, headers = {}, body = undefined) {
  const json = body && { 'Content-Type': 'application/json' };
  return send(server, undefined, {
    method,
    path,
    headers: { ...headers, ...json },
    body: body && Buffer.from(JSON.stringify(body)),
  });
}

/** Polls /livez and watches the memory of the process. */
function watch(server) {
  let [delay, rss, running] = [0, 0, true];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const probe = async () => {
    while (running) {
      const begun = performance.now();
      await send(server, agent, { method: 'GET', path: '/livez', headers: {} });
      delay = Math.max(delay, performance.now() - begun);
      try {
        const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
        rss = Math.max(rss, Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024));
      } catch {
        // /proc exists on Linux only.
      }
      await sleep(20);
    }
    agent.destroy();
  };
  void probe();
  return { end: () => ((running = false), { delay, rss }) };
}

async function start(databaseUrl) {
  const port = await freePort();
  const environment = {
    PATH: process.env.PATH,
    SCHEMAS_DIR: options.schemas,
    ROLES_FILE: join(ROOT, 'roles.json'),
    DATABASE_URL: databaseUrl,
    MEDIA_DIR: join(folder, 'media'),
    ADMIN_PASSWORD: PASSWORD,
    TOKEN_SECRET: 'a secret that only this run knows',
    RATE_LIMIT: 'none',
    LOG_LEVEL: 'error',
    LOG_FORMAT: 'json',
    PORT: String(port),
  };
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-4e6)));
  const server = { child, port };
  for (const end = Date.now() + TIMEOUT_MS; (await request(server, 'GET', '/readyz')).status !== 200; await sleep(100))
    if (child.exitCode !== null || Date.now() > end) throw new Error(`The server did not start: ${log}`);
  return { server, environment };
}

async function stop({ child }) {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return child.exitCode ?? child.signalCode;
}

async function run(args, env) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A new database on the server that DATABASE_URL names: existing databases are not touched. */
async function freshDatabase(given) {
  if (given.startsWith('sqlite:'))
    return { url: `sqlite:${join(folder, 'fuzz.sqlite')}?synchronous=normal`, drop: async () => undefined };
  const name = `typecase_fuzz_${randomBytes(5).toString('hex')}`;
  const isPostgres = given.startsWith('postgres');
  const request = isPostgres ? queryPostgres : queryMysql;
  await request(given, `CREATE DATABASE ${name}`);
  const drop = () => request(given, `DROP DATABASE ${name}${isPostgres ? ' WITH (FORCE)' : ''}`);
  return { url: given.replace(/\/[^/?]*(\?|$)/, `/${name}$1`), drop };
}

async function queryMysql(url, sql) {
  const { createConnection: connect } = await import('mysql2/promise');
  const connection = await connect(url.replace(/^mariadb:/, 'mysql:'));
  await connection.query(sql);
  await connection.end();
}

async function queryPostgres(url, sql) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
