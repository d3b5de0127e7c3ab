// Rules of lists: splitting, items, counts, duplicates.
import { Rejection, type Rule } from '../model/value.js';
import { MOMENT_SEPARATORS, toList } from './coerce.js';
import { fingerprint } from './json-value.js';
import { codesOf, constraint, issueConstraints, ruleOf, typeConstraint } from './rule.js';
import { counted, memberName } from './value-issue.js';
import type { ValueSchema } from '../model/schema/value-schema.js';

/**
 * Maximum number of items of a list written as text, where the schema allows more: it is split before it can be
 * counted.
 */
const MAX_ITEMS_IN_TEXT = 10_000;

/**
 * `type: array`. `item` is the compiled rule of `items`. The first invalid item is the one reported, with its index, so items
 * are coerced and checked in one walk; a list of the wrong size is not walked.
 */
export function listRule(schema: ValueSchema, item: Rule): Rule {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const mostInText = Math.min(maxItems, MAX_ITEMS_IN_TEXT);
  const between = schema.items?.format === 'date-time' ? MOMENT_SEPARATORS : undefined;
  const tooFew = `must have at least ${counted(minItems, 'item')}.`;
  const tooMany = `must have at most ${counted(maxItems, 'item')}.`;
  const tooManyInText = `must have at most ${counted(mostInText, 'item')}.`;
  const coerce = (value: unknown, param: string): unknown => {
    const list = toList(value, mostInText, between);
    // A text with too many items stays a text, so that the limit of texts is reported.
    if (!list || (typeof value === 'string' && list.length > mostInText)) return value;
    return list.length > maxItems || list.length < minItems ? list : coerceItems(list, item, param);
  };
  const counts = [
    typeConstraint(
      (value) => Array.isArray(value) || typeof value === 'string',
      'must be a list, or a text in which commas separate the items.',
    ),
    constraint('rest_too_many_items', (list: unknown[] | string) => {
      if (typeof list === 'string') return tooManyInText;
      return list.length > maxItems ? tooMany : undefined;
    }),
    ...(minItems > 0
      ? [constraint('rest_too_few_items', (list: unknown[]) => (list.length < minItems ? tooFew : undefined))]
      : []),
  ];
  const unique = uniqueItems ? [constraint('rest_duplicate_items', duplicates)] : [];
  return ruleOf(coerce, [...counts, ...issueConstraints(codesOf(item), counts), ...unique]);
}

function coerceItems(list: readonly unknown[], item: Rule, param: string): unknown[] | Rejection {
  const kept: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    const checked = item(list[index], memberName(param, index));
    if ('issue' in checked) return new Rejection(checked.issue);
    kept.push(checked.value);
  }
  return kept;
}

function duplicates(list: readonly unknown[]): string | undefined {
  return new Set(list.map(fingerprint)).size < list.length ? 'must not contain the same item twice.' : undefined;
}
