// Digests that keep values unique which an index cannot compare itself.
import { createHash } from 'node:crypto';
import { foldFor } from '../../text/fold.js';
import type { UniqueIgnore } from '../schema/field-schema.js';
import type { Scalar } from '../schema/schema.js';
import type { DigestModel, DigestSource } from '../table.js';

/** The digest of values in the order of `sources`; null where one of them is missing. */
export function digestOf({ sources, ignore }: DigestModel, values: readonly unknown[]): string | null {
  const known = values.map((value, at) => (isAbsent(sources[at]!, value) ? null : value));
  if (known.includes(null)) return null;
  const compared = known.map((value) => comparable(value, ignore));
  return createHash('sha256').update(JSON.stringify(compared)).digest('hex');
}

function isAbsent({ reference, absent }: DigestSource, value: unknown): boolean {
  return (
    value === null || value === undefined || (reference && Number(value) === 0) || absent.includes(value as Scalar)
  );
}

function comparable(value: unknown, ignore: readonly UniqueIgnore[]): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && ignore.length > 0 ? foldFor(value, ignore) : value;
}
