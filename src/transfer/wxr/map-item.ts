// Maps a post, page, attachment or item of a custom type to values and columns of its resource.
import type { DatesFace, TrashFace } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import { fileColumns, withSource } from './map-file.js';
import { fitted } from './fit-values.js';
import type { Change } from './import-unit.js';
import { datesOf } from './map-dates.js';
import { mapMeta } from './map-meta.js';
import { metaOf, type WxrItem } from '../wxr-file/wxr-events.js';
import { dateTime, wholeNumber } from '../wxr-file/wxr-text.js';

/** The new ids that an item refers to; `later`: further down in the file. */
export interface ItemPlace {
  author: number;
  /** Term ids by field name. */
  terms: Record<string, number[]>;
  parent: number | 'later';
  featured: number | 'later';
  existing: boolean;
}

const OPTIONAL = ['format', 'comment_status', 'ping_status', 'menu_order', 'alt_text'];
/** The last second of the year 9999, the latest valid date, in seconds. */
const LATEST = 253_402_300_799;
const FLOATING = ['draft', 'pending'];

/** The fields of the parent and the featured image of an item. */
export function referenceFields(model: ResourceModel): { parent?: string; featured?: string } {
  const named = (...names: string[]) => names.find((name) => (model.fields.get(name)?.targets?.length ?? 0) > 0);
  const [parent, featured] = [named('parent', 'post'), named('featured_media')];
  return { ...(parent ? { parent } : {}), ...(featured ? { featured } : {}) };
}

/** Values and columns of an item. */
export function itemChange(model: ResourceModel, item: WxrItem, place: ItemPlace): Change {
  const status = item.status.trim();
  const trashed = status === 'trash';
  const dates = datesOf(item.date, item.dateGmt, FLOATING.includes(status) ? '' : item.published);
  const attached = item.postType.trim() === 'attachment';
  const values = {
    title: item.title,
    ...(attached
      ? { description: item.content, caption: item.excerpt }
      : { content: item.content, excerpt: item.excerpt }),
    slug: item.slug,
    ...(trashed || status === 'inherit' ? {} : { status }),
    author: place.author || undefined,
    ...dates.values,
    comment_status: openOrClosed(item.commentStatus),
    ping_status: openOrClosed(item.pingStatus),
    password: item.password,
    menu_order: wholeNumber(item.menuOrder),
    // Sticky items cannot have a password; the password is more important.
    sticky: item.sticky.trim() === '1' && item.password === '' && !trashed,
    format: formatOf(item),
    alt_text: metaOf(item, '_wp_attachment_image_alt'),
    ...references(model, place),
    ...termValues(place),
  };
  const columns = {
    ...dates.columns,
    ...floating(item, dates.columns, status, model.faces.dates),
    ...modified(item, dates.columns, place.existing),
    ...template(item),
    ...(trashed && model.faces.trash ? trash(item, model.faces.trash) : {}),
    ...(attached && model.faces.upload ? fileColumns(item, model.faces.upload) : {}),
  };
  const change = fitted(model, values, columns, OPTIONAL);
  if (place.author) change.as = place.author;
  change.waits = place.parent === 'later' || place.featured === 'later';
  mapMeta(change, model, attached ? withSource(item) : item.meta, takenKeys(model, item));
  return change;
}

function openOrClosed(text: string): string {
  return text.trim() === 'open' ? 'open' : 'closed';
}

function formatOf(item: WxrItem): string {
  const slug = item.terms.find(({ domain }) => domain === 'post_format')?.slug ?? '';
  return slug.replace(/^post-format-/, '') || 'standard';
}

function references(model: ResourceModel, { parent, featured }: ItemPlace): Record<string, number> {
  const fields = referenceFields(model);
  return {
    ...(fields.parent && parent !== 'later' ? { [fields.parent]: parent } : {}),
    ...(fields.featured && featured !== 'later' ? { [fields.featured]: featured } : {}),
  };
}

/** Without terms, a new item omits the taxonomy, and an update removes its terms. */
function termValues({ terms, existing }: ItemPlace): Record<string, number[]> {
  return Object.fromEntries(Object.entries(terms).filter(([, ids]) => existing || ids.length > 0));
}

/** Drafts without a fixed date have only a local one in the export. */
function floating(item: WxrItem, dates: Row, status: string, face: DatesFace | undefined): Row {
  const fixed = dates['date_gmt'] !== undefined || !FLOATING.includes(status);
  return {
    ...(face?.floating ? { [face.floating]: fixed ? 0 : 1 } : {}),
    ...(!fixed && dateTime(item.date, 'date') ? { date: dateTime(item.date, 'date') } : {}),
  };
}

/** Date of the last change; exports before WordPress 5.7 lack it, and a new item counts as unchanged since its date. */
function modified(item: WxrItem, dates: Row, existing: boolean): Row {
  const local = dateTime(item.modified, 'modified');
  const gmt = dateTime(item.modifiedGmt, 'modified_gmt');
  if (local && gmt) return { modified: local, modified_gmt: gmt };
  return existing ? {} : { modified: dates['date'], modified_gmt: dates['date_gmt'] };
}

function template(item: WxrItem): Row {
  const name = metaOf(item, '_wp_page_template');
  return name === undefined ? {} : { template: name === 'default' ? '' : name };
}

/** The columns that allow an item to be restored from the trash. */
function trash(item: WxrItem, face: TrashFace): Row {
  const seconds = wholeNumber(metaOf(item, '_wp_trash_meta_time') ?? '');
  return face.columns({
    status: metaOf(item, '_wp_trash_meta_status') || 'draft',
    slug: metaOf(item, '_wp_desired_post_slug') ?? item.slug.replace(/__trashed(-\d+)?$/, ''),
    ...(seconds > 0 && seconds <= LATEST ? { at: new Date(seconds * 1000).toISOString().slice(0, 19) } : {}),
  });
}

/** Meta keys that are stored as fields. */
function takenKeys(model: ResourceModel, item: WxrItem): string[] {
  const has = (name: string) => model.fields.has(name);
  return [
    ...(has('featured_media') ? ['_thumbnail_id'] : []),
    ...(has('template') ? ['_wp_page_template'] : []),
    ...(has('alt_text') ? ['_wp_attachment_image_alt'] : []),
    ...(item.status.trim() === 'trash'
      ? ['_wp_trash_meta_status', '_wp_trash_meta_time', '_wp_desired_post_slug']
      : []),
  ];
}
