// Violations of unique indexes.
import { invalidParams, type ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';

/** Error thrown by storage; identified by its name, because the engine does not import storage. */
interface Duplicate extends Error {
  columns: readonly string[];
}

/** Whether a write violated a unique index. */
export function isDuplicate(error: unknown): error is Duplicate {
  return error instanceof Error && error.name === 'UniqueViolation';
}

/** The error for a duplicate that no trait has handled. */
export function duplicateError(error: Duplicate, model: ResourceModel): ResourceError | undefined {
  const fields = [...model.fields.values()].filter(
    (field) => field.schema.unique && error.columns.includes(field.column ?? ''),
  );
  if (fields.length === 0) return undefined;
  return invalidParams(
    fields.map(({ name }) => ({
      param: name,
      code: 'rest_not_unique',
      message: `${name} is in use by another item.`,
    })),
  );
}
