// Checks passwords of items: compared in constant time, failed attempts counted by the site.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Operation } from '../../model/operation.js';

/**
 * Compares a given password with the stored one; the duration reveals neither the position of a difference nor the
 * length.
 */
export function samePassword(given: string, stored: string): boolean {
  return timingSafeEqual(digest(given), digest(stored));
}

/**
 * Whether a password opens an item, which the caller may otherwise see.
 * @throws ResourceError 429 after too many failed attempts
 */
export async function opensItem(
  op: Operation,
  item: { table: string; id: number },
  given: string,
  stored: string,
): Promise<boolean> {
  const compare = () => samePassword(given, stored);
  const limits = op.site.itemPasswords;
  return limits ? limits.check(`${item.table} ${item.id}`, op.actor.address, compare) : compare();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
