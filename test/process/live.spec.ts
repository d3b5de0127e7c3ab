// Schemas that are saved while a server runs and clients read and write: applied as a whole or not at all, and no request is lost.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.js';
import { sender, type HttpResponse, type Send } from '../support/send.js';
import { AS_ADMINISTRATOR, serverProcesses, until } from '../support/server-process.js';
import type { ServerProcess, ServerProcesses } from '../support/server-process.js';

const EXAMPLE = new URL('../../examples/', import.meta.url);
const CLIENTS = 16;

let database: FreshDatabase;
let folder: string;
let servers: ServerProcesses;
let server: ServerProcess;

interface Schema {
  fields: Record<string, object>;
  [key: string]: unknown;
}

const GADGET: Schema = {
  name: 'gadget',
  path: 'gadgets',
  fields: { title: { type: 'string', required: true, maxLength: 60 } },
  list: { orderby: ['id', 'title'] },
  permissions: {
    rules: { read: true, create: 'manage_catalogue', edit: 'manage_catalogue', delete: 'manage_catalogue' },
  },
};

const withFields = (fields: Schema['fields']): Schema => ({ ...GADGET, fields: { ...GADGET.fields, ...fields } });
const PRICE = { type: 'integer', default: 7 };
const NOTE = { type: 'string', default: 'n' };
const fileOf = (name: string) => join(folder, 'schemas', `${name}.json`);

/** Saves as editors do: a new file takes the place of the old one. */
function save(name: string, schema: object | string): void {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema, null, 2);
  writeFileSync(`${fileOf(name)}.part`, text);
  renameSync(`${fileOf(name)}.part`, fileOf(name));
}

const times = (text: string, running = server) => running.output().split(text).length - 1;
const APPLIED = 'the saved files are applied';
const REFUSED = 'the saved files are not applied';

/** Does something, and resolves once the server has said one more time what came of it. */
async function after(line: string, act: () => void, running = server): Promise<void> {
  const before = times(line, running);
  act();
  await until(
    () => times(line, running),
    (now) => now > before,
  );
}

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'typecase-live-'));
  cpSync(new URL('library', EXAMPLE), join(folder, 'schemas'), { recursive: true });
  cpSync(new URL('library-roles.json', EXAMPLE), join(folder, 'roles.json'));
  save('gadget', GADGET);
  servers = serverProcesses(database.url, {
    SCHEMAS_DIR: join(folder, 'schemas'),
    ROLES_FILE: join(folder, 'roles.json'),
    SITE_DEFAULT_ROLE: 'reader',
    RATE_LIMIT: 'none',
    LOG_LEVEL: 'info',
    EXTENSIONS_DIR: join(folder, 'extensions'),
  });
  server = await servers.start({}, ['cli.js', 'serve', '--watch']);
  await server.ready();
});

afterAll(async () => {
  await servers.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Clients on kept connections that read and write until `stop()`, which resolves with everything that was wrong. */
function traffic(running: ServerProcess): { titles: string[]; stop(): Promise<string[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const send = sender(Number(new URL(running.url).port), '/cms/v2', agent);
  const wrong: string[] = [];
  const titles: string[] = [];
  let on = true;
  const expectIt = (what: string, response: HttpResponse, fine: boolean) => {
    if (!fine || response.body === undefined) wrong.push(`${what}: ${response.status} ${response.text.slice(0, 300)}`);
  };
  const write = async (title: string) => {
    const made = await send('POST', '/gadgets', { as: AS_ADMINISTRATOR, body: { title } });
    expectIt('create', made, made.status === 201 && made.body.title === title);
    titles.push(title);
    const changed = await send('PUT', `/gadgets/${made.body.id}`, { as: AS_ADMINISTRATOR, body: { title } });
    expectIt('update', changed, changed.status === 200 && changed.body.title === title);
  };
  const read = async () => {
    const list = await send('GET', '/gadgets', { query: { per_page: 5, orderby: 'title' } });
    expectIt('list', list, list.status === 200 && Array.isArray(list.body));
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let round = 0; on; round++) {
      try {
        await (client % 2 ? write(`${client}.${round}`) : read());
      } catch (error) {
        wrong.push(String(error));
      }
    }
  });
  return {
    titles,
    async stop() {
      on = false;
      await Promise.all(clients);
      agent.destroy();
      return wrong;
    },
  };
}

async function storedTitles(send: Send): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const { body, headers } = await send('GET', '/gadgets', { query: { per_page: 100, page, orderby: 'id' } });
    found.push(...body.map(({ title }: { title: string }) => title));
    if (page >= Number(headers['x-wp-totalpages'])) return found;
  }
}

const rights = async (as?: Record<string, string>) =>
  (await server.send('GET', '//_page/rights.json', as ? { as } : {})).body as { problems?: string[] };

describe('a server that watches its files', () => {
  test('loses no request while valid and invalid files are saved', async () => {
    const { send } = server;
    const clients = traffic(server);
    await until(
      () => clients.titles.length,
      (count) => count > 20,
    );
    const former = await send('GET', '/gadgets', { query: { orderby: 'id' } });
    expect(former.body[0]).not.toHaveProperty('price');

    await after(APPLIED, () => save('gadget', withFields({ price: PRICE })));
    const extended = await send('GET', '/gadgets', { query: { orderby: 'id' } });
    expect(extended.body[0]).toHaveProperty('price', 7);
    expect(extended.headers.etag).not.toBe(former.headers.etag);

    await after(REFUSED, () => save('gadget', '{ "name": "gadget", '));
    expect((await send('GET', '/gadgets')).body[0]).toHaveProperty('price');
    expect((await send('GET', '//readyz')).status).toBe(200);
    expect((await rights(AS_ADMINISTRATOR)).problems).toEqual([expect.stringMatching(/gadget\.json:\d+:\d+/)]);
    expect(await rights()).not.toHaveProperty('problems');

    // A sort key is worked out of every item, and by nobody else meanwhile.
    const sortable = withFields({ price: PRICE, note: NOTE });
    await after(APPLIED, () => save('gadget', { ...sortable, list: { orderby: ['id', 'title', 'note'] } }));
    expect((await rights(AS_ADMINISTRATOR)).problems).toBeUndefined();
    const count = clients.titles.length;
    await until(
      () => clients.titles.length,
      (now) => now > count + 20,
    );
    expect(await clients.stop()).toEqual([]);
    expect((await storedTitles(send)).sort()).toEqual([...clients.titles].sort());
    const byNote = await send('GET', '/gadgets', { query: { orderby: 'note', per_page: 1 } });
    expect(Number(byNote.headers['x-wp-total'])).toBe(clients.titles.length);
  });

  test('refuses a change that would lose values, with the messages of `migrate`', async () => {
    await after(REFUSED, () => save('gadget', { ...GADGET, fields: { title: { type: 'integer', required: true } } }));
    expect(server.output()).toMatch(/gadgets\.title: convert column: \d+ values are not of type integer/);
    expect((await server.send('GET', '/gadgets')).body[0].title).toEqual(expect.any(String));
  });

  test('stops serving a resource whose file is deleted, and keeps its table', async () => {
    await after(APPLIED, () => rmSync(fileOf('gadget')));
    expect((await server.send('GET', '/gadgets')).status).toBe(404);
    await after(APPLIED, () => save('gadget', GADGET));
    expect((await server.send('GET', '/gadgets')).body).not.toHaveLength(0);
  });

  test('applies changes of the roles', async () => {
    const file = join(folder, 'roles.json');
    const written = readFileSync(file, 'utf8');
    const body = { title: 'by a librarian' };
    await after(APPLIED, () => writeFileSync(file, written.replace('"manage_catalogue", ', '')));
    expect((await server.send('POST', '/gadgets', { as: AS_ADMINISTRATOR, body })).status).toBe(403);
    await after(APPLIED, () => writeFileSync(file, written));
    expect((await server.send('POST', '/gadgets', { as: AS_ADMINISTRATOR, body })).status).toBe(201);
  });

  test('reports nothing for a partial file that is completed at once', async () => {
    const refused = times(REFUSED);
    const text = JSON.stringify(withFields({ price: PRICE, note: NOTE, weight: { type: 'integer', default: 1 } }));
    await after(APPLIED, () => {
      writeFileSync(fileOf('gadget'), text.slice(0, 40));
      setTimeout(() => writeFileSync(fileOf('gadget'), text), 20);
    });
    expect(times(REFUSED)).toBe(refused);
    expect((await server.send('GET', '/gadgets')).body[0]).toHaveProperty('weight', 1);
  });

  test('continues when a module of an extension never starts, and applies the next change', async () => {
    const file = join(folder, 'extensions', 'endless.mjs');
    mkdirSync(dirname(file), { recursive: true });
    const endless = `import { defineExtension } from 'typecase';
      import { Module } from '@nestjs/common';
      class Endless { onModuleInit() { return new Promise(() => {}); } }
      Module({})(Endless);
      export default defineExtension({ module: Endless });`;
    await after(REFUSED, () => writeFileSync(file, endless));
    expect(server.output()).toContain('extensions: a module has not started within 10 seconds');
    expect((await server.send('GET', '/gadgets')).status).toBe(200);
    await after(APPLIED, () => rmSync(file));
    expect((await server.send('GET', '/gadgets')).status).toBe(200);
  });

  test('ends with 0 and has logged no error', async () => {
    expect(server.output()).not.toMatch(/"level":50|"status":5\d\d/);
    expect(await server.end()).toBe(0);
  });
});

describe('a server with two workers', () => {
  test('applies the files in both at SIGHUP without a lost request', async () => {
    const two = await servers.start({ WORKERS: '2' });
    await two.ready();
    await until(
      () => times('all workers serve', two),
      (now) => now > 0,
    );
    const clients = traffic(two);
    const hangUp = () => process.kill(two.pid, 'SIGHUP');
    const { fields } = JSON.parse(readFileSync(fileOf('gadget'), 'utf8')) as Schema;
    save('gadget', withFields({ ...fields, colour: { type: 'string', default: 'red' } }));
    await after(APPLIED, hangUp, two);
    for (let i = 0; i < 12; i++) expect((await two.send('GET', '/gadgets')).body[0]).toHaveProperty('colour', 'red');
    save('gadget', '[]');
    await after(REFUSED, hangUp, two);
    for (let i = 0; i < 12; i++) expect((await two.send('GET', '/gadgets')).body[0]).toHaveProperty('colour', 'red');
    expect(await clients.stop()).toEqual([]);
    expect(clients.titles.length).toBeGreaterThan(0);
    expect(two.output()).not.toMatch(/"level":50|"status":5\d\d/);
    expect(await two.end()).toBe(0);
  });

  test('also applies them in a worker that was starting at SIGHUP with the former files', async () => {
    const [begun, slow] = [join(folder, 'begun'), join(folder, 'slow')];
    const late = join(folder, 'late-extensions');
    mkdirSync(late);
    writeFileSync(slow, '');
    writeFileSync(
      join(late, 'late.mjs'),
      `import { defineExtension } from 'typecase';
      import { existsSync, writeFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      class Late {
        async onModuleInit() {
          if (!process.argv.includes('--worker=1')) return;
          writeFileSync(${JSON.stringify(begun)}, '');
          while (existsSync(${JSON.stringify(slow)})) await setTimeout(20);
        }
      }
      export default defineExtension({ module: Late });`,
    );
    save('gadget', GADGET);
    const two = await servers.start({ WORKERS: '2', EXTENSIONS_DIR: late });
    await until(() => existsSync(begun), Boolean);
    save('latecomer', { ...GADGET, name: 'latecomer', path: 'latecomers' });
    await after(APPLIED, () => process.kill(two.pid, 'SIGHUP'), two);
    await after(APPLIED, () => rmSync(slow), two);
    for (let i = 0; i < 12; i++) await two.send('GET', '/latecomers', { status: 200 });
    expect(await two.end()).toBe(0);
  });
});
