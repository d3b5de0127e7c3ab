// Reads for somebody: where a store has no free place for them, clients take turns.
import type { Requester, Reader } from '../store.js';

/** The same reader, which reads for a requester; without one, for the engine itself. */
export function readerFor(reader: Reader, requester: Requester | undefined): Reader {
  return reader.for?.(requester) ?? reader;
}
