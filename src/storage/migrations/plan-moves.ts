// Plans the move of a resource's rows into a shared table (`movedFrom`).
import { movedName } from './moved-names.js';
import { columnTypeOf } from './column-type.js';
import type { LiveField, LiveShape } from '../sql/migration-dialect.js';
import type { LiveSchema } from './live-schema.js';
import { type DataCheck, MAX_IDS, type Step, type TablePlan, wording } from './step.js';
import type { ColumnModel, TableModel } from '../../model/table.js';
import { duplicates } from './plan-indexes.js';
import { conditionsOf } from './plan-new-columns.js';

type Move = NonNullable<TableModel['movedFrom']>[number];

/** What to do where rows do not fit. */
export const STUCK_HINT = 'Give the column a default, or change the field before the move or after it.';

/** Adds a step for each former table that still exists. `now` is the live shared table, if it exists. */
export function planMoves(
  plan: TablePlan,
  live: LiveSchema,
  now: LiveShape | undefined,
  models: readonly TableModel[],
): void {
  for (const move of plan.table.movedFrom ?? []) {
    const old = live.tables.get(move.table);
    const owner = models.find(({ name }) => name === move.table);
    if (old && !owner) plan.steps.push(stepOf(plan, move, old, now, live, models));
    else if (old && now && owner && areSwapped(plan.table, owner)) plan.steps.push(refusedSwap(plan.table, owner));
  }
}

/** Whether the schemas say of each of two tables that its rows come from the other. */
function areSwapped(one: TableModel, other: TableModel): boolean {
  const hasMovedFrom = ({ movedFrom = [] }: TableModel, { name }: TableModel) =>
    movedFrom.some(({ table, from }) => table === name && from === undefined);
  return one !== other && hasMovedFrom(one, other) && hasMovedFrom(other, one);
}

function refusedSwap({ name }: TableModel, other: TableModel): Step {
  return {
    kind: 'move rows',
    table: name,
    name: other.name,
    risk: 'refused',
    sql: [],
    why: `each of the tables ${name} and ${other.name} is said to have been the other`,
    hint: 'Keep both tables where they are with "table" in "storage", or migrate one to a third table first.',
  };
}

function stepOf(
  plan: TablePlan,
  move: Move,
  old: LiveShape,
  now: LiveShape | undefined,
  live: LiveSchema,
  models: readonly TableModel[],
): Step {
  const { table, dialect, migration } = plan;
  const step = { kind: 'move rows' as const, table: table.name, name: old.name };
  const reason = obstacle(plan, move, old, live, models);
  if (reason) return { ...step, risk: 'refused', sql: [], why: reason, hint: STUCK_HINT };
  const idChecks = now ? [conflictingIds(plan, move, old, now, live.interrupted)] : [];
  const checks = [...idChecks, ...sharedValues(plan, move, old)];
  const pairs = sidesOf(table, old.name, live, models);
  const named = (shape: LiveShape) => [
    ...(shape.definition?.fulltext ?? []).flatMap((column) => migration.beforeRename?.(shape, column) ?? []),
    `ALTER TABLE ${dialect.quote(shape.name)} RENAME TO ${dialect.quote(movedName(shape.name, live.tables))}`,
  ];
  return {
    ...step,
    ...(checks.length > 0 ? { checks: checks } : {}),
    risk: 'safe',
    why: `the schema says movedFrom ${old.name}; that table stays as ${movedName(old.name, live.tables)}`,
    sql: [
      copyRows(plan, move, old),
      ...migration.advance(table.name, old.name),
      // The table whose existence marks the move as pending is renamed last.
      ...pairs.flatMap(({ side, target }) => [copySide(plan, side, target), ...named(side)]),
      ...named(old),
    ],
  };
}

/** Data checks for rows that violate unique indexes of the target table; digests are computed after the move. */
function sharedValues(plan: TablePlan, { where }: Move, old: LiveShape): DataCheck[] {
  const columns = [...plan.table.columns.values()].flatMap((column) => {
    const from = column.name in where ? undefined : formerColumn(column, old);
    return from ? [[column.name, { ...from, origin: from.name }] as const] : [];
  });
  const moving = { ...plan, quoted: plan.dialect.quote(old.name), shape: { ...old, columns: new Map(columns) } };
  const isMine = ({ where: rows }: { where: Readonly<Record<string, unknown>> }): boolean =>
    Object.entries(rows).every(([name, value]) => !(name in where) || where[name] === value);
  return [...plan.table.indexes.values()].flatMap((index) => {
    const digests = index.digests?.filter(isMine);
    return digests && digests.length > 0 ? (duplicates(moving, { ...index, digests }).checks ?? []) : [];
  });
}

/** The list tables of a former table, which move with its rows, each with its target table. */
export function sidesOf(
  { name: now }: TableModel,
  old: string,
  { tables }: LiveSchema,
  models: readonly TableModel[],
): { side: LiveShape; target: TableModel }[] {
  const sides = [...tables.values()].filter(({ name }) => name.startsWith(`${old}_`));
  return sides.flatMap((side) => {
    const target = models.find(({ name }) => name === `${now}${side.name.slice(old.length)}`);
    return target && side.columns.has('owner_id') ? [{ side, target }] : [];
  });
}

/** The column of a former table from which a column gets its values: that of the same name, or of its former name. */
export function formerColumn({ name, renamedFrom }: ColumnModel, { columns }: LiveShape): LiveField | undefined {
  return columns.get(name) ?? (renamedFrom === undefined ? undefined : columns.get(renamedFrom));
}

/** The columns that are copied with the rows, each with its name in the former table. */
export function sharedColumns(
  { columns }: TableModel,
  where: Move['where'],
  old: LiveShape,
): { name: string; from: string }[] {
  return [...columns.values()].flatMap((column) => {
    const from = column.name in where ? undefined : formerColumn(column, old);
    return from ? [{ name: column.name, from: from.name }] : [];
  });
}

/**
 * The reason why values would be lost by a move: a field became a list, or a list was renamed, in the same migration.
 */
function changedList({ name }: TableModel, old: LiveShape, { tables }: LiveSchema, models: readonly TableModel[]) {
  for (const list of models) {
    const { pairsOf, renamedFrom } = list;
    if (pairsOf?.table !== name) continue;
    const former = [pairsOf.column, pairsOf.renamedFrom].find(
      (column) => column !== undefined && old.columns.has(column),
    );
    if (former !== undefined) return `${old.name}.${former} would become the list ${list.name} in the same migration`;
    const formerList = renamedFrom && `${old.name}${renamedFrom.slice(name.length)}`;
    if (formerList && tables.has(formerList))
      return `${formerList} would be renamed to ${list.name} in the same migration`;
  }
  return undefined;
}

/** The reason why the rows of a table do not fit into another; undefined when they do. */
export function obstacle(
  { table, migration, dialect }: TablePlan,
  move: Move,
  old: LiveShape,
  live: LiveSchema,
  models: readonly TableModel[],
): string | undefined {
  const list = changedList(table, old, live, models);
  if (list !== undefined) return list;
  for (const column of table.columns.values()) {
    const from = formerColumn(column, old);
    if (column.name in move.where) continue;
    const [was, is] = [
      from && columnTypeOf(from.type, dialect.name),
      columnTypeOf(migration.typeText(table, column), dialect.name),
    ];
    if (was && (was.family !== is.family || was.capacity > is.capacity))
      return `${old.name}.${column.name} is of another type`;
    if (from?.nullable && !column.nullable) return `${old.name}.${column.name} may hold null`;
    const empty = column.default === undefined || column.default === null;
    if (!from && !column.nullable && empty) return `${old.name} has nothing for the required column ${column.name}`;
  }
  return old.columns.has('id') ? undefined : `${old.name} has no ids`;
}

/** Rows with the same id, except those that an interrupted migration has copied. */
function conflictingIds(
  { dialect, table, migration }: TablePlan,
  { where }: Move,
  old: LiveShape,
  now: LiveShape,
  interrupted: boolean,
): DataCheck {
  const marks = conditionsOf({ dialect, table, migration }, where, now, 'n.');
  const isCopied = interrupted && marks.length === Object.keys(where).length;
  const mine = isCopied ? ['1 = 1', ...marks].join(' AND ') : '1 = 0';
  const [id, from, to] = [dialect.quote('id'), dialect.quote(old.name), dialect.quote(table.name)];
  const conflicts = `FROM ${from} o WHERE EXISTS (SELECT 1 FROM ${to} n WHERE n.${id} = o.${id} AND NOT (${mine}))`;
  return {
    sql: `SELECT COUNT(*) ${conflicts}`,
    ids: `SELECT o.${id} ${conflicts} ORDER BY o.${id} LIMIT ${MAX_IDS}`,
    risk: 'refused',
    why: wording(`id of ${old.name} is`, `ids of ${old.name} are`, `taken in ${table.name}`),
    hint: 'Dump the resource, load it under other ids, or leave it in its own table.',
  };
}

// Skip rows that were copied before an interruption.
function copyRows({ dialect, table, migration }: TablePlan, { where }: Move, old: LiveShape): string {
  const shared = sharedColumns(table, where, old);
  const constants = Object.entries(where).filter(([name]) => table.columns.has(name));
  const names = [...shared.map(({ name }) => name), ...constants.map(([name]) => name)].map((name) =>
    dialect.quote(name),
  );
  const values = [
    ...shared.map(({ from }) => `o.${dialect.quote(from)}`),
    ...constants.map(([name, value]) => migration.literal(table.columns.get(name)!, value)),
  ];
  const [id, from, to] = [dialect.quote('id'), dialect.quote(old.name), dialect.quote(table.name)];
  return `INSERT INTO ${to} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from} o WHERE NOT EXISTS (SELECT 1 FROM ${to} n WHERE n.${id} = o.${id})`;
}

function copySide({ dialect }: TablePlan, side: LiveShape, target: TableModel): string {
  const names = [...target.columns.keys()].filter((name) => name !== 'id' && side.columns.has(name)).map(dialect.quote);
  const [from, to, owner] = [dialect.quote(side.name), dialect.quote(target.name), dialect.quote('owner_id')];
  const own = names.map((name) => `o.${name}`).join(', ');
  return `INSERT INTO ${to} (${names.join(', ')}) SELECT ${own} FROM ${from} o WHERE NOT EXISTS (SELECT 1 FROM ${to} n WHERE n.${owner} = o.${owner})`;
}
