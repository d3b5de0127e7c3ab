// Errors of the query language. A field that the caller may not query is treated like one that does not exist.
import { invalidParams, type ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import type { ResourceModel } from '../../model/model.js';
import type { QueryField } from '../../model/query-language.js';
import { predicateFor } from '../rights/predicate-for.js';

/** The error for one parameter; `reason` continues the sentence after its name, or begins with a colon. */
export function wrong(param: string, code: string, reason: string): ResourceError {
  const message = reason.startsWith(':') ? param + reason : `${param} ${reason}`;
  return invalidParams([{ param, code, message }]);
}

/** The field of that name, if the caller may query it in at least one row. */
export function queryableField(model: ResourceModel, name: string, actor: Actor): QueryField | undefined {
  const found = model.query?.fields.get(name);
  return found && (!found.guard || predicateFor(found.guard, actor).op !== 'false') ? found : undefined;
}

/** The error for a condition on a field that does not exist, or not for this caller. */
export function unknownField(param: string, model: ResourceModel, actor: Actor): ResourceError {
  const names = [...(model.query?.fields.keys() ?? [])].filter((name) => queryableField(model, name, actor));
  return wrong(param, 'rest_not_in_enum', `cannot be used in conditions. Allowed: ${names.join(', ')}.`);
}
