// Rules of lists: splitting, items, counts, duplicates.
import type { ValueSchema } from '../model/schema.js';
import type { Checked, Rule } from '../model/value.js';
import { toList } from './coerce.js';
import { fingerprint } from './json-value.js';
import { counted, memberName, issue, typeIssue } from './value-issue.js';

/**
 * Maximum number of items of a list written as text, where the schema allows more: it is split before it can be
 * counted.
 */
const MAX_ITEMS_IN_TEXT = 10_000;

/** `type: array`. `item` is the compiled rule of `items`. */
export function listRule(schema: ValueSchema, item: Rule): Rule {
  const { minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  const mostInText = Math.min(maxItems, MAX_ITEMS_IN_TEXT);
  const tooFew = `must have at least ${counted(minItems, 'item')}.`;
  const tooMany = `must have at most ${counted(maxItems, 'item')}.`;
  return (value, param): Checked => {
    const list = toList(value, mostInText);
    if (!list) return typeIssue(param, 'must be a list, or a text with commas between the items.');
    // Counted first, so that rejecting a list of a million items is cheap.
    if (typeof value === 'string' && list.length > mostInText) {
      return issue('rest_too_many_items', param, `must have at most ${counted(mostInText, 'item')}.`);
    }
    if (list.length > maxItems) return issue('rest_too_many_items', param, tooMany);
    if (list.length < minItems) return issue('rest_too_few_items', param, tooFew);
    const kept: unknown[] = [];
    for (let index = 0; index < list.length; index++) {
      const checked = item(list[index], memberName(param, index));
      if ('issue' in checked) return checked;
      kept.push(checked.value);
    }
    if (uniqueItems && new Set(kept.map(fingerprint)).size < kept.length) {
      return issue('rest_duplicate_items', param, 'must not contain the same item twice.');
    }
    return { value: kept };
  };
}
