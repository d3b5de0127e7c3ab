// Refuses steps after which a table would have rows that are too large for the database, which would say so itself without
// naming the columns.
import type { MigrationDialect } from '../sql/migration-dialect.js';
import type { TableModel } from '../../model/table.js';
import type { LiveSchema } from './live-schema.js';
import type { Step } from './step.js';

/** Columns that are named. */
const MAX_NAMED = 10;

/** Steps that make the rows of a table larger. */
const GROWING: ReadonlySet<Step['kind']> = new Set(['create table', 'add column', 'widen column']);

/** Refuses the first step by which the rows of a table would become too large. */
export function refuseRows(
  steps: readonly Step[],
  models: readonly TableModel[],
  live: LiveSchema,
  { rowExcess }: MigrationDialect,
): void {
  if (!rowExcess) return;
  for (const table of models) {
    const step = steps.find(({ kind, table: name, sql }) => name === table.name && GROWING.has(kind) && sql.length > 0);
    const excess = step && rowExcess(table, live.tables.get(table.name));
    if (!excess) continue;
    const named = excess.columns.slice(0, MAX_NAMED).join(', ');
    const rest = excess.columns.length > MAX_NAMED ? ` and ${excess.columns.length - MAX_NAMED} more` : '';
    const why = `a row would have ${excess.bytes} bytes, and this database allows ${excess.most}; most are of the texts that lists order or filter by: ${named}${rest}`;
    const hint = `Give some of these fields a smaller "maxLength", or take them out of "index", "unique", "filterable" and "orderby".`;
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}
