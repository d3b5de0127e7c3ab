// Errors of writes carry the name of the table.

/** Runs a write; its error carries the name of the table (`FailedWrite`). */
export function withTableName<T>(run: () => T | Promise<T>, table: string): T | Promise<T> {
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
