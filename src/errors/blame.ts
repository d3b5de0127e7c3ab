// Which part of an extension an unexpected error came from, for the log. Errors are not wrapped: those of the database
// decide whether a transaction is repeated.
const blamed = new WeakMap<object, string>();

/** Records where an error came from, and returns it; a non-object becomes an Error. The innermost record is kept. */
export function blame(error: unknown, what: string): unknown {
  const known = typeof error === 'object' && error !== null ? error : new Error(String(error));
  if (!blamed.has(known)) blamed.set(known, what);
  return known;
}

const origins = new WeakMap<object, string>();

/** Records what a function of an extension is. */
export function nameOrigin(run: object, what: string): void {
  origins.set(run, what);
}

/** `the hook "input" of extensions/stock.ts`; undefined for functions of the engine itself. */
export function originOf(run: object): string | undefined {
  return origins.get(run);
}

/** `the hook "saved" of extensions/stock.ts`; undefined for errors of the engine itself. */
export function blameOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? blamed.get(error) : undefined;
}
