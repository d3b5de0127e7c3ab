import { cleanLogin, MAX_ID, ownText, wholeNumber } from './wxr-text.js';
/** The taxonomy a term belongs to; WXR 1.0 wrote `tag`. */
export function taxonomyOf(domain) {
    return domain === 'tag' ? 'post_tag' : domain;
}
/** Reads all events of a file. Throws the reader's ImportProblem. */
export async function takeInventory(events) {
    const found = {
        source: '',
        authors: new Map(),
        terms: new Map(),
        used: new Map(),
        ids: new Map(),
        items: 0,
        comments: 0,
        highest: { author: 0, term: 0, item: 0, comment: 0 },
    };
    const creators = new Map();
    for await (const event of events) {
        if (event.type === 'site')
            found.source = sourceOf(event);
        else if (event.type === 'author')
            noteAuthor(found, event);
        else if (event.type === 'item')
            noteItem(found, creators, event);
        else
            noteTerm(found, event);
    }
    for (const [login, line] of creators)
        if (!found.authors.has(login))
            found.authors.set(login, bareAuthor(login, line));
    return found;
}
function sourceOf({ baseBlogUrl, link }) {
    return ownText((baseBlogUrl.trim() || link.trim()).replace(/\/+$/, '')) || 'unknown';
}
function noteAuthor(found, author) {
    const login = cleanLogin(author.login);
    raise(found, 'author', author.id);
    if (login && !found.authors.has(login))
        found.authors.set(login, copied(author));
}
function noteTerm(found, term) {
    raise(found, 'term', term.id);
    const taxonomy = taxonomyOf(term.taxonomy.trim());
    const slug = term.slug || term.name;
    const terms = mapOf(found.terms, taxonomy);
    if (slug && !terms.has(slug))
        terms.set(ownText(slug), { ...copied(term), taxonomy, slug: ownText(slug) });
}
function noteItem(found, creators, item) {
    const type = item.postType.trim();
    found.items += 1;
    found.comments += item.comments.length;
    raise(found, 'item', item.id);
    let ids = found.ids.get(type);
    if (!ids)
        found.ids.set(ownText(type), (ids = new Set()));
    ids.add(wholeNumber(item.id));
    const creator = cleanLogin(item.creator);
    if (creator && !creators.has(creator))
        creators.set(creator, item.line);
    for (const { domain, slug, name, line } of item.terms) {
        const used = mapOf(found.used, taxonomyOf(domain));
        if (domain && slug && !used.has(slug))
            used.set(ownText(slug), bareTerm(taxonomyOf(domain), ownText(slug), ownText(name), line));
    }
    for (const comment of item.comments)
        raise(found, 'comment', comment.id);
}
function raise(found, group, text) {
    const id = wholeNumber(text);
    if (id <= MAX_ID)
        found.highest[group] = Math.max(found.highest[group], id);
}
function mapOf(maps, key) {
    let map = maps.get(key);
    if (!map)
        maps.set(ownText(key), (map = new Map()));
    return map;
}
function copied(event) {
    return structuredClone(JSON.parse(JSON.stringify(event)));
}
function bareAuthor(login, line) {
    return { type: 'author', line, id: '', login, email: '', displayName: '', firstName: '', lastName: '' };
}
function bareTerm(taxonomy, slug, name, line) {
    return { type: 'term', line, id: '', taxonomy, slug, parent: '', name: name || slug, description: '', meta: [] };
}
/** Terms with every parent before its children; those whose parents run in a circle come last, without. */
export function parentsFirst(terms) {
    const bySlug = new Map([...terms].map((term) => [term.slug, term]));
    const children = new Map();
    const ordered = [];
    for (const term of bySlug.values()) {
        if (!term.parent || !bySlug.has(term.parent))
            ordered.push(term);
        else
            children.set(term.parent, [...(children.get(term.parent) ?? []), term]);
    }
    for (let at = 0; at < ordered.length; at += 1)
        ordered.push(...(children.get(ordered[at].slug) ?? []));
    const placed = new Set(ordered);
    return [...ordered, ...[...bySlug.values()].filter((term) => !placed.has(term)).map((term) => ({ ...term, parent: '' }))];
}
/** Comments with every parent before its replies; replies to comments that are not there, or in circles, come last. */
export function repliesLast(comments) {
    const ids = new Set(comments.map(({ id }) => wholeNumber(id)));
    const replies = new Map();
    const ordered = [];
    for (const comment of comments) {
        const parent = wholeNumber(comment.parent);
        if (parent === 0 || !ids.has(parent))
            ordered.push(comment);
        else
            replies.get(parent)?.push(comment) ?? replies.set(parent, [comment]);
    }
    const placed = new Set(ordered);
    for (let at = 0; at < ordered.length; at += 1) {
        const id = wholeNumber(ordered[at].id);
        for (const reply of replies.get(id) ?? []) {
            if (placed.has(reply))
                continue;
            placed.add(reply);
            ordered.push(reply);
        }
        replies.delete(id);
    }
    return [...ordered, ...comments.filter((comment) => !placed.has(comment)).map((comment) => ({ ...comment, parent: '' }))];
}
//# sourceMappingURL=wxr-inventory.js.map