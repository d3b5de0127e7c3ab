// Makes every Operation. All have the same members in the same order, so that the engine's property reads stay fast.
import type { Operation } from './operation.js';

/** What every operation is about; all other members have defaults: an empty request in the context `view`. */
export type OperationParts = Pick<Operation, 'model' | 'kind' | 'actor' | 'site' | 'store'> & Partial<Operation>;

/** A new operation. */
export function newOperation(parts: OperationParts): Operation {
  return {
    model: parts.model,
    kind: parts.kind,
    id: parts.id ?? 0,
    parentId: parts.parentId ?? 0,
    params: parts.params ?? {},
    query: parts.query,
    values: parts.values ?? {},
    raw: parts.raw ?? {},
    context: parts.context ?? 'view',
    fields: parts.fields,
    actor: parts.actor,
    site: parts.site,
    store: parts.store,
    tx: parts.tx,
    parent: parts.parent,
    above: parts.above,
    ruleResults: parts.ruleResults ?? {},
    budget: parts.budget,
    file: parts.file,
    headers: parts.headers ?? {},
    trusted: parts.trusted,
    compensations: parts.compensations ?? [],
    idempotency: parts.idempotency,
    runText: parts.runText,
    state: parts.state ?? {},
    related: parts.related ?? new Map(),
  };
}

/**
 * An operation of the same caller in the course of another one: nothing is known about its item yet. Transaction,
 * budget and compensating actions are shared.
 */
export function followingOperation(op: Operation, changes: Partial<Operation>): Operation {
  return newOperation({ ...op, ruleResults: {}, state: {}, related: new Map(), ...changes });
}
