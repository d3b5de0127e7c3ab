// Violations of unique indexes.
import { nounOf } from '../../errors/not-found.js';
import { invalidParams, type ParamIssue, ResourceError } from '../../errors/resource-error.js';
import { ownMessage } from '../../model/functions/messages.js';
import type { Operation } from '../../model/operation.js';
import { guardOf, withGuard } from '../../model/functions/readers.js';
import { and, equals, TRUE, type Predicate } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { readable } from '../rights/predicate-for.js';
import type { FieldModel, UniqueModel } from '../../model/field.js';

/** Error thrown by storage; identified by its name, because the engine does not import storage. */
interface Duplicate extends Error {
  table: string;
  columns: readonly string[];
}

/** Whether a write violated a unique index. */
export function isDuplicate(error: unknown): error is Duplicate {
  return error instanceof Error && error.name === 'UniqueViolation';
}

/**
 * The error for a duplicate that no trait has handled. It names the other items to callers who may read them, with the
 * values that are taken. Of several violated indexes each database reports another one, so all are looked up.
 */
export async function duplicateError(
  error: Duplicate,
  op: Operation,
  reader: Reader,
): Promise<ResourceError | undefined> {
  const { table, site } = op.model;
  if (op.kind === 'delete' || (error.table !== table?.name && site.ofTable.has(error.table)))
    return wouldRepeat(error, op);
  const reported = op.model.uniques.find(({ column }) => error.columns.includes(column));
  if (!reported) return undefined;
  const issues = new Map<string, ParamIssue>();
  for (const unique of op.model.uniques) {
    const isTaken = unique === reported || (await otherItem(unique, op, reader)) !== undefined;
    if (!isTaken) continue;
    const message = await duplicateText(unique, op, reader);
    for (const { name, schema } of shownOf(unique)) {
      const own = ownMessage(schema, 'rest_not_unique');
      if (!issues.has(name)) issues.set(name, { param: name, code: 'rest_not_unique', message: own ?? message });
    }
  }
  return invalidParams([...issues.values()]);
}

/**
 * The error for a write that would make others alike: what refers to a deleted item moves to another one, what was hidden
 * with an item comes back. It does not name the items, because the caller may not be allowed to know of them.
 */
export function wouldRepeat({ table }: Duplicate, { model }: Operation): ResourceError {
  const labels = (model.site.ofTable.get(table) ?? []).map((owner) => owner.labels.plural);
  return new ResourceError('rest_item_in_use', {
    message: `Items that change with this one would have the same unique values as others: ${labels.join(', ')}. Change or delete those first.`,
    data: { referenced_by: labels },
  });
}

async function duplicateText(unique: UniqueModel, op: Operation, reader: Reader): Promise<string> {
  const seen = withGuard(guardOf(unique.fields, op.model), op.actor, readable(op.model, op.actor));
  const id = await otherItem(unique, op, reader, seen);
  const noun = nounOf(op.model.labels);
  const names = joinNames(shownOf(unique).map(({ name }) => name));
  const which = id === undefined ? '' : ` (ID ${id})`;
  return `${/^[aeiou]/i.test(noun) ? 'An' : 'A'} ${noun} with this ${names} already exists${which}.`;
}

/** The fields that clients know; of a group of hidden ones all. */
function shownOf({ fields }: UniqueModel): readonly FieldModel[] {
  const shown = fields.filter(({ schema }) => !schema.hidden);
  return shown.length > 0 ? shown : fields;
}

/** `a`, `a and b`, `a, b and c`. */
function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The id of another item with the value that was to be written, among those that satisfy `where`. */
async function otherItem(
  { column }: UniqueModel,
  op: Operation,
  reader: Reader,
  where?: Predicate,
): Promise<number | undefined> {
  const { model, state, id } = op;
  const value = state.written?.[column];
  if (value === undefined || value === null) return undefined;
  const same = and(model.rowScope, equals(column, value), where ?? TRUE);
  const found = await reader.first(model.table!.name, ['id'], same);
  return found && found['id'] !== id ? (found['id'] as number) : undefined;
}
