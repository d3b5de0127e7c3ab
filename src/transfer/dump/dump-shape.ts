// The line format of a dump: the stored fields of a resource by name.
import { rowsOf } from '../../engine/shared-table.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { and, not, or, TRUE, type Predicate, type Row } from '../../model/query.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import type { FieldModel } from '../../model/field.js';

/** Members of a line that are not fields; no field can have such a name. */
export const RESOURCE = '$resource';
export const VERSION = '$version';
export const COLUMNS = '$columns';
/** Column behind `$version`. */
export const VERSION_COLUMN = 'row_version';

/** A field stored in one column. */
export interface StoredField {
  name: string;
  column: ColumnModel;
  /** Default that a hidden field omits from its line. */
  fallback: Scalar;
  /** Omitted from a line while it has its default. */
  internal: boolean;
  /** The field itself; columns of engine tables have none. */
  field?: FieldModel;
}

/** How the meta entries of an item are stored. */
export interface MetaShape {
  name: string;
  table: string;
  field: FieldModel;
  /** The resource whose items are these entries; if there is one, their ids are dumped. */
  entries?: Shape;
}

/** One member of a line, in the order of the schema. */
export type Part =
  { kind: 'field'; field: StoredField } | { kind: 'many'; field: FieldModel } | { kind: 'entries'; meta: MetaShape };

/** The line format of one resource. */
export interface Shape {
  name: string;
  table: TableModel;
  model?: ResourceModel;
  /** The rows that are dumped under this name. */
  where: Predicate;
  /** Columns with the same value in every row (discriminators). */
  constants: Readonly<Record<string, Scalar>>;
  parts: readonly Part[];
  fields: ReadonlyMap<string, StoredField>;
  many: readonly FieldModel[];
  meta?: MetaShape;
  /** Columns of the shared table that belong to fields of other resources. */
  others: ReadonlyMap<string, StoredField>;
  /** Columns to select. */
  columns: readonly string[];
  /** A template row with the defaults of all columns but `id`. */
  blank: Readonly<Row>;
}

/**
 * Shapes of all stored resources by name (resources that only hold meta entries of others last), and of engine tables.
 */
export function shapesOf(models: ModelSet, engineTables: readonly TableModel[] = []): Map<string, Shape> {
  const stored = [...models.byName.values()].filter((model) => model.table);
  const entryTables = new Set(stored.flatMap((model) => metaFields(model).map((field) => field.meta!.table)));
  const isEntries = (model: ResourceModel) => entryTables.has(model.table!.name);
  const shapes = new Map<string, Shape>();
  for (const model of stored.filter(isEntries)) shapes.set(model.name, shapeOf(model, leftover(model, stored)));
  const byTable = new Map([...shapes.values()].reverse().map((shape) => [shape.table.name, shape]));
  const items = stored.filter((model) => !isEntries(model));
  return new Map([
    ...items.map((model): [string, Shape] => [model.name, shapeOf(model, rowsOf(model), byTable)]),
    ...shapes,
    ...engineTables.map((table): [string, Shape] => [table.name, tableShape(table)]),
  ]);
}

/** The meta entries whose item is not dumped. */
function leftover(model: ResourceModel, stored: readonly ResourceModel[]): Predicate {
  const table = model.table!.name;
  const owners = stored.filter((owner) => metaFields(owner).some((field) => field.meta!.table === table));
  const dumped = (owner: ResourceModel): Predicate => ({
    op: 'exists',
    table: owner.table!.name,
    outer: 'owner_id',
    inner: 'id',
    where: or(...owners.map(rowsOf)),
  });
  return and(rowsOf(model), owners[0] ? not(dumped(owners[0])) : TRUE);
}

function shapeOf(model: ResourceModel, where: Predicate, entryShapes = new Map<string, Shape>()): Shape {
  const table = model.table!;
  const parts: Part[] = [];
  const used = new Set([VERSION_COLUMN, ...Object.keys(model.discriminator)]);
  for (const field of model.fields.values()) {
    if (field.many) parts.push({ kind: 'many', field });
    const meta = field.meta && !parts.some((part) => part.kind === 'entries') ? field.meta.table : undefined;
    if (meta) {
      const entries = entryShapes.get(meta);
      parts.push({ kind: 'entries', meta: { name: field.name, table: meta, field, ...(entries ? { entries } : {}) } });
    }
    if (!field.column || field.schema.derived || used.has(field.column) || !table.columns.has(field.column)) continue;
    used.add(field.column);
    parts.push({ kind: 'field', field: storedField(field, table) });
  }
  const fields = parts.flatMap((part) => (part.kind === 'field' ? [part.field] : []));
  // Ids come first, wherever the schema has them.
  parts.sort((a, b) => Number(isId(b)) - Number(isId(a)));
  const others = foreignColumns(model, used);
  const meta = parts.find((part) => part.kind === 'entries')?.meta;
  return {
    name: model.name,
    table,
    model,
    where,
    constants: model.discriminator,
    parts,
    fields: new Map(fields.map((field) => [field.name, field])),
    many: parts.flatMap((part) => (part.kind === 'many' ? [part.field] : [])),
    ...(meta ? { meta } : {}),
    others: new Map(others.map((field) => [field.name, field])),
    columns: Object.freeze([
      ...new Set([
        'id',
        ...Object.keys(model.discriminator),
        ...fields.map(({ column }) => column.name),
        ...others.map(({ column }) => column.name),
        VERSION_COLUMN,
      ]),
    ]),
    blank: blankRow(table),
  };
}

/** Columns of fields of other resources of the table. Derived columns are left out, because they are recomputed. */
function foreignColumns(model: ResourceModel, used: ReadonlySet<string>): StoredField[] {
  const all = model.site.ofTable.get(model.table!.name) ?? [];
  const fields = all.flatMap((other) => [...other.fields.values()]);
  const derived = new Set(fields.filter(({ schema }) => schema.derived).map(({ column }) => column));
  const names = new Set([
    ...all.flatMap((other) => Object.keys(other.discriminator)),
    ...fields.flatMap((field) => field.column ?? []),
  ]);
  return [...names]
    .filter((name) => !used.has(name) && !derived.has(name) && model.table!.columns.has(name))
    .sort()
    .map((name) => plainColumn(model.table!.columns.get(name)!, true));
}

/** The shape of an engine table: all columns by name. */
function tableShape(table: TableModel): Shape {
  const fields = [...table.columns.values()].map((column) => plainColumn(column, false));
  return {
    name: table.name,
    table,
    where: TRUE,
    constants: {},
    parts: fields.map((field) => ({ kind: 'field', field })),
    fields: new Map(fields.map((field) => [field.name, field])),
    many: [],
    others: new Map(),
    columns: Object.freeze([...table.columns.keys()]),
    blank: blankRow(table),
  };
}

function storedField(field: FieldModel, table: TableModel): StoredField {
  const own = field.columns.find(({ name }) => name === field.column);
  // The physical column has the widest type of all resources on the table.
  const { contentType: _, ...wide } = table.columns.get(field.column!)!;
  const form = own?.contentType === undefined ? {} : { contentType: own.contentType };
  const column = { ...wide, ...form, nullable: own?.nullable ?? false };
  return { name: field.name, column, fallback: fallbackOf(own ?? column), internal: field.hidden, field };
}

function plainColumn(column: ColumnModel, internal: boolean): StoredField {
  return { name: column.name, column, fallback: fallbackOf(column), internal };
}

function fallbackOf(column: ColumnModel): Scalar {
  return typeof column.default === 'boolean' ? Number(column.default) : (column.default ?? null);
}

function blankRow(table: TableModel): Row {
  return Object.fromEntries(
    [...table.columns.values()].filter(({ name }) => name !== 'id').map((column) => [column.name, fallbackOf(column)]),
  );
}

function metaFields(model: ResourceModel): FieldModel[] {
  return [...model.fields.values()].filter((field) => field.meta);
}

function isId(part: Part): boolean {
  return part.kind === 'field' && part.field.column.name === 'id';
}
