// Names of the items of ids, requested together, once per page, and whether the caller may read a URL.
import { BASE, optionsOf, request, withQuery } from './api.js';
import { couldDo, couldSee, isPaged, itemPath, MOST, mostOf, nameOf, resourceAt } from './site.js';

/** Items that a search offers. */
const OFFERED = 10;
/** Maximum number of URLs that a page checks one by one. */
const MOST_ADDRESSES = 40;

/** @type {Map<string, Promise<Map<string, Named>>>} */
const named = new Map();

/** @typedef {{ name: string, path: string }} Named the name of an item, and where it is */

/**
 * The items of a collection, by id, without those that the caller may not read.
 * @param {string} list path below the namespace
 * @param {unknown[]} ids
 * @returns {Promise<Map<string, Named>>}
 */
export function namesOf(list, ids) {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number' && id > 0))].slice(0, MOST);
  const resource = resourceAt(list);
  if (wanted.length === 0 || !couldDo(resource, 'list')) return Promise.resolve(new Map());
  const most = mostOf(resource);
  const parts = Array.from({ length: Math.ceil(wanted.length / most) }, (_, at) =>
    wanted.slice(at * most, (at + 1) * most),
  );
  return Promise.all(parts.map((part) => namesOfPart(list, resource, part))).then(
    (found) => new Map(found.flatMap((each) => [...each])),
  );
}

/** @param {string} list @param {any} resource @param {unknown[]} ids */
function namesOfPart(list, resource, ids) {
  const page = isPaged(resource) ? { include: ids.join(','), per_page: mostOf(resource) } : {};
  const query = { ...page, _fields: fieldsFor(resource) };
  const path = withQuery(BASE + list, query);
  let found = named.get(path);
  if (!found) named.set(path, (found = loadNames(path, resource)));
  return found;
}

/** @type {Map<string, Promise<boolean>>} */
const known = new Map();

/**
 * Whether the caller may read what is at a path: OPTIONS says so and refuses nobody. Of more paths than a page should
 * ask about, none.
 * @param {string} path
 * @returns {Promise<boolean>}
 */
export function mayRead(path) {
  const plain = path.replace(/[?#].*/, '');
  let found = known.get(plain);
  if (!found) {
    const isRequested = couldSee(plain) && known.size < MOST_ADDRESSES;
    found = isRequested
      ? optionsOf(plain).then((options) => options?.allow.includes('GET') ?? false)
      : Promise.resolve(false);
    known.set(plain, found);
  }
  return found;
}

/** Fields for the name and the path of an item. @param {any} resource */
function fieldsFor(resource) {
  return [...new Set(['id', resource?.key ?? 'id', ...(resource?.names ?? [])])].join(',');
}

/** @param {string} path @param {any} resource @returns {Promise<Map<string, Named>>} */
async function loadNames(path, resource) {
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
      // Without `search`, a list can only be looked through.
      const isLooked = !number && resource !== undefined && !resource.search;
      const most = isLooked ? mostOf(resource) : Math.min(OFFERED, mostOf(resource));
      const page = isPaged(resource) ? { include: number?.[1], per_page: most } : {};
      const wantedText = number || isLooked ? undefined : text;
      const { ok, body } = await request(withQuery(BASE + list, { ...page, search: wantedText, _fields: fields }));
      const items = ok && Array.isArray(body) ? body : [];
      const named = items.map((item) => ({ id: item.id, name: nameOf(item, resource), list }));
      if (number) return named.filter(({ id }) => id === Number(number[1]));
      const wanted = text.trim().toLowerCase();
      return (isLooked ? named.filter(({ name }) => name.toLowerCase().includes(wanted)) : named).slice(0, OFFERED);
    }),
  );
  return found.flat();
}
