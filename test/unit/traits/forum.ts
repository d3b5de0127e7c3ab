// A small invented forum: people write remarks on articles and leaflets. For the specs of moderated and guarded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentWriter } from '../../../src/engine/content-writer.js';
import { ResourceService } from '../../../src/engine/resource.service.js';
import { ResourceError } from '../../../src/errors/resource-error.js';
import { checkBody, createBodyClass } from '../../../src/http/validation/dto.factory.js';
import { validateParams } from '../../../src/http/validation/validate-params.js';
import type { Actor } from '../../../src/model/actor.js';
import type { ModelSet } from '../../../src/model/model.js';
import { newOperation } from '../../../src/model/new-operation.js';
import type { Result } from '../../../src/model/operation.js';
import type { Context, OperationKind, ResourceSchema } from '../../../src/model/schema/schema.js';
import type { Site } from '../../../src/model/site/site.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { collectProblems } from '../../support/collect-problems.js';
import { openSqliteStore, type SqliteStore } from '../../../src/storage/sqlite/store.js';

const WRITER = ['read', 'edit_texts', 'publish_texts', 'edit_published_texts', 'delete_texts'];
const ALL = [
  ...WRITER,
  'edit_others_texts',
  'edit_private_texts',
  'read_private_texts',
  'delete_others_texts',
  'delete_published_texts',
];

/** What each role may do. */
const ROLES: Record<string, string[]> = {
  head: [...ALL, 'moderate', 'unfiltered_html'],
  steward: ['read', 'moderate'],
  writer: WRITER,
  reader: ['read'],
};

/** People by name, with their roles. */
const PEOPLE: Record<string, string> = {
  hanna: 'head',
  stef: 'steward',
  wim: 'writer',
  wanda: 'writer',
  rita: 'reader',
  rob: 'reader',
};

const person: ResourceSchema = {
  name: 'person',
  path: 'people',
  fields: {
    called: { type: 'string' },
    mail: { type: 'string' },
    site: { type: 'string' },
    roles: { type: 'strings' },
    extra: { type: 'text', hidden: true },
    may: { type: 'computed', function: 'granted-capabilities' },
  },
};

const text = (name: string, guarded: boolean): ResourceSchema => ({
  name,
  path: `${name}s`,
  storage: { table: 'texts', where: { kind: name } },
  fields: {
    title: { type: 'string' },
    owner: { type: 'reference', to: 'person' },
    open_for: { type: 'string', enum: ['all', 'none'], default: 'all' },
    link: { type: 'computed', function: 'permalink' },
  },
  traits: {
    trashable: { with: [{ resource: 'remark', field: 'about', mark: 'shelved' }] },
    dated: {},
    published: { capabilities: 'texts', author: 'owner' },
    authored: { field: 'owner' },
    sluggable: { from: 'title' },
    ...(guarded ? { protected: { fields: [] } } : {}),
  },
  permissions: { rules: guarded ? {} : { open: true } },
});

const remark: ResourceSchema = {
  name: 'remark',
  path: 'remarks',
  storage: { partition: ['status'] },
  fields: {
    about: { type: 'reference', to: ['article', 'leaflet'], onMissing: 'keep', onDelete: 'cascade', default: 0 },
    above: { type: 'reference', to: 'remark', onMissing: 'keep', default: 0 },
    by: { type: 'reference', to: 'person', onMissing: 'keep' },
    signed: { type: 'text', sanitize: 'plain' },
    home: { type: 'text', format: 'uri' },
    mail: { type: 'string', format: 'email', maxLength: 320, contexts: ['edit'] },
    ip: { type: 'string', format: 'ip', maxLength: 100, contexts: ['edit'] },
    agent: { type: 'text', sanitize: 'plain', contexts: ['edit'] },
    words: { type: 'rendered', pipeline: 'comment' },
    status: { type: 'string', maxLength: 40, allowStored: ['shelved'] },
    sort: { type: 'string', readOnly: true, default: 'plain' },
  },
  traits: {
    trashable: {},
    nested: { field: 'above' },
    dated: { modified: false },
    moderated: {
      on: 'about',
      kind: 'sort',
      parent: 'above',
      author: 'by',
      content: 'words',
      name: 'signed',
      email: 'mail',
      url: 'home',
      address: 'ip',
      agent: 'agent',
      owner: 'owner',
      moderators: 'moderate',
      accepts: { open_for: 'all' },
      expiring: ['article'],
      account: { signed: 'called', mail: 'mail', home: 'site' },
    },
    guarded: { through: 'about', shown: 'shown', orphans: 'moderate' },
  },
  params: {
    about: { filter: 'in', field: 'about', default: [] },
    status: { type: 'string', normalize: 'key', default: 'approve' },
    sort: { type: 'string', normalize: 'key', default: 'plain' },
    by: { filter: 'in', field: 'by', default: [] },
  },
  list: { orderby: ['id'], defaultOrder: 'asc' },
  permissions: {
    rules: {
      shown: { is: { status: 'approved' } },
      read: {
        any: [
          { all: [{ rule: 'shown' }, { through: 'about', rule: 'read' }, { through: 'about', rule: 'open' }] },
          { is: { by: '$me' } },
          'moderate',
          { through: 'about', rule: 'edit' },
        ],
      },
      edit: { any: ['moderate', { through: 'about', rule: 'edit' }, { all: [{ orphaned: 'about' }, 'edit_texts'] }] },
    },
    list: [
      { param: 'context', in: ['edit'], needs: 'moderate', error: 'rest_forbidden_context' },
      { param: 'by', needs: 'edit_texts', error: 'rest_forbidden_param' },
      { param: 'status', notIn: ['approve'], needs: 'edit_texts', error: 'rest_forbidden_param' },
    ],
    retrieve: [
      { needs: { rule: 'read' }, error: 'rest_cannot_read' },
      { param: 'context', in: ['edit'], needs: 'moderate', error: 'rest_forbidden_context' },
    ],
    create: [{ needs: { through: 'about', rule: 'read' }, error: 'rest_cannot_read_post' }],
  },
  links: {
    up: { id: 'about', attributes: { sort: '$kind' } },
    replies: { to: 'remark', query: { above: 'id' }, when: '#children' },
  },
  errors: { read: 'rest_cannot_read' },
};

/** What an operation returned: a result, or the code and status of its refusal. */
export type Outcome = {
  status: number;
  code?: string;
  body: any;
  total?: number;
  context?: Context;
  confidential?: boolean;
  error?: ResourceError;
};

/** What a request says. */
export interface RequestOptions {
  as?: string;
  id?: number;
  params?: Record<string, unknown>;
  values?: Record<string, unknown>;
  actor?: Partial<Actor>;
}

/** The forum at work. */
export interface Forum {
  models: ModelSet;
  store: SqliteStore;
  writer: ContentWriter;
  settings: Record<string, any>;
  /** Moves the clock, in seconds. */
  wait(seconds: number): void;
  /** Ids of the people. */
  ids: Record<string, number>;
  outcome(kind: OperationKind, resource: string, asking?: RequestOptions): Promise<Outcome>;
  /** Writes an item as an importer does. */
  put(resource: string, values: Record<string, unknown>): Promise<number>;
  row(resource: string, id: number): Promise<Record<string, any>>;
  /** Takes away what was written, and sets settings and clock back. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openForum(): Promise<Forum> {
  const { report, problems } = collectProblems('forum.json');
  const schemas = [person, text('article', true), text('leaflet', false), remark];
  const models = compileModels(schemas.map((schema) => ({ schema: extendSchema(schema, report), report })));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const folder = mkdtempSync(join(tmpdir(), 'typecase-forum-'));
  const store = await openSqliteStore(
    join(folder, 'forum.db'),
    { synchronous: 'normal', statementMs: 0 },
    models.tables,
  );
  const service = new ResourceService(store);
  const clock = { now: START };
  const settings = { ...SETTINGS };
  const site = siteOf(settings, clock);
  const writer = new ContentWriter(models, store, site);
  const ids: Record<string, number> = { anonymous: 0 };
  const put = (resource: string, values: Record<string, unknown>) =>
    writer.batch(({ create }) => create(resource, values));
  for (const [name, role] of Object.entries(PEOPLE)) {
    ids[name] = await put('person', { called: name, mail: `${name}@example.org`, roles: [role] });
  }
  const actorOf = (name: string): Actor => ({
    id: ids[name]!,
    roles: [PEOPLE[name] ?? ''],
    capabilities: new Set(ROLES[PEOPLE[name] ?? '']),
    address: '192.0.2.1',
    agent: 'Test/1 <b>bold</b>',
  });
  const run = async (kind: OperationKind, resource: string, options: RequestOptions = {}): Promise<Outcome> => {
    const model = models.byName.get(resource)!;
    const { as = 'anonymous', id = 0, values = {}, params = {}, actor = {} } = options;
    const caller = { ...actorOf(as), ...actor };
    const request = { model, kind, id, raw: values, context: 'edit' } as const;
    const op = newOperation({ ...request, actor: caller, site, store: store.reader });
    try {
      if (kind === 'create' || kind === 'update') op.values = checkBody(createBodyClass(model, kind), values);
      const declared = {
        list: model.listParams,
        retrieve: model.itemParams,
        delete: model.deleteParams,
        create: undefined,
        update: undefined,
      }[kind];
      if (declared) op.params = validateParams(declared, params);
      if (kind === 'list' || kind === 'retrieve') op.context = (op.params['context'] as Context | undefined) ?? 'view';
      const result: Result = await service[kind](op);
      return { ...result, body: result.body, context: op.context, confidential: Boolean(op.state.confidential) };
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      return { status: error.statusFor(op.actor.id > 0), code: error.code, body: error.body(op.actor.id > 0), error };
    }
  };
  return {
    models,
    store,
    writer,
    settings,
    ids,
    put,
    outcome: run,
    wait: (seconds) => void (clock.now += seconds * 1000),
    row: async (resource, id) => {
      const model = models.byName.get(resource)!;
      return (await store.reader.first(model.table!.name, model.allColumns, { op: 'eq', column: 'id', value: id }))!;
    },
    reset: () => {
      Object.assign(settings, SETTINGS);
      clock.now = START;
      return store.transaction(async (tx) => {
        for (const table of ['remarks', 'texts']) await tx.delete(table, { op: 'true' });
      });
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const START = Date.parse('2030-05-06T07:08:09Z');

const SETTINGS: Record<string, any> = {
  timezone: 'America/New_York',
  trash: true,
  permalinkStructure: '/%postname%/',
  requireNameEmail: true,
  commentRegistration: false,
  allowAnonymousComments: false,
  commentModeration: false,
  commentPreviouslyApproved: true,
  commentMaxLinks: 2,
  moderationWords: [],
  disallowedWords: [],
  closeCommentsForOldPosts: false,
  closeCommentsDaysOld: 14,
};

function siteOf(settings: Record<string, any>, clock: { now: number }): Site {
  return {
    settings: settings as unknown as Site['settings'],
    base: 'https://api.example.org/v1',
    home: 'https://example.org',
    now: () => clock.now,
    capabilitiesOf: (names: readonly string[]) => new Set(names.flatMap((name) => ROLES[name] ?? [])),
  } as unknown as Site;
}
