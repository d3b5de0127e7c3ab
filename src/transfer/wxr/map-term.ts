// Maps a term of an export to a category, tag or custom term.
import type { ResourceModel } from '../../model/model.js';
import { fitted } from './fit-values.js';
import type { Change } from './import-unit.js';
import { mapMeta } from './map-meta.js';
import type { WxrTerm } from '../wxr-file/wxr-events.js';

/** Values of a term; `parent` is the new id, 0 for none. */
export function termChange(model: ResourceModel, term: WxrTerm, parent: number): Change {
  const values = {
    name: term.name || term.slug,
    slug: term.slug,
    description: term.description,
    ...(model.fields.has('parent') ? { parent } : {}),
  };
  const change = fitted(model, values, {}, ['description']);
  mapMeta(change, model, term.meta);
  return change;
}
