// Items whose text contains the value, ignoring case and accents.
import { searchTermTooLong } from '../errors/resource-error.js';
import type { Filter } from '../model/registry.js';
import { foldSearchTerm, MAX_SEARCH_TERM } from '../text/search-term.js';
import { filterableField } from '../model/functions/filterable-field.js';

const TYPES = ['string', 'text', 'slug', 'rendered', 'email', 'uri'];

export const containsFilter: Filter = {
  name: 'contains',
  description: 'Items whose text `field` contains the value, case and accents aside.',
  value: { type: 'string' },
  longest: MAX_SEARCH_TERM,
  folded: true,
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    if (param.maxLength !== undefined && param.maxLength > MAX_SEARCH_TERM)
      report(
        ['params', param.name, 'maxLength'],
        `a text that is searched for has at most ${MAX_SEARCH_TERM} characters`,
      );
    const column = field.searchColumn ?? field.column!;
    return (text, plan) => {
      const value = foldSearchTerm(text);
      if (value === undefined) throw searchTermTooLong(param.name, MAX_SEARCH_TERM);
      if (value !== '') plan.where.push({ op: 'contains', column, value });
    };
  },
};
