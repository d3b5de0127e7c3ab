// Public URL of an item.
import type { ComputedFunction } from '../../model/registry.js';
import {
  aboveIn,
  permalinkColumns,
  permalinkOf,
  permalinkRelated,
  checkPermalink,
  STYLE_OPTIONS,
  styleOf,
} from './permalink.js';

export const permalink: ComputedFunction = {
  name: 'permalink',
  description:
    'Public URL of the item: `style` is dated, tree or attached; `query` names the parameter of the plain URL.',
  options: STYLE_OPTIONS,
  check: checkPermalink,
  returns: { type: 'string', format: 'uri' },
  permalink: true,
  reads: (options) => permalinkColumns(styleOf(options)),
  related: (options, model) =>
    styleOf(options).style !== 'dated' ? [permalinkRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = styleOf(options);
    const table = model.table?.name ?? '';
    return (row, { site, op }) => permalinkOf(row, own, site, aboveIn(op.related, table, model, site, own));
  },
};
