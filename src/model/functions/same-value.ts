// Whether a value that was sent is the stored one.
import { isDeepStrictEqual } from 'node:util';

/** Types that are stored as JSON. */
const STRUCTURED = ['object', 'array', 'json'];

/** Whether two stored forms of a field's value are equal: the order of members makes no other object. */
export function isSameValue({ type }: { type: string }, written: unknown, stored: unknown): boolean {
  if (written === stored) return true;
  if (!STRUCTURED.includes(type) || typeof written !== 'string' || typeof stored !== 'string') return false;
  try {
    return isDeepStrictEqual(JSON.parse(written), JSON.parse(stored));
  } catch {
    // Other programs can store what is no JSON.
    return false;
  }
}
