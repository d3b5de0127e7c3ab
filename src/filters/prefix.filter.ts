// Items whose string begins with the value and a separator: the first segment of a MIME type (decisions 13.3).
import { and } from '../model/query.js';
import type { Filter } from '../model/registry.js';
import { fieldOf } from './field-of.js';

const TYPES = ['string', 'text', 'slug'];

export const prefixFilter: Filter = {
  name: 'prefix',
  description: 'Items whose string `field` begins with the value followed by `options.separator` (default `/`).',
  value: { type: 'string' },
  options: {
    separator: { type: 'string', minLength: 1, description: 'Sign between the value and the rest (default /).' },
  },
  compile(param, model, report) {
    const field = fieldOf(param, model, report, 'column', TYPES);
    if (!field) return undefined;
    const separator = String(param.options?.['separator'] ?? '/');
    const after = separator.slice(0, -1) + String.fromCharCode(separator.charCodeAt(separator.length - 1) + 1);
    return (value, plan) => {
      const column = field.column!;
      plan.where.push(and({ op: 'ge', column, value: value + separator }, { op: 'lt', column, value: value + after }));
    };
  },
};
