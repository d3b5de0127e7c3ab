// The grammar of `storage`: where the rows of a resource come from.
import { choice, COLUMN, flag, listOf, mapOf, string, word, type Grammar, object } from './pieces.js';

/** Names of resources and groups. */
export const NAME = {
  pattern: '^[a-z][a-z0-9_-]*$',
  patternErrorMessage: 'lower-case letters, digits, _ and -, beginning with a letter',
};

const SCALAR_MAP = mapOf(
  {
    type: ['string', 'integer'],
    minLength: 1,
    maxLength: 40,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  'Constant columns that mark the rows of the resource in a shared table.',
  { propertyNames: COLUMN },
);

const TABLE_STORAGE: Grammar = {
  properties: {
    table: string('Table; several resources may share one.', COLUMN),
    where: SCALAR_MAP,
    movedFrom: {
      type: ['string', 'object', 'null'],
      ...COLUMN,
      description:
        'Former table of the resource, so that its rows move along; with `where`, if others keep using it; null: it is new.',
      properties: { table: string('Former table.', COLUMN), where: SCALAR_MAP },
      required: ['table', 'where'],
      additionalProperties: false,
    },
    partition: listOf({ type: 'string', ...COLUMN }, 'Columns that most lists narrow by.'),
  },
  additionalProperties: false,
};

/** The key `storage`. */
export const STORAGE: Grammar = {
  type: 'object',
  description:
    'Where rows are stored: a table (default: its own), static rows, fixed at start, or items of other resources, searched together.',
  ...choice(
    { type: 'object', required: ['static'] },
    {
      properties: {
        static: word('Name under which other resources list themselves here.'),
        rows: listOf({ type: 'object' }, 'Constant rows.'),
      },
      additionalProperties: false,
    },
    choice(
      { type: 'object', required: ['found'] },
      {
        properties: {
          found: word('Name under which other resources let their items be found.'),
          types: listOf(
            object(
              'A group.',
              { name: string('Its name.', NAME), subtypeAsType: flag('Results show the subtype as their type.') },
              { required: ['name'] },
            ),
            'Groups of resources that are searched together, the default first; resources may name others.',
          ),
          links: listOf(word('A relation.'), 'Link relations of an item that its result has, too.', {
            uniqueItems: true,
          }),
        },
        additionalProperties: false,
      },
      TABLE_STORAGE,
    ),
  ),
};
