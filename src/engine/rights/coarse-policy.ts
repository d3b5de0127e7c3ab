// Early permission check, run before the body is read, when only the path is known: whether a caller could ever perform
// an operation.
import { inScope, type Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { OperationKind } from '../../model/schema/schema.js';
import { predicateFor } from './predicate-for.js';

/** False when a check that applies to every such operation rejects the caller whatever the row. Reads no database. */
export function couldEver(model: ResourceModel, kind: OperationKind, actor: Actor): boolean {
  if (!inScope(actor, model.path, kind)) return false;
  return model.policy[kind].every(
    ({ field, param, needs }) => field || param !== undefined || predicateFor(needs, actor).op !== 'false',
  );
}
