// Names of the items that ids stand for, asked for together, once per page, and whether the caller may read an address.
import { BASE, optionsOf, request, withQuery } from './api.js';
import { couldDo, couldSee, itemPath, nameOf, resourceAt } from './site.js';

/** Ids that one request may name. */
const MOST = 100;
/** Addresses that a page asks about one by one. */
const MOST_ADDRESSES = 40;

/** @type {Map<string, Promise<Map<string, Named>>>} */
const asked = new Map();

/** @typedef {{ name: string, path: string }} Named the name of an item, and where it is */

/**
 * The items of a collection, by id, without those that the caller may not read.
 * @param {string} list path below the namespace
 * @param {unknown[]} ids
 * @returns {Promise<Map<string, Named>>}
 */
export function namesOf(list, ids) {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number' && id > 0))].slice(0, MOST);
  if (wanted.length === 0) return Promise.resolve(new Map());
  const resource = resourceAt(list);
  if (!couldDo(resource, 'list')) return Promise.resolve(new Map());
  const query = { include: wanted.join(','), per_page: MOST, _fields: fieldsFor(resource) };
  const path = withQuery(BASE + list, query);
  let found = asked.get(path);
  if (!found) asked.set(path, (found = ask(path, resource)));
  return found;
}

/** @type {Map<string, Promise<boolean>>} */
const known = new Map();

/**
 * Whether the caller may read what is at a path: OPTIONS says so and refuses nobody. Of more addresses than a page should
 * ask about, none.
 * @param {string} path
 * @returns {Promise<boolean>}
 */
export function mayRead(path) {
  const plain = path.replace(/[?#].*/, '');
  let found = known.get(plain);
  if (!found) {
    const isAsked = couldSee(plain) && known.size < MOST_ADDRESSES;
    found = isAsked
      ? optionsOf(plain).then((options) => options?.allow.includes('GET') ?? false)
      : Promise.resolve(false);
    known.set(plain, found);
  }
  return found;
}

/** What tells the name of an item and where it is. @param {any} resource */
function fieldsFor(resource) {
  return [...new Set(['id', resource?.key ?? 'id', ...(resource?.names ?? [])])].join(',');
}

/** @param {string} path @param {any} resource @returns {Promise<Map<string, Named>>} */
async function ask(path, resource) {
  const { ok, body } = await request(path);
  const items = ok && Array.isArray(body) ? body : [];
  return new Map(
    items.map((item) => [
      String(item.id),
      { name: nameOf(item, resource), path: itemPath(resource, [String(item[resource.key])]) },
    ]),
  );
}

/**
 * Items of collections that match a text.
 * @param {string[]} lists
 * @param {string} text
 * @returns {Promise<{ id: number, name: string, list: string }[]>}
 */
export async function search(lists, text) {
  const found = await Promise.all(
    lists.map(async (list) => {
      const resource = resourceAt(list);
      if (!couldDo(resource, 'list')) return [];
      const fields = ['id', ...(resource?.names ?? [])].join(',');
      const number = /^#?(\d+)$/.exec(text.trim());
      const asking = number ? { include: number[1] } : { search: text };
      const { ok, body } = await request(withQuery(BASE + list, { ...asking, per_page: 10, _fields: fields }));
      const items = ok && Array.isArray(body) ? body : [];
      return items.map((item) => ({ id: item.id, name: nameOf(item, resource), list }));
    }),
  );
  return found.flat();
}
