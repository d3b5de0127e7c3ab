// The address with a placeholder where the slug goes, for editors (decisions 10.20).
import type { ComputedFunction } from '../../model/registry.js';
import { addressColumns, addressOf, addressOfRelated, addressRelated, type AddressStyle } from './permalink.js';

const style = (options: Record<string, unknown>) => ({ style: 'dated', query: 'p', ...options }) as AddressStyle;

export const permalinkTemplate: ComputedFunction = {
  name: 'permalink-template',
  description: 'The public address with `placeholder` in place of the slug.',
  returns: { type: 'string' },
  reads: (options) => addressColumns(style(options)),
  related: (options, model) =>
    style(options).style === 'attached' ? [addressRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = style(options);
    const placeholder = String(options['placeholder'] ?? '%postname%');
    const table = model.table?.name ?? '';
    return (row, { site, op }) =>
      addressOf(
        row,
        own,
        site,
        (child) => {
          const parent = op.related.get(table)?.get(child['parent']);
          return parent && addressOfRelated(parent, table, model, site, op.related);
        },
        placeholder,
        true,
      );
  },
};
