// Returns a stored response only to a caller who may still read it: permissions may have been revoked since, the item
// deleted or hidden.
import { itemNotFound } from '../../errors/not-found.js';
import { ResourceError } from '../../errors/resource-error.js';
import { followingOperation, newOperation } from '../../model/new-operation.js';
import type { Operation, Result } from '../../model/operation.js';
import { equals } from '../../model/query.js';
import type { Reader, Transaction } from '../../model/store.js';
import { neverSeen, without } from '../rights/field-rights.js';
import { findStoredResponse, storeResponse, type ShownItem } from './idempotency.js';

/** Operations of the service that are needed to check again. */
export interface Rechecks {
  /** Reads an item; throws when the caller may not. */
  retrieve(op: Operation): Promise<Result>;
  /** Throws the error of a write that the caller has no permission for. */
  permit(op: Operation): Promise<void>;
}

/**
 * The response to the first request with this key, if there was one.
 * @throws ResourceError 422 when that request had other content; the error that a read or a write would get now
 */
export async function replay(op: Operation, reader: Reader, rechecks: Rechecks): Promise<Result | undefined> {
  const stored = await findStoredResponse(op, reader);
  if (!stored) return undefined;
  const { result, shown = legacyShownItem(stored.result) } = stored;
  // Items that are created below it need the id.
  if (op.kind === 'create') op.id = shown.id;
  else follow(op, await placeOf(op, shown, reader));
  const repeated = { ...result, headers: { ...result.headers, 'Idempotency-Replayed': 'true' } };
  // What the caller may do is found out again.
  delete repeated.allow;
  if (shown.readable) {
    const place = op.kind === 'create' ? await placeOf(op, shown, reader) : op;
    const fresh = await rechecks.retrieve(readOf(op, shown, place, reader));
    return { ...repeated, body: stillVisible(op, result.body, fresh.body) };
  }
  // The caller saw the item only in the response to the write: a comment that waits for approval.
  await rechecks.permit(followingOperation(op, { store: reader }));
  if (op.kind === 'create') await placeOf(op, shown, reader);
  return { ...repeated, body: withoutUnseen(op, result.body) };
}

/** What a stored body shows of its item, of which the caller sees `fresh` now; absent: it was too large to be stored. */
export function stillVisible({ model }: Operation, stored: unknown, fresh: unknown): unknown {
  // The signed URLs of private files may have expired.
  if (stored === undefined || model.faces.upload?.private) return fresh;
  return (model.rights ? intersect : membersOf)(stored, fresh);
}

// Responses stored by versions that did not record it.
function legacyShownItem({ body }: Result): ShownItem {
  return { id: Number((body as { id?: unknown } | null)?.id ?? 0), context: 'edit', readable: true };
}

/** Stores a response in the transaction that produced it, and whether a read would return as much. */
export async function storeResult(op: Operation, result: Result, tx: Transaction, rechecks: Rechecks): Promise<void> {
  if (!op.idempotency) return;
  const shown: ShownItem = { id: op.id as number, context: op.context, readable: true, resource: op.model.name };
  try {
    await rechecks.retrieve(readOf(op, shown, await placeOf(op, shown, tx), tx));
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    shown.readable = false;
  }
  await storeResponse(op, result, shown, tx);
}

/** Key of an item and id of its parent, as they are in its path. */
type Place = Pick<Operation, 'id' | 'parentId'>;

/** The update may have changed the key of its item, or put it below another parent. */
function follow(op: Operation, { id, parentId }: Place): void {
  if (parentId !== op.parentId) op.parent = op.above = undefined;
  Object.assign(op, { id, parentId });
}

function readOf(op: Operation, { context }: ShownItem, { id, parentId }: Place, reader: Reader): Operation {
  const { model, fields, actor, site, budget, headers, runText } = op;
  const { parent, above }: Partial<Operation> = parentId === op.parentId ? op : {};
  const request = { model, kind: 'retrieve', id, parentId, params: { context }, context, fields, headers } as const;
  return newOperation({ ...request, actor, site, store: reader, parent, above, budget, runText });
}

/** Where the item is now: its key and its parent in the path. Throws 404 when it no longer exists. */
async function placeOf({ model, parentId }: Operation, { id }: ShownItem, reader: Reader): Promise<Place> {
  const [key, above] = [model.key.column!, model.parent?.field.column];
  const row = await reader.first(model.table!.name, [...new Set([key, above ?? key])], equals('id', id));
  if (!row) throw itemNotFound({ labels: model.labels, code: model.errors.notFound }, id);
  return { id: row[key] as number | string, parentId: above === undefined ? parentId : (row[above] as number) };
}

/** A stored body without the fields that the caller may no longer see. */
function withoutUnseen({ model, actor }: Operation, body: unknown): unknown {
  return [...(neverSeen(model, actor) ?? [])].reduce((rest, name) => without(rest, [name]), body);
}

/** The members of a stored body that a read would return now. */
function membersOf(stored: unknown, fresh: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || typeof fresh !== 'object' || fresh === null) return stored;
  return Object.fromEntries(Object.entries(stored).filter(([name]) => name in fresh));
}

/** The stored value without the members, at any depth, that a read would not return now. */
function intersect(stored: unknown, fresh: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  if (typeof fresh !== 'object' || fresh === null) return fresh;
  if (Array.isArray(stored) && Array.isArray(fresh))
    return stored.length === fresh.length ? stored.map((item, index) => intersect(item, fresh[index])) : fresh;
  const members = Object.entries(stored).filter(([name]) => Object.hasOwn(fresh, name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, intersect(value, (fresh as typeof stored)[name as never])]),
  );
}
