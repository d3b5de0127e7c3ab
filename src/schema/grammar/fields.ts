// The grammar of fields: one definition per type.
import type { ComputedFunction, FieldType } from '../../model/registry.js';
import { MESSAGE_RULES } from '../../model/functions/messages.js';
import { jsonSchemas2020, requiredNames, optionsOf } from './json-schema-2020.js';
import { type Grammar, COLUMN, string, word, flag, listOf, mapOf, named, ref, chosen } from './pieces.js';
import type { ValueSchema } from '../../model/schema/value-schema.js';
import { settingsOf } from '../../model/site/site-settings.js';
import { GENERAL, CONTEXT_LIST, RIGHTS, scalar, KEYWORDS, BY_TYPE } from './keywords.js';

const COMMON: Grammar = {
  ...GENERAL,
  required: flag('Must be sent on create.'),
  readOnly: flag('Returned, never accepted.'),
  contexts: CONTEXT_LIST,
  ...RIGHTS,
  hidden: flag('Only a column, which rules and traits can use: in no response, no body, no OPTIONS.'),
  enabledBy: string('Switch among the settings of the site; while it is off there is no such field.', {
    enum: settingsOf('boolean'),
  }),
  guard: ref('guard'),
  filterable: ref('filterable'),
  column: string('Column that stores the value; default the name of the field.', COLUMN),
  renamedFrom: {
    type: ['string', 'null'],
    ...COLUMN,
    description: 'Former column name, so that its data moves along; null: the field is new, whatever is left over.',
  },
  backfill: scalar('Value for existing rows when the column is added.'),
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

/** Definitions of a field: one per type, selected by `type`. */
export function fieldDefinitions(types: readonly FieldType[], functions: readonly ComputedFunction[]): Grammar {
  const definitions: Grammar = {
    field: {
      type: 'object',
      description:
        'A field. `type` says what kind of value it holds and which keys it accepts; it may be left out for a field that a trait adds, and with `function`.',
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

/** The keys that a type takes beside those of every field: its own, then the keywords of its values. */
export function keysOf(type: FieldType): Record<string, ValueSchema> {
  const keywords = Object.entries(keywordsOf(type)).filter(([key]) => !(key in GENERAL));
  // Keywords are the grammar of a value: a schema, too.
  return { ...(Object.fromEntries(keywords) as Record<string, ValueSchema>), ...type.keys };
}

function functionGrammar({ name, options }: ComputedFunction): Grammar {
  const required = requiredNames(options).length > 0 ? { required: ['options'] } : {};
  return chosen('function', name, { ...required, properties: { options: optionsOf(options) } });
}

/** Keywords of values that a type takes. Those that never apply are rejected: "maxLength" of an integer is a mistake. */
function keywordsOf(type: FieldType): Grammar {
  if (type.ownKeywords) return {};
  const json = [type.value({ type: type.name }).type ?? []].flat();
  if (json.length === 0) return KEYWORDS;
  return Object.assign({}, ...json.map((name) => BY_TYPE[name === 'integer' ? 'number' : name] ?? {}));
}
