// A content writer on tables in memory, which runs no hooks of traits: remembers what it was asked, refuses and breaks on demand.
import { resolve } from 'node:path';
import type { ContentBatch, ContentWriter, ImportOptions } from '../../../src/engine/content-writer.js';
import type { ModelSet, ResourceModel } from '../../../src/model/model.js';
import type { Predicate, Row } from '../../../src/model/query.js';
import { compileModels } from '../../../src/schema/compile/compile-models.js';
import type { ResourceSchema } from '../../../src/model/schema/schema.js';

/** Resources with the names and fields that the import knows, and nothing else. */
function schemas(): ResourceSchema[] {
  const text = { type: 'text' };
  const name = { type: 'string' };
  const content = (type: string, fields: ResourceSchema['fields'], traits = {}): ResourceSchema => ({
    name: type,
    path: `${type}s`,
    storage: { table: 'contents', where: { type } },
    fields: {
      title: { type: 'rendered', pipeline: 'title' },
      slug: { type: 'slug' },
      status: { type: 'string', enum: ['publish', 'future', 'draft', 'pending', 'private'], default: 'draft' },
      author: { type: 'reference', to: 'user' },
      date: { type: 'datetime' },
      date_gmt: { type: 'datetime' },
      modified: { type: 'datetime', readOnly: true },
      modified_gmt: { type: 'datetime', readOnly: true },
      date_floating: { type: 'boolean', hidden: true },
      comment_status: { type: 'string', enum: ['open', 'closed'], default: 'open' },
      trashed_status: { type: 'string', hidden: true },
      trashed_slug: { type: 'string', hidden: true },
      trashed_at: { type: 'datetime', hidden: true, nullable: true },
      meta: {
        type: 'metadata',
        keys: {
          mood: { type: 'string', enum: ['calm', 'wild'] },
          readings: { type: 'array', items: { type: 'number' } },
          _secret: {},
        },
      },
      ...fields,
    },
    traits: { dated: { floating: ['draft'] }, trashable: {}, ...traits },
  });
  const term = (type: string, taxonomy: string, fields: ResourceSchema['fields'] = {}): ResourceSchema => ({
    name: type,
    path: `${type}s`,
    storage: { table: 'terms', where: { taxonomy } },
    fields: {
      name: { type: 'string', maxLength: 600, required: true },
      slug: { type: 'slug' },
      description: text,
      meta: { type: 'metadata', keys: {} },
      ...fields,
    },
  });
  const body = {
    content: { type: 'rendered', pipeline: 'content' },
    excerpt: { type: 'rendered', pipeline: 'excerpt' },
    password: name,
    featured_media: { type: 'reference', to: 'attachment' },
  };
  return [
    content('post', {
      ...body,
      sticky: { type: 'boolean' },
      format: { type: 'string', enum: ['standard', 'image', 'aside'], default: 'standard' },
      template: { type: 'string', enum: [''] },
      categories: { type: 'references', to: 'category' },
      tags: { type: 'references', to: 'tag' },
    }),
    content('page', { ...body, parent: { type: 'reference', to: 'page' }, menu_order: { type: 'integer' } }),
    content(
      'attachment',
      {
        caption: { type: 'rendered', pipeline: 'caption' },
        description: { type: 'rendered', pipeline: 'description' },
        alt_text: text,
        file: { type: 'string', hidden: true, maxLength: 400 },
        mime_type: { type: 'string', readOnly: true },
        media_details: { type: 'object', readOnly: true, additionalProperties: true },
        post: { type: 'reference', to: ['post', 'page'], column: 'parent', emptyValue: null },
      },
      { uploaded: {} },
    ),
    term('category', 'category', { parent: { type: 'reference', to: 'category' } }),
    term('tag', 'post_tag'),
    {
      name: 'user',
      path: 'users',
      fields: {
        username: { type: 'string', maxLength: 60, required: true },
        name,
        email: { type: 'string', format: 'email' },
        first_name: name,
        last_name: name,
        nickname: name,
        roles: { type: 'strings' },
        password: { type: 'password' },
      },
    },
    {
      name: 'comment',
      path: 'comments',
      fields: {
        post: { type: 'reference', to: ['post', 'page', 'attachment'] },
        parent: { type: 'reference', to: 'comment' },
        author: { type: 'reference', to: 'user' },
        author_name: name,
        author_email: { type: 'string', format: 'email' },
        author_url: { type: 'string', format: 'uri' },
        author_ip: { type: 'string', format: 'ip' },
        author_user_agent: text,
        date: { type: 'datetime' },
        date_gmt: { type: 'datetime' },
        content: { type: 'rendered', pipeline: 'comment' },
        status: { type: 'string' },
        type: { type: 'string', readOnly: true, default: 'comment' },
        meta: { type: 'metadata', keys: {} },
      },
    },
  ];
}

/** Compiled models of these resources. */
export function memoryModels(extra: ResourceSchema[] = []): ModelSet {
  const stop = (path: unknown, message: string): never => {
    throw new Error(`${JSON.stringify(path)} ${message}`);
  };
  const all = [...schemas(), ...extra].map((schema) => ({
    schema: { ...schema, fields: { id: { type: 'id' }, ...schema.fields } },
    report: stop,
  }));
  return compileModels(all);
}

/** One call of create or update. */
export interface Call {
  kind: 'create' | 'update';
  resource: string;
  id: number;
  values: Record<string, any>;
  options: ImportOptions;
}

export class MemoryWriter {
  readonly models: ModelSet;
  tables = new Map<string, Row[]>();
  calls: Call[] = [];
  /** Number of writes in each transaction that was committed. */
  transactions: number[] = [];
  /** Thrown when it returns an error; called before every create and update. */
  before: (call: Call) => Error | undefined = () => undefined;
  stored: string[] = [];
  readonly site = {
    settings: { timezone: 'UTC', defaultRole: 'subscriber' },
    now: () => 0,
    hasRole: (name: string) => name === 'author',
    hashPassword: async () => 'hash',
    files: {
      reserve: async (folder: string, name: string) => [folder, name].filter(Boolean).join('/'),
      put: async (key: string) => void this.stored.push(key),
      remove: async () => {},
      commit: async () => {},
    },
  };
  readonly store = { reader: this.reader() };

  constructor(extra: ResourceSchema[] = []) {
    this.models = memoryModels(extra);
  }

  /** As the import takes it. */
  get asWriter(): ContentWriter {
    return this as unknown as ContentWriter;
  }

  rows(table: string): Row[] {
    if (!this.tables.has(table)) this.tables.set(table, []);
    return this.tables.get(table)!;
  }

  row(table: string, where: Row): Row | undefined {
    return this.rows(table).find((row) => Object.entries(where).every(([name, value]) => row[name] === value));
  }

  bulk<T>(work: (batch: ContentBatch) => Promise<T>): Promise<T> {
    return this.batch(work);
  }

  async batch<T>(work: (batch: ContentBatch) => Promise<T>): Promise<T> {
    const saved = structuredClone(this.tables);
    const calls = this.calls.length;
    try {
      const result = await work(this.inside());
      this.transactions.push(this.calls.length - calls);
      return result;
    } catch (error) {
      this.tables = saved;
      this.calls.length = calls;
      throw error;
    }
  }

  private inside(): ContentBatch {
    const reader = this.reader();
    const tx = {
      ...reader,
      absentOf: async () => {},
      lacks: () => false,
      insert: async (table: string, row: Row) => this.insert(table, row),
      insertMany: async (table: string, rows: Row[]) => rows.forEach((row) => this.insert(table, row)),
      update: async (table: string, set: Row, where: Predicate) => {
        const found = this.rows(table).filter((row) => holds(where, row));
        for (const row of found) Object.assign(row, set);
        return found.length;
      },
      delete: async (table: string, where: Predicate) => {
        const kept = this.rows(table).filter((row) => !holds(where, row));
        const gone = this.rows(table).length - kept.length;
        this.tables.set(table, kept);
        return gone;
      },
    };
    return {
      tx: tx as never,
      find: async (resource, where) =>
        this.rows(this.model(resource).table!.name).find((row) =>
          Object.entries(where).every(([name, value]) => row[name] === value),
        ),
      expect: async () => {},
      create: async (resource, values, options = {}) => {
        const call: Call = { kind: 'create', resource, id: options.id ?? 0, values, options };
        const error = this.before(call);
        // Halfway, as a trait would: the row is there already.
        call.id = this.insert(this.model(resource).table!.name, {
          ...this.model(resource).discriminator,
          ...values,
          ...options.columns,
          ...(options.id ? { id: options.id } : {}),
        });
        if (error) throw error;
        this.calls.push(call);
        return call.id;
      },
      update: async (resource, id, values, options = {}) => {
        const call: Call = { kind: 'update', resource, id, values, options };
        const error = this.before(call);
        if (error) throw error;
        Object.assign(this.row(this.model(resource).table!.name, { id })!, values, options.columns);
        this.calls.push(call);
      },
      remove: async () => {
        throw new Error('Importers delete nothing.');
      },
    };
  }

  private insert(table: string, row: Row): number {
    const rows = this.rows(table);
    const id = (row['id'] as number | undefined) ?? Math.max(0, ...rows.map((each) => each['id'] as number)) + 1;
    if (rows.some((each) => each['id'] === id)) throw new Error(`UNIQUE ${table}.id ${id}`);
    rows.push({ ...row, id });
    return id;
  }

  private model(resource: string): ResourceModel {
    return this.models.byName.get(resource)!;
  }

  private reader() {
    const select = async ({ table, where }: { table: string; where: Predicate }) =>
      this.rows(table).filter((row) => holds(where, row));
    return {
      select,
      first: async (table: string, _columns: readonly string[], where: Predicate) =>
        (await select({ table, where }))[0],
    };
  }
}

function holds(where: Predicate, row: Row): boolean {
  switch (where.op) {
    case 'true':
      return true;
    case 'and':
      return where.of.every((part) => holds(part, row));
    case 'eq':
      return row[where.column] === where.value;
    case 'in':
      return where.values.includes(row[where.column]);
    default:
      throw new Error(`no ${where.op} here`);
  }
}

export const SAMPLE = resolve('examples/sample.wxr.xml');
