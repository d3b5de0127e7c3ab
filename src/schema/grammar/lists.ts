// The grammar of lists, searches and saved queries.
import { code, COLUMN, flag, listOf, mapOf, ref, string, word, object, fieldNames } from './pieces.js';
import { STANDARD_PARAMS } from './standard-params.js';

/** The key `list`. */
export const LIST = object('How lists behave.', {
  paginated: flag('false: everything at once, no page parameters.'),
  keyedBy: word('The body is an object keyed by this field.'),
  without: listOf(
    string('A parameter.', { enum: STANDARD_PARAMS }),
    'Standard parameters that the resource leaves out.',
    { uniqueItems: true },
  ),
  orderby: listOf(word('A field, include, relevance, or a name of `orderings`.'), 'Allowed values of orderby.', {
    minItems: 1,
    uniqueItems: true,
  }),
  orderings: mapOf({ type: 'string', ...COLUMN }, 'Orderings that are not fields: name to column.'),
  defaultOrderby: word('Ordering when none is requested.'),
  defaultOrder: string('Direction when none is requested.', { enum: ['asc', 'desc'] }),
  perPage: { type: 'integer', minimum: 0, description: 'Items per page when per_page is not sent; 0: all of them.' },
  maxPerPage: { type: 'integer', minimum: 1, description: 'Maximum number of items per page.' },
  selfLink: flag('false: items carry no self link.'),
  collectionLink: flag('false: items carry no collection link.'),
  linksFromOffset: flag('false: with offset, the links to other pages still start from page.'),
  query: {
    type: ['boolean', 'object'],
    description: 'false: lists do not take the query language; an object: what it may do here.',
    properties: {
      scan: {
        type: ['boolean', 'array'],
        items: { type: 'string', minLength: 1 },
        description: 'Fields whose conditions need no index, however many items there are; true: all.',
      },
    },
    required: ['scan'],
    additionalProperties: false,
  },
  pageOutOfRange: code('Error code for a page past the end; without it the response is [].'),
});

/** The key `search`. */
export const SEARCH = object(
  'Columns that `search` looks into, in order of weight.',
  {
    fields: fieldNames('Fields to look into.'),
    mode: string('terms: every word matches somewhere; phrase: the whole text does.', { enum: ['terms', 'phrase'] }),
    privileged: object(
      'More fields for callers who satisfy a rule.',
      { fields: fieldNames('Fields.'), needs: ref('rule') },
      { required: ['fields', 'needs'] },
    ),
  },
  { required: ['fields'] },
);

/** A member of the key `views`. */
export const VIEW = object('A saved query.', {
  description: string('What it lists.'),
  where: {
    type: 'object',
    description:
      'Conditions of the query language: {"stock": {"gt": 0}}. "$me" is the id of the caller, {"now": "-7d"} the time seven days ago.',
  },
  fields: listOf(word('A field.'), 'Fields that its items show; default: all.', { minItems: 1, uniqueItems: true }),
  orderby: word('Sort keys, separated by commas, - before descending ones.'),
  perPage: { type: 'integer', minimum: 1, description: 'Items per page when per_page is not sent.' },
  needs: ref('rule'),
});
