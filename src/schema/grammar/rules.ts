// The grammar of rules, permissions and links. Part of grammar.ts.
import { CONTEXTS } from '../../model/schema/schema.js';
import { choice, code, flag, listOf, mapOf, ref, string, word, words, type Grammar } from './pieces.js';
import { PRESETS } from './permission-presets.js';

const SCALAR = { type: ['string', 'number', 'boolean', 'null'] };
const SCALARS = { type: ['string', 'number', 'boolean', 'null', 'array'], items: SCALAR };

const OPERAND = {
  type: ['string', 'number', 'object'],
  properties: {
    now: string('So far from the current time: -30d, +12h, 15m.', {
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
    through: word('Reference field whose item is asked.'),
    orphaned: word('Reference field that is empty or names nothing.'),
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
    error: code('Error code of the refusal.'),
    keepAllow: flag('About what was sent, not about the method: Allow still offers it.'),
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

const LINK: Grammar = {
  type: 'object',
  description: 'A link relation of an item.',
  minProperties: 1,
  properties: {
    to: word('Resource it leads to; default: the one that the reference `id` leads to.'),
    when: word('Column that must hold something for the link to be shown.'),
    id: word('Field with the id of the target; omitted when empty. Without it the link leads to the collection.'),
    query: mapOf({ type: 'string', minLength: 1 }, 'Query of a collection link: parameter to field.'),
    key: word('Literal last segment of the address.'),
    path: word('Column with the path of the collection the link leads to.'),
    title: word('What a link to the item itself means.'),
    targetSchema: { type: 'object', description: 'What such a link lets a caller send.', additionalProperties: true },
    embeddable: flag('_embed may include the target.'),
    attributes: mapOf(SCALAR, 'Attributes of the link; $column is a column of `storage.where` of the referenced row.'),
    context: string('Only in this context.', { enum: CONTEXTS }),
    needs: ref('rule'),
    self: flag('Points at the item itself.'),
  },
  additionalProperties: false,
};

/** Definitions of rules, policy steps and links. */
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

const steps = (what: string) => listOf(ref('step'), `Checks of ${what}, in this order.`);

/** Grammar of permissions. */
export const PERMISSIONS: Grammar = {
  type: ['object', 'string'],
  description:
    'Who may do what. What is not said is for holders of manage_options. ' +
    Object.entries(PRESETS)
      .map(([name, { description }]) => `${name}: ${description}.`)
      .join(' '),
  ...choice(
    { type: 'string' },
    { enum: Object.keys(PRESETS) },
    {
      properties: {
        rules: mapOf(ref('rule'), 'Named rules on a row: read, create, edit, delete and any of your own.'),
        list: steps('lists'),
        retrieve: steps('reading one item'),
        create: steps('creating'),
        update: steps('changing'),
        delete: steps('deleting'),
      },
      additionalProperties: false,
    },
  ),
};
