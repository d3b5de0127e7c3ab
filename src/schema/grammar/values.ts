// The grammar of values: JSON Schema keywords, members, meta keys, parameters and filters of fields.
import type { Filter } from '../../model/registry.js';
import { optionsOf } from './json-schema-2020.js';
import { type Grammar, string, word, flag, named, ref, choice, chosen } from './pieces.js';
import { CONTEXT_LIST, RIGHTS, VALUE } from './keywords.js';

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
        as: word('Name in responses when it differs from the stored key.'),
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
