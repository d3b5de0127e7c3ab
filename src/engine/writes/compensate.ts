// Undoes what an operation has done outside the database.
import type { Operation } from '../../model/operation.js';

/**
 * Runs the compensations of an operation whose changes were not written. A step that fails (a bucket that does not
 * respond) neither hides the error that ended the operation nor prevents the other steps: the sweep of files removes
 * later what it has left. Never rejects.
 */
export async function compensate({ compensations }: Pick<Operation, 'compensations'>): Promise<void> {
  for (const undo of compensations) await undo().catch(() => undefined);
}
