// Errors for writes that the database itself rejects.
import { ResourceError } from '../../errors/resource-error.js';
import type { Operation } from '../../model/operation.js';
import type { FailedWrite } from '../../model/store.js';

const META = 'rest_meta_database_error';
const MESSAGES: Record<string, string | undefined> = {
  delete: 'It could not be deleted. Nothing was changed; try again.',
};

/**
 * The error that the schema declares for a failed write (`errors.failed`); undefined for other errors and without one.
 */
export function failedWrite(error: unknown, { model, kind }: Operation): ResourceError | undefined {
  const table = (error as Partial<FailedWrite> | undefined)?.failedWrite;
  if (table === undefined || error instanceof ResourceError) return undefined;
  const isMeta = table !== model.table?.name && [...model.fields.values()].some((field) => field.meta?.table === table);
  const code = isMeta ? META : model.schema.errors?.failed?.[kind as 'create'];
  if (code === undefined) return undefined;
  const message = MESSAGES[kind];
  const problem = new ResourceError(code, {
    ...(message ? { message, status: 500 as const } : {}),
    like: 'db_update_error',
  });
  problem.cause = error;
  return problem;
}
