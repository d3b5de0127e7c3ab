import { fileColumns, withSource } from './map-file.js';
import { fitted } from './fit-values.js';
import { datesOf } from './map-dates.js';
import { mapMeta } from './map-meta.js';
import { metaOf } from './wxr-events.js';
import { dateTime, wholeNumber } from './wxr-text.js';
const OPTIONAL = ['format', 'comment_status', 'ping_status', 'menu_order', 'alt_text', 'password'];
const FLOATING = ['draft', 'pending'];
/** The fields that take the parent and the featured image of an item. */
export function referenceFields(model) {
    const named = (...names) => names.find((name) => (model.fields.get(name)?.targets?.length ?? 0) > 0);
    const [parent, featured] = [named('parent', 'post'), named('featured_media')];
    return { ...(parent ? { parent } : {}), ...(featured ? { featured } : {}) };
}
/** Values and columns of an item. */
export function itemChange(model, item, place) {
    const status = item.status.trim();
    const trashed = status === 'trash';
    const dates = datesOf(item.date, item.dateGmt, FLOATING.includes(status) ? '' : item.published);
    const attached = item.postType.trim() === 'attachment';
    const values = {
        title: item.title,
        ...(attached ? { description: item.content, caption: item.excerpt } : { content: item.content, excerpt: item.excerpt }),
        slug: item.slug,
        ...(trashed || status === 'inherit' ? {} : { status }),
        author: place.author || undefined,
        ...dates.values,
        comment_status: openOrClosed(item.commentStatus),
        ping_status: openOrClosed(item.pingStatus),
        password: item.password,
        menu_order: wholeNumber(item.menuOrder),
        // A sticky item with a password is refused (decisions 11.29); the password is worth more.
        sticky: item.sticky.trim() === '1' && item.password === '' && !trashed,
        format: formatOf(item),
        alt_text: metaOf(item, '_wp_attachment_image_alt'),
        ...references(model, place),
        ...termValues(place),
    };
    const columns = {
        ...dates.columns,
        ...floating(item, dates.columns, status),
        ...modified(item, dates.columns, place.existing),
        ...template(item),
        ...(trashed ? trash(item) : {}),
        ...(attached ? fileColumns(item) : {}),
    };
    const change = fitted(model, values, columns, OPTIONAL);
    if (place.author)
        change.as = place.author;
    change.waits = place.parent === 'later' || place.featured === 'later';
    mapMeta(change, model, attached ? withSource(item) : item.meta, takenKeys(model, item));
    return change;
}
function openOrClosed(text) {
    return text.trim() === 'open' ? 'open' : 'closed';
}
function formatOf(item) {
    const slug = item.terms.find(({ domain }) => domain === 'post_format')?.slug ?? '';
    return slug.replace(/^post-format-/, '') || 'standard';
}
function references(model, { parent, featured }) {
    const fields = referenceFields(model);
    return {
        ...(fields.parent && parent !== 'later' ? { [fields.parent]: parent } : {}),
        ...(fields.featured && featured !== 'later' ? { [fields.featured]: featured } : {}),
    };
}
/** A new item without terms of a taxonomy says nothing of it; an update takes the last ones away. */
function termValues({ terms, existing }) {
    return Object.fromEntries(Object.entries(terms).filter(([, ids]) => existing || ids.length > 0));
}
/** Drafts without a fixed date: the export has the local one alone. */
function floating(item, dates, status) {
    const fixed = dates['date_gmt'] !== undefined || !FLOATING.includes(status);
    return { date_floating: fixed ? 0 : 1, ...(!fixed && dateTime(item.date, 'date') ? { date: dateTime(item.date, 'date') } : {}) };
}
/** The last change; exports before WordPress 5.7 do not tell, then a new item counts as unchanged since its date. */
function modified(item, dates, existing) {
    const local = dateTime(item.modified, 'modified');
    const gmt = dateTime(item.modifiedGmt, 'modified_gmt');
    if (local && gmt)
        return { modified: local, modified_gmt: gmt };
    return existing ? {} : { modified: dates['date'], modified_gmt: dates['date_gmt'] };
}
function template(item) {
    const name = metaOf(item, '_wp_page_template');
    return name === undefined ? {} : { template: name === 'default' ? '' : name };
}
/** What the trash remembers of an item, so that it can be restored. */
function trash(item) {
    const seconds = wholeNumber(metaOf(item, '_wp_trash_meta_time') ?? '');
    return {
        status: 'trash',
        trashed_status: metaOf(item, '_wp_trash_meta_status') || 'draft',
        trashed_slug: metaOf(item, '_wp_desired_post_slug') ?? item.slug.replace(/__trashed(-\d+)?$/, ''),
        ...(seconds > 0 ? { trashed_at: new Date(seconds * 1000).toISOString().slice(0, 19) } : {}),
    };
}
/** Meta keys that became fields. */
function takenKeys(model, item) {
    const has = (name) => model.fields.has(name);
    return [
        ...(has('featured_media') ? ['_thumbnail_id'] : []),
        ...(has('template') ? ['_wp_page_template'] : []),
        ...(has('alt_text') ? ['_wp_attachment_image_alt'] : []),
        ...(item.status.trim() === 'trash' ? ['_wp_trash_meta_status', '_wp_trash_meta_time', '_wp_desired_post_slug'] : []),
    ];
}
//# sourceMappingURL=map-item.js.map