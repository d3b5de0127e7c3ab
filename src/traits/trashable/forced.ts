// Whether a deletion is for good.
import type { Operation } from '../../model/operation.js';

/** Whether a deletion was forced; those of the server itself always are. */
export function isForced(op: Operation): boolean {
  return op.trusted !== undefined || op.params['force'] === true;
}
