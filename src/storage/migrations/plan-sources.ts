// Plans how a new table is filled when its values already exist elsewhere: pairs from a column, rows from a shared
// table.
import type { Scalar } from '../../model/schema/schema.js';
import { columnTypeOf } from './column-type.js';
import type { LiveShape } from '../sql/migration-dialect.js';
import type { LiveSchema } from './live-schema.js';
import { obstacle, sharedColumns, STUCK_HINT } from './plan-moves.js';
import { type DataCheck, dataCheck, type PlanContext, type Step, type TablePlan, wording } from './step.js';
import type { TableModel } from '../../model/table.js';
import { conditionsOf } from './plan-new-columns.js';

type Move = NonNullable<TableModel['movedFrom']>[number];

/** Source of the rows of a new table. */
export interface Source {
  /** Returns the statement that fills the table of this name. */
  fill?: (name: string) => string;
  /** The table that the rows are from, with their ids. */
  from?: string;
  /** Changes to the step that creates the table. */
  step: Partial<Step>;
}

/** The source of a new table; undefined: it starts empty. */
export function sourceOf(
  table: TableModel,
  live: LiveSchema,
  models: readonly TableModel[],
  context: PlanContext,
): Source | undefined {
  return pairSource(table, live, models, context) ?? sharedSource(table, live, models, context);
}

/** A to-one field became a to-many field: its value becomes the first pair. */
function pairSource(
  table: TableModel,
  live: LiveSchema,
  models: readonly TableModel[],
  context: PlanContext,
): Source | undefined {
  const { dialect, migration } = context;
  const { pairsOf } = table;
  const owner = pairsOf && models.find(({ name }) => name === pairsOf.table);
  const shape = owner && live.tables.get(owner.name);
  const column =
    pairsOf && shape && [pairsOf.column, pairsOf.renamedFrom ?? ''].flatMap((name) => shape.columns.get(name) ?? [])[0];
  if (!owner || !shape || !column) return undefined;
  if (owner.columns.has(column.name)) return column.name === pairsOf.renamedFrom ? stillUsed(column.name) : undefined;
  const plan = planOf(owner, shape, context);
  const strings = table.columns.has('value');
  const { family } = columnTypeOf(column.type, dialect.name);
  const [value, id] = [dialect.quote(column.name), dialect.quote('id')];
  const mine = conditionsOf({ table: owner, migration, dialect }, pairsOf.where, shape);
  const fits = strings ? family === 'text' || family === 'integer' : family === 'integer';
  const empty = family === 'text' ? `${value} <> ''` : `${value} <> 0`;
  const some = [`${value} IS NOT NULL`, ...(strings && family === 'integer' ? [] : [empty]), ...mine].join(' AND ');
  const hint = 'Give the field another name or "column", and write its values anew.';
  const long = `${migration.characters(value)} > 191`;
  const refusals: DataCheck[] = fits
    ? strings && family === 'text'
      ? [
          dataCheck(plan, `${some} AND ${long}`, {
            risk: 'refused',
            why: wording('value is', 'values are', 'longer than 191 characters'),
            hint,
          }),
        ]
      : []
    : [
        dataCheck(plan, some, {
          risk: 'refused',
          why: wording(
            `value of ${column.name} cannot be a member`,
            `values of ${column.name} cannot be members`,
            'of such a list',
          ),
          hint,
        }),
      ];
  const target = strings ? 'value' : 'target_id';
  const into = ['owner_id', target].map(dialect.quote).join(', ');
  const converted = strings && family === 'integer' ? migration.textOf(value) : value;
  return {
    fill: (name) =>
      `INSERT INTO ${dialect.quote(name)} (${into}) SELECT ${id}, ${converted} FROM ${dialect.quote(owner.name)} WHERE ${some}`,
    step: { why: `the values of ${owner.name}.${column.name} become lists of one`, checks: refusals },
  };
}

/** Ambiguous: the values cannot belong to both the list and the field that has the column. */
function stillUsed(column: string): Source {
  return {
    step: {
      risk: 'refused',
      why: `it says that it was ${column}, and a field has the column ${column} as well`,
      hint: 'Migrate once without that field and add it afterwards, or give it another "column".',
    },
  };
}

/** A resource leaves a shared table: its rows are copied. The originals stay there, invisible to all schemas. */
function sharedSource(
  table: TableModel,
  live: LiveSchema,
  models: readonly TableModel[],
  context: PlanContext,
): Source | undefined {
  const { dialect, migration } = context;
  const [move] = table.movedFrom ?? [];
  const listMove = move ? undefined : sideMove(table, models);
  const main = move ?? listMove;
  const old = main && live.tables.get(listMove?.side ?? main.table);
  const sharedTable = main && models.find(({ name }) => name === main.table);
  if (!main || !old || !sharedTable) return undefined;
  if (!main.from)
    return {
      step: {
        risk: 'refused',
        why: `movedFrom names ${main.table}, which other resources keep using`,
        hint: `Say which rows are its own: "movedFrom": {"table": "${main.table}", "where": {"column": "value"}}.`,
      },
    };
  const mine = ownRows(main.from, sharedTable, live.tables.get(main.table)!, context);
  const reason = move && obstacle(planOf(table, old, context), move, old, live, models);
  if (reason) return { step: { risk: 'refused', why: reason, hint: STUCK_HINT } };
  const constants = Object.entries(move?.where ?? {}).filter(([name]) => table.columns.has(name));
  const shared = sharedColumns(table, move?.where ?? {}, old);
  const into = [...shared.map(({ name }) => name), ...constants.map(([name]) => name)].map(dialect.quote).join(', ');
  const values = [
    ...shared.map(({ from }) => `o.${dialect.quote(from)}`),
    ...constants.map(([name, value]) => migration.literal(table.columns.get(name)!, value)),
  ].join(', ');
  const owned = listMove
    ? `o.${dialect.quote('owner_id')} IN (SELECT ${dialect.quote('id')} FROM ${dialect.quote(main.table)} WHERE ${mine})`
    : mine;
  return {
    fill: (name) =>
      `INSERT INTO ${dialect.quote(name)} (${into}) SELECT ${values} FROM ${dialect.quote(old.name)} o WHERE ${owned}`,
    ...(table.columns.has('id') && old.columns.has('id') ? { from: old.name } : {}),
    step: { why: `its rows are copied from ${old.name}, where they stay, unseen` },
  };
}

/** The pairs or meta entries of a resource that leaves a shared table. */
function sideMove(table: TableModel, models: readonly TableModel[]): (Move & { side: string }) | undefined {
  for (const owner of models) {
    const [move] = owner.movedFrom ?? [];
    if (!move || !table.name.startsWith(`${owner.name}_`) || !table.columns.has('owner_id')) continue;
    return { ...move, side: `${move.table}${table.name.slice(owner.name.length)}` };
  }
  return undefined;
}

function ownRows(
  where: Readonly<Record<string, Scalar>>,
  table: TableModel,
  shape: LiveShape,
  { dialect, migration }: PlanContext,
): string {
  const known = Object.keys(where).every((name) => shape.columns.has(name) && table.columns.has(name));
  // A discriminator with missing columns matches no row.
  return known ? conditionsOf({ table, migration, dialect }, where, shape).join(' AND ') || '1 = 1' : '1 = 0';
}

function planOf(table: TableModel, shape: LiveShape, context: PlanContext): TablePlan {
  return { ...context, table, shape, quoted: context.dialect.quote(table.name), steps: [], notes: [] };
}
