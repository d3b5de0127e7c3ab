// The permalink with a placeholder for the slug, for editors.
import type { ComputedFunction } from '../../model/registry.js';
import {
  aboveIn,
  permalinkColumns,
  permalinkOf,
  permalinkRelated,
  checkPermalink,
  type PermalinkStyle,
} from './permalink.js';

const style = (options: Record<string, unknown>) => ({ style: 'dated', query: 'p', ...options }) as PermalinkStyle;

export const permalinkTemplate: ComputedFunction = {
  name: 'permalink-template',
  description: 'The public URL with `placeholder` in place of the slug.',
  options: {
    style: {
      type: 'string',
      enum: ['dated', 'tree', 'attached'],
      description: 'How the URL is made (default dated).',
    },
    query: { type: 'string', description: 'Parameter of the plain URL (default p).' },
    placeholder: { type: 'string', description: 'What stands for the slug (default %postname%).' },
  },
  check: checkPermalink,
  returns: { type: 'string' },
  reads: (options) => permalinkColumns(style(options)),
  related: (options, model) =>
    style(options).style === 'attached' ? [permalinkRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = style(options);
    const placeholder = String(options['placeholder'] ?? '%postname%');
    const table = model.table?.name ?? '';
    return (row, { site, op }) =>
      permalinkOf(row, own, site, aboveIn(op.related, table, model, site, own), placeholder, true);
  },
};
