// Derives tables, columns and indexes from compiled fields.
import { createHash } from 'node:crypto';
import type { ResourceModel } from '../../model/model.js';
import type { Scalar } from '../../model/schema/schema.js';
import type { ColumnModel, IndexModel, TableModel } from '../../model/table.js';
import type { FieldModel } from '../../model/field.js';

/** Maximum length of a sort key, in characters; short enough for an index on every database. */
export const SORT_LENGTH = 191;

/** Longest name of an index. */
const LONGEST_INDEX = 60;

/** The table of that name; created when it is new. */
export function tableOf(tables: Map<string, TableModel>, name: string): TableModel {
  let table = tables.get(name);
  if (!table) tables.set(name, (table = { name, columns: new Map(), indexes: new Map(), counted: [] }));
  return table;
}

/** Adds a column; an existing one keeps the greater length, and takes null where one of its resources does. */
export function addColumn(table: TableModel, column: ColumnModel): void {
  const known = table.columns.get(column.name);
  if (!known) {
    table.columns.set(column.name, { ...column });
    return;
  }
  if (column.length && known.length) known.length = Math.max(column.length, known.length);
  if (column.nullable) known.nullable = true;
}

/**
 * The column of a field with what a migration needs to add it later: the value of existing rows, or that one is
 * required.
 */
export function forEvolution(
  column: ColumnModel,
  field: FieldModel,
  where: Readonly<Record<string, Scalar>>,
): ColumnModel {
  if (column.name !== field.column) return column;
  const { backfill, default: given, nullable, renamedFrom } = field.schema;
  if (renamedFrom === undefined && !field.hidden && !column.primary) column = { ...column, mayBeRenamed: true };
  if (backfill !== undefined) return { ...column, backfill };
  const demanded = field.required && given === undefined && !nullable && !field.readOnly;
  return demanded && !column.primary ? { ...column, demanded: where } : column;
}

/**
 * A table that becomes shared has existing rows: they belong to its previous resource, or to the one that claims them
 * with `movedFrom`. When every resource has a discriminator and none claims them, that is a problem.
 */
export function claimRows(table: TableModel, sharing: readonly ResourceModel[]): void {
  const [only] = sharing;
  const owner =
    sharing.length === 1 ? only : sharing.find(({ schema: { storage } }) => movedFrom(storage) === table.name);
  for (const name of Object.keys(only?.discriminator ?? {})) {
    const column = table.columns.get(name)!;
    if (column.backfill !== undefined || !sharing.every(({ discriminator }) => name in discriminator)) continue;
    if (owner) column.backfill = owner.discriminator[name]!;
    else column.demanded = {};
  }
}

function movedFrom(storage: ResourceModel['schema']['storage']): string | undefined {
  return storage && 'movedFrom' in storage && typeof storage.movedFrom === 'string' ? storage.movedFrom : undefined;
}

/** Adds an index over columns, unless it exists. */
export function addIndex(table: TableModel, columns: string[], options: Partial<IndexModel> = {}): IndexModel {
  const unique = [...new Set(columns)];
  const plain = `${options.unique ? 'ux' : 'ix'}_${table.name}_${unique.join('_')}`;
  const name = plain.length <= LONGEST_INDEX ? plain : withDigest(plain, plain);
  const index = table.indexes.get(name) ?? { name, columns: unique, ...options };
  table.indexes.set(name, index);
  return index;
}

/** A name that ends with a digest of what it stands for. */
function withDigest(name: string, of: string): string {
  return `${name.slice(0, LONGEST_INDEX - 9)}_${createHash('sha1').update(of).digest('hex').slice(0, 8)}`;
}

/**
 * Makes names unique that indexes of several tables share: `book_loan.date` and `book.loan_date`. In SQLite and
 * PostgreSQL all indexes share one namespace. All of them get a digest, so that no new name equals one that another
 * table gives up.
 */
export function makeIndexNamesUnique(tables: ReadonlyMap<string, TableModel>): void {
  const all = [...tables.values()].flatMap(({ indexes }) => [...indexes.keys()]);
  const seen = new Set<string>();
  const duplicates = new Set(all.filter((name) => seen.size === seen.add(name).size));
  for (const { name: table, indexes } of duplicates.size > 0 ? tables.values() : []) {
    const own = [...indexes.values()];
    indexes.clear();
    for (const index of own) {
      if (duplicates.has(index.name)) index.name = withDigest(index.name, `${table}.${index.columns.join()}`);
      indexes.set(index.name, index);
    }
  }
}

/** Join tables and meta tables beside the main one; `owner` is the table of the items, `where` selects them in it. */
export function addSideTables(
  tables: Map<string, TableModel>,
  field: FieldModel,
  owner: string,
  where: Readonly<Record<string, Scalar>>,
): void {
  if (field.many) {
    const pairs = tableOf(tables, field.many.table);
    const { renamedFrom } = field.schema;
    pairs.pairsOf = {
      table: owner,
      column: field.schema.column ?? field.name,
      ...(renamedFrom ? { renamedFrom } : {}),
      where,
    };
    if (renamedFrom) pairs.renamedFrom = `${owner}_${renamedFrom}`;
    addColumn(pairs, { name: 'owner_id', kind: 'integer', primary: true });
    addColumn(
      pairs,
      field.many.value === 'value'
        ? { name: 'value', kind: 'varchar', length: 191, primary: true, binary: true }
        : { name: 'target_id', kind: 'integer', primary: true },
    );
    // Strings keep their order.
    if (field.many.value === 'value')
      addColumn(pairs, { name: 'position', kind: 'integer', default: 0, nullable: false });
    addIndex(pairs, [field.many.value, 'owner_id']);
  }
  if (field.meta) addMetaTable(tables, field.meta.table);
}

/** The meta table of a table: one row per value. */
export function addMetaTable(tables: Map<string, TableModel>, name: string): void {
  const meta = tableOf(tables, name);
  addColumn(meta, { name: 'id', kind: 'integer', primary: true });
  addColumn(meta, { name: 'owner_id', kind: 'integer', default: 0, nullable: false });
  addColumn(meta, { name: 'key', kind: 'varchar', length: 255, default: '', nullable: false, binary: true });
  addColumn(meta, { name: 'value', kind: 'text', default: '', nullable: false });
  addColumn(meta, { name: 'structured', kind: 'boolean', default: 0, nullable: false });
  addIndex(meta, ['owner_id', 'key']);
}

/** Notes on the columns of a resource whose ids they hold, once all references are compiled. */
export function noteReferences(model: ResourceModel, tables: ReadonlyMap<string, TableModel>): void {
  const note = (table: string | undefined, column: string | undefined, target: TableModel | undefined) => {
    const found = tables.get(table ?? '')?.columns.get(column ?? '');
    if (found && target) found.references ??= target.name;
  };
  for (const { column, targets, many, meta } of model.fields.values()) {
    note(model.table?.name, column, targets?.[0]?.table);
    note(many?.table, 'owner_id', model.table);
    note(many?.table, 'target_id', many?.target?.table);
    note(meta?.table, 'owner_id', model.table);
  }
}

/** Indexes for every ordering and filter that a resource declares. */
export function addIndexes(model: ResourceModel): void {
  const table = model.table!;
  const kinds = Object.keys(model.discriminator);
  const prefix = [...kinds, ...model.partition];
  const fallback = model.list.orderings.get(model.list.defaultOrderby);
  for (const column of model.list.orderings.values()) {
    if (column && (column !== 'id' || prefix.length > 0)) addIndex(table, [...prefix, column, 'id']);
  }
  const filtered = [...model.listParams.values()].map(
    (param) => param.schema.filter && model.fields.get(param.schema.field ?? param.name),
  );
  for (const field of filtered) {
    if (field && field.column && !field.type.startsWith('text') && indexable(table, field.column)) {
      addIndex(table, [...prefix, field.column, ...(fallback && fallback !== field.column ? [fallback] : []), 'id']);
    }
  }
  for (const param of model.listParams.values())
    addPathIndexes(model, param.schema.filter ? param.schema.field : undefined);
  if (model.parent) addIndex(table, [...kinds, model.parent.field.column!, 'id']);
  for (const field of model.fields.values()) {
    if (model.uniques.some(({ column }) => column === field.column))
      addIndex(table, [...kinds, field.column!], { unique: true });
    // The digest of a long value does not serve look-ups by the value, such as that of a key.
    else if (field.schema.unique === true && field.column) addIndex(table, [...kinds, field.column]);
    if (field.schema.index && field.column) addIndex(table, [...kinds, field.column]);
    for (const each of field.aggregates ?? []) addIndex(model.site.tables.get(each.table)!, [each.column, 'id']);
  }
}

/** Indexes for a filter behind references: of each reference on the way, and of the field in the table that it leads to. */
function addPathIndexes(model: ResourceModel, path: string | undefined): void {
  const names = path?.split('.') ?? [];
  let owner: ResourceModel | undefined = model;
  for (const [at, name] of names.length > 1 ? names.entries() : []) {
    const column: string | undefined = owner?.fields.get(name)?.column;
    if (!owner?.table || column === undefined || !indexable(owner.table, column)) return;
    addIndex(owner.table, [...Object.keys(owner.discriminator), column, 'id']);
    owner = at < names.length - 1 ? owner.fields.get(name)?.targets?.[0] : undefined;
  }
}

function indexable(table: TableModel, column: string): boolean {
  const kind = table.columns.get(column)?.kind;
  return kind !== undefined && kind !== 'text' && kind !== 'json' && column !== 'id';
}
