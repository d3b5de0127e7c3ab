// The grammar of values: JSON Schema keywords, members, meta keys, parameters and fields.
import type { ComputedFunction, FieldType, Filter } from '../../model/registry.js';
import { CONTEXTS, type ValueSchema } from '../../model/schema.js';
import { settingsOf } from '../../model/site.js';
import { jsonSchemas2020, requiredNames } from './json-schema-2020.js';

/** A part of the JSON Schema. */
export type Grammar = Record<string, unknown>;

export const COLUMN = {
  pattern: '^[a-z_][a-z0-9_]*$',
  patternErrorMessage: 'lower-case letters, digits and _, not beginning with a digit',
};

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

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

const count = (description: string): Grammar => ({ type: 'integer', minimum: 0, description });
const number = (description: string): Grammar => ({ type: 'number', description });
const scalar = (description: string): Grammar => ({ type: ['string', 'number', 'boolean', 'null'], description });
const context = (description: string): Grammar => string(description, { enum: CONTEXTS });

const CONTEXT_LIST = listOf(
  context('One of the contexts.'),
  'Contexts that show it: view, embed, edit; [] shows it never. Default: all.',
  { uniqueItems: true },
);

const GENERAL: Grammar = {
  title: string('Short name for people.'),
  description: string('What it means, for OPTIONS and OpenAPI.'),
  default: { description: 'Value when none was sent.' },
  enum: listOf(scalar('An allowed value.'), 'The allowed values.', { minItems: 1, uniqueItems: true }),
  format: string('Format of a string.', {
    examples: ['date-time', 'date', 'uri', 'email', 'ip', 'uuid', 'hex-color', 'text-field', 'textarea-field'],
  }),
  anyOf: listOf(ref('value'), 'At least one of these fits.', { minItems: 1 }),
  oneOf: listOf(ref('value'), 'Exactly one of these fits.', { minItems: 1 }),
};

const BY_TYPE: Record<string, Grammar> = {
  number: {
    minimum: number('Least value.'),
    maximum: number('Greatest value.'),
    exclusiveMinimum: flag('The minimum itself is refused.'),
    exclusiveMaximum: flag('The maximum itself is refused.'),
    multipleOf: { type: 'number', exclusiveMinimum: 0, description: 'Step.' },
  },
  string: {
    minLength: count('Least number of characters.'),
    maxLength: count('Greatest number of characters.'),
    pattern: string('Regular expression that the text matches.'),
  },
  array: {
    items: ref('value'),
    minItems: count('Least number of items.'),
    maxItems: count('Greatest number of items.'),
    uniqueItems: flag('No item occurs twice.'),
  },
  object: {
    properties: mapOf(ref('member'), 'Its members.'),
    patternProperties: mapOf(ref('value'), 'Members whose names match a regular expression.'),
    additionalProperties: {
      type: ['boolean', 'object'],
      ...choice({ type: 'object' }, ref('value')),
      description: 'Whether other members are allowed, and of what kind.',
    },
    minProperties: count('Least number of members.'),
    maxProperties: count('Greatest number of members.'),
  },
};

const KEYWORDS: Grammar = Object.assign({}, GENERAL, ...Object.values(BY_TYPE));

const VALUE: Grammar = {
  type: {
    type: ['string', 'array'],
    items: { type: 'string', enum: JSON_TYPES },
    ...choice({ type: 'string' }, { enum: JSON_TYPES }),
    description: 'JSON type, or several.',
  },
  ...KEYWORDS,
  required: {
    type: ['boolean', 'array'],
    items: { type: 'string' },
    description: 'Must be sent; or the names of the members that must.',
  },
};

const COMMON: Grammar = {
  ...GENERAL,
  required: flag('Must be sent on create.'),
  readOnly: flag('Returned, never accepted.'),
  contexts: CONTEXT_LIST,
  internal: flag('Known to the engine alone: in no answer, no body, no OPTIONS.'),
  setting: string('Switch among the settings of the site; while it is off there is no such field.', {
    enum: settingsOf('boolean'),
  }),
  column: string('Column that keeps the value; default the name of the field.', COLUMN),
  renamedFrom: string('Former column name, so that its data moves along.', COLUMN),
  backfill: scalar('Value for the rows that are there when the column is added.'),
  nullable: flag('null may be sent and stored.'),
  unique: flag('No two rows of the resource share the value.'),
  index: flag('Keep an index for filters and orderings of your own.'),
};

// The definition of each type allows these names, `field` defines them: so ajv compiles them once.
const COMMON_NAMES: Grammar = Object.fromEntries(Object.keys(COMMON).map((key) => [key, true]));

// A field type only names these keys: the grammar defines them.
const shaped = (functions: readonly ComputedFunction[]): Grammar => ({
  keys: mapOf(ref('metaKey'), 'Registered meta keys.'),
  returns: ref('value'),
  function: named(functions, 'Registered function that makes the value.'),
});

/** Definitions of values, members, meta keys and parameters. */
export function valueDefinitions(filters: readonly Filter[]): Grammar {
  const object = (properties: Grammar, description: string, more: Grammar = {}) => ({
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    ...more,
  });
  return {
    code: string('An error code.', {
      pattern: '^[a-z][a-z0-9_]*$',
      patternErrorMessage: 'lower-case letters, digits and _, beginning with a letter',
    }),
    value: object(VALUE, 'A value, in keywords of JSON Schema.'),
    member: object(
      { ...VALUE, contexts: CONTEXT_LIST, readOnly: flag('Returned, never accepted.') },
      'A member of an object.',
    ),
    metaKey: object(
      {
        ...VALUE,
        single: flag('One value (default) or a list of them.'),
        as: word('Name in answers when it differs from the stored key.'),
        hidden: flag('Stored, never shown.'),
        needs: ref('rule'),
      },
      'A registered meta key.',
    ),
    param: object(
      {
        ...VALUE,
        filter: named(filters, 'How it narrows the list. Without one a trait or function reads it.'),
        field: word('Field the filter looks at.'),
        resource: word('Resource of a `through` filter.'),
        function: word('Registered function of a `function` filter.'),
        options: { type: 'object', description: 'Options of the filter.' },
        normalize: string('How each value is cleaned before comparing.', { enum: ['slug', 'key'] }),
        lenient: flag('Accept anything; values that do not fit are ignored.'),
      },
      'A parameter.',
      {
        allOf: filters.map(({ name, keys = [], options = {} }) =>
          chosen('filter', name, {
            ...(keys.length > 0 ? { required: keys } : {}),
            properties: { options: optionsOf(options) },
          }),
        ),
      },
    ),
  };
}

// A condition for one value of a key.
function chosen(key: string, value: string, then: Grammar): Grammar {
  return choice({ properties: { [key]: { const: value } }, required: [key] }, then);
}

function optionsOf(options: Record<string, ValueSchema>): Grammar {
  const required = requiredNames(options);
  const properties = jsonSchemas2020(options);
  return { type: 'object', properties, additionalProperties: false, ...(required.length > 0 && { required }) };
}

/** Definitions of a field: one per type, selected by `type`. */
export function fieldDefinitions(types: readonly FieldType[], functions: readonly ComputedFunction[]): Grammar {
  const definitions: Grammar = {
    field: {
      type: 'object',
      description: 'A field. `type` says what kind of value it holds and which keys it takes.',
      required: ['type'],
      properties: { type: named(types, 'Kind of value.'), ...COMMON },
      allOf: types.map(({ name }) => chosen('type', name, ref(`field:${name}`))),
    },
  };
  for (const type of types) definitions[`field:${type.name}`] = fieldDefinition(type, functions);
  return definitions;
}

function fieldDefinition(type: FieldType, functions: readonly ComputedFunction[]): Grammar {
  const keys = jsonSchemas2020(type.keys);
  for (const [key, shape] of Object.entries(shaped(functions))) if (keys[key]) keys[key] = { ...(shape as Grammar) };
  const properties = { type: true, ...COMMON_NAMES, ...keywordsOf(type), ...keys };
  const required = requiredNames(type.keys);
  return {
    description: type.description,
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    ...(keys['function'] && { allOf: functions.map(functionGrammar) }),
  };
}

function functionGrammar({ name, options }: ComputedFunction): Grammar {
  const required = requiredNames(options).length > 0 ? { required: ['options'] } : {};
  return chosen('function', name, { ...required, properties: { options: optionsOf(options) } });
}

// Keywords that never apply are rejected: "maxLength" of an integer is a mistake.
function keywordsOf(type: FieldType): Grammar {
  const json = [type.value({ type: type.name }).type ?? []].flat();
  if (json.length === 0) return KEYWORDS;
  return Object.assign({}, ...json.map((name) => BY_TYPE[name === 'integer' ? 'number' : name] ?? {}));
}
