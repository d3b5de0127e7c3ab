// URL of an anchor in the page of another item: `<link of the post>#comment-5`.
import type { ComputedFunction } from '../../model/registry.js';
import { permalinkOfRelated, permalinkRelated } from './permalink.js';

export const anchorLink: ComputedFunction = {
  name: 'anchor-link',
  description: 'URL of the item that the reference `through` leads to, with `#{anchor}{id}`.',
  options: {
    through: { type: 'string', description: 'Reference to the item whose page it is.', required: true },
    anchor: { type: 'string', description: 'Beginning of the anchor.' },
  },
  check(check, { through }) {
    const field = check.field(['through'], String(through), ['reference']);
    if (field?.column !== undefined && field.column !== through)
      check.fail(['through'], `the field "${String(through)}" must have no "column" of its own`);
  },
  returns: { type: 'string', format: 'uri' },
  reads: ({ through }) => ['id', String(through)],
  related: ({ through }, model) => [permalinkRelated(String(through), target(model, through), model)],
  compile({ through, anchor = '' }, model) {
    const column = String(through);
    const table = target(model, through);
    return (row, { site, op }) => {
      const owner = op.related.get(table)?.get(row[column]);
      const permalink = owner && permalinkOfRelated(owner, table, model, site, op.related);
      return `${permalink ?? `${site.home}/`}#${String(anchor)}${row['id']}`;
    };
  },
};

function target(
  model: { fields: ReadonlyMap<string, { targets?: { table?: { name: string } }[] }> },
  through: unknown,
): string {
  return model.fields.get(String(through))?.targets?.[0]?.table?.name ?? '';
}
