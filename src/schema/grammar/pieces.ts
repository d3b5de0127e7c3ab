// Pieces that the grammar is composed of: strings, flags, lists, references to definitions.

/** A part of the JSON Schema. */
export type Grammar = Record<string, unknown>;

export const COLUMN = {
  pattern: '^[a-z_][a-z0-9_]*$',
  patternErrorMessage: 'lower-case letters, digits and _, not beginning with a digit',
};

/** A string with its description. */
export const string = (description: string, more: Grammar = {}): Grammar => ({ type: 'string', description, ...more });

/** A non-empty string. */
export const word = (description: string, more: Grammar = {}): Grammar =>
  string(description, { minLength: 1, ...more });

/** An error code. */
export const code = (description: string): Grammar => ({ description, $ref: '#/$defs/code' });

/** `true` or `false`. */
export const flag = (description: string): Grammar => ({ type: 'boolean', description });

/** A list of a definition. */
export const listOf = (item: Grammar, description: string, more: Grammar = {}): Grammar => ({
  type: 'array',
  items: item,
  description,
  ...more,
});

/** An object of names to a definition. */
export const mapOf = (value: Grammar, description: string, more: Grammar = {}): Grammar => ({
  type: 'object',
  additionalProperties: value,
  description,
  ...more,
});

/** A string or a list of strings. */
export const words = (description: string): Grammar => ({
  type: ['string', 'array'],
  minLength: 1,
  items: { type: 'string', minLength: 1 },
  description,
});

/** One of the names of a registry. */
export const named = (entries: readonly { name: string; description: string }[], description: string): Grammar =>
  string(
    description,
    entries.length > 0
      ? { enum: entries.map((entry) => entry.name), enumDescriptions: entries.map((entry) => entry.description) }
      : {},
  );

/** A reference to a definition of this grammar. */
export const ref = (name: string): Grammar => ({ $ref: `#/$defs/${name}` });

/** `first` for what `when` accepts, for the rest `otherwise`. */
export function choice(when: Grammar, first: Grammar, otherwise: Grammar = {}): Grammar {
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: when, then: first, else: otherwise };
}

/** A condition for one value of a key. */
export function chosen(key: string, value: string, then: Grammar): Grammar {
  return choice({ properties: { [key]: { const: value } }, required: [key] }, then);
}

/** An object of known keys. */
export const object = (description: string, properties: Grammar, more: Grammar = {}): Grammar => ({
  type: 'object',
  description,
  properties,
  additionalProperties: false,
  ...more,
});

/** A list of fields. */
export const fieldNames = (description: string) => listOf(word('A field.'), description, { minItems: 1 });
