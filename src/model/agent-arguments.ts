// Arguments of the tools for agents that belong to no resource.
import type { OperationKind } from './schema/schema.js';

export const IF_MATCH = 'if_match';
export const IDEMPOTENCY_KEY = 'idempotency_key';
export const WHERE = 'where';

/** The kinds of tools that take them: to others they may be fields. */
export const AGENT_ARGUMENTS: ReadonlyMap<string, readonly OperationKind[]> = new Map([
  [IF_MATCH, ['update', 'delete']],
  [IDEMPOTENCY_KEY, ['create', 'update']],
  [WHERE, ['list']],
]);
