// Public URL of an item.
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

export const permalink: ComputedFunction = {
  name: 'permalink',
  description:
    'Public URL of the item: `style` is dated, tree or attached; `query` names the parameter of the plain URL.',
  options: {
    style: {
      type: 'string',
      enum: ['dated', 'tree', 'attached'],
      description: 'How the URL is made (default dated).',
    },
    query: { type: 'string', description: 'Parameter of the plain URL (default p).' },
  },
  check: checkPermalink,
  returns: { type: 'string', format: 'uri' },
  permalink: true,
  reads: (options) => permalinkColumns(style(options)),
  related: (options, model) =>
    style(options).style !== 'dated' ? [permalinkRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = style(options);
    const table = model.table?.name ?? '';
    return (row, { site, op }) => permalinkOf(row, own, site, aboveIn(op.related, table, model, site, own));
  },
};
