// From the database as it is to the tables of the models: every step with its class and SQL. Pure; called by settle-plan.ts.
import type { IndexModel, TableModel } from '../../model/model.js';
import type { Dialect } from '../dialect.js';
import type { LiveSchema, LiveShape } from './live-schema.js';
import { lookAt, planColumns, type TablePlan } from './plan-columns.js';
import { planMoves } from './plan-moves.js';
import { keyOf, type Plan, type Step } from './step.js';
import { type Words, wordsOf } from './words.js';

/**
 * Plans all tables. Steps are in an order in which their SQL runs; those named in `skip` are left out, and the others
 * planned as if they were never to happen. Classes are those the schemas alone decide: `settle` asks the data.
 */
export function planEvolution(
  live: LiveSchema,
  models: readonly TableModel[],
  dialect: Dialect,
  skip: ReadonlySet<string> = new Set(),
): Plan {
  const plan: Plan = { steps: [], notes: [] };
  const words = wordsOf(dialect);
  const moving = new Set(models.flatMap(({ movedFrom = [] }) => movedFrom.map(({ table }) => table)));
  for (const table of models) {
    const shape = live.tables.get(table.name);
    if (shape) planTable(plan, table, copyOf(shape), live, { dialect, words, skip });
    else create(plan, table, dialect);
  }
  // When their side tables are there too.
  for (const table of models) {
    const now = live.tables.get(table.name);
    const shape = copyOf(now ?? { name: table.name, columns: new Map(), indexes: new Map() });
    const quoted = dialect.quote(table.name);
    const own = { dialect, words, skip, table, shape, quoted, steps: plan.steps, notes: plan.notes };
    planMoves(own, live, now, models);
  }
  const known = new Set([...models.map(({ name }) => name), ...moving]);
  for (const shape of live.tables.values()) if (!known.has(shape.name)) strangeTable(plan, shape, live, words);
  return { ...plan, steps: plan.steps.filter((step) => !skip.has(keyOf(step))) };
}

type Means = Pick<TablePlan, 'dialect' | 'words' | 'skip'>;

function create(plan: Plan, table: TableModel, dialect: Dialect): void {
  const sound = [...table.columns.values()].some((column) => column.primary || column.name === 'id');
  plan.steps.push({
    kind: 'create table',
    table: table.name,
    ...(sound
      ? { risk: 'safe', why: 'the database does not have it' }
      : {
          risk: 'refused',
          why: 'the table has no primary key',
          hint: 'Give it a column id, or mark columns primary.',
        }),
    sql: sound ? dialect.createTable(table) : [],
  });
  for (const index of table.indexes.values()) {
    const sql = dialect.createIndex(table, index);
    if (sql.length > 0) plan.steps.push(indexStep('create index', table, index, sql, 'the table is new'));
  }
}

function planTable(plan: Plan, table: TableModel, shape: LiveShape, live: LiveSchema, means: Means): void {
  const quoted = means.dialect.quote(table.name);
  const before = new Set(shape.columns.keys());
  const own: TablePlan = { ...means, table, shape, quoted, steps: plan.steps, notes: plan.notes };
  planColumns(own);
  staleIndexes(own, live);
  for (const index of table.indexes.values()) planIndex(own, index);
  for (const column of own.shape.columns.values()) {
    if (table.columns.has(column.name) || !before.has(column.name)) continue;
    plan.steps.push({
      kind: 'drop column',
      table: table.name,
      column: column.name,
      ...(column.key
        ? { risk: 'refused' as const, why: 'it is part of the primary key, and no schema has it' }
        : { risk: 'destructive' as const, why: 'no schema has it; its data stays until it is dropped' }),
      sql: means.words.dropColumn(own.shape, column.name),
      optional: !column.key,
    });
  }
}

function staleIndexes({ words, table, shape, dialect, steps, notes }: TablePlan, live: LiveSchema): void {
  for (const { name, sql } of words.staleFulltext?.(table, shape) ?? []) {
    steps.push({
      kind: 'drop index',
      table: table.name,
      name,
      risk: 'safe',
      sql,
      why: 'the schema does not search there',
    });
    if (shape.made) shape.made.fulltext = [];
  }
  for (const [name, { columns, unique }] of shape.indexes) {
    if (table.indexes.has(name) || /^(sqlite_autoindex_|PRIMARY$)|_pkey$/.test(name)) continue;
    if (!/^[iu]x_/.test(name) && !live.made.has(name)) {
      notes.push(`${table.name}: the index ${name} was made by hand and stays`);
      continue;
    }
    const sql = dialect.dropIndex(table, { name, columns, unique });
    steps.push({ kind: 'drop index', table: table.name, name, risk: 'safe', sql, why: 'the schema does not need it' });
  }
}

function planIndex(plan: TablePlan, index: IndexModel): void {
  const { table, dialect, shape, steps } = plan;
  const same = shape.indexes.get(index.name);
  if (same && same.unique === (index.unique ?? false) && `${same.columns}` === `${index.columns}`) return;
  const sql = [...(same ? dialect.dropIndex(table, index) : []), ...dialect.createIndex(table, index)];
  if (sql.length === 0) return;
  const why = same ? 'it covers other columns' : 'the schema needs it';
  const step = indexStep(same ? 'rebuild index' : 'create index', table, index, sql, why);
  steps.push({ ...step, ...(index.unique ? duplicates(plan, index) : {}) });
}

/** Asks for rows that a unique index would not allow. Nulls are never equal. */
function duplicates(plan: TablePlan, index: IndexModel): Pick<Step, 'looks'> {
  const { shape, dialect, table } = plan;
  const columns = index.columns.map((name) => shape.columns.get(name));
  const there = columns
    .filter((column) => column && column.origin !== '')
    .map((column) => dialect.quote(column!.origin));
  // A new column without a value is null everywhere.
  if (index.columns.some((name, at) => !columns[at]?.origin && table.columns.get(name)?.nullable)) return {};
  const condition = there.map((name) => `${name} IS NOT NULL`).join(' AND ') || '1 = 1';
  const group = there.length > 0 ? ` GROUP BY ${there.join(', ')}` : '';
  const look = lookAt(plan, condition, {
    risk: 'refused',
    why: `values of ${index.columns.join(', ')} stand in more than one row`,
    hint: 'Make them different, or let the field not be unique.',
  });
  const example = look.sql.replace(/^SELECT COUNT\(\*\), (.*?) FROM .*$/s, '$1');
  const sql = `SELECT COUNT(*), MIN(e) FROM (SELECT ${example} AS e FROM ${plan.quoted} WHERE ${condition}${group} HAVING COUNT(*) > 1) d`;
  return { looks: [{ ...look, sql }] };
}

function indexStep(kind: Step['kind'], table: TableModel, { name }: IndexModel, sql: string[], why: string): Step {
  return { kind, table: table.name, name, risk: 'safe', sql, why };
}

function strangeTable(plan: Plan, shape: LiveShape, live: LiveSchema, words: Words): void {
  if (!live.made.has(shape.name) && !live.made.has(shape.name.replace(/__moved$/, ''))) {
    plan.notes.push(`${shape.name}: no schema has this table, and Typecase did not make it; it stays`);
    return;
  }
  plan.steps.push({
    kind: 'drop table',
    table: shape.name,
    risk: 'destructive',
    sql: words.dropTable(shape),
    why: 'no schema has it; its data stays until it is dropped',
    optional: true,
  });
}

function copyOf(shape: LiveShape): LiveShape {
  return structuredClone(shape);
}
