// Stages compile, link and freeze: written schemas become models, with their traits applied. Called by main, cli and tests.
import type { Problem } from '../errors/problem.js';
import { argSchema } from '../fields/json-schema.js';
import { fieldTypes } from '../fields/registry.js';
import { compileRule } from '../fields/value-rule.js';
import { filters } from '../filters/registry.js';
import {
  PHASES,
  type FieldModel,
  type Hooks,
  type ModelSet,
  type ParamModel,
  type Phase,
  type ResourceModel,
  type TableModel,
} from '../model/model.js';
import type { Report } from '../model/registry.js';
import type { Context, OperationKind, ParamSchema, ResourceSchema, Scalar } from '../model/schema.js';
import { SETTINGS, type SiteSettings } from '../model/site.js';
import { traits } from '../traits/registry.js';
import { checkModel } from './check-model.js';
import { compileField } from './compile-field.js';
import { compileLinks } from './compile-links.js';
import { compilePolicy, compileRules } from './compile-policy.js';
import { compileRuleSchema } from './compile-rule.js';
import { compileSearch, searchColumn, sortColumn } from './compile-search.js';
import { addColumn, addIndexes, addMetaTable, addSideTables, forEvolution, tableOf } from './compile-tables.js';
import { normalized } from './normalize-param.js';
import { settled } from './settle.js';
import { contextParam, standardListParams } from './standard-params.js';

/** A schema with the way to report problems in its file. */
export interface SchemaSource {
  schema: ResourceSchema;
  report: Report;
}

/** Column that counts the changes of a row (decisions 0.22). */
const VERSION = 'row_version';
const CONTEXTS: Context[] = ['view', 'embed', 'edit'];
const READING: OperationKind[] = ['list', 'retrieve'];
const OPERATIONS: OperationKind[] = [...READING, 'create', 'update', 'delete'];
type Draftable<T> = { -readonly [K in keyof T]: T[K] };

/** Applies the traits of a written schema in the order it names them; the result is a copy. */
export function extendSchema(written: ResourceSchema, report: Report): ResourceSchema {
  const schema = structuredClone(written);
  const stored = !(schema.storage && 'registry' in schema.storage);
  if (stored && !schema.fields['id']) {
    schema.fields = { id: { type: 'id', description: 'Unique identifier.' }, ...schema.fields };
  }
  for (const [name, options] of Object.entries(schema.traits ?? {})) {
    const before = { ...schema.fields };
    traits
      .get(name)
      ?.extend?.(schema, options, (path, message, hint) => report(['traits', name, ...path], message, hint));
    for (const [field, own] of Object.entries(before)) {
      if (own.internal || !schema.fields[field]?.internal) continue;
      report(['fields', field], `the trait "${name}" keeps a column of its own under this name`, 'rename the field');
    }
  }
  return schema;
}

/** Compiles extended schemas into frozen models. Problems go to each source's `report`; the result is usable only without any. */
export function compileModels(sources: readonly SchemaSource[], settings: Readonly<SiteSettings> = SETTINGS): ModelSet {
  const tables = new Map<string, TableModel>();
  const byName = new Map<string, ResourceModel>();
  const ofTable = new Map<string, ResourceModel[]>();
  const site: ModelSet = { byName, tables, ofTable };
  const started = sources.map(({ schema, report }) => ({
    schema: settled(schema, settings, report),
    report,
    derive: [] as ResourceModel['derive'][number][],
  }));
  const models = started.map(({ schema, derive }) => startModel(schema, site, tables, derive));
  for (const model of models) {
    byName.set(model.name, model);
    if (model.table) ofTable.set(model.table.name, [...(ofTable.get(model.table.name) ?? []), model]);
  }
  const pairs = started.map((source, index) => ({ ...source, model: models[index]! }));
  for (const { model, report } of pairs) linkParent(model, report);
  for (const { model } of pairs) linkFields(model);
  for (const { model, report } of pairs) checkModel(model, report);
  for (const { model, report, schema } of pairs) {
    model.rules = compileRules(model, schema.permissions ?? {}, report);
    model.policy = compilePolicy(model, schema.permissions ?? {}, report);
    linkMeta(model, report);
  }
  for (const { model, report, derive } of pairs) linkLists(model, derive, report);
  for (const { model } of pairs) linkRegistry(model);
  for (const { model, report } of pairs) linkTraits(model, report);
  for (const { model } of pairs) finish(model);
  return site;
}

function startModel(
  schema: ResourceSchema,
  site: ModelSet,
  tables: Map<string, TableModel>,
  derive: ResourceModel['derive'][number][],
): Draftable<ResourceModel> {
  const registry = schema.storage && 'registry' in schema.storage ? schema.storage : undefined;
  const stored = schema.storage && !('registry' in schema.storage) ? schema.storage : {};
  const tableName = stored.table ?? schema.path.replaceAll('-', '_');
  const table = registry ? undefined : tableOf(tables, tableName);
  const fields = new Map<string, FieldModel>();
  for (const [name, written] of Object.entries(schema.fields)) {
    const field = compileField(name, written, { table: tableName, resource: schema.name });
    if (!field) continue;
    fields.set(name, field);
    if (!table) continue;
    for (const column of field.columns) addColumn(table, forEvolution(column, field, stored.where ?? {}));
    addSideTables(tables, field);
    if (field.derive) derive.push(field.derive);
  }
  if (table?.name.endsWith('_meta')) addMetaTable(tables, table.name);
  if (table) addColumn(table, { name: VERSION, kind: 'integer', default: 1, nullable: false });
  const discriminator = stored.where ?? {};
  if (table && stored.movedFrom)
    table.movedFrom = [...(table.movedFrom ?? []), { table: stored.movedFrom, where: discriminator }];
  for (const [name, value] of Object.entries(discriminator)) if (table) addColumn(table, constantColumn(name, value));
  const singular = schema.labels?.singular ?? schema.name;
  const key = fields.get(schema.key ?? 'id')!;
  return {
    name: schema.name,
    description: schema.description ?? `${singular}.`,
    labels: schema.labels ?? { singular, plural: schema.path },
    schema,
    route: `/${schema.path}`,
    path: schema.path,
    operations: new Set(schema.operations ?? (registry ? READING : OPERATIONS)),
    key,
    integerKey: key?.type === 'id',
    ...(table ? { table } : {}),
    ...(registry ? { registry: { name: registry.registry, rows: [] } } : {}),
    discriminator,
    partition: stored.partition ?? [],
    fields,
    contexts: usedContexts(fields),
    defaultContext: schema.defaultContext ?? 'view',
    list: listOf(schema),
    listParams: new Map(),
    itemParams: new Map(),
    deleteParams: new Map(),
    traits: new Map(Object.entries(schema.traits ?? {})),
    derive,
    hooks: Object.fromEntries(PHASES.map((phase) => [phase, []])) as unknown as ResourceModel['hooks'],
    actions: new Map(),
    audits: [],
    rules: new Map(),
    policy: { list: [], retrieve: [], create: [], update: [], delete: [] },
    links: [],
    registers: schema.registers ?? {},
    seeds: schema.seeds ?? [],
    errors: errorsOf(schema),
    batch: schema.batch ?? false,
    columns: { view: [], embed: [], edit: [] },
    allColumns: [],
    traitColumns: [],
    site,
  };
}

function constantColumn(name: string, value: Scalar) {
  return typeof value === 'number'
    ? ({ name, kind: 'integer', default: 0, nullable: false } as const)
    : ({ name, kind: 'varchar', length: 40, default: '', nullable: false, binary: true } as const);
}

function usedContexts(fields: ReadonlyMap<string, FieldModel>): Context[] {
  const used = CONTEXTS.filter((context) => [...fields.values()].some((field) => field.contexts.has(context)));
  return used.length > 0 ? used : ['view'];
}

function listOf(schema: ResourceSchema): ResourceModel['list'] {
  const list = schema.list ?? {};
  return {
    paginated: list.paginated !== false,
    ...(list.keyedBy ? { keyedBy: list.keyedBy } : {}),
    perPage: list.perPage ?? 10,
    maxPerPage: list.maxPerPage ?? 100,
    defaultOrder: list.defaultOrder ?? 'desc',
    defaultOrderby: list.defaultOrderby ?? list.orderby?.[0] ?? 'id',
    orderings: new Map(),
    ...(list.beyondLastPage ? { beyondLastPage: list.beyondLastPage } : {}),
  };
}

function errorsOf(schema: ResourceSchema): ResourceModel['errors'] {
  return {
    notFound: `rest_${schema.name.replaceAll('-', '_')}_invalid_id`,
    exists: `rest_${schema.name.replaceAll('-', '_')}_exists`,
    create: 'rest_cannot_create',
    update: 'rest_cannot_edit',
    delete: 'rest_cannot_delete',
    read: 'rest_forbidden',
    context: 'rest_forbidden_context',
    ...schema.errors,
  };
}

function linkParent(model: Draftable<ResourceModel>, report: Report): void {
  const written = model.schema.parent;
  if (!written) return;
  const parent = model.site.byName.get(written.resource);
  const field = model.fields.get(written.field);
  if (!parent || !field?.column) return report(['parent'], 'needs a known resource and one of our reference fields');
  const param = written.param ?? 'parent_id';
  model.parent = {
    model: parent,
    param,
    field,
    notFound: written.errors?.notFound ?? parent.errors.notFound,
    ...(written.errors?.mismatch ? { mismatch: written.errors.mismatch } : {}),
  };
  model.route = `/${parent.path}/:${param}/${model.path}`;
}

function linkFields(model: ResourceModel): void {
  for (const field of model.fields.values()) fieldTypes.get(field.type)?.link?.(field, model);
}

/** Rules of meta keys about the item that carries them. */
function linkMeta(model: ResourceModel, report: Report): void {
  for (const field of model.fields.values()) {
    for (const key of field.meta?.keys ?? []) {
      const needs = field.schema.keys?.[key.key]?.needs;
      if (needs !== undefined)
        key.needs = compileRuleSchema(needs, model, ['fields', field.name, 'keys', key.key, 'needs'], report);
    }
  }
}

function linkLists(model: Draftable<ResourceModel>, derive: ResourceModel['derive'][number][], report: Report): void {
  const schema = model.schema;
  const orderings = new Map<string, string | undefined>();
  for (const [index, name] of (schema.list?.orderby ?? ['id']).entries()) {
    const field = model.fields.get(name);
    const alias = schema.list?.orderings?.[name];
    const source = alias === undefined ? field : (model.fields.get(alias) ?? undefined);
    if (model.table && source && !source.column)
      report(['list', 'orderby', index], `lists cannot be ordered by the type ${source.type}`);
    if (model.table && alias !== undefined && !source && !model.table.columns.has(alias)) {
      report(['list', 'orderings', name], `there is no field or column "${alias}"`);
    }
    orderings.set(name, model.table && source ? sortColumn(source, model, derive) : alias);
  }
  model.list = { ...model.list, orderings };
  if (model.table) linkSearch(model, derive, report);
  const standard = standardListParams(schema, model.contexts, {
    orderings: [...orderings.keys()],
    defaultOrderby: model.list.defaultOrderby,
    defaultOrder: model.list.defaultOrder,
    perPage: model.list.perPage,
    maxPerPage: model.list.maxPerPage,
  });
  for (const [name, param] of Object.entries(schema.params ?? {})) {
    const field = model.fields.get(param.field ?? name);
    if (param.filter === 'contains' && field?.column) searchColumn(field, model, derive);
  }
  model.listParams = compileParams({ ...standard, ...schema.params }, model, report);
  model.itemParams = compileParams(
    { context: contextParam(model.contexts, model.defaultContext), ...schema.itemParams },
    model,
    report,
  );
  model.deleteParams = compileParams(schema.deleteParams ?? {}, model, report);
}

function linkSearch(model: Draftable<ResourceModel>, derive: ResourceModel['derive'][number][], report: Report): void {
  const columns = compileSearch(model, derive, report);
  if (!columns) return;
  const { mode = 'terms', privileged } = model.schema.search!;
  model.search = { columns, mode };
  if (!privileged) return;
  const extra = privileged.fields
    .map((name) => model.fields.get(name))
    .filter((field): field is FieldModel => Boolean(field?.column));
  const needs = compileRules(model, { rules: { search: privileged.needs } }, report).get('search')!;
  model.search.privileged = { columns: extra.map((field) => searchColumn(field, model, derive)), needs };
}

function compileParams(
  params: Record<string, ParamSchema>,
  model: ResourceModel,
  report: Report,
): Map<string, ParamModel> {
  const compiled = new Map<string, ParamModel>();
  for (const [name, written] of Object.entries(params)) {
    const filter = written.filter ? filters.get(written.filter) : undefined;
    const field = model.fields.get(written.field ?? name);
    const inferred = field && filter?.valueFor?.(field.schema);
    const schema: ParamSchema = { ...paramValue(field), ...filter?.value, ...inferred, ...written };
    const run = filter?.compile({ ...schema, name }, model, report);
    compiled.set(name, {
      name,
      schema,
      rule: normalized(compileRule(schema), schema.normalize),
      arg: argSchema(schema),
      ...(run ? { filter: run } : {}),
    });
  }
  return compiled;
}

function paramValue(field: FieldModel | undefined): ParamSchema {
  const type = field?.arg.type;
  return type && typeof type === 'string' && type !== 'object' && type !== 'array' ? { type } : {};
}

function linkRegistry(model: Draftable<ResourceModel>): void {
  const registry = model.registry;
  if (!registry) return;
  const own = (model.schema.storage as { rows?: Record<string, unknown>[] }).rows ?? [];
  const rows: Record<string, unknown>[] = [];
  for (const other of model.site.byName.values()) {
    const entry = other.registers[registry.name];
    if (entry) rows.push({ ...registered(other), ...entry });
  }
  registry.rows = [...rows, ...own];
}

/** Members every registered resource has: what its own schema already says (decisions 20.6). */
function registered(model: ResourceModel): Record<string, unknown> {
  const references = [...model.fields.values()].flatMap((field) =>
    field.many?.target ? [field.many.target.name] : [],
  );
  const referencedBy = [...model.site.byName.values()]
    .filter((other) => [...other.fields.values()].some((field) => field.many?.target?.name === model.name))
    .map((other) => other.discriminator);
  const key = Object.values(model.discriminator)[0] ?? model.name;
  return {
    resource: model.name,
    slug: key,
    name: model.labels.plural,
    description: '',
    rest_base: model.path,
    hierarchical: model.traits.has('nested'),
    labels: model.labels,
    references: references.map((name) => kindOf(model.site.byName.get(name)!)),
    referenced_by: referencedBy.map((constants) => Object.values(constants)[0]).filter(Boolean),
  };
}

function kindOf(model: ResourceModel): Scalar {
  return Object.values(model.discriminator)[0] ?? model.name;
}

function linkTraits(model: Draftable<ResourceModel>, report: Report): void {
  const hooks = Object.fromEntries(PHASES.map((phase) => [phase, [] as { trait: string; run: unknown }[]])) as Record<
    Phase,
    { trait: string; run: never }[]
  >;
  const columns = new Set<string>();
  for (const [name, options] of model.traits) {
    const trait = traits.get(name);
    if (!trait) continue;
    trait.link?.(model, options);
    for (const column of trait.reads?.(model, options) ?? []) columns.add(column);
    if (trait.audit) model.audits = [...model.audits, trait.audit(model, options)];
    model.actions = new Map([...model.actions, ...Object.entries(trait.actions?.(model, options) ?? {})]);
    const own: Partial<Hooks> = trait.hooks?.(model, options) ?? {};
    for (const phase of PHASES) if (own[phase]) hooks[phase].push({ trait: name, run: own[phase] as never });
  }
  model.hooks = hooks;
  model.traitColumns = [...columns];
  model.links = [...model.links, ...compileLinks(model, report)];
}

function finish(model: Draftable<ResourceModel>): void {
  if (!model.table) return;
  addIndexes(model);
  for (const column of model.partition) addToCounted(model.table, [...Object.keys(model.discriminator), column]);
  const own = [...model.fields.values()].flatMap((field) => [
    ...field.columns.map((column) => column.name),
    ...field.reads,
  ]);
  const linked = model.links.flatMap((link) => link.reads);
  const base = [
    'id',
    VERSION,
    ...Object.keys(model.discriminator),
    ...model.traitColumns,
    ...(model.parent ? [model.parent.field.column!] : []),
  ];
  const exists = (name: string) => model.table!.columns.has(name);
  model.allColumns = [...new Set([...base, ...own, ...linked])].filter(exists);
  model.columns = Object.fromEntries(
    CONTEXTS.map((context) => {
      const shown = [...model.fields.values()]
        .filter((field) => field.contexts.has(context))
        .flatMap((field) => field.readsIn?.[context] ?? field.reads);
      return [context, [...new Set([...base, ...shown, ...linked])].filter(exists)];
    }),
  ) as unknown as ResourceModel['columns'];
}

function addToCounted(table: TableModel, columns: string[]): void {
  for (const column of columns) if (!table.counted.includes(column)) table.counted.push(column);
}

/** Problems collected by a source's `report`, for tests and tools that compile schemas without files. */
export function collectProblems(file: string): { report: Report; problems: Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (path, message, hint) => {
    const problem: Problem = { file, path: path.join('.'), message };
    if (hint) problem.hint = hint;
    problems.push(problem);
  };
  return { report, problems };
}
