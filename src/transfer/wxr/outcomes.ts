// The outcome of an import unit: created, updated, skipped or refused.
import { ResourceError } from '../../errors/resource-error.js';
import type { Reader } from '../../model/store.js';
import { Skipped, type Change, type Outcome, type ImportItem } from './import-unit.js';

/** The change of a unit, or its outcome when it is skipped. Nothing is written yet, so the others can continue. */
export async function changeOf(unit: ImportItem, reader: Reader, existing: boolean): Promise<Change | Outcome> {
  try {
    return await unit.change(reader, existing);
  } catch (error) {
    if (error instanceof Skipped) return skipped(unit, error.message);
    if (error instanceof ResourceError) return rejectedOutcome(unit, error);
    throw error;
  }
}

export function done(
  unit: ImportItem,
  { notes, waits = false }: Change,
  fresh: boolean,
  id: number,
  entries: number,
): Outcome {
  return { unit, did: fresh ? 'created' : 'updated', id, notes, entries, waits };
}

export function skipped(unit: ImportItem, reason: string, id?: number): Outcome {
  return { unit, did: 'skipped', reason, notes: [], entries: 0, waits: false, ...(id === undefined ? {} : { id }) };
}

export function rejectedOutcome(unit: ImportItem, error: ResourceError): Outcome {
  return { ...skipped(unit, `refused (${error.code})`), refusal: reasonOf(error) };
}

/** The message of an error, with the reason for each field. */
export function reasonOf(error: ResourceError): string {
  const params = error.details.data?.['params'];
  return params && typeof params === 'object' ? Object.values(params).join(' ') : error.message;
}
