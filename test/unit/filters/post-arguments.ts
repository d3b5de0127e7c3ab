// The arguments of the posts list, as its schema declares them, over a model with the fields they name and a store of a few rows.
import { compileField } from '../../../src/schema/compile/compile-field.js';
import { sortColumn } from '../../../src/schema/compile/compile-search.js';
import { addColumn, addSideTables, tableOf } from '../../../src/schema/compile/compile-tables.js';
import { standardListParams } from '../../../src/schema/grammar/standard-params.js';
import { evaluate } from '../../../src/engine/rights/evaluate.js';
import { fieldTypes } from '../../../src/fields/registry.js';
import { compileRule } from '../../../src/values/compile-value-rule.js';
import type { ModelSet, ResourceModel } from '../../../src/model/model.js';
import type { ListPlan } from '../../../src/model/list.js';
import type { Operation } from '../../../src/model/operation.js';
import { and, equals, type Query, type Row } from '../../../src/model/query.js';
import type { ParamSchema, ResourceSchema } from '../../../src/model/schema/schema.js';
import type { FieldSchema } from '../../../src/model/schema/field-schema.js';
import type { TableModel } from '../../../src/model/table.js';

/** `params.filter` of the post schema. */
export const filterParam: ParamSchema = {
  type: 'object',
  lenient: true,
  description: 'Arguments by name; each takes the place of the plain parameter of the same meaning.',
  filter: 'function',
  function: 'query-arguments',
  options: {
    privateNeeds: 'edit_posts',
    arguments: {
      ids: {
        p: 'id',
        post__in: 'id',
        post__not_in: { field: 'id', match: 'none' },
        author: { field: 'author', match: 'signed' },
        author__in: 'author',
        author__not_in: { field: 'author', match: 'none' },
        cat: { field: 'categories', match: 'signed', tree: 'parent' },
        category__in: { field: 'categories', private: true },
        category__not_in: { field: 'categories', match: 'none', private: true },
        category__and: { field: 'categories', match: 'all', private: true },
        tag_id: { field: 'tags', match: 'signed', private: true },
        tag__in: { field: 'tags', private: true },
        tag__not_in: { field: 'tags', match: 'none', private: true },
        tag__and: { field: 'tags', match: 'all', private: true },
      },
      text: { name: 'slug', title: { field: 'title', private: true } },
      slugs: {
        author_name: { field: 'author', match: 'one' },
        category_name: { field: 'categories', tree: 'parent' },
        tag: 'tags',
        tag_slug__in: { field: 'tags', match: 'any', private: true },
        tag_slug__and: { field: 'tags', match: 'all', private: true },
      },
      term: {
        term: {
          by: 'taxonomy',
          of: { category: { field: 'categories', tree: 'parent' }, post_tag: { field: 'tags' } },
        },
      },
      search: { s: { exact: 'exact', sentence: 'sentence' } },
      moment: { m: 'date' },
      calendar: {
        year: { field: 'date', part: 'year' },
        monthnum: { field: 'date', part: 'month' },
        day: { field: 'date', part: 'day' },
        w: { field: 'date', part: 'week' },
        hour: { field: 'date', part: 'hour' },
        minute: { field: 'date', part: 'minute' },
        second: { field: 'date', part: 'second' },
      },
      dates: {
        date_query: {
          field: 'date',
          columns: {
            post_date: 'date',
            post_date_gmt: 'date_gmt',
            post_modified: 'modified',
            post_modified_gmt: 'modified_gmt',
          },
        },
      },
      param: { post_status: { param: 'status', private: true }, offset: 'offset', paged: 'page', order: 'order' },
      rule: { perm: { rules: { readable: 'read', editable: 'edit' }, private: true } },
      order: {
        orderby: {
          keys: {
            date: 'date',
            modified: 'modified',
            title: 'title',
            name: 'slug',
            ID: 'id',
            author: 'author',
            comment_count: 'comment_count',
            menu_order: 'menu_order',
            parent: 'parent',
            post__in: '$include',
            rand: '$random',
            none: '$stored',
          },
        },
      },
      float: { ignore_sticky_posts: { field: 'sticky', when: false } },
    },
  },
};

const ids = (field: string, filter: string): ParamSchema => ({
  type: 'array',
  items: { type: 'integer' },
  default: [],
  field,
  filter,
});

/** Plain parameters beside it. */
const params: Record<string, ParamSchema> = {
  filter: filterParam,
  after: { type: 'string', filter: 'after', field: 'date' },
  before: { type: 'string', filter: 'before', field: 'date' },
  author: ids('author', 'in'),
  author_exclude: ids('author', 'notIn'),
  categories: ids('categories', 'in'),
  categories_exclude: ids('categories', 'notIn'),
  tags: ids('tags', 'in'),
  tags_exclude: ids('tags', 'notIn'),
  slug: { type: 'array', items: { type: 'string' }, filter: 'in' },
  status: { type: 'array', items: { type: 'string', enum: ['publish', 'draft', 'any'] }, default: ['publish'] },
};

const clock = { clock: 'site' } as const;
const fields: Record<string, Record<string, FieldSchema>> = {
  user: { id: { type: 'id' }, slug: { type: 'slug' } },
  category: { id: { type: 'id' }, slug: { type: 'slug' }, parent: { type: 'reference', to: 'category' } },
  tag: { id: { type: 'id' }, slug: { type: 'slug' } },
  post: {
    id: { type: 'id' },
    date: { type: 'datetime', ...clock },
    date_gmt: { type: 'datetime' },
    modified: { type: 'datetime', ...clock },
    modified_gmt: { type: 'datetime' },
    slug: { type: 'slug' },
    title: { type: 'rendered', pipeline: 'title' },
    content: { type: 'rendered' },
    sticky: { type: 'boolean' },
    status: { type: 'string' },
    author: { type: 'reference', to: 'user' },
    categories: { type: 'references', to: 'category' },
    tags: { type: 'references', to: 'tag' },
  },
};
const storage: Record<string, { table: string; where: Record<string, string> }> = {
  user: { table: 'users', where: {} },
  category: { table: 'terms', where: { taxonomy: 'category' } },
  tag: { table: 'terms', where: { taxonomy: 'post_tag' } },
  post: { table: 'contents', where: { kind: 'post' } },
};

export const tables = new Map<string, TableModel>();

function compile(name: string, site: ModelSet): ResourceModel {
  const { table: tableName, where } = storage[name]!;
  const table = tableOf(tables, tableName);
  const compiled = Object.entries(fields[name]!).map(([field, schema]) =>
    compileField(field, schema, { table: tableName, resource: name })!,
  );
  for (const field of compiled) {
    for (const column of field.columns) addColumn(table, column);
    addSideTables(tables, field, tableName, where);
  }
  for (const constant of Object.keys(where)) addColumn(table, { name: constant, kind: 'varchar', length: 40 });
  const own = name === 'post';
  const schema = { name, path: tableName, fields: fields[name]!, params: own ? params : {} } as ResourceSchema;
  if (own) schema.search = { fields: ['title', 'content'] };
  const model = {
    name,
    schema,
    table,
    fields: new Map(compiled.map((field) => [field.name, field])),
    key: compiled[0]!,
    integerKey: true,
    discriminator: where,
    rowScope: and(...Object.entries(where).map(([column, value]) => equals(column, value))),
    rules: new Map<string, unknown>([
      ['read', () => (own ? { op: 'eq', column: 'status', value: 'publish' } : { op: 'true' })],
      ['edit', (actor: Operation['actor']) => ({ op: 'eq', column: 'author', value: actor.id })],
    ]),
    list: { paginated: true, defaultOrder: 'desc', defaultOrderby: 'date', orderings: new Map([['date', 'date']]) },
    site,
  } as unknown as ResourceModel;
  const derive: never[] = [];
  if (own) sortColumn(model.fields.get('title')!, model, derive);
  const list = { paginated: true, defaultOrderby: 'date', defaultOrder: 'desc', perPage: 10, maxPerPage: 100 };
  const limits = { ...list, orderings: ['date'] };
  const all = { ...standardListParams(schema, ['view'], limits), ...schema.params };
  const listParams = new Map(
    Object.entries(all).map(([param, written]) => [
      param,
      { name: param, schema: written, rule: compileRule(written), arg: {} },
    ]),
  );
  return { ...model, listParams };
}

const byName = new Map<string, ResourceModel>();
const site: ModelSet = { byName, tables, ofTable: new Map() };
for (const name of Object.keys(fields)) byName.set(name, compile(name, site));
for (const model of byName.values()) {
  for (const field of model.fields.values()) fieldTypes.get(field.type)?.link?.(field, model);
}

/** The model of posts. */
export const post = byName.get('post')!;

const rows: Record<string, Row[]> = {
  users: [
    { id: 7, slug: 'ann' },
    { id: 8, slug: 'bob' },
  ],
  terms: [
    { id: 1, slug: 'news', parent: 0, taxonomy: 'category' },
    { id: 2, slug: 'local', parent: 1, taxonomy: 'category' },
    { id: 3, slug: 'town', parent: 2, taxonomy: 'category' },
    { id: 4, slug: 'sport', parent: 0, taxonomy: 'category' },
    // A circle that no one should be able to make.
    { id: 5, slug: 'hen', parent: 6, taxonomy: 'category' },
    { id: 6, slug: 'egg', parent: 5, taxonomy: 'category' },
    { id: 11, slug: 'red', parent: 0, taxonomy: 'post_tag' },
    { id: 12, slug: 'blue', parent: 0, taxonomy: 'post_tag' },
    { id: 13, slug: 'news', parent: 0, taxonomy: 'post_tag' },
  ],
};

/** A list request with a store of few rows; `queries` collects its queries. */
export function listOf(
  plain: Record<string, unknown> = {},
  capabilities: string[] = [],
): { op: Operation; plan: ListPlan; queries: Query[] } {
  const queries: Query[] = [];
  const store = {
    async select(query: Query) {
      queries.push(query);
      const found: Row[] = [];
      for (const row of rows[query.table] ?? []) if (await evaluate(query.where, row, undefined)) found.push(row);
      return found;
    },
  };
  const op = {
    model: post,
    kind: 'list',
    params: { page: 1, per_page: 10, order: 'desc', orderby: 'date', status: ['publish'], ...plain },
    actor: { id: 7, capabilities: new Set(capabilities) },
    site: { settings: { timezone: 'Europe/Paris' } },
    store,
  } as unknown as Operation;
  const plan: ListPlan = { where: [], known: new Map(), order: [], offset: 0, page: 1 };
  return { op, plan, queries };
}
