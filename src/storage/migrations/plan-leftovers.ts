// Finds columns and tables without a schema from which a new one may have been renamed. Such steps are refused until
// the schema or DATABASE_ACCEPT decides whether it is new.
import type { Accepted } from '../../model/accepted.js';
import type { Dialect } from '../sql/dialect.js';
import type { LiveField } from '../sql/migration-dialect.js';
import { movedName, isMoved } from './moved-names.js';
import { columnTypeOf } from './column-type.js';
import type { LiveSchema } from './live-schema.js';
import { type DataCheck, MAX_IDS, dataCheck, type Step, type TablePlan, wording } from './step.js';
import type { ColumnModel, TableModel } from '../../model/table.js';

/** Part of the hints: the setting that decides all of these cases for one start. */
const ACCEPT_HINT = 'DATABASE_ACCEPT=leftovers treats all of them as new';
/** Columns that the engine adds to those of fields. */
const ENGINE_COLUMNS = /_(sort|search|rendered)$|^search_text$|^row_version$|^id$/;
/** Columns with digests of unique values; a boolean field may have such a name, too. */
const DIGEST = /_unique$/;
/** Share of common columns from which one table may be the renamed other. */
const SAME_SHAPE = 0.8;

/** Leftover columns that this one may have been renamed from. */
export function formerColumns(plan: TablePlan, column: ColumnModel): LiveField[] {
  const { table, shape, dialect, migration, previousTypes, listed } = plan;
  if (column.derived || column.renamedFrom) return [];
  const { family } = columnTypeOf(migration.typeText(table, column), dialect.name);
  return [...shape.columns.values()].filter(({ name, type, origin }) => {
    if (table.columns.has(name) || ENGINE_COLUMNS.test(name) || isMoved(name)) return false;
    if (listed.has(`${table.name}.${name}`)) return false;
    if (family === 'text' && DIGEST.test(name)) return false;
    const held = previousTypes?.get(`${table.name}.${origin}`);
    return columnTypeOf(type, dialect.name).family === family && (held === undefined || held === column.contentType);
  });
}

/**
 * Data checks that refuse a new column while such a leftover holds values and the schema does not say whether it was
 * renamed.
 */
export function leftoverChecks(plan: TablePlan, column: ColumnModel): DataCheck[] {
  if (!column.mayBeRenamed || plan.accepted.has('leftovers')) return [];
  return formerColumns(plan, column).map((old) =>
    dataCheck(plan, filled(plan, old), {
      risk: 'refused',
      why: wording('value is', 'values are', `in the column ${old.name}, which no field has any more`),
      hint: `If this field was ${old.name} before, say "renamedFrom": "${old.name}"; if it is a new one, "renamedFrom": null. ${ACCEPT_HINT}.`,
    }),
  );
}

/** SQL condition: the column has a value that is not empty. */
function filled({ dialect }: TablePlan, { origin, type }: LiveField): string {
  const name = dialect.quote(origin);
  const { family } = columnTypeOf(type, dialect.name);
  if (family === 'text') return `${name} IS NOT NULL AND ${name} <> ''`;
  return family === 'integer' || family === 'double' ? `${name} IS NOT NULL AND ${name} <> 0` : `${name} IS NOT NULL`;
}

/**
 * The step for a renamed field whose new column already exists: rows whose new column is empty get the former value,
 * and the former column is renamed, so that this happens only once. Undefined when the types differ.
 */
export function moveValues(plan: TablePlan, column: ColumnModel, old: LiveField): Step | undefined {
  const { shape, dialect, table } = plan;
  const now = shape.columns.get(column.name)!;
  const [from, to] = [old, now].map(({ type }) => columnTypeOf(type, dialect.name));
  if (from!.family !== to!.family || from!.capacity > to!.capacity) return undefined;
  const [target, source, quoted] = [column.name, old.name, table.name].map(dialect.quote);
  const moved: ColumnModel = { ...column, name: movedName(old.name, shape.columns), renamedFrom: old.name };
  const sql = [
    `UPDATE ${quoted} SET ${target} = ${source} WHERE ${filled(plan, old)} AND NOT (${filled(plan, now)} AND ${target} IS NOT NULL)`,
    // Before the rename, which may commit: the plan of a repetition has no such step any more.
    ...plan.forget,
    ...(plan.migration.beforeRename?.(shape, old.name) ?? []),
    ...dialect.renameColumn(table, moved),
  ];
  const why = `was ${old.name}; rows that have a value of their own keep it, and the former column stays as ${moved.name}`;
  return { kind: 'move values', table: table.name, column: column.name, risk: 'safe', sql, why };
}

/** Data checks that refuse a new table while a table of the same shape that no schema has holds rows. */
export function leftoverTableChecks(
  table: TableModel,
  live: LiveSchema,
  orphans: ReadonlySet<string>,
  accepted: ReadonlySet<Accepted>,
  { quote }: Dialect,
): DataCheck[] {
  if (!table.mayBeRenamed || accepted.has('leftovers')) return [];
  const candidates = [...orphans].filter((name) => haveSameShape(table.columns.keys(), name, live));
  return candidates.map((name) => ({
    sql: `SELECT COUNT(*) FROM ${quote(name)}`,
    ids: `SELECT ${quote('id')} FROM ${quote(name)} ORDER BY ${quote('id')} LIMIT ${MAX_IDS}`,
    risk: 'refused',
    why: wording(
      'row is',
      'rows are',
      `in the table ${name}, which no schema has any more and which has the same columns`,
    ),
    hint: `If they are those of this resource, say "storage": {"movedFrom": "${name}"}; if it is a new one, "storage": {"movedFrom": null}. ${ACCEPT_HINT}.`,
  }));
}

/** Whether a table that Typecase created has (nearly) these columns. */
function haveSameShape(columns: Iterable<string>, name: string, live: LiveSchema): boolean {
  const shape = live.tables.get(name);
  if (!shape?.columns.has('id') || !live.created.has(name)) return false;
  const own = (names: Iterable<string>) => [...names].filter((name) => !ENGINE_COLUMNS.test(name));
  const [wanted, found] = [own(columns), own(shape.columns.keys())];
  const shared = wanted.filter((name) => shape.columns.has(name)).length;
  return shared > 0 && shared / Math.max(wanted.length, found.length) >= SAME_SHAPE;
}

/** A resource that had another table or none at the last start, and whose schema does not say where its rows were. */
export interface Arrival {
  resource: string;
  table: string;
  /** Whether it shares the table. */
  isShared: boolean;
  /** Columns of the resource in the table, without those of `where`. */
  columns: readonly string[];
  /** Its table at the last start; absent: there was no such resource. */
  former?: string;
}

/** Steps about tables without a schema that may hold the rows of an arrival; refused while these have rows. */
export function leftoverRowSteps(
  { resource, table, columns, isShared, former }: Arrival,
  live: LiveSchema,
  orphans: readonly string[],
  { quote }: Dialect,
): Step[] {
  // A new table is compared with similar ones before it is created.
  const isCandidate = (name: string) => !isShared && !live.tables.has(table) && haveSameShape(columns, name, live);
  const isFormer = (name: string) =>
    former === undefined
      ? haveSameShape(columns, name, live)
      : name === former && live.tables.get(name)?.columns.has('id') && !isCandidate(name);
  const candidates = orphans.filter((name) => !isMoved(name) && isFormer(name));
  return candidates.map((name) => {
    const which = former === undefined ? 'which has the same columns' : 'where it was at the last start';
    const why = wording('row is', 'rows are', `in the table ${name}, ${which} and which no schema has any more`);
    const hint = `If they are those of ${resource}, say "movedFrom": "${name}" in its "storage"; if not, "movedFrom": null. ${ACCEPT_HINT}.`;
    const [id, from] = [quote('id'), quote(name)];
    const ids = `SELECT ${id} FROM ${from} ORDER BY ${id} LIMIT ${MAX_IDS}`;
    const check: DataCheck = { sql: `SELECT COUNT(*) FROM ${from}`, ids, risk: 'refused', why, hint };
    return { kind: 'move rows', table, name: resource, risk: 'safe', sql: [], why: why[1], checks: [check] };
  });
}

/** Share of the non-empty tables that the schemas must use for the database to belong to their site. */
const OWN_SHARE = 1 / 3;

/**
 * The step that refuses the database of another site: the schemas use few or none of the non-empty tables that Typecase
 * created. `hasRows` is called for such tables only.
 */
export async function refuseOtherSite(
  live: LiveSchema,
  models: readonly TableModel[],
  accepted: ReadonlySet<Accepted>,
  hasRows: (table: string) => Promise<boolean>,
): Promise<Step | undefined> {
  if (accepted.has('other-site')) return undefined;
  const known = new Set(models.flatMap(({ name, movedFrom = [] }) => [name, ...movedFrom.map(({ table }) => table)]));
  const filledTables: string[] = [];
  for (const { name, columns } of live.tables.values()) {
    const ofResource = live.created.has(name) && columns.has('row_version') && !isMoved(name);
    if (ofResource && (await hasRows(name))) filledTables.push(name);
  }
  const ownTables = filledTables.filter((name) => known.has(name));
  const others = filledTables.filter((name) => !known.has(name));
  if (others.length === 0 || ownTables.length >= filledTables.length * OWN_SHARE) return undefined;
  return {
    kind: 'keep site',
    table: others.slice(0, 5).join(', '),
    risk: 'refused',
    sql: [],
    why: `the database holds rows of other resources: of its ${filledTables.length} tables with rows the schemas have ${ownTables.length}`,
    hint: 'Is SCHEMAS_DIR the right folder, and DATABASE_URL the right database? If so, start once with DATABASE_ACCEPT=other-site',
  };
}
