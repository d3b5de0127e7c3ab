// Names of the items that ids stand for: asked for together, once per page.
import { BASE, request, withQuery } from './api.js';
import { couldDo, nameOf, resourceAt } from './site.js';

/** Ids that one request may name. */
const MOST = 100;

/** @type {Map<string, Promise<Map<string, string>>>} */
const asked = new Map();

/**
 * The names of items of a collection, by id. Ids that the caller may not read have none.
 * @param {string} list path below the namespace
 * @param {unknown[]} ids
 * @returns {Promise<Map<string, string>>}
 */
export function namesOf(list, ids) {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'number' && id > 0))].slice(0, MOST);
  if (wanted.length === 0) return Promise.resolve(new Map());
  const resource = resourceAt(list);
  if (!couldDo(resource, 'list')) return Promise.resolve(new Map());
  const query = { include: wanted.join(','), per_page: MOST, _fields: ['id', ...(resource?.names ?? [])].join(',') };
  const path = withQuery(BASE + list, query);
  let found = asked.get(path);
  if (!found) asked.set(path, (found = ask(path, resource)));
  return found;
}

/** @param {string} path @param {any} resource @returns {Promise<Map<string, string>>} */
async function ask(path, resource) {
  const { ok, body } = await request(path);
  const items = ok && Array.isArray(body) ? body : [];
  return new Map(items.map((item) => [String(item.id), nameOf(item, resource)]));
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
