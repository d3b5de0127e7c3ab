// Items whose string begins with the value and a separator: the first segment of a MIME type.
import { searchTermTooLong } from '../errors/resource-error.js';
import { and } from '../model/query.js';
import type { Filter } from '../model/registry.js';
import { MAX_SEARCH_TERM } from '../text/search-term.js';
import { filterableField } from '../model/functions/filterable-field.js';

const TYPES = ['string', 'text', 'slug', 'email', 'uri'];

export const prefixFilter: Filter = {
  name: 'prefix',
  description: 'Items whose string `field` begins with the value followed by `options.separator` (default `/`).',
  value: { type: 'string' },
  longest: MAX_SEARCH_TERM,
  options: {
    separator: { type: 'string', minLength: 1, description: 'Sign between the value and the rest (default /).' },
  },
  compile(param, model, report) {
    const field = filterableField(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    const separator = String(param.options?.['separator'] ?? '/');
    const after = separator.slice(0, -1) + String.fromCharCode(separator.charCodeAt(separator.length - 1) + 1);
    const most = param.maxLength ?? MAX_SEARCH_TERM;
    return (value, plan) => {
      if (String(value).length > most) throw searchTermTooLong(param.name, most);
      const column = field.column!;
      plan.where.push(and({ op: 'ge', column, value: value + separator }, { op: 'lt', column, value: value + after }));
    };
  },
};
