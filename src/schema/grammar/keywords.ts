// The grammar of the keywords that values have in a schema file.
import { CONTEXTS } from '../../model/schema/schema.js';
import { type Grammar, string, flag, listOf, mapOf, ref, choice } from './pieces.js';

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

const ruleFor = (description: string): Grammar => ({ ...ref('rule'), description });

const count = (description: string): Grammar => ({ type: 'integer', minimum: 0, description });
const number = (description: string): Grammar => ({ type: 'number', description });
/** A string, number, boolean or null. */
export const scalar = (description: string): Grammar => ({
  type: ['string', 'number', 'boolean', 'null'],
  description,
});
const context = (description: string): Grammar => string(description, { enum: CONTEXTS });

/** The contexts of a field or member. */
export const CONTEXT_LIST = listOf(
  context('One of the contexts.'),
  'Contexts that show it: view, embed, edit; with [] it is never shown. Default: all.',
  { uniqueItems: true },
);

/** Keywords of every type. */
export const GENERAL: Grammar = {
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

/** Keywords of one type. */
export const BY_TYPE: Record<string, Grammar> = {
  number: {
    minimum: number('Minimum value.'),
    maximum: number('Maximum value.'),
    exclusiveMinimum: number('Values are greater than this.'),
    exclusiveMaximum: number('Values are less than this.'),
    multipleOf: { type: 'number', exclusiveMinimum: 0, description: 'Values are multiples of this.' },
  },
  string: {
    minLength: count('Minimum number of characters.'),
    maxLength: count('Maximum number of characters.'),
    pattern: string('Regular expression that the text matches.'),
  },
  array: {
    items: { ...ref('value'), description: 'What each item is.' },
    minItems: count('Minimum number of items.'),
    maxItems: count('Maximum number of items.'),
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
    minProperties: count('Minimum number of members.'),
    maxProperties: count('Maximum number of members.'),
  },
};

/** All keywords. */
export const KEYWORDS: Grammar = Object.assign({}, GENERAL, ...Object.values(BY_TYPE));

/** A value: its types, and all keywords. */
export const VALUE: Grammar = {
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
export const RIGHTS: Grammar = {
  read: ruleFor(
    'Who may read it, in addition to `contexts`; left out for other callers. Default: everyone who may read the item.',
  ),
  write: ruleFor('Who may set it. Default: whoever may write the item.'),
};
