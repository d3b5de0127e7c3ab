// An application over an invented library and a database file of its own, for the specs of the bound routes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../../src/server/build-app.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { createLogger } from '../../../src/http/request/logger.js';
import type { ApiRequest } from '../../../src/http/request/request-context.js';
import { ANONYMOUS, type Actor } from '../../../src/model/actor.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import type { Site } from '../../../src/model/site/site.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { collectProblems } from '../../support/collect-problems.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';

const write = { needs: 'write', error: 'rest_cannot_edit' };

const member: ResourceSchema = {
  name: 'member',
  path: 'members',
  selfAlias: 'me',
  fields: { name: { type: 'string', required: true, description: 'Full name.' } },
  permissions: { rules: { read: true } },
};

const book: ResourceSchema = {
  name: 'book',
  path: 'books',
  labels: { singular: 'Book', plural: 'Books' },
  description: 'A book of the library.',
  batch: true,
  deleteContext: 'view',
  fields: {
    title: { type: 'string', required: true, maxLength: 40, description: 'Title on the cover.' },
    shelf: { type: 'string', enum: ['a', 'b'], default: 'a' },
    copies: { type: 'integer', minimum: 0, default: 1 },
    lent: { type: 'string', format: 'date-time', nullable: true, contexts: ['view', 'edit'] },
    notes: { type: 'string', contexts: ['edit'] },
    extra: { type: 'object', properties: { colour: { type: 'string' }, size: { type: 'integer' } } },
    loans: { type: 'integer', readOnly: true, default: 0 },
    secret: { type: 'string', hidden: true },
  },
  list: { orderby: ['id', 'title'], defaultOrder: 'asc' },
  params: {
    shelf: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, filter: 'in', field: 'shelf' },
    hint: { type: 'integer', lenient: true, default: 3 },
  },
  deleteParams: { force: { type: 'boolean', default: false }, heir: { type: 'integer', required: true } },
  permissions: {
    rules: { read: true },
    create: [{ needs: 'write', error: 'rest_cannot_create' }],
    update: [write],
    delete: [write],
  },
  links: { 'wp:action-shelve': { self: true, context: 'edit' } },
};

const chapter: ResourceSchema = {
  name: 'chapter',
  path: 'chapters',
  parent: { resource: 'book', param: 'book_id', field: 'book' },
  operations: ['list', 'retrieve', 'create'],
  fields: {
    book: { type: 'reference', to: 'book', readOnly: true },
    content: { type: 'rendered', pipeline: 'content' },
  },
  permissions: { rules: { read: true }, create: [{ needs: 'write', error: 'rest_cannot_create' }] },
};

const scan: ResourceSchema = {
  name: 'scan',
  path: 'scans',
  fields: {
    label: { type: 'string', maxLength: 20 },
    extra: { type: 'object', properties: { colour: { type: 'string' } } },
  },
  traits: { uploaded: {} },
  permissions: { rules: { read: true }, create: [{ needs: 'write', error: 'rest_cannot_create' }] },
};

const genre: ResourceSchema = {
  name: 'genre',
  path: 'genres',
  operations: ['list', 'retrieve'],
  key: 'slug',
  storage: {
    static: 'genres',
    rows: [
      { slug: 'crime', label: 'Crime' },
      { slug: 'sci-fi', label: 'Science fiction' },
    ],
  },
  fields: { slug: { type: 'string', readOnly: true }, label: { type: 'string', readOnly: true } },
  list: { keyedBy: 'slug', paginated: false },
  permissions: { rules: { read: true } },
};

/** `Authorization: <id>` is a librarian, `reader <id>` somebody without rights, anything else is refused. */
function actorOf(request: ApiRequest): Actor {
  const header = request.headers.authorization;
  if (header === undefined) return ANONYMOUS;
  const [, reader, id] = /^(reader )?(\d+)$/.exec(header) ?? [];
  if (id === undefined) throw new ResourceError('incorrect_password', { status: 401 });
  return { ...ANONYMOUS, id: Number(id), capabilities: new Set(reader ? [] : ['write', 'manage_options']) };
}

/** Starts the library; `root` is its API root. */
export async function openLibrary(root = '') {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-http-'));
  const { report, problems } = collectProblems('library');
  const models = compileModels(
    [member, book, chapter, scan, genre].map((written) => ({ schema: extendSchema(written, report), report })),
  );
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const store = await openSqliteStore(
    join(folder, 'library.db'),
    { synchronous: 'normal', statementMs: 0 },
    models.tables,
  );
  const kept: string[] = [];
  const site = {
    settings: { title: 'The library', description: 'Books & more', timezone: 'Asia/Kolkata', passwordMinLength: 8 },
    apiRoot: `http://lib.test${root}`,
    base: `http://lib.test${root}/lib/v1`,
    home: 'http://public.test',
    namespace: 'lib/v1',
    uploads: 'http://lib.test/uploads',
    files: {
      reserve: async (_: string, name: string) => `x/${name}`,
      put: async (key: string) => void kept.push(key),
      commit: async () => undefined,
      remove: async () => undefined,
    },
    now: () => Date.UTC(2026, 0, 1),
  } as unknown as Site;
  const lines: string[] = [];
  const uploadDirectory = join(folder, 'incoming');
  mkdirSync(uploadDirectory);
  const app = await buildApp({
    models,
    site,
    store,
    log: createLogger({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) }),
    actors: { actorOf, clientAddressOf: () => '127.0.0.1' },
    readiness: async () => ({ ready: true }),
    uploadDirectory,
    config: {
      publicUrl: 'http://lib.test',
      apiRoot: root,
      apiNamespace: 'lib/v1',
      corsOrigins: '*',
      hsts: 'on',
      trustProxy: false,
      limits: {
        body: 2_000,
        response: 32 * 1024 ** 2,
        responseMemory: 128 * 1024 ** 2,
        contentBody: 20_000,
        untrustedBody: 1_000,
        bodyMemory: 1_000_000,
        upload: 5_000,
      },
      timeouts: { request: 5_000 },
    },
  });
  await app.listen(0, '127.0.0.1');
  const close = async () => {
    await app.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { app, server: app.getHttpServer() as Server, models, store, lines, kept, uploadDirectory, close };
}
