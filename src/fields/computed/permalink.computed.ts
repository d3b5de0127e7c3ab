// Public URL of an item.
import type { ComputedFunction } from '../../model/registry.js';
import { aboveIn, addressColumns, addressOf, addressRelated, checkAddress, type AddressStyle } from './permalink.js';

const style = (options: Record<string, unknown>) => ({ style: 'dated', query: 'p', ...options }) as AddressStyle;

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
  check: checkAddress,
  returns: { type: 'string', format: 'uri' },
  address: true,
  reads: (options) => addressColumns(style(options)),
  related: (options, model) =>
    style(options).style !== 'dated' ? [addressRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = style(options);
    const table = model.table?.name ?? '';
    return (row, { site, op }) => addressOf(row, own, site, aboveIn(op.related, table, model, site, own));
  },
};
