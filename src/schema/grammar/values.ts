// The grammar of values: JSON Schema keywords, members, meta keys, parameters and fields.
import type { ComputedFunction, FieldType, Filter } from '../../model/registry.js';
import { CONTEXTS } from '../../model/schema/schema.js';
import { MESSAGE_RULES } from '../../model/functions/messages.js';
import { jsonSchemas2020, requiredNames } from './json-schema-2020.js';
import { type Grammar, COLUMN, string, word, flag, listOf, mapOf, named, ref, choice } from './pieces.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import { settingsOf } from '../../model/site/site-settings.js';

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

const ruleFor = (description: string): Grammar => ({ ...ref('rule'), description });

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
    minLength: 2,
    examples: [
      'date-time',
      'date',
      'uri',
      'email',
      'ip',
      'uuid',
      'hex-color',
      'timezone',
      'text-field',
      'textarea-field',
    ],
  }),
  anyOf: listOf(ref('value'), 'At least one of these fits.', { minItems: 1 }),
  oneOf: listOf(ref('value'), 'Exactly one of these fits.', { minItems: 1 }),
};

const BY_TYPE: Record<string, Grammar> = {
  number: {
    minimum: number('Least value.'),
    maximum: number('Greatest value.'),
    exclusiveMinimum: number('Values are greater than this.'),
    exclusiveMaximum: number('Values are less than this.'),
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

/** Who sees and who sets a field or a member of one. */
const RIGHTS: Grammar = {
  read: ruleFor('Who sees it, beside `contexts`: without the right it is left out. Default: whoever reads the item.'),
  write: ruleFor('Who may set it. Default: whoever may write the item.'),
};

const COMMON: Grammar = {
  ...GENERAL,
  required: flag('Must be sent on create.'),
  readOnly: flag('Returned, never accepted.'),
  contexts: CONTEXT_LIST,
  ...RIGHTS,
  hidden: flag('Known to the engine alone: in no answer, no body, no OPTIONS.'),
  enabledBy: string('Switch among the settings of the site; while it is off there is no such field.', {
    enum: settingsOf('boolean'),
  }),
  guard: ref('guard'),
  filterable: ref('filterable'),
  column: string('Column that keeps the value; default the name of the field.', COLUMN),
  renamedFrom: {
    type: ['string', 'null'],
    ...COLUMN,
    description: 'Former column name, so that its data moves along; null: the field is new, whatever is left over.',
  },
  backfill: scalar('Value for the rows that are there when the column is added.'),
  nullable: flag('null may be sent and stored.'),
  unique: {
    type: ['boolean', 'object'],
    description: 'No two rows of the resource share the value; texts can be compared without case and accents.',
    properties: {
      ignore: listOf(string('A difference.', { enum: ['case', 'accents'] }), 'Differences that do not count.', {
        minItems: 1,
        uniqueItems: true,
      }),
    },
    required: ['ignore'],
    additionalProperties: false,
  },
  writeOnce: flag('Set on create, or later while it is empty; never changed.'),
  onUpdate: string('What fills it at every update: the time or the caller.', { enum: ['$now', '$me'] }),
  messages: mapOf(word('Text of the error.'), 'Messages of its rules in place of those of the engine.', {
    propertyNames: { enum: MESSAGE_RULES },
  }),
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
      { ...VALUE, contexts: CONTEXT_LIST, readOnly: flag('Returned, never accepted.'), ...RIGHTS },
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
    filterable: filterable(filters),
    param: object(
      {
        ...VALUE,
        filter: named(filters, 'How it narrows the list. Without one a trait or function reads it.'),
        field: word('Field the filter looks at.'),
        resource: word('Resource of a `referencedIn` filter.'),
        function: word('Registered function of a `function` filter.'),
        options: { type: 'object', description: 'Options of the filter.' },
        normalize: NORMALIZE,
        lenient: LENIENT,
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

const NORMALIZE = string('How each value is cleaned before comparing.', { enum: ['slug', 'key'] });
const LENIENT = flag('Accept anything; values that do not fit are ignored.');

/** Filters that look at one field, with or without keys of the parameter. */
function filterable(filters: readonly Filter[]): Grammar {
  const own = filters.filter(({ keys = [] }) => keys.length === 0);
  const keys = (options: Grammar): Grammar => ({
    type: ['boolean', 'string', 'object'],
    description: 'true, the description of the parameter, or keys of it.',
    ...choice(
      { type: 'boolean' },
      { enum: [true] },
      {
        properties: {
          ...VALUE,
          param: word('Name of the parameter.'),
          normalize: NORMALIZE,
          lenient: LENIENT,
          options,
        },
        additionalProperties: false,
      },
    ),
  });
  const anyOne = named(own, 'A filter.');
  return {
    type: ['boolean', 'string', 'array', 'object'],
    description:
      'Parameters of lists that filter by it, named like the field, `<field>_exclude` (notIn) or `<field>_<filter>`: ' +
      'true (equals), a filter, a list of filters, or an object of filters.',
    ...choice(
      { type: 'boolean' },
      { enum: [true] },
      choice({ type: 'string' }, anyOne, {
        items: anyOne,
        properties: Object.fromEntries(own.map(({ name, options = {} }) => [name, keys(optionsOf(options))])),
        additionalProperties: false,
      }),
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
      description:
        'A field. `type` says what kind of value it holds and which keys it takes; it may be left out for a field that a trait adds, and beside `function`.',
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
  if (type.ownKeywords) return {};
  const json = [type.value({ type: type.name }).type ?? []].flat();
  if (json.length === 0) return KEYWORDS;
  return Object.assign({}, ...json.map((name) => BY_TYPE[name === 'integer' ? 'number' : name] ?? {}));
}
