// Typed access to parts of a schema that may be invalid: a value of the wrong type counts as absent, since the grammar
// reports it.

/** The members of an object, or none. */
export function members(value: unknown): [string, unknown][] {
  return Object.entries(record(value));
}

/** The object, or an empty one. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The list, or an empty one. */
export function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value itself or each of a list, with the rest of the path. */
export function oneOrMany(value: unknown): [path: number[], value: unknown][] {
  return Array.isArray(value) ? value.map((item, index) => [[index], item]) : value === undefined ? [] : [[[], value]];
}

/** The string, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether there is a value at the path. */
export function reaches(value: unknown, path: readonly (string | number)[]): boolean {
  let at: unknown = value;
  for (const segment of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return false;
    at = (at as Record<string | number, unknown>)[segment];
  }
  return true;
}
