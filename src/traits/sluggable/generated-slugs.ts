// Slugs shown to writers of items that have none yet.
import type { ResourceModel } from '../../model/model.js';
import type { Operation, View } from '../../model/operation.js';
import { equals, oneOf, type Row } from '../../model/query.js';
import { type SlugOptions, freeSlug, isReserved } from './free-slug.js';

/** Fields that show the slug which an item would get. */
export function generatedSlugs(model: ResourceModel): string[] {
  return [...model.fields.values()].flatMap(({ name, schema }) => (schema.function === 'generated-slug' ? [name] : []));
}

/** One statement finds the slugs that are taken; only those are replaced. */
export async function makeUnique(
  names: readonly string[],
  views: readonly View[],
  rows: readonly Row[],
  model: ResourceModel,
  options: SlugOptions,
  { store }: Operation,
): Promise<void> {
  const table = model.table!.name;
  // A slug that the item has is its own already.
  const shown = views.flatMap((view, at) =>
    names
      .filter((name) => view[name] !== undefined && view[name] !== rows[at]!['slug'])
      .map((name) => ({ view, name, id: rows[at]!['id'] as number })),
  );
  if (shown.length === 0) return;
  const wanted = [...new Set(shown.map(({ view, name }) => view[name] as string))];
  const taken = await store.select({ table, columns: ['id', 'slug'], where: oneOf('slug', wanted), order: [] });
  for (const { view, name, id } of shown) {
    const slug = view[name] as string;
    const isTaken = taken.some((other) => other['slug'] === slug && other['id'] !== id);
    if (!isTaken && (slug === String(id) || !isReserved(slug, options))) continue;
    const row = await store.first(table, [...model.table!.columns.keys()], equals('id', id));
    if (row) view[name] = await freeSlug(slug, model, options, row, { store });
  }
}
