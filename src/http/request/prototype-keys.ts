// Removes names such as `__proto__` from parsed queries and bodies, against prototype pollution.
import { RESERVED_NAMES } from '../../model/functions/reserved-names.js';

const IN_KEY = /(?:^|\[)(?:__proto__|constructor|prototype)(?:\]|\[|$)/;
// An escape may spell such a name, so that it appears only after parsing.
const POSSIBLY_RESERVED = /__proto__|constructor|prototype|\\u/;

/** Takes the reserved names that have been removed. */
export type NoteDropped = (names: readonly string[]) => void;

/** Whether a bracketed key (`filter[constructor]`) holds a reserved name. */
export function hasReservedSegment(key: string): boolean {
  return IN_KEY.test(key);
}

/** Whether JSON text may contain a reserved name at all: skips the walk for nearly every body. */
export function mayHoldReserved(text: string): boolean {
  return POSSIBLY_RESERVED.test(text);
}

/** Removes reserved names at every depth, without recursion; those that were there, each once. */
export function dropReserved(root: object): string[] {
  const dropped = new Set<string>();
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const key of Object.keys(node)) {
      if (RESERVED_NAMES.has(key)) {
        dropped.add(key);
        Reflect.deleteProperty(node, key);
      } else {
        const value: unknown = Reflect.get(node, key);
        if (typeof value === 'object' && value !== null) open.push(value);
      }
    }
  }
  return [...dropped];
}
