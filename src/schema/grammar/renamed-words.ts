// Former words of the schema language, for the messages about files that still use them.

interface Renamed {
  to: string;
  /** A word allowed in the same place, when the new one is not. */
  beside?: string;
  hint?: string;
}

const KEYS: Readonly<Record<string, Renamed>> = {
  bareLinks: { to: 'selfLink', hint: 'write "selfLink": false; in place of "none" also "collectionLink": false' },
  beyondLastPage: { to: 'pageOutOfRange' },
  clean: { to: 'sanitize' },
  dangling: { to: 'orphaned' },
  detail: { to: 'asParameterError' },
  empty: { to: 'emptyValue' },
  given: { to: 'field' },
  holds: { to: 'capabilityIn' },
  internal: { to: 'hidden' },
  keeps: { to: 'allowStored' },
  known: { to: 'signedIn' },
  late: { to: 'keepAllow' },
  length: { to: 'columnLength' },
  notMe: { to: 'notSelf' },
  registers: { to: 'listsItselfIn' },
  registry: { to: 'static', beside: 'table' },
  setting: { to: 'enabledBy' },
  unknown: { to: 'onMissing' },
};

const VALUES: Readonly<Record<string, Renamed>> = {
  any: { to: 'in' },
  'at-least': { to: 'gte' },
  'at-most': { to: 'lte' },
  clear: { to: 'setNull' },
  keep: { to: 'noAction' },
  none: { to: 'notIn' },
  present: { to: 'positive' },
  refuse: { to: 'reject' },
  remove: { to: 'cascade' },
  through: { to: 'referencedIn' },
};

/** The message about a renamed key; undefined when it was not renamed, or when the new one is not allowed there. */
export function renamedKey(key: string, allowed: readonly string[]): { message: string; hint?: string } | undefined {
  return renamedMessage(KEYS, key, allowed);
}

/** The same for a value, which is one of `allowed` by its new name. */
export function renamedValue(value: unknown, allowed: readonly unknown[]): { message: string } | undefined {
  return typeof value === 'string' ? renamedMessage(VALUES, value, allowed) : undefined;
}

function renamedMessage(
  words: Readonly<Record<string, Renamed>>,
  word: string,
  allowed: readonly unknown[],
): { message: string; hint?: string } | undefined {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  if (!found || !allowed.includes(found.beside ?? found.to)) return undefined;
  return { message: `"${word}" is now called "${found.to}"`, ...(found.hint && { hint: found.hint }) };
}
