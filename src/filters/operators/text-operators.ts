// Operators on texts: case and accents aside, in a folded copy of the text.
import { searchTermTooLong } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import { and, type Predicate } from '../../model/query.js';
import type { QueryOperator } from '../../model/query-language.js';
import { foldSearchTerm, MAX_SEARCH_TERM } from '../../text/search-term.js';
import type { FieldModel } from '../../model/field.js';

/** An operator, or the schema key that would enable it. */
type TextOperator = Pick<QueryOperator, 'description' | 'condition' | 'prepared'> | string;

const PREPARED = '"filterable": "contains"';
const SORTED = `${PREPARED}, or the field in "orderby" of "list"`;

/** The operators on a text; for one whose folded copy is missing, the schema key to add. */
export function textOperators(field: FieldModel, model: ResourceModel): [string, TextOperator][] {
  const prepared = field.type !== 'slug';
  const forText = (what: string, condition: (folded: string, text: string) => Predicate) =>
    operator(what, prepared, condition);
  const folded = foldedColumn(field, model);
  const beginning = foldedSortColumn(field) ?? folded;
  const room = (beginning !== undefined && model.table?.columns.get(beginning)?.length) || Infinity;
  const beginsWith = (column: string, value: string): Predicate => ({ op: 'affix', at: 'start', column, value });
  return [
    [
      'contains',
      folded ? forText('contains the text', (value) => ({ op: 'contains', column: folded, value })) : PREPARED,
    ],
    [
      'startswith',
      beginning
        ? forText('begins with the text', (value, text) => {
            const characters = Array.from(value);
            if (characters.length <= room) return beginsWith(beginning, value);
            // The folded beginning is shorter: the rest is compared with the whole folded text, or else with the original.
            const rest = folded && folded !== beginning ? beginsWith(folded, value) : beginsWith(field.column!, text);
            return and(beginsWith(beginning, characters.slice(0, room).join('')), rest);
          })
        : SORTED,
    ],
    [
      'endswith',
      folded ? forText('ends with the text', (value) => ({ op: 'affix', at: 'end', column: folded, value })) : PREPARED,
    ],
  ];
}

function operator(
  what: string,
  prepared: boolean,
  condition: (folded: string, text: string) => Predicate,
): Exclude<TextOperator, string> {
  return {
    ...(prepared ? { prepared } : {}),
    description: `${what}, case and accents aside`,
    condition(text: string, _op, name) {
      const folded = foldSearchTerm(text);
      if (folded === undefined) throw searchTermTooLong(name, MAX_SEARCH_TERM);
      return folded === '' ? { op: 'true' } : condition(folded, text);
    },
  };
}

/** The column with the folded text: the field's own, or that of the search if it searches this field only. */
function foldedColumn(field: FieldModel, model: ResourceModel): string | undefined {
  if (field.type === 'slug') return field.column;
  if (field.searchColumn) return field.searchColumn;
  const [first] = model.search?.columns ?? [];
  const sources = first === undefined ? undefined : model.search!.sources.get(first);
  return sources?.length === 1 && sources[0] === field ? first : undefined;
}

/** The column with its folded beginning, which lists are ordered by. */
function foldedSortColumn(field: FieldModel): string | undefined {
  if (field.type === 'slug') return field.column;
  return field.sortColumn !== undefined && field.sortColumn !== field.column && field.sortColumn.endsWith('_sort')
    ? field.sortColumn
    : undefined;
}
