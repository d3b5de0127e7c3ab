// The key by which names of terms are compared.
import type { Derive } from '../../model/field.js';
import type { ResourceModel } from '../../model/model.js';
import { fold } from '../../text/fold.js';

/** Maximum length of a name, in bytes. */
export const MAX_NAME_BYTES = 200;

/** Column with the key of the name. */
export const NAME_KEY = 'name_key';

/** The key of a name: without case and accents, and not longer than the column. */
export function nameKey(name: unknown): string {
  // The end may be within a surrogate pair.
  return fold(String(name ?? ''))
    .slice(0, MAX_NAME_BYTES)
    .toWellFormed();
}

/** Computes the key of a changed name. */
export function keyOfName(model: ResourceModel): Derive {
  const name = model.fields.get('name')!.column!;
  return ({ row }) => {
    if (row[name] !== undefined) row[NAME_KEY] = nameKey(row[name]);
  };
}
