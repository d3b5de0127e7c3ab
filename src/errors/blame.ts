// Which part of an extension an unexpected error came from, for the log. Errors stay as they are: the database's own decide
// whether a transaction is repeated.
const blamed = new WeakMap<object, string>();

/** Notes where an error came from, and returns it; what is no object becomes an Error. The innermost note stays. */
export function blame(error: unknown, what: string): unknown {
  const known = typeof error === 'object' && error !== null ? error : new Error(String(error));
  if (!blamed.has(known)) blamed.set(known, what);
  return known;
}

/** `the hook "saved" of extensions/stock.ts`; undefined for errors of the engine itself. */
export function blameOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? blamed.get(error) : undefined;
}
