// First compile step: one schema by itself becomes an unlinked model.
import { className } from '../../text/class-name.js';
import { labelsOf } from '../grammar/labels.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { PHASES } from '../../model/hooks.js';
import { and, equals, FALSE } from '../../model/query.js';
import {
  CONTEXTS,
  isReading,
  offeredBy,
  type Context,
  type ResourceSchema,
  type Scalar,
} from '../../model/schema/schema.js';
import { tableStorage, type TableStorage } from '../../model/schema/storage-schema.js';
import { compileField } from './compile-field.js';
import { restrictKey } from './compile-key.js';
import { addColumn, addMetaTable, addSideTables, forEvolution, tableOf } from './compile-tables.js';
import type { TableModel } from '../../model/table.js';
import type { Derive, FieldModel } from '../../model/field.js';

/** Version column of a row. */
export const VERSION = 'row_version';

/** A model that is not frozen yet. */
export type Draftable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields, table and defaults of one resource; everything that depends on other resources is still empty. */
export function startModel(
  schema: ResourceSchema,
  site: ModelSet,
  tables: Map<string, TableModel>,
  derive: Derive[],
): Draftable<ResourceModel> {
  const { storage = {} } = schema;
  const fixed = 'static' in storage ? storage : undefined;
  const results = 'found' in storage ? storage : undefined;
  const stored = tableStorage(schema) ?? {};
  const tableName = stored.table ?? schema.path.replaceAll('-', '_');
  const table = fixed || results ? undefined : tableOf(tables, tableName);
  const fields = compileFields(schema, tableName);
  if (table) {
    addFields(table, fields, { tables, where: stored.where ?? {}, derive });
    addOwnColumns(table, stored);
  }
  const discriminator = stored.where ?? {};
  const labels = labelsOf(schema);
  const key = fields.get(schema.key ?? 'id')!;
  const singleton = schema.singleton === true;
  const operations = new Set(schema.operations ?? offeredBy(schema));
  return {
    name: schema.name,
    typeName: className(schema.name),
    description: schema.description ?? `${labels.singular}.`,
    labels,
    schema,
    route: `/${schema.path}`,
    path: schema.path,
    operations,
    singleton,
    key,
    integerKey: key?.type === 'id',
    ...(table ? { table } : {}),
    ...(fixed ? { static: { name: fixed.static, rows: [] } } : {}),
    ...(results ? { found: { name: results.found, types: new Map(), links: results.links ?? [] } } : {}),
    discriminator,
    rowScope: and(...Object.entries(discriminator).map(([column, value]) => equals(column, value))),
    partition: stored.partition ?? [],
    fields,
    uniques: [],
    checks: [],
    contexts: usedContexts(fields),
    defaultContext: schema.defaultContext ?? 'view',
    list: listOf(schema),
    listParams: new Map(),
    filterParams: [],
    itemParams: new Map(),
    deleteParams: new Map(),
    traits: new Map(Object.entries(schema.traits ?? {})),
    derive,
    faces: {},
    tasks: new Map(),
    openings: [],
    hooks: Object.fromEntries(PHASES.map((phase) => [phase, []])) as unknown as ResourceModel['hooks'],
    codes: {},
    actions: new Map(),
    ownActions: new Map(),
    audits: [],
    adoptions: new Map(),
    sideBySide: true,
    rules: new Map(),
    editors: () => FALSE,
    editNarrows: true,
    policy: { list: [], retrieve: [], create: [], update: [], delete: [] },
    links: [],
    listsItselfIn: schema.listsItselfIn ?? {},
    seeds: schema.seeds ?? (singleton ? [{}] : []),
    errors: errorsOf(schema),
    batch: schema.batch ?? [...operations].some((kind) => !isReading(kind)),
    columns: { view: [], embed: [], edit: [] },
    allColumns: [],
    lightColumns: [],
    traitColumns: [],
    site,
  };
}

function compileFields(schema: ResourceSchema, table: string): Map<string, FieldModel> {
  const fields = new Map<string, FieldModel>();
  for (const [name, written] of Object.entries(schema.fields)) {
    const field = compileField(name, written, { table, resource: schema.name });
    if (!field) continue;
    restrictKey(schema, field);
    fields.set(name, field);
  }
  return fields;
}

/** Where the columns of fields go. */
interface FieldColumns {
  tables: Map<string, TableModel>;
  where: Record<string, Scalar>;
  derive: Derive[];
}

/** Adds the columns of the fields, the tables beside them, and what computes derived columns. */
function addFields(
  table: TableModel,
  fields: ReadonlyMap<string, FieldModel>,
  { tables, where, derive }: FieldColumns,
): void {
  for (const field of fields.values()) {
    for (const column of field.columns) addColumn(table, forEvolution(column, field, where));
    addSideTables(tables, field, table.name, where);
    if (field.derive) derive.push(field.derive);
  }
  if (table.name.endsWith('_meta')) addMetaTable(tables, table.name);
}

/** Adds the columns that belong to no field, and notes where the rows were before. */
function addOwnColumns(table: TableModel, { where = {}, movedFrom }: TableStorage): void {
  addColumn(table, { name: VERSION, kind: 'integer', default: 1, nullable: false });
  if (movedFrom) {
    const former =
      typeof movedFrom === 'string' ? { table: movedFrom } : { table: movedFrom.table, from: movedFrom.where };
    table.movedFrom = [...(table.movedFrom ?? []), { ...former, where }];
  }
  for (const [name, value] of Object.entries(where)) addColumn(table, constantColumn(name, value));
  if (movedFrom === undefined) table.mayBeRenamed ??= true;
  else table.mayBeRenamed = false;
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
    paginated: list.paginated !== false && !('static' in (schema.storage ?? {})),
    ...(list.keyedBy ? { keyedBy: list.keyedBy } : {}),
    perPage: list.perPage ?? 10,
    maxPerPage: list.maxPerPage ?? 100,
    defaultOrder: list.defaultOrder ?? 'desc',
    defaultOrderby: list.defaultOrderby ?? list.orderby?.[0] ?? 'id',
    orderings: new Map(),
    orderingGuards: new Map(),
    linksFromOffset: list.linksFromOffset ?? true,
    ...(list.pageOutOfRange ? { pageOutOfRange: list.pageOutOfRange } : {}),
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
