// Invented resources with traits, on a database of their own: for calling the hooks of one trait.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceError } from '../../../src/errors/resource-error.js';
import type { Actor } from '../../../src/model/actor.js';
import type { ModelSet, ResourceModel } from '../../../src/model/model.js';
import type { ListPlan } from '../../../src/model/list.js';
import type { Hooks } from '../../../src/model/hooks.js';
import { newOperation, type OperationParts } from '../../../src/model/new-operation.js';
import type { Operation, Draft } from '../../../src/model/operation.js';
import { equals, type Row } from '../../../src/model/query.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';
import type { Site } from '../../../src/model/site/site.js';
import type { Transaction } from '../../../src/model/store.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import { extendSchema } from '../../../src/schema/extend/extend-schema.js';
import { openSqliteStore, type SqliteStore } from '../../../src/storage/sqlite/store.js';
import { collectProblems } from '../../support/collect-problems.js';
import type { Trait } from '../../../src/model/trait.js';

/** Monday morning in New York. */
export const NOW = '2030-05-06T07:08:09';
const SITE = {
  settings: { timezone: 'America/New_York', trash: true, permalinkStructure: '/%postname%/', defaultCategory: 1 },
  base: 'https://api.example.org/v1',
  home: 'https://example.org',
  now: () => Date.parse(`${NOW}Z`),
};

/** What a call may say; `may` are the capabilities of the caller, who has id 7. */
export type Call = Partial<Omit<OperationParts, 'model' | 'site' | 'actor'>> & {
  may?: string[];
  settings?: Record<string, unknown>;
  site?: Record<string, unknown>;
};

/** The resources at work. */
export interface Invented {
  models: ModelSet;
  store: SqliteStore;
  model(resource: string): ResourceModel;
  /** The hooks of a trait as a resource configures it. */
  hooks(trait: Trait, resource: string): Partial<Hooks>;
  /** An operation on a resource; its transaction reads and locks, but cannot write. */
  op(resource: string, call?: Call): Operation;
  /** Runs `work` in a transaction, with an operation in it. */
  write<T>(resource: string, call: Call, work: (op: Operation) => Promise<T> | T): Promise<T>;
  /** Inserts a row past the engine; returns its id. */
  put(resource: string, row: Row): Promise<number>;
  /** Columns of a row. */
  row(resource: string, id: number): Promise<Row>;
  close(): Promise<void>;
}

export async function invent(...schemas: ResourceSchema[]): Promise<Invented> {
  const { report, problems } = collectProblems('invented.json');
  const models = compileModels(schemas.map((schema) => ({ schema: extendSchema(schema, report), report })));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const folder = mkdtempSync(join(tmpdir(), 'typecase-traits-'));
  const store = await openSqliteStore(
    join(folder, 'invented.db'),
    { synchronous: 'normal', statementMs: 0 },
    models.tables,
  );
  const model = (resource: string) => models.byName.get(resource)!;
  const unlocked = { lock: () => Promise.resolve(), alone: () => undefined, lacks: () => false };
  const reading: Transaction = Object.assign(Object.create(store.reader), unlocked);
  const op = (resource: string, { may = [], settings = {}, site = {}, ...parts }: Call = {}) => {
    const actor: Actor = { id: 7, roles: [], capabilities: new Set(may), address: '192.0.2.1', agent: 'Test/1' };
    const own = { ...SITE, ...site, settings: { ...SITE.settings, ...settings } } as unknown as Site;
    return newOperation({
      kind: 'update',
      store: store.reader,
      tx: reading,
      ...parts,
      model: model(resource),
      actor,
      site: own,
    });
  };
  return {
    models,
    store,
    model,
    op,
    hooks: (trait, resource) => {
      const written = schemas.find(({ name }) => name === resource)!.traits![trait.name];
      return trait.hooks!(model(resource), written);
    },
    write: (resource, call, work) => store.transaction(async (tx) => work(op(resource, { ...call, store: tx, tx }))),
    put: (resource, row) =>
      store.transaction((tx) => tx.insert(model(resource).table!.name, { ...model(resource).discriminator, ...row })),
    row: async (resource, id) =>
      (await store.reader.first(model(resource).table!.name, model(resource).allColumns, equals('id', id)))!,
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A draft of the columns given; `values` are what the client sent. */
export function draftOf(row: Row, values: Record<string, unknown> = row): Draft {
  return { values, row: { ...row }, many: {}, meta: {} };
}

/** An empty plan of a list. */
export function emptyPlan(): ListPlan {
  return { where: [], order: [], known: new Map(), page: 1, offset: 0, limit: 10 };
}

/** Condition on a row by its id. */
export const byId = (id: number) => equals('id', id);

/** Code of the error of some work; undefined when there was none. */
export async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ResourceError) return error.code;
    throw error;
  }
}
