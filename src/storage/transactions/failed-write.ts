// Errors of writes carry the name of the table.
import type { Ran } from '../sql/connection.js';

/** Runs a write; its error carries the name of the table (`FailedWrite`). */
export function withTableName(run: () => Ran | Promise<Ran>, table: string): Ran | Promise<Ran> {
  const mark = (error: unknown): never => {
    if (error instanceof Error) Object.assign(error, { failedWrite: table });
    throw error;
  };
  try {
    const ran = run();
    return ran instanceof Promise ? ran.catch(mark) : ran;
  } catch (error) {
    return mark(error);
  }
}
