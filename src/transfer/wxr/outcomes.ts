// The outcome of an import unit: created, updated, skipped or refused.
import { isDuplicate } from '../../engine/writes/duplicate.js';
import { type ErrorStatus, invalidParams, ResourceError } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import type { Reader } from '../../model/store.js';
import { Skipped, type Change, type Outcome, type ImportItem } from './import-unit.js';

/** Status codes of a database that is busy, unavailable or full: the next objects would be refused, too. */
const OF_DATABASE: ReadonlySet<ErrorStatus> = new Set([503, 507]);

/** The change of a unit, or its outcome when it is skipped. Nothing has been written, so that the other units can continue. */
export async function changeOf(unit: ImportItem, reader: Reader, existing: boolean): Promise<Change | Outcome> {
  try {
    return await unit.change(reader, existing);
  } catch (error) {
    if (error instanceof Skipped) return skippedOutcome(unit, error.message);
    if (error instanceof ResourceError && !OF_DATABASE.has(error.status)) return rejectedOutcome(unit, error);
    throw error;
  }
}

/** The outcome of a unit that was written; `fresh`: as a new item. */
export function writtenOutcome(
  unit: ImportItem,
  { notes, waits = false }: Change,
  fresh: boolean,
  id: number,
  entries: number,
): Outcome {
  return { unit, did: fresh ? 'created' : 'updated', id, notes, entries, waits };
}

/** The outcome of a unit that was skipped. */
export function skippedOutcome(unit: ImportItem, reason: string, id?: number): Outcome {
  return { unit, did: 'skipped', reason, notes: [], entries: 0, waits: false, ...(id === undefined ? {} : { id }) };
}

/** The outcome of a unit that the engine refused. */
export function rejectedOutcome(unit: ImportItem, error: ResourceError): Outcome {
  return { ...skippedOutcome(unit, `refused (${error.code})`), refusal: reasonOf(error) };
}

/** The refusal of an object of this resource; undefined for an error with which the import cannot go on. */
export function refusalOf(error: unknown, model: ResourceModel): ResourceError | undefined {
  if (error instanceof ResourceError) return OF_DATABASE.has(error.status) ? undefined : error;
  if (!isDuplicate(error)) return undefined;
  const unique = model.uniques.find(({ column }) => error.columns.includes(column));
  const names = unique?.fields.map(({ name }) => name) ?? ['unique value'];
  const message = `Another item has this ${names.join(' and ')}.`;
  return invalidParams([{ param: names[0]!, code: 'rest_not_unique', message }]);
}

/** The message of an error, with the reason for each field. */
export function reasonOf(error: ResourceError): string {
  const params = error.details.data?.['params'];
  return params && typeof params === 'object' ? Object.values(params).join(' ') : error.message;
}
