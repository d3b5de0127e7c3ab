// Which hook of an extension has set a value that its column does not hold, for the log: the error of the database does
// not know.
import { blame, originOf } from '../../errors/blame.js';
import { ResourceError } from '../../errors/resource-error.js';
import type { Draft, Operation } from '../../model/operation.js';
import type { ColumnModel } from '../../model/table.js';

/** Runs a hook, and notes the columns that one of an extension sets. Hooks of the engine just run. */
export function runNoted(run: object, draft: Draft, op: Operation, work: () => unknown): unknown {
  const origin = originOf(run);
  return origin === undefined ? work() : noteColumns(origin, draft, op, work);
}

async function noteColumns(origin: string, draft: Draft, op: Operation, work: () => unknown): Promise<void> {
  const before = { ...draft.row };
  await work();
  const setters = (op.state.setters ??= new Map());
  for (const column in draft.row) if (draft.row[column] !== before[column]) setters.set(column, origin);
}

/** An unexpected error of a write, with the hook that set a value that cannot be stored as its origin. */
export function blameHook(error: unknown, { state, model }: Operation): unknown {
  if (error instanceof ResourceError || !state.setters) return error;
  for (const [column, origin] of state.setters) {
    const value: unknown = state.drafted?.[column];
    if (!fits(value, model.table?.columns.get(column)))
      return blame(error, `${origin}, which sets the column "${column}" to a value of another type,`);
  }
  return error;
}

function fits(value: unknown, column: ColumnModel | undefined): boolean {
  if (value === undefined) return true;
  if (!column) return false;
  if (value === null) return column.nullable === true;
  switch (column.kind) {
    case 'integer':
      return Number.isInteger(value) || typeof value === 'boolean';
    case 'boolean':
      return typeof value === 'boolean' || value === 0 || value === 1;
    case 'double':
      return Number.isFinite(value);
    case 'decimal':
      return Number.isFinite(value) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
    default:
      return typeof value === 'string';
  }
}
