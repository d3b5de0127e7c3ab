// Step of the WXR import: categories, tags and terms of custom taxonomies, parents first.
import type { ResourceModel } from '../../model/model.js';
import { and, equals } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { storedSlug } from './fit-values.js';
import { resolveId, type ImportSession } from './import-session.js';
import { contentHash } from './import-table.js';
import type { ImportItem } from './import-unit.js';
import { termChange } from './map-term.js';
import type { ImportWriter } from './unit-writer.js';
import type { WxrTerm } from '../wxr-file/wxr-events.js';
import { parentsFirst } from '../wxr-file/wxr-inventory.js';
import { wholeNumber } from '../wxr-file/wxr-text.js';

/** Imports all terms: those that the file lists, then those that appear only on its items. */
export async function importTerms(session: ImportSession, units: ImportWriter): Promise<void> {
  const { terms, used } = session.inventory;
  for (const taxonomy of new Set([...terms.keys(), ...used.keys()])) {
    const model = session.termModel(taxonomy);
    const listed = terms.get(taxonomy);
    if (!model) {
      for (let n = 0; n < (listed?.size ?? 0); n += 1)
        session.summary.count(taxonomy, 'skipped', 'no such resource on this site');
      continue;
    }
    const unlisted = [...(used.get(taxonomy)?.values() ?? [])].filter(({ slug }) => !listed?.has(slug));
    for (const term of parentsFirst([...(listed?.values() ?? []), ...unlisted]))
      await units.add(termUnit(session, model, term));
    await units.flush();
  }
}

function termUnit(session: ImportSession, model: ResourceModel, term: WxrTerm): ImportItem {
  return {
    model,
    key: term.slug,
    line: term.line,
    label: term.slug,
    hash: contentHash(term),
    wantedId: wholeNumber(term.id),
    highestId: session.inventory.highest.term,
    bare: !session.inventory.terms.get(term.taxonomy)?.has(term.slug),
    weight: 1000 + term.description.length,
    same: (reader) => termBySlug(model, term.slug, reader),
    change: async () => termChange(model, term, session.terms.get(termKey(model, term.parent)) ?? 0),
    settle: (id) => resolveId(session.terms, termKey(model, term.slug), id),
  };
}

/** Key of a term in the session's map. */
export function termKey(model: ResourceModel, slug: string): string {
  return `${model.name}:${slug}`;
}

async function termBySlug(model: ResourceModel, slug: string, reader: Reader): Promise<number | undefined> {
  const column = model.fields.get('slug')?.column ?? 'slug';
  const row = await reader.first(
    model.table!.name,
    ['id'],
    and(model.rowScope, equals(column, storedSlug(model, slug))),
  );
  return row && Number(row['id']);
}
