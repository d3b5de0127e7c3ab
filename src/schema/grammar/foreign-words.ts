// Words of other schema languages, and their equivalents here.

interface Meant {
  /** The word that must be allowed in the place. */
  to: string;
  hint?: string;
}

const CALCULATED = 'calculate it with "function": "expression"';

const VALUES: Readonly<Record<string, Meant>> = {
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
  ...meaning({ to: 'string', hint: 'write "type": "string" and "enum": […]' }, 'enum choice select'),
  ...meaning(
    { to: 'computed', hint: 'files come with the trait "uploaded"; "function": "file-url" shows the URL' },
    'file image picture upload',
  ),
  ...meaning({ to: 'computed', hint: CALCULATED }, 'expression formula calculated'),
  ...meaning(
    { to: 'expression', hint: CALCULATED },
    'sum count min max add subtract multiply divide arithmetic concat calculation',
  ),
};

const KEYS: Readonly<Record<string, Meant>> = {
  '+': { to: 'add' },
  '-': { to: 'subtract' },
  '*': { to: 'multiply' },
  '/': { to: 'divide' },
  ...inRules('read'),
  ...inRules('edit'),
};

function inRules(name: string): Record<string, Meant> {
  return meaning({ to: 'rules', hint: `rules belong in "rules": {"${name}": …}` }, name);
}

function meaning(meant: Meant, words: string): Record<string, Meant> {
  return Object.fromEntries(words.split(' ').map((word) => [word, meant]));
}

function wordsFor(to: string, words: string): Record<string, Meant> {
  return meaning({ to }, words);
}

/** The hint for a value that another language uses in place of one of `allowed`. */
export function meantValue(value: unknown, allowed: readonly unknown[]): string | undefined {
  return typeof value === 'string' ? meant(VALUES, value, allowed) : undefined;
}

/** The same for a key. */
export function meantKey(key: string, allowed: readonly string[]): string | undefined {
  return meant(KEYS, key, allowed);
}

function meant(words: Readonly<Record<string, Meant>>, word: string, allowed: readonly unknown[]): string | undefined {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  if (!found || !allowed.includes(found.to)) return undefined;
  return found.hint ?? `did you mean "${found.to}"?`;
}
