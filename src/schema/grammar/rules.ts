// The grammar of rules, steps and guards. Part of grammar.ts.
import { choice, code, flag, listOf, mapOf, ref, string, word, words, type Grammar } from './pieces.js';
import { SCALAR, LINK } from './links.js';

/** A value, or several. */
export const SCALARS = { type: ['string', 'number', 'boolean', 'null', 'array'], items: SCALAR };

const OPERAND = {
  type: ['string', 'number', 'object'],
  properties: {
    now: string('A distance from the current time: -30d, +12h, 15m.', {
      pattern: '^[+-]?[0-9]{1,6}[mhd]$',
      patternErrorMessage: 'a distance such as -30d, +12h or 15m',
    }),
    field: word('Another field of the same type.'),
  },
  additionalProperties: false,
  ...choice({ type: 'object' }, { minProperties: 1, maxProperties: 1 }),
};
const COMPARED = {
  ...SCALARS,
  type: [...SCALARS.type, 'object'],
  properties: Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map((name) => [name, OPERAND])),
  additionalProperties: false,
  ...choice({ type: 'object' }, { minProperties: 1 }),
};

const CAPABILITY = {
  pattern: '^[a-z][a-z0-9_.:-]*$',
  patternErrorMessage: 'lower-case letters, digits and _ . : -, beginning with a letter',
};

const RULE: Grammar = {
  type: ['boolean', 'string', 'object'],
  ...CAPABILITY,
  description:
    'Who may: a capability, true or false for everybody or nobody, or one condition on the caller and the row.',
  minProperties: 1,
  properties: {
    all: listOf(ref('rule'), 'Every one of these.'),
    any: listOf(ref('rule'), 'At least one of these.'),
    not: ref('rule'),
    can: ref('capability'),
    signedIn: flag('The caller has signed in, or has not.'),
    role: word('The caller has this role.'),
    is: mapOf(COMPARED, 'Fields that have one of the given values, or compare so; "$me" is the id of the caller.', {
      minProperties: 1,
    }),
    rule: word('A named rule of this resource; with `through` one of the referenced item.'),
    through: word('Reference field to the item for which the rule is checked.'),
    orphaned: word('Reference field that is empty or names no existing item.'),
    capabilityIn: word('The caller has the capability named in this column.'),
    referencedBy: words('Items of another resource refer to this one: resource.field; `where` and `rule` narrow them.'),
    where: mapOf(
      COMPARED,
      'With `referencedBy`: fields of those items that have one of the given values, or compare so.',
      {
        minProperties: 1,
      },
    ),
  },
  additionalProperties: false,
  dependentRequired: { through: ['rule'], where: ['referencedBy'] },
  ...choice(
    { type: 'object', required: ['referencedBy'] },
    { propertyNames: { enum: ['referencedBy', 'where', 'rule'] } },
    choice({ type: 'object', required: ['through'] }, { maxProperties: 2 }, { maxProperties: 1 }),
  ),
};

const STEP: Grammar = {
  type: 'object',
  description: 'A check of an operation: when its conditions hold, `needs` must hold too.',
  required: ['needs', 'error'],
  properties: {
    field: words('Applies when one of these body fields was sent.'),
    param: word('Applies when this parameter was sent or has a default.'),
    in: listOf(SCALAR, 'Applies when the value is one of these.'),
    notIn: listOf(SCALAR, 'Applies when the value is none of these.'),
    notSelf: flag('Applies when the value differs from the id of the caller.'),
    changed: flag('Applies when the value differs from what is stored.'),
    needs: ref('rule'),
    error: code('Error code when it fails.'),
    keepAllow: flag('About what was sent, not about the method: Allow still lists the method.'),
    asParameterError: flag('Report it inside data.details of rest_invalid_param.'),
  },
  additionalProperties: false,
};

const GUARD: Grammar = {
  type: 'object',
  description: 'Who may send the field: makes steps of `create` and `update` (when the value changes), and links.',
  required: ['needs'],
  anyOf: [{ required: ['error'] }, { required: ['link'] }],
  properties: {
    needs: ref('rule'),
    error: code('Error code of the refusal; without one there are only links.'),
    unless: {
      type: ['array', 'string'],
      items: SCALAR,
      ...choice({ type: 'string' }, { enum: ['$me'] }),
      description: 'Values that need nothing; "$me": the id of the caller.',
    },
    in: listOf(SCALAR, 'Only these values need it.', { minItems: 1 }),
    on: string('Only this operation.', { enum: ['create', 'update'] }),
    beforeCreate: flag('Checked before the right to create.'),
    link: mapOf(
      {
        type: ['string', 'object'],
        properties: { title: string('What the link means.'), needs: ref('rule') },
        required: ['title'],
        additionalProperties: false,
        description: 'What the link means, for OPTIONS.',
      },
      'Links of an item in the context edit for callers who satisfy the rule: relation to title.',
      { minProperties: 1 },
    ),
  },
  additionalProperties: false,
};

/** Definitions of rules, policy steps, guards and links. */
export const RULE_DEFINITIONS: Grammar = {
  rule: RULE,
  capability: string('A capability, a word of your own: roles hold it.', CAPABILITY),
  step: STEP,
  guard: GUARD,
  link: LINK,
  links: {
    type: ['object', 'array'],
    items: ref('link'),
    ...choice({ type: 'object' }, ref('link')),
    description: 'One link or several.',
  },
};
