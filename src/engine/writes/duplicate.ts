// Violations of unique indexes.
import { nounOf } from '../../errors/not-found.js';
import { invalidParams, type ResourceError } from '../../errors/resource-error.js';
import { ownMessage } from '../../model/functions/messages.js';
import type { Operation } from '../../model/operation.js';
import { and, equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { predicateFor } from '../rights/predicate-for.js';
import type { UniqueModel } from '../../model/field.js';

/** Error thrown by storage; identified by its name, because the engine does not import storage. */
interface Duplicate extends Error {
  columns: readonly string[];
}

/** Whether a write violated a unique index. */
export function isDuplicate(error: unknown): error is Duplicate {
  return error instanceof Error && error.name === 'UniqueViolation';
}

/** The error for a duplicate that no trait has handled. It names the other item to callers who may read it. */
export async function duplicateError(
  error: Duplicate,
  op: Operation,
  reader: Reader,
): Promise<ResourceError | undefined> {
  const unique = op.model.uniques.find(({ column }) => error.columns.includes(column));
  if (!unique) return undefined;
  const other = await otherItem(unique, op, reader);
  const noun = nounOf(op.model.labels);
  const names = unique.fields.map(({ name }) => name).join(' and ');
  const message = `${/^[aeiou]/i.test(noun) ? 'An' : 'A'} ${noun} with this ${names} already exists${other}.`;
  return invalidParams(
    unique.fields.map(({ name, schema }) => ({
      param: name,
      code: 'rest_not_unique',
      message: ownMessage(schema, 'rest_not_unique') ?? message,
    })),
  );
}

async function otherItem({ column }: UniqueModel, op: Operation, reader: Reader): Promise<string> {
  const { model, actor } = op;
  const value = op.state.written?.[column];
  if (value === undefined || value === null) return '';
  const where = and(model.rowScope, equals(column, value), predicateFor(model.rules.get('read')!, actor));
  const found = await reader.first(model.table!.name, ['id'], where);
  return found && found['id'] !== op.id ? ` (ID ${found['id']})` : '';
}
