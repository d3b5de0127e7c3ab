// Places of a schema where the author may write what he likes: a typing error there changes no one's rights.
import type { TypingError } from './typing-errors.js';

/** Reasons, each with the places it is true of, as `key` or `value` and the path. */
const FREE: readonly [reason: string, places: RegExp][] = [
  ['texts for people', /^value (.*\/)?(description|title|singular|plural)$/],
  ['descriptions of parameters', /^value fields\/\w+\/filterable\/\w+$/],
  ['a name that the file declares', /^value fields\/\w+\/filterable\/\w+\/param$/],
  ['stored values that stay allowed', /^value fields\/\w+\/allowStored\/\d+$/],
  ['texts in expressions', /^value fields\/\w+\/options\/value\/(.*\/)?(concat|coalesce)\/\d+$/],
  ['relations of links, and their titles', /^(key|value) fields\/\w+\/guard\/link\/[^/]+$/],
  ['labels of a registered row', /^(key|value) listsItselfIn\/\w+\/labels\//],
  ['the URL of the grammar, for editors', /^value \$schema$/],
  ["error codes of one's own", /^value (.*\/)?(error|pageOutOfRange|taken)$/],
  ["error codes of one's own", /^value (errors|parent\/errors|traits\/account\/tooLong)\//],
  ['a name that the file declares', /^value (name|path|selfAlias|storage\/table|storage\/static|parent\/param)$/],
  ['a name that the file declares', /^key (fields|params|itemParams|links|fields\/\w+\/keys|list\/orderings)\/[^/]+$/],
  ['a name that the file declares', /^value fields\/\w+\/(column|renamedFrom)$/],
  ['a member that the file declares', /^key fields\/\w+\/(.*\/)?properties\/[^/]+$/],
  [
    'a constant or a value that the file declares',
    /^value (storage\/where\/\w+|fields\/.*\/enum\/\d+|params\/\w+\/enum\/\d+)$/,
  ],
  ['a default of a text without known values', /^value (fields|params)\/\w+\/default$/],
  ['another type or form that fits', /^value (fields|params)\/.*(type|pattern)$/],
  ['values of rows', /^value (storage\/rows\/\d+|seeds\/\d+)\/(slug|name|rest_base|description)$/],
  ['what a registered row shows', /^(key|value) listsItselfIn\/\w+\/(slug|supports|capabilities|visibility)(\/|$)/],
  ['a description of what a link allows', /^(key|value) links\/.*\/targetSchema\//],
  ['attributes of a link', /^(key|value) links\/.*\/attributes\/[^/]+$/],
  ['words of addresses', /^value fields\/\w+\/options\/(query|prefix|placeholder|anchor|value)$/],
  ['reserved words', /^value traits\/\w+\/reserved\/\d+$/],
  [
    'names of arguments, and of their values',
    /^key params\/\w+\/options\/arguments\/(\w+\/[^/]+|.*\/(of|columns|rules|keys)\/[^/]+)$/,
  ],
  ['names of arguments, and of their values', /^value params\/\w+\/options\/arguments\/.*\/(by|exact|sentence)$/],
  ['an ordering that no field keeps', /^value params\/filter\/options\/arguments\/order\/orderby\/keys\/ID$/],
  ['values of a parameter that takes any text', /^value permissions\/(list|create)\/\d+\/(in|notIn)\/\d+$/],
];

/** Whether a typing error stands where any word is as good. */
export function isFree({ at, path }: Pick<TypingError, 'at' | 'path'>): boolean {
  const place = `${at} ${path.join('/')}`;
  return FREE.some(([, places]) => places.test(place));
}
