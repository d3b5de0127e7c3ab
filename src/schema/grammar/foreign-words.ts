// Words of other schema languages, and their equivalents here.

interface Equivalent {
  /** The word that must be allowed in the place. */
  to: string;
  hint?: string;
}

const CALCULATED = 'calculate it with "function": "expression"';

const VALUES: Readonly<Record<string, Equivalent>> = {
  ...wordsFor('decimal', 'money currency amount numeric fixed'),
  ...wordsFor('number', 'float double real'),
  ...wordsFor('integer', 'int bigint long serial'),
  ...wordsFor('boolean', 'bool flag switch checkbox'),
  ...wordsFor('string', 'varchar char str'),
  ...wordsFor('text', 'longtext markdown textarea'),
  ...wordsFor('datetime', 'timestamp timestamptz date-time moment'),
  ...wordsFor('reference', 'relation ref belongsTo manyToOne foreignKey link'),
  ...wordsFor('references', 'hasMany manyToMany'),
  ...wordsFor('uri', 'url'),
  ...wordsFor('object', 'map record struct'),
  ...wordsFor('array', 'list'),
  ...equivalentOf({ to: 'string', hint: 'write "type": "string" and "enum": […]' }, 'enum choice select'),
  ...equivalentOf(
    { to: 'computed', hint: 'files come with the trait "uploaded"; "function": "file-url" shows the URL' },
    'file image picture upload',
  ),
  ...equivalentOf({ to: 'computed', hint: CALCULATED }, 'expression formula calculated'),
  ...equivalentOf(
    { to: 'expression', hint: CALCULATED },
    'sum count min max add subtract multiply divide arithmetic concat calculation',
  ),
};

const KEYS: Readonly<Record<string, Equivalent>> = {
  '+': { to: 'add' },
  '-': { to: 'subtract' },
  '*': { to: 'multiply' },
  '/': { to: 'divide' },
  ...inRules('read'),
  ...inRules('edit'),
};

function inRules(name: string): Record<string, Equivalent> {
  return equivalentOf({ to: 'rules', hint: `rules belong in "rules": {"${name}": …}` }, name);
}

function equivalentOf(equivalent: Equivalent, words: string): Record<string, Equivalent> {
  return Object.fromEntries(words.split(' ').map((word) => [word, equivalent]));
}

function wordsFor(to: string, words: string): Record<string, Equivalent> {
  return equivalentOf({ to }, words);
}

/** The hint for a value that another language uses in place of one of `allowed`. */
export function hintForValue(value: unknown, allowed: readonly unknown[]): string | undefined {
  return typeof value === 'string' ? hintFor(VALUES, value, allowed) : undefined;
}

/** The same for a key. */
export function hintForKey(key: string, allowed: readonly string[]): string | undefined {
  return hintFor(KEYS, key, allowed);
}

function hintFor(
  words: Readonly<Record<string, Equivalent>>,
  word: string,
  allowed: readonly unknown[],
): string | undefined {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  if (!found || !allowed.includes(found.to)) return undefined;
  return found.hint ?? `did you mean "${found.to}"?`;
}
