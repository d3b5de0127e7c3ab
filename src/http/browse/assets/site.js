// The resources of the site, and which of them a URL belongs to.
import { BASE, request, ROOT } from './api.js';
import { plain } from './dom.js';

/** @typedef {any} Resource a resource in `site.json`; see describe-site.ts */

/** @type {Resource[]} */
export let resources = [];

/** What the caller may do; see describe-rights.ts. @type {{ roles: boolean, resources: Record<string, any>, problems?: string[] } | undefined} */
let rights;

/** Reads the description of the site, and what the caller may do. */
export async function loadSite() {
  const [site, mine] = await Promise.all([
    request(`${ROOT}/_page/site.json`, { anonymous: true }),
    request(`${ROOT}/_page/rights.json`),
  ]);
  resources = site.body?.resources ?? [];
  if (mine.ok) rights = mine.body;
}

/**
 * Whether an operation with some parameters could be allowed: what never is need not be requested.
 * @param {Resource | undefined} resource
 * @param {'list' | 'retrieve' | 'create' | 'update' | 'delete'} kind
 * @param {Record<string, unknown>} [params]
 */
export function couldDo(resource, kind, params = {}) {
  if (!rights || !resource) return true;
  const known = rights.resources[resource.list]?.[kind];
  if (!known || known.extent === 'none') return false;
  return !(known.except ?? []).some(
    (/** @type {any} */ { names, extent, in: within, notIn, notSelf }) =>
      extent === 'none' &&
      !notSelf &&
      names.some((/** @type {string} */ name) => params[name] !== undefined && isOneOf(params[name], within, notIn)),
  );
}

/**
 * Whether a field could be sent with any value that counts.
 * @param {Resource | undefined} resource
 * @param {'create' | 'update'} kind
 * @param {string} name
 */
export function couldSend(resource, kind, name) {
  const { except = [] } = (resource && rights?.resources[resource.list]?.[kind]) ?? {};
  return !except.some(
    (/** @type {any} */ { names, extent, in: within, notIn, notSelf }) =>
      extent === 'none' && names.includes(name) && !within && !notIn && !notSelf,
  );
}

/** Whether the caller may see what every role may do. */
export function seesRoles() {
  return rights?.roles === true;
}

/** For administrators: why the schemas that were saved last are not served. */
export function fileProblems() {
  return rights?.problems ?? [];
}

/** @param {unknown} value @param {unknown[] | undefined} within @param {unknown[] | undefined} notIn */
function isOneOf(value, within, notIn) {
  return within ? within.includes(value) : !notIn?.includes(value);
}

/** Resources at the top that the caller can see or add to. */
export function topResources() {
  const isOpen = (/** @type {Resource} */ each) =>
    couldDo(each, each.singleton ? 'retrieve' : 'list') || couldDo(each, 'create');
  return resources.filter((each) => !each.parent && isOpen(each)).sort((a, b) => a.plural.localeCompare(b.plural));
}

/** The resource with a list at a path below the namespace. @param {string} list @returns {Resource | undefined} */
export function resourceAt(list) {
  return resources.find((each) => each.list === list);
}

/** Resources whose items belong to an item. @param {Resource} resource @returns {Resource[]} */
export function nestedIn(resource) {
  return resources.filter(({ parent }) => parent === resource.list);
}

/** The resource whose items are accounts, if the caller can retrieve their own. @returns {Resource | undefined} */
export function accountResource() {
  return resources.find(({ account, self }) => account && self);
}

/**
 * The resource of a path of this server, and the keys in it.
 * @param {string} path
 * @returns {{ resource: Resource, kind: 'list' | 'item', keys: string[] } | undefined}
 */
export function locate(path) {
  const below = path.replace(/\/+$/, '').slice(BASE.length);
  for (const resource of resources) {
    for (const kind of /** @type {const} */ (['list', 'item'])) {
      const keys = resource[kind] === undefined ? undefined : match(resource[kind], below);
      if (keys) return { resource, kind, keys };
    }
  }
  return undefined;
}

/** @param {string} template @param {string} path */
function match(template, path) {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  /** @type {string[]} */
  const keys = [];
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('{')) keys.push(given[at]);
    else if (part.toLowerCase() !== given[at].toLowerCase()) return undefined;
  }
  return keys;
}

/** Ids that one request may name, and items in its response. */
export const MOST = 100;

/** Items that one request may return. @param {any} resource @returns {number} */
export function mostOf(resource) {
  return Math.min(MOST, resource?.most ?? MOST);
}

/** Whether a list has pages, and `include`: others return all items. @param {any} resource */
export function isPaged(resource) {
  return resource === undefined || resource.most !== undefined;
}

/** Whether the caller might be shown what is at a path. @param {string} path */
export function couldSee(path) {
  const { resource } = locate(path.replace(/[?#].*/, '')) ?? {};
  return couldDo(resource, 'list') || couldDo(resource, 'retrieve');
}

/** The path of a resource's list, with the keys of its parents. @param {Resource} resource @param {string[]} keys */
export function listPath(resource, keys = []) {
  return BASE + filled(resource.list, keys);
}

/** The path of an item. @param {Resource} resource @param {string[]} keys those of its parents and its own */
export function itemPath(resource, keys) {
  return BASE + filled(resource.item ?? resource.list, keys);
}

/** @param {string} template @param {string[]} keys */
function filled(template, keys) {
  let at = 0;
  return template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(keys[at++] ?? ''));
}

/** The name of an item for readers; its key without one. @param {any} item @param {Resource | undefined} resource */
export function nameOf(item, resource) {
  for (const name of resource?.names ?? []) {
    const value = item?.[name];
    const text = resource.fields[name]?.literal && typeof value === 'string' ? value.trim() : textOf(value);
    if (text !== '') return text;
  }
  const key = item?.[resource?.key ?? 'id'] ?? item?.id ?? item?.name;
  return key === undefined ? '' : `#${key}`;
}

/** The plain text of a value with `raw` and `rendered`, or of a text. @param {any} value */
export function textOf(value) {
  if (typeof value === 'string') return plain(value).trim();
  if (typeof value?.rendered === 'string' && value.rendered !== '') return plain(value.rendered).trim();
  return typeof value?.raw === 'string' ? plain(value.raw).trim() : '';
}
