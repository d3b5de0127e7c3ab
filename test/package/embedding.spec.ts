// A site inside another NestJS application: mounted under a path, its services and hooks injected, ended with its host.
import {
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Post,
  type DynamicModule,
  type Provider,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import ts from 'typescript';
import { DataSource } from 'typeorm';
import { PROCESS_VARIABLES } from '../../src/config/options.js';
import { variableNames } from '../../src/config/config.js';
import {
  StartupError,
  createTypecase,
  createTypecaseApp,
  ResourceError,
  ResourceService,
  Typecase,
  typecaseToken,
  type TypecaseModuleOptions,
} from '../../src/index.js';
import { basic } from '../support/actors.js';
import { memberName } from '../../src/config/read-options.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-embedding-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PASSWORD = 'correct horse battery';
const AS_ADMIN = basic('admin', PASSWORD);
const NOTE = {
  name: 'note',
  path: 'notes',
  fields: {
    title: { type: 'string', required: true, maxLength: 40 },
    secret: { type: 'boolean', default: false },
  },
  permissions: {
    rules: {
      read: { any: [{ is: { secret: false } }, 'write_notes'] },
      create: 'write_notes',
      edit: 'write_notes',
      delete: 'write_notes',
    },
  },
};

/** Options of a site with one resource in a folder of its own. */
function optionsIn(name: string, more: TypecaseModuleOptions = {}): TypecaseModuleOptions {
  const home = join(folder, name);
  mkdirSync(join(home, 'schemas'), { recursive: true });
  writeFileSync(join(home, 'schemas/note.json'), JSON.stringify(NOTE));
  const roles = {
    chief: { label: 'Chief', capabilities: ['write_notes'] },
    reader: { label: 'Reader', capabilities: [] },
  };
  writeFileSync(join(home, 'roles.json'), JSON.stringify({ firstAccount: 'chief', roles }));
  return {
    schemasDir: join(home, 'schemas'),
    rolesFile: join(home, 'roles.json'),
    databaseUrl: `sqlite:${join(home, 'site.sqlite')}?synchronous=normal`,
    mediaDir: join(home, 'media'),
    siteDefaultRole: 'reader',
    adminPassword: PASSWORD,
    tokenSecret: 'a secret that only tests know',
    logLevel: 'silent',
    ...more,
  };
}

const announced: string[] = [];

@Injectable()
class Announcements {
  constructor(
    @Inject(Typecase) readonly typecase: Typecase,
    @Inject(DataSource) readonly database: DataSource,
    @Inject(ResourceService) readonly service: ResourceService,
    @Inject(typecaseToken('second')) readonly second: Typecase,
  ) {
    typecase.hooks('note', {
      input(draft) {
        if (draft.values['title'] === 'forbidden')
          throw new ResourceError('rest_forbidden', { message: 'Not this one.' });
      },
      saved(row, op, previous) {
        announced.push(`${previous ? 'changed' : 'made'} ${row['title']} by ${op.actor.id}`);
      },
    });
  }
}

@Controller()
class HostController {
  @Get('hello')
  hello(): string {
    return 'Hello from the host';
  }

  @Post('echo')
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

async function host(...imports: DynamicModule[]) {
  @Module({ imports, controllers: [HostController], providers: imports.length > 1 ? [Announcements] : [] })
  class HostModule {}
  return NestFactory.create(HostModule, { logger: false, abortOnError: false });
}

describe('a failed start', () => {
  const failing = (module: DynamicModule, more: object) => {
    @Module({ imports: [module], providers: [{ provide: 'more', ...more } as Provider] })
    class HostModule {}
    return NestFactory.create(HostModule, { logger: false, abortOnError: false });
  };
  /** The databases that sites have opened and not closed while `work` runs. */
  const leftOpen = async (work: () => Promise<unknown>): Promise<number> => {
    const { initialize, destroy } = DataSource.prototype;
    let open = 0;
    let opened = 0;
    DataSource.prototype.initialize = function (this: DataSource) {
      open += 1;
      opened += 1;
      return initialize.call(this);
    };
    DataSource.prototype.destroy = function (this: DataSource) {
      open -= 1;
      return destroy.call(this);
    };
    try {
      await work();
    } finally {
      Object.assign(DataSource.prototype, { initialize, destroy });
    }
    expect(opened).toBe(1);
    return open;
  };

  test('of the host lets it close the site', async () => {
    const content = createTypecase(optionsIn('failing', { mount: '/content' }));
    let site: Typecase | undefined;
    const useFactory = (typecase: Typecase) => {
      site = typecase;
      throw new Error('the host failed');
    };
    await expect(failing(content, { inject: [Typecase], useFactory })).rejects.toThrow('the host failed');
    expect(site!.dataSource.isInitialized).toBe(true);
    await content.close();
    expect(site!.dataSource.isInitialized).toBe(false);
    await expect(site!.resource('note').list()).rejects.toThrow('The site is closed');
    await content.close();
  });

  test('of the host during the start of the site leaves no open connection', async () => {
    const content = createTypecase(optionsIn('starting', { mount: '/content' }));
    const useFactory = () => Promise.reject(new Error('the host failed'));
    const left = await leftOpen(async () => {
      await expect(failing(content, { useFactory })).rejects.toThrow('the host failed');
      await content.close();
    });
    expect(left).toBe(0);
  });

  test('of an extension module leaves no open connection', async () => {
    const code = join(folder, 'broken-extension');
    mkdirSync(code, { recursive: true });
    writeFileSync(
      join(code, 'broken.ts'),
      `import { defineExtension } from 'typecase';
      class Broken { onModuleInit() { throw new Error('the module failed'); } }
      export default defineExtension({ module: { module: class {}, providers: [Broken] } });\n`,
    );
    const options = optionsIn('broken', { extensionsDir: code });
    const left = await leftOpen(async () => {
      await expect(createTypecaseApp(options)).rejects.toThrow('the module failed');
    });
    expect(left).toBe(0);
  });
});

describe('a host with two sites', () => {
  let app: Awaited<ReturnType<typeof host>>;
  let server: Server;
  beforeAll(async () => {
    app = await host(
      createTypecase(optionsIn('first', { mount: '/content' })),
      createTypecase(
        optionsIn('second', { name: 'second', publicUrl: 'https://site.test/second', siteTitle: 'Second' }),
      ),
    );
    await app.listen(0, '127.0.0.1');
    server = app.getHttpServer() as Server;
  });
  afterAll(() => app.close());

  test('keeps its own routes and bodies', async () => {
    expect((await request(server).get('/hello')).text).toBe('Hello from the host');
    expect((await request(server).post('/echo').send({ a: 1 })).body).toEqual({ a: 1 });
    expect((await request(server).get('/contents')).status).toBe(404);
    expect((await request(server).get('/livez')).status).toBe(404);
  });

  test('serves each site below its path, with links to that path', async () => {
    const made = await request(server).post('/content/cms/v2/notes').set(AS_ADMIN).send({ title: 'One' });
    expect(made.status).toBe(201);
    expect(made.headers['location']).toBe(`http://127.0.0.1:3000/content/cms/v2/notes/${made.body.id}`);
    const list = await request(server).get('/content/cms/v2/notes?per_page=1');
    expect(list.body).toMatchObject([{ title: 'One' }]);
    expect(list.headers['x-request-id']).toBeDefined();
    expect((await request(server).get('/content')).body.url).toBe('http://127.0.0.1:3000/content');
    expect((await request(server).get('/content/readyz')).status).toBe(200);
    expect((await request(server).get('/content/docs-json')).body.openapi).toBe('3.1.0');
    expect((await request(server).get('/content').set('Accept', 'text/html')).text).toContain('data-home="/content"');
    expect((await request(server).get('/content/nowhere')).body.code).toBe('rest_no_route');
  });

  test('gets the same errors as from a separate site', async () => {
    expect((await request(server).post('/content/cms/v2/notes').send({ title: 'x' })).status).toBe(401);
    const wrong = await request(server).post('/content/cms/v2/notes').set(AS_ADMIN).send({ title: 5 });
    expect(wrong.body).toMatchObject({ code: 'rest_invalid_param', data: { params: { title: expect.anything() } } });
    const broken = await request(server)
      .post('/content/cms/v2/notes')
      .set({ ...AS_ADMIN, 'Content-Type': 'application/json' })
      .send('{');
    expect(broken.body.code).toBe('rest_invalid_json');
  });

  test('has independent sites', async () => {
    const before = (await request(server).get('/second/cms/v2/notes')).body;
    expect(before).toEqual([]);
    const made = await request(server).post('/second/cms/v2/notes').set(AS_ADMIN).send({ title: 'Other' });
    expect(made.headers['location']).toMatch(/^https:\/\/site\.test\/second\/cms\/v2\/notes\/\d+$/);
    expect((await request(server).get('/second')).body.name).toBe('Second');
    const titles = (await request(server).get('/content/cms/v2/notes')).body.map(
      ({ title }: { title: string }) => title,
    );
    expect(titles).not.toContain('Other');
  });

  test('injects services, database and hooks', async () => {
    const { typecase, database, service, second } = app.get(Announcements);
    const notes = typecase.resource<{ id: number; title: string }>('note');
    announced.length = 0;
    const made = await notes.create({ title: 'Two', secret: true });
    expect(await notes.update(made.id, { title: 'Three' })).toMatchObject({ title: 'Three' });
    const admin = await typecase.actor('admin');
    await notes.create({ title: 'Four' }, { as: admin });
    expect(announced).toEqual(['made Two by 0', 'changed Three by 0', `made Four by ${admin.id}`]);
    const rows = await database.query('SELECT title FROM notes WHERE id = ?', [made.id]);
    expect(rows).toEqual([{ title: 'Three' }]);
    expect(service).toBeInstanceOf(ResourceService);
    expect((await second.resource('note').list()).items).toMatchObject([{ title: 'Other' }]);
  });

  test('gives code the results and errors of HTTP', async () => {
    const { typecase } = app.get(Announcements);
    const notes = typecase.resource<{ id: number }>('note');
    const { anonymous, hidden } = {
      anonymous: { id: 0, roles: [], capabilities: new Set<string>(), address: '127.0.0.1', agent: '' },
      hidden: await notes.create({ title: 'Hidden', secret: true }),
    };
    expect(await notes.get(hidden.id)).toMatchObject({ title: 'Hidden' });
    await expect(notes.get(hidden.id, {}, { as: anonymous })).rejects.toMatchObject({ code: 'rest_forbidden' });
    await expect(notes.create({ title: 'x' }, { as: anonymous })).rejects.toBeInstanceOf(ResourceError);
    await expect(notes.create({})).rejects.toMatchObject({ code: 'rest_missing_callback_param' });
    await expect(notes.create({ title: 'forbidden' })).rejects.toThrow('Not this one.');
    await expect(notes.list({ per_page: 1000 })).rejects.toMatchObject({ code: 'rest_invalid_param' });
    const page = await notes.list({ per_page: 1 });
    expect(page).toMatchObject({ items: [expect.anything()], totalPages: page.total });
    expect(await notes.remove(hidden.id, { force: true })).toMatchObject({ deleted: true });
    await expect(notes.get(hidden.id)).rejects.toMatchObject({ code: 'rest_note_invalid_id' });
    const refused = await request(server).post('/content/cms/v2/notes').set(AS_ADMIN).send({ title: 'forbidden' });
    expect(refused.body.message).toBe('Not this one.');
    expect(() => typecase.resource('nothing')).toThrow('The site has no resource "nothing". It has note');
    await expect(typecase.actor('nobody')).rejects.toThrow('There is no account "nobody".');
  });

  test('accepts hooks only during the start, and only of known phases', () => {
    const { typecase } = app.get(Announcements);
    expect(() => typecase.hooks('note', {})).toThrow('before it handles requests or uses a resource');
    expect(() => typecase.hooks('nothing', {})).toThrow('The site has no resource "nothing".');
  });
});

/** A promise and what resolves it. */
function signal(): [Promise<void>, () => void] {
  let resolve!: () => void;
  return [new Promise((done) => (resolve = done)), resolve];
}

test('hooks of reads run for each request, for lists and items alike', async () => {
  const app = await host(createTypecase({ ...optionsIn('reading'), mount: '/content' }));
  const typecase = app.get(Typecase, { strict: false });
  const world = { open: true, least: 0, mark: 'a' };
  typecase.hooks('note', {
    authorize() {
      if (!world.open) throw new ResourceError('rest_forbidden', { message: 'Closed today.' });
    },
    scope(plan) {
      plan.where.push({ op: 'gt', column: 'id', value: world.least });
    },
    present(views) {
      for (const view of views) view['title'] = `${view['title']} ${world.mark}`;
    },
    remove(row) {
      if (row['title'] === 'kept') throw new ResourceError('rest_forbidden', { message: 'This one stays.' });
    },
  });
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  try {
    for (const title of ['one', 'kept'])
      await request(server).post('/content/cms/v2/notes').set(AS_ADMIN).send({ title }).expect(201);
    const ask = async () => {
      const list = await request(server).get('/content/cms/v2/notes');
      const item = await request(server).get('/content/cms/v2/notes/2');
      const titles =
        list.status === 200 ? list.body.map(({ title }: { title: string }) => title).sort() : list.body.message;
      return [titles, item.body.title ?? item.body.message, list.headers['x-wp-total']];
    };
    // Twice: responses to anonymous callers may be kept.
    for (const _ of [1, 2]) expect(await ask()).toEqual([['kept a', 'one a'], 'kept a', '2']);
    Object.assign(world, { mark: 'b', least: 1 });
    for (const _ of [1, 2]) expect(await ask()).toEqual([['kept b'], 'kept b', '1']);
    for (const path of ['', '/2']) {
      world.mark = 'c';
      const { headers } = await request(server).get(`/content/cms/v2/notes${path}`);
      world.mark = 'd';
      const again = await request(server)
        .get(`/content/cms/v2/notes${path}`)
        .set('If-None-Match', String(headers['etag']));
      expect([again.status, headers['cache-control']]).toEqual([200, 'no-store']);
    }
    world.mark = 'b';
    world.open = false;
    expect(await ask()).toEqual(['Closed today.', 'Closed today.', undefined]);
    world.open = true;
    const refused = await request(server).delete('/content/cms/v2/notes/2').set(AS_ADMIN);
    expect(refused.body.message).toBe('This one stays.');
    expect(await ask()).toEqual([['kept b'], 'kept b', '1']);
  } finally {
    await app.close();
  }
});

test('a problem of the site fails the start of the host, with all of its messages', async () => {
  const options = { ...optionsIn('broken'), mount: '/content' };
  writeFileSync(join(options.schemasDir!, 'note.json'), '{"name": "note"}');
  const started = host(createTypecase(options));
  await expect(started).rejects.toBeInstanceOf(StartupError);
  await expect(started).rejects.toThrow(/note\.json:1:1.*"path" is missing/);
});

describe('shutdown', () => {
  test('closes the database with the host, and completes requests in progress', async () => {
    const options = optionsIn('ending');
    const app = await host(createTypecase({ ...options, mount: '/content' }));
    const typecase = app.get(Typecase, { strict: false });
    const [begun, begin] = signal();
    const [gate, open] = signal();
    typecase.hooks('note', { prepare: () => (begin(), gate) });
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as { port: number };
    const asked = fetch(`http://127.0.0.1:${port}/content/cms/v2/notes`, {
      method: 'POST',
      headers: { ...AS_ADMIN, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Last' }),
    });
    await begun;
    const closed = app.close();
    setTimeout(open, 50);
    const response = await asked;
    expect([response.status, response.headers.get('connection')]).toEqual([201, 'close']);
    await closed;
    expect(typecase.dataSource.isInitialized).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/content`)).rejects.toThrow();
    const again = await createTypecaseApp(options);
    expect((await again.get(Typecase).resource('note').list()).items).toMatchObject([{ title: 'Last' }]);
    await again.close();
  });

  test('of a standalone application closes its database', async () => {
    const app = await createTypecaseApp(optionsIn('own'));
    await app.listen(0, '127.0.0.1');
    expect((await request(app.getHttpServer()).get('/cms/v2/notes')).body).toEqual([]);
    const typecase = app.get(Typecase);
    expect(() => typecase.hooks('note', {})).toThrow('before it handles requests or uses a resource');
    const notes = typecase.resource('note');
    expect(await notes.list()).toMatchObject({ items: [], total: 0 });
    await app.close();
    expect(typecase.dataSource.isInitialized).toBe(false);
    const late = [() => notes.list(), () => notes.create({ title: 'Late' }), () => typecase.actor('admin')];
    for (const use of late) await expect(use()).rejects.toThrow('The site is closed');
  });
});

describe('options', () => {
  const problems = (options: object) => {
    try {
      createTypecase(options);
    } catch (error) {
      expect(error).toBeInstanceOf(StartupError);
      return (error as Error).message.split('\n');
    }
    return [];
  };

  test('have the messages of the variables, reported together', () => {
    expect(
      problems({ mount: '/a', databasePool: 0, schemaDir: 'x', siteTimezone: 'Mars', pages: {}, corsOrigins: [] }),
    ).toEqual([
      'options schemaDir: there is no such option (did you mean schemasDir?)',
      'options pages: is not a text, number, boolean or list of texts',
      'options corsOrigins: is an empty list: name something, or leave it out',
      'options databasePool: "0" is not a whole number from 1 to 1000',
      'options siteTimezone: "Mars" is not a zone such as Europe/Paris or an offset such as +02:00',
    ]);
    // No list is what these are without one.
    const none = { webhookAllowHosts: [], databaseReplicaUrls: [], siteModerationWords: [], trustProxy: [] };
    expect(problems({ mount: '/a', ...none, databasePool: 0 })).toHaveLength(1);
    expect(problems({ mount: '/a', mediaDir: 'x', mediaUrl: 'file:y' })).toEqual([
      'options mediaDir: "x" says something else than mediaUrl; give only one of them',
    ]);
  });

  test('require a path to be mounted at', () => {
    expect(problems({})).toEqual(['options mount: missing: the path that the site is served at, such as /content']);
    expect(problems({ mount: 'content/' })[0]).toContain('"content/" is not a path such as /content');
  });

  test('correspond to the variables, each with a type', () => {
    const file = join(import.meta.dirname, '../../src/config/options.ts');
    const tree = ts.createSourceFile(file, ts.sys.readFile(file)!, ts.ScriptTarget.Latest, true);
    const declared = tree.statements.find(
      (each): each is ts.InterfaceDeclaration =>
        ts.isInterfaceDeclaration(each) && each.name.text === 'TypecaseOptions',
    )!;
    const names = [...variableNames()].filter((name) => !PROCESS_VARIABLES.includes(name)).map(memberName);
    expect(declared.members.map((member) => member.name!.getText()).sort()).toEqual(names.sort());
  });
});
