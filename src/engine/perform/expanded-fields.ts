// What `_fields` selects of items that replace ids.
import type { ResourceModel } from '../../model/model.js';
import type { View } from '../../model/operation.js';
import type { FieldSelection } from '../../model/shown.js';

/** A selection that leaves the ids of references as they are. */
export function withReferenceIds(selection: FieldSelection, names: readonly string[]): FieldSelection {
  const wanted = names.filter((name) => selection.has(name));
  return {
    key: `${selection.key} expand ${wanted.join()}`,
    has: (name) => selection.has(name),
    reaches: (path) => selection.reaches(path),
    pick: (view) => {
      const ids = wanted.filter((name) => Object.hasOwn(view, name)).map((name) => [name, view[name]] as const);
      return { ...selection.pick(view), ...Object.fromEntries(ids) };
    },
  };
}

/** What `_fields` selects of an item with expanded references; in lists of items, of each of them. */
export function pickExpanded(view: View, fields: FieldSelection, model: ResourceModel): View {
  const result = fields.pick(view);
  for (const name of Object.keys(view)) {
    if (!model.fields.get(name)?.many || !fields.has(name)) continue;
    const items = (view[name] as unknown[]).map((item) => fields.pick({ [name]: item })[name]);
    result[name] = items.filter((item) => item !== undefined);
  }
  return result;
}
