// Public address of an item (decisions 10.19).
import type { ComputedFunction } from '../../model/registry.js';
import { addressColumns, addressOf, addressOfRelated, addressRelated, type AddressStyle } from './permalink.js';

const style = (options: Record<string, unknown>) => ({ style: 'dated', query: 'p', ...options }) as AddressStyle;

export const permalink: ComputedFunction = {
  name: 'permalink',
  description:
    'Public address of the item: `style` is dated, tree or attached; `query` names the parameter of the plain address.',
  returns: { type: 'string', format: 'uri' },
  reads: (options) => addressColumns(style(options)),
  related: (options, model) =>
    style(options).style === 'attached' ? [addressRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = style(options);
    const table = model.table?.name ?? '';
    return (row, { site, op }) =>
      addressOf(row, own, site, (child) => {
        const parent = op.related.get(table)?.get(child['parent']);
        const visible = parent && (parent['status'] === 'publish' || parent['status'] === 'private');
        return visible ? addressOfRelated(parent, table, model, site, op.related) : undefined;
      });
  },
};
