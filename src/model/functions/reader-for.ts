// Readers that a store may lack the means for: for a requester, whose client takes turns with others while no connection is free,
// and for small reads, which share a message to the database.
import type { Requester, Reader } from '../store.js';

/** The same reader, which reads for a requester; without one, for the engine itself. */
export function readerFor(reader: Reader, requester: Requester | undefined): Reader {
  return reader.for?.(requester) ?? reader;
}

/** The same reader, for rows that are found by a key: such reads of one turn of the event loop are sent together. */
export function smallReader(reader: Reader): Reader {
  return reader.small?.() ?? reader;
}
