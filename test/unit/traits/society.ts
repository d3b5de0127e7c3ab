// A small invented society: members who sign in, own books (which have editions) and talks, and write remarks. For the trait specs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceService } from '../../../src/engine/resource.service.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import type { Actor } from '../../../src/model/actor.js';
import type { ModelSet } from '../../../src/model/model.js';
import { newOperation } from '../../../src/model/new-operation.js';
import type { Operation, Result } from '../../../src/model/operation.js';
import type { OperationKind, ResourceSchema } from '../../../src/model/schema/schema.js';
import type { Site } from '../../../src/model/site/site.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { collectProblems } from '../../support/collect-problems.js';
import { openSqliteStore, type SqliteStore } from '../../../src/storage/sqlite/store.js';

export const NOW = Date.parse('2030-05-06T07:08:09Z');

/** Roles of the society and what they may do. */
export const ROLES: Record<string, string[]> = {
  head: ['members', 'edit_users', 'promote_users', 'write', 'see_private'],
  clerk: ['promote_users'],
  writer: ['write'],
  guest: ['read'],
};

const member: ResourceSchema = {
  name: 'member',
  path: 'members',
  fields: {
    username: { type: 'string', maxLength: 20, required: true },
    email: { type: 'string', format: 'email', required: true },
    first: { type: 'string' },
    last: { type: 'string' },
    shown: { type: 'string' },
    site: { type: 'string', format: 'uri', maxLength: 30 },
    language: { type: 'string', enum: ['', 'en_US'] },
    joined: { type: 'datetime', clock: 'offset', readOnly: true },
    password: { type: 'password' },
    roles: { type: 'strings' },
  },
  traits: {
    account: {
      registered: 'joined',
      locale: 'language',
      reserved: ['root'],
      tooLong: { username: 'user_login_too_long', site: 'user_url_too_long', slug: 'user_nicename_too_long' },
      fallbacks: { shown: [['first', 'last'], ['username']] },
      authors: { param: 'who', can: 'write' },
    },
    sluggable: { from: 'username', taken: 'rest_user_invalid_slug', maxLength: 20 },
    'force-delete': {},
    reassignable: {
      references: [
        { resource: 'book', field: 'owner' },
        { resource: 'talk', field: 'owner' },
      ],
    },
  },
  search: { fields: ['id', 'slug', 'shown'], mode: 'phrase', privileged: { fields: ['email'], needs: 'members' } },
  list: { orderby: ['id', 'shown'], defaultOrderby: 'id', defaultOrder: 'asc' },
  params: { who: { type: 'string', enum: ['writers'] } },
  permissions: {
    rules: {
      read: { any: ['members', { referencedBy: ['book.owner', 'talk.owner'], where: { status: 'publish' } }] },
      edit: { any: [{ is: { id: '$me' } }, 'edit_users'] },
    },
    create: [{ needs: true, error: 'rest_cannot_create' }],
    update: [{ needs: { any: [{ rule: 'edit' }, 'promote_users'] }, error: 'rest_cannot_edit' }],
    delete: [{ needs: true, error: 'rest_cannot_delete' }],
  },
};

const OPEN: NonNullable<ResourceSchema['permissions']> = {
  rules: { edit: true, delete: true },
  create: [{ needs: true, error: 'rest_cannot_create' }],
};

const SHOWN = { ...OPEN, rules: { read: true, ...OPEN.rules } };

const owned = (name: string, path: string): ResourceSchema => ({
  name,
  path,
  storage: { table: 'works', where: { kind: name } },
  fields: { title: { type: 'string' }, owner: { type: 'reference', to: 'member' } },
  traits: {
    trashable: {},
    published: { capabilities: 'works', author: 'owner', schedule: false },
    sluggable: { from: 'title' },
  },
  permissions: OPEN,
});

const edition: ResourceSchema = {
  name: 'edition',
  path: 'editions',
  storage: { table: 'works', where: { kind: 'edition' } },
  fields: { owner: { type: 'reference', to: 'member' }, book: { type: 'reference', to: 'book' } },
  permissions: SHOWN,
};

const remark: ResourceSchema = {
  name: 'remark',
  path: 'remarks',
  fields: { by: { type: 'reference', to: 'member' }, signed: { type: 'string' } },
  permissions: SHOWN,
};

const SCHEMAS = [member, owned('book', 'books'), owned('talk', 'talks'), edition, remark];

/** Compiled schemas, a database of their own, and short ways to run operations. */
export interface Society {
  models: ModelSet;
  store: SqliteStore;
  service: ResourceService;
  settings: Record<string, unknown>;
  /** Runs one operation; a refusal comes back as its code. */
  outcome(kind: OperationKind, resource: string, parts?: Partial<Operation>): Promise<Result | string>;
  /** The refusal of an operation. */
  refusal(kind: OperationKind, resource: string, parts: Partial<Operation>): Promise<ResourceError>;
  /** Makes an item and returns its id. */
  make(resource: string, values: Record<string, unknown>): Promise<number>;
  row(resource: string, id: number): Promise<Record<string, any> | undefined>;
  close(): Promise<void>;
}

export function actor(id: number, ...roles: string[]): Actor {
  const capabilities = new Set(roles.flatMap((role) => [...(ROLES[role] ?? []), role]));
  return { id, roles, capabilities, address: '192.0.2.1', agent: 'test' };
}

export async function openSociety(): Promise<Society> {
  const { report, problems } = collectProblems('society.json');
  const models = compileModels(SCHEMAS.map((schema) => ({ schema: extendSchema(schema, report), report })));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const folder = mkdtempSync(join(tmpdir(), 'typecase-traits-'));
  const store = await openSqliteStore(
    join(folder, 'society.db'),
    { synchronous: 'normal', statementMs: 0 },
    models.tables,
  );
  const service = new ResourceService(store);
  const settings: Record<string, unknown> = {
    defaultRole: 'guest',
    locale: 'en_US',
    locales: ['', 'en_US', 'de_DE'],
    trash: true,
    timezone: 'UTC',
  };
  const site = siteOf(settings);
  const run = (kind: OperationKind, resource: string, parts: Partial<Operation> = {}): Promise<Result> => {
    const model = models.byName.get(resource)!;
    const op = newOperation({
      model,
      kind,
      raw: parts.values ?? {},
      context: 'edit',
      actor: actor(999, 'head'),
      site,
      store: store.reader,
      ...parts,
    });
    return service[kind](op);
  };
  return {
    models,
    store,
    service,
    settings,
    outcome: (kind, resource, parts) => run(kind, resource, parts).catch((error) => codeOf(error)),
    refusal: (kind, resource, parts) =>
      run(kind, resource, parts).then(
        () => {
          throw new Error('was not refused');
        },
        (error) => error as ResourceError,
      ),
    make: async (resource, values) => ((await run('create', resource, { values })).body as { id: number }).id,
    row: (resource, id) => {
      const model = models.byName.get(resource)!;
      return store.reader.first(model.table!.name, model.allColumns, { op: 'eq', column: 'id', value: id });
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof ResourceError) return error.code;
  throw error;
}

function siteOf(settings: Record<string, unknown>): Site {
  return {
    settings: settings as unknown as Site['settings'],
    apiRoot: 'https://api.example.org',
    base: 'https://api.example.org/v1',
    home: 'https://example.org',
    namespace: 'v1',
    uploads: 'https://api.example.org/uploads',
    now: () => NOW,
    hashPassword: async (password: string) => `hash of ${password}`,
    capabilitiesOf: (names: readonly string[]) => new Set(names.flatMap((name) => [...(ROLES[name] ?? []), name])),
    hasRole: (name: string) => name in ROLES,
    roleNames: () => Object.keys(ROLES),
  } as unknown as Site;
}
