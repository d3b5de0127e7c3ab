import { and, equals } from '../model/query.js';
import { storedSlug } from './fit-values.js';
import { settleIn } from './import-session.js';
import { contentHash } from './import-table.js';
import { termChange } from './map-term.js';
import { parentsFirst } from './wxr-inventory.js';
import { wholeNumber } from './wxr-text.js';
/**
 * Imports all terms. Where the file lists the terms of a taxonomy, terms that items carry beyond the list are found
 * by name or on the site, or left out; where it lists none (an export of posts alone), they are made.
 */
export async function importTerms(session, units) {
    const { terms, used } = session.inventory;
    for (const taxonomy of new Set([...terms.keys(), ...used.keys()])) {
        const model = session.termModel(taxonomy);
        const listed = terms.get(taxonomy);
        if (!model) {
            for (let n = 0; n < (listed?.size ?? 0); n += 1)
                session.summary.count(taxonomy, 'skipped', 'no such resource on this site');
            continue;
        }
        for (const term of parentsFirst((listed ?? used.get(taxonomy)).values()))
            await units.add(termUnit(session, model, term));
        await units.flush();
        if (listed)
            await findUnlisted(session, model, listed, used.get(taxonomy));
    }
}
function termUnit(session, model, term) {
    return {
        model,
        key: term.slug,
        line: term.line,
        label: term.slug,
        hash: contentHash(term),
        wantedId: wholeNumber(term.id),
        highestId: session.inventory.highest.term,
        weight: 1000 + term.description.length,
        same: (reader) => termBySlug(model, term.slug, reader),
        change: async () => termChange(model, term, session.terms.get(termKey(model, term.parent)) ?? 0),
        settle: (id) => settleIn(session.terms, termKey(model, term.slug), id),
    };
}
/** Name of a term in the session's map. */
export function termKey(model, slug) {
    return `${model.name}:${slug}`;
}
async function findUnlisted(session, model, listed, used) {
    const byName = new Map([...listed.values()].map((term) => [term.name.toLowerCase(), term.slug]));
    for (const { slug, name } of used?.values() ?? []) {
        if (listed.has(slug))
            continue;
        const twin = byName.get(name.toLowerCase());
        const id = twin === undefined ? await termBySlug(model, slug, session.writer.store.reader) : session.terms.get(termKey(model, twin));
        if (id !== undefined)
            session.terms.set(termKey(model, slug), id);
    }
}
async function termBySlug(model, slug, reader) {
    const kinds = Object.entries(model.discriminator).map(([column, value]) => equals(column, value));
    const column = model.fields.get('slug')?.column ?? 'slug';
    const row = await reader.first(model.table.name, ['id'], and(...kinds, equals(column, storedSlug(model, slug))));
    return row && Number(row['id']);
}
//# sourceMappingURL=import-terms.js.map