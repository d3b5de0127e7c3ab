// Rows that a unique index refuses. Called by the service: once it looks again, then it says which field is to blame.
import { invalidParams, type ResourceError } from '../errors/resource-error.js';
import type { ResourceModel } from '../model/model.js';

/** What storage throws; known by its name, since the engine does not know storage. */
interface Duplicate extends Error {
  columns: readonly string[];
}

/** Whether a unique index refused a write. */
export function isDuplicate(error: unknown): error is Duplicate {
  return error instanceof Error && error.name === 'UniqueViolation';
}

/** The refusal of a duplicate that no trait had words for. */
export function duplicateRefusal(error: Duplicate, model: ResourceModel): ResourceError | undefined {
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
