// The permalink with a placeholder for the slug, for editors.
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

export const permalinkTemplate: ComputedFunction = {
  name: 'permalink-template',
  description: 'The public URL with `placeholder` in place of the slug.',
  options: {
    ...STYLE_OPTIONS,
    placeholder: { type: 'string', description: 'What stands for the slug (default %postname%).' },
  },
  check: checkPermalink,
  returns: { type: 'string' },
  reads: (options) => permalinkColumns(styleOf(options)),
  related: (options, model) =>
    styleOf(options).style === 'attached' ? [permalinkRelated('parent', model.table!.name, model)] : [],
  compile(options, model) {
    const own = styleOf(options);
    const placeholder = String(options['placeholder'] ?? '%postname%');
    const table = model.table?.name ?? '';
    return (row, { site, op }) =>
      permalinkOf(row, own, site, aboveIn(op.related, table, model, site, own), placeholder, true);
  },
};
