// The address with a placeholder where the slug goes, for editors (decisions 10.20).
import type { ComputedFunction } from '../../model/registry.js';
import { aboveIn, addressColumns, addressOf, addressRelated, type AddressStyle } from './permalink.js';

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
      addressOf(row, own, site, aboveIn(op.related, table, model, site, own), placeholder, true);
  },
};
