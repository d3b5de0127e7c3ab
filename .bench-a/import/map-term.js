import { fitted } from './fit-values.js';
import { mapMeta } from './map-meta.js';
/** Values of a term; `parent` is our id, 0 for none. */
export function termChange(model, term, parent) {
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
//# sourceMappingURL=map-term.js.map