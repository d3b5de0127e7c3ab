// How values are shown for reading: short in tables, whole on the page of an item.
import { apiPathOf, BASE, filePathOf } from './api.js';
import { cut, h, plain } from './dom.js';
import { mayRead, namesOf } from './references.js';
import { resourceAt, textOf } from './site.js';

const IMAGE = /\.(png|jpe?g|gif|webp|avif)(\?|$)/i;
const LONGEST = 120;

/**
 * @typedef {object} Hint
 * @property {string} [type] type of the field
 * @property {string[]} [to] collections of its ids
 * @property {true} [literal] it is no HTML
 */

/**
 * A value, short.
 * @param {any} value
 * @param {any} schema
 * @param {Hint} [hint]
 * @returns {Node}
 */
export function cell(value, schema = {}, hint = {}) {
  if (value === null || value === undefined || value === '') return empty();
  if (hint.to && isIds(value)) return references([value].flat(), hint.to);
  if (typeof value === 'boolean') return h('span', { class: 'flag' }, value ? 'yes' : 'no');
  if (typeof value === 'number') return h('span', { class: 'number' }, String(value));
  if (typeof value === 'string') return text(value, schema, hint);
  if ('rendered' in value || 'raw' in value)
    return textOf(value) === '' ? empty() : h('span', {}, cut(textOf(value), LONGEST));
  if (Array.isArray(value)) return value.length === 0 ? empty() : list(value);
  const members = Object.keys(value);
  return members.length === 0 ? empty() : h('code', { class: 'small' }, cut(JSON.stringify(value), 60));
}

function empty() {
  return h('span', { class: 'empty' }, '–');
}

/** @param {unknown} value */
function isIds(value) {
  return typeof value === 'number' || (Array.isArray(value) && value.every((id) => typeof id === 'number'));
}

/** @param {any[]} values */
function list(values) {
  if (values.every((value) => typeof value !== 'object')) return h('span', {}, cut(values.join(', '), LONGEST));
  return h('code', { class: 'small' }, cut(JSON.stringify(values), 60));
}

/** @param {string} value @param {any} schema @param {Hint} hint */
function text(value, schema, { literal }) {
  const file = imagePathOf(value);
  if (file)
    return h('img', {
      src: file,
      alt: '',
      class: 'thumb',
      loading: 'lazy',
      error: (/** @type {Event} */ { target }) => /** @type {Element} */ (target).remove(),
    });
  if (schema.format === 'uri' || /^https?:\/\//.test(value)) return link(value);
  if (schema.format === 'date-time')
    return h('time', { datetime: value }, value.replace('T', ' ').replace(/\+00:00$/, ' UTC'));
  if (schema.enum) return h('span', { class: 'choice' }, value);
  return h('span', {}, cut(literal ? value : plain(value), LONGEST));
}

/** The path of an image that was uploaded here. @param {unknown} value */
export function imagePathOf(value) {
  const path = filePathOf(value);
  return path && IMAGE.test(path) ? path : undefined;
}

/** An image that links to its file. @param {string} file @param {string} alt */
export function imageLink(file, alt) {
  const image = h('img', { src: file, alt, class: 'image', error: missing });
  return h('a', { href: file, class: 'figure' }, image);

  function missing() {
    image.replaceWith(`${file.split('/').pop()} (the file is missing)`);
  }
}

/** @param {string} value */
export function link(value) {
  const path = apiPathOf(value) ?? filePathOf(value);
  if (path !== undefined) return h('a', { href: path }, cut(value, LONGEST));
  if (!/^https?:\/\//.test(value)) return h('span', {}, cut(value, LONGEST));
  return h('a', { href: value, rel: 'noopener noreferrer' }, cut(value.replace(/^https?:\/\//, ''), 60));
}

/** @param {number[]} ids @param {string[]} lists */
function references(ids, lists) {
  const shown = ids.filter((id) => id > 0);
  if (shown.length === 0) return empty();
  const places = shown.map((id) => h('span', {}, `#${id}`));
  const found = lists.map((list) => namesOf(list, shown));
  for (const [index, id] of shown.entries()) void lead(places[index], id, lists, found);
  return h('span', { class: 'references' }, ...places.flatMap((each, at) => (at > 0 ? [', ', each] : [each])));
}

/**
 * Makes the place of an id lead to its item, if the caller may read that. Lists name most of them; they leave out what is
 * readable only at its own URL, such as the drafts of the caller.
 * @param {Element} place
 * @param {number} id
 * @param {string[]} lists
 * @param {Promise<Map<string, import('./references.js').Named>>[]} found items by list
 */
async function lead(place, id, lists, found) {
  const named = (await Promise.all(found)).map((byId) => byId.get(String(id))).find(Boolean);
  if (named) return place.replaceChildren(h('a', { href: named.path }, cut(named.name, 40)));
  for (const list of lists) {
    const path = `${BASE}${list}/${id}`;
    // Items that another field names have no URL with their id.
    if ((resourceAt(list)?.key ?? 'id') !== 'id' || !(await mayRead(path))) continue;
    return place.replaceChildren(h('a', { href: path }, `#${id}`));
  }
}

/**
 * A value, whole.
 * @param {any} value
 * @param {any} schema
 * @param {Hint} [hint]
 * @returns {Node}
 */
export function fullValue(value, schema = {}, hint = {}) {
  if (typeof value === 'string' && value.length > LONGEST && !schema.format) return h('div', { class: 'long' }, value);
  if (typeof value?.rendered === 'string') {
    const words = plain(value.rendered).trim();
    return words === '' ? empty() : h('div', { class: 'long' }, words);
  }
  const file = imagePathOf(value);
  if (file) return imageLink(file, 'The image itself');
  if (typeof value === 'object' && value !== null && !hint.to && Object.keys(value).length > 0 && !Array.isArray(value))
    return members(value, schema);
  return cell(value, schema, hint);
}

/** @param {Record<string, any>} value @param {any} schema */
function members(value, schema) {
  const rows = Object.entries(value).map(([name, member]) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, cell(member, schema.properties?.[name]))),
  );
  return h('dl', { class: 'members' }, ...rows);
}
