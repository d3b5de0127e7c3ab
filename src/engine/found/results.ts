// Items that were found, as rows of the resource that shows them as results.
import type { FoundType } from '../../model/list.js';
import type { Operation, View } from '../../model/operation.js';
import { itemPath } from '../../model/functions/paths.js';
import { and, oneOf, type Row } from '../../model/query.js';
import { FOUND_LINKS } from '../presentation/item-links.js';
import { present } from '../presentation/present.js';
import { neverSeen } from '../rights/field-rights.js';
import { selectionOf } from '../presentation/selection.js';
import type { Planned } from './plan-sources.js';
import type { FieldSelection } from '../../model/shown.js';

/** The rows of the results by the id of the item: the members of a result, and its links. */
export async function resultsOf(
  op: Operation,
  type: FoundType,
  { source, op: own, where }: Planned,
  ids: readonly number[],
): Promise<Map<number, Row>> {
  const results = new Map<number, Row>();
  if (ids.length === 0) return results;
  const { model } = source;
  own.fields = fieldsOf(op, source);
  const { columns, virtualColumns } = selectionOf(model, own.context, own.fields, false, neverSeen(model, own.actor));
  const rows = await own.store.select({
    table: model.table!.name,
    columns,
    adds: virtualColumns,
    where: and(oneOf('id', ids), where),
    order: [],
    ...(own.budget ? { budget: own.budget } : {}),
  });
  const views = await present(own, rows);
  const name = String(op.params['type']);
  const kind = type.subtypeAsType ? { type: source.subtype } : { type: name, subtype: source.subtype };
  for (const [index, row] of rows.entries()) {
    const view = views[index]!;
    const item = op.site.base + itemPath(model, row);
    const url = (source.url && view[source.url.name]) ?? item;
    const id = row['id'] as number;
    results.set(id, { id, title: titleOf(view, source), url, ...kind, [FOUND_LINKS]: linksOf(op, view, item) });
  }
  return results;
}

/** The fields of an item that its result is made of. */
function fieldsOf({ model: { found } }: Operation, { model, title, url }: Planned['source']): FieldSelection {
  const links = found!.links.length > 0 ? ['_links'] : [];
  const names = [title?.name, url?.name, model.key.name, ...links].filter((name) => name !== undefined);
  const has = (name: string) => names.includes(name);
  return { key: names.join(), has, reaches: ([name]) => has(name!), pick: (view) => view };
}

/** The text of a title; of a rendered title, the rendered text. */
function titleOf(view: View, { title }: Planned['source']): string {
  const value: unknown = title && view[title.name];
  if (typeof value === 'object' && value !== null) return String((value as View)['rendered'] ?? '');
  return value === undefined || value === null ? '' : String(value);
}

function linksOf({ model: { found } }: Operation, view: View, item: string): Record<string, object[]> {
  const shown = (view['_links'] ?? {}) as Record<string, object[]>;
  const carried = found!.links.flatMap((rel) => (shown[rel] ? [[rel, shown[rel]] as const] : []));
  return { self: [{ embeddable: true, href: item }], ...Object.fromEntries(carried) };
}
