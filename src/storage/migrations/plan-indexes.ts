// Plans the indexes of a table.
import type { Dialect } from '../sql/dialect.js';
import type { LiveSchema } from './live-schema.js';
import { digestOf } from '../../model/functions/unique-digest.js';
import { conditionsOf } from './plan-new-columns.js';
import {
  type Conflict,
  dataCheck,
  type KeyCheck,
  MAX_IDS,
  type Plan,
  type Step,
  type TablePlan,
  wording,
} from './step.js';
import type { IndexModel, TableModel } from '../../model/table.js';

/** Names of indexes that models have, now or formerly. */
const OWN_INDEX = /^[iu]x_/;

/** Whether an index that no model has was made by hand; `created`: the names of what migrations have made. */
export function isMadeByHand(name: string, created?: ReadonlySet<string>): boolean {
  return !OWN_INDEX.test(name) && !created?.has(name);
}

/** Adds the indexes of a new table. */
export function createIndexes(plan: Plan, table: TableModel, dialect: Dialect): void {
  for (const index of table.indexes.values()) {
    const sql = dialect.createIndex(table, index);
    if (sql.length > 0) plan.steps.push(indexStep('create index', table, index, sql, 'the table is new'));
  }
}

/** Adds steps that drop indexes the schema does not need. Indexes that were created by hand remain. */
export function staleIndexes({ migration, table, shape, dialect, steps, notes }: TablePlan, live: LiveSchema): void {
  for (const { name, sql } of migration.staleFulltext?.(table, shape) ?? []) {
    steps.push({
      kind: 'drop index',
      table: table.name,
      name,
      risk: 'safe',
      sql,
      why: 'the schema does not search there',
    });
    if (shape.definition) shape.definition.fulltext = [];
  }
  for (const [name, { columns, unique }] of shape.indexes) {
    if (table.indexes.has(name) || /^(sqlite_autoindex_|PRIMARY$)|_pkey\d*$/.test(name)) continue;
    if (isMadeByHand(name, live.created)) {
      notes.push(`${table.name}: the index ${name} was made by hand and stays`);
      continue;
    }
    shape.indexes.delete(name);
    const sql = dialect.dropIndex(table, { name, columns, unique });
    steps.push({ kind: 'drop index', table: table.name, name, risk: 'safe', sql, why: 'the schema does not need it' });
  }
}

/** Adds the step for an index that is missing or differs from the model's. */
export function planIndex(plan: TablePlan, index: IndexModel): void {
  const { table, dialect, shape, steps } = plan;
  const same = shape.indexes.get(index.name);
  if (same && same.unique === (index.unique ?? false) && `${same.columns}` === `${index.columns}`) return;
  const sql = [...(same ? dialect.dropIndex(table, index) : []), ...dialect.createIndex(table, index)];
  if (sql.length === 0) return;
  const why = same ? 'it covers other columns' : 'the schema needs it';
  const step = indexStep(same ? 'rebuild index' : 'create index', table, index, sql, why);
  steps.push({ ...step, ...(index.unique ? duplicates(plan, index) : {}) });
}

/** The value that a column which becomes required gets where it is NULL. */
export interface FilledColumn {
  name: string;
  value: unknown;
  /** The value in SQL. */
  literal: string;
}

/** Data check for rows that violate a unique index, once `filled` has its values. NULLs are never equal. */
export function duplicates(plan: TablePlan, index: IndexModel, filled?: FilledColumn): Pick<Step, 'checks'> {
  const { shape, dialect, table } = plan;
  if (index.digests) return { checks: index.digests.flatMap((digest) => sameDigests(plan, digest, filled) ?? []) };
  // A new column without a value is NULL everywhere, so there are no duplicates.
  if (index.columns.some((name) => !shape.columns.get(name)?.origin && table.columns.get(name)?.nullable)) return {};
  const values = index.columns.flatMap((name) => {
    const origin = shape.columns.get(name)?.origin;
    if (!origin) return [];
    const column = dialect.quote(origin);
    return [
      (prefix = '') => (name === filled?.name ? `COALESCE(${prefix}${column}, ${filled.literal})` : prefix + column),
    ];
  });
  const condition = values.map((value) => `${value()} IS NOT NULL`).join(' AND ') || '1 = 1';
  const group = values.length > 0 ? ` GROUP BY ${values.map((value) => value()).join(', ')}` : '';
  const check = dataCheck(plan, condition, shared(index.columns));
  const twice = (what: string) => `SELECT ${what} FROM ${plan.quoted} WHERE ${condition}${group} HAVING COUNT(*) > 1`;
  const sql = `SELECT COUNT(*) FROM (${twice('1 AS one')}) d`;
  const id = dialect.quote('id');
  const keys = values.map((value, at) => `${value()} AS value${at}`).join(', ') || '1 AS one';
  const joined = values.map((value, at) => `d.value${at} = ${value('t.')}`).join(' AND ') || '1 = 1';
  const order = [...values.map((value) => value('t.')), `t.${id}`].join(', ');
  const ids = `SELECT t.${id} FROM ${plan.quoted} t JOIN (${twice(keys)}) d ON ${joined} ORDER BY ${order} LIMIT ${MAX_IDS}`;
  return { checks: [{ ...check, sql, ...(check.ids ? { ids } : {}) }] };
}

/** The conflict of duplicate values in columns that become unique. */
function shared(columns: readonly string[]): Conflict {
  const names = columns.join(', ');
  return {
    risk: 'refused',
    why: wording(`value of ${names} occurs`, `values of ${names} occur`, 'in more than one row'),
    hint: 'Make them different, or let the field not be unique.',
  };
}

/** Rows per statement when digests are computed. */
const PAGE = 500;

/** Data check for rows with equal digests, computed from their values: the stored digests are missing or outdated. */
function sameDigests(
  plan: TablePlan,
  digest: NonNullable<IndexModel['digests']>[number],
  filled?: FilledColumn,
): KeyCheck | undefined {
  const { shape, dialect, table, quoted } = plan;
  const sources = digest.sources.map(({ column: name }) => {
    const { default: initial, backfill } = table.columns.get(name)!;
    const origin = shape.columns.get(name)?.origin || undefined;
    return { origin, given: backfill ?? initial ?? null, filled: name === filled?.name };
  });
  if (sources.some(({ origin, given }) => origin === undefined && given === null)) return undefined;
  const existing = sources.flatMap(({ origin }) => (origin === undefined ? [] : [dialect.quote(origin)]));
  const id = dialect.quote('id');
  const mine = conditionsOf(plan, digest.where, shape).map((condition) => ` AND ${condition}`);
  const after = (last: number): string =>
    `SELECT ${[id, ...existing].join(', ')} FROM ${quoted} WHERE ${id} > ${last}${mine.join('')} ORDER BY ${id} LIMIT ${PAGE}`;
  const keyOf = (values: readonly unknown[]): string | null => {
    const rest = [...values];
    return digestOf(
      digest,
      sources.map((source) => {
        const value = source.origin === undefined ? source.given : rest.shift();
        return source.filled ? (value ?? filled!.value) : value;
      }),
    );
  };
  return { after, keyOf, ...shared(digest.sources.map(({ column }) => column)) };
}

/**
 * Drops indexes of tables without a schema whose names are needed, where the indexes of all tables share one namespace;
 * other indexes remain. A table that a later schema uses again gets its indexes back.
 */
export function freeIndexNames(
  steps: readonly Step[],
  live: LiveSchema,
  orphans: ReadonlySet<string>,
  dialect: Dialect,
): void {
  if (!dialect.migration.sharesIndexNames) return;
  const orphanIndexes = new Map(
    [...orphans].flatMap((table) =>
      [...live.tables.get(table)!.indexes].map(([name, index]) => [name, { table, index }]),
    ),
  );
  for (const { kind, name, sql } of steps) {
    const found = kind === 'create index' && sql.length > 0 ? orphanIndexes.get(name!) : undefined;
    if (!found) continue;
    const table = { name: found.table, columns: new Map(), indexes: new Map(), counted: [] };
    sql.unshift(...dialect.dropIndex(table, { name: name!, ...found.index }));
  }
}

function indexStep(kind: Step['kind'], table: TableModel, { name }: IndexModel, sql: string[], why: string): Step {
  return { kind, table: table.name, name, risk: 'safe', sql, why };
}
