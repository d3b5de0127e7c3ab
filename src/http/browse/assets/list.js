// A list as a table: searched, filtered, sorted and paged by the parameters that OPTIONS declares.
import { apiPathOf, argumentsOf, request, withChangedQuery } from './api.js';
import { bulkBar } from './bulk.js';
import { cell } from './cells.js';
import { columnsOf, chooseColumns } from './columns.js';
import { showCreate } from './create.js';
import { h, words } from './dom.js';
import { filters } from './filters.js';
import { crumbs, show, tabbed } from './frame.js';
import { jsonView } from './json-view.js';
import { schemaView } from './schema-view.js';
import { userName } from './session.js';
import { couldDo, itemPath, nameOf, resources, listPath } from './site.js';

/**
 * @typedef {object} About what is known about the URL
 * @property {string} path
 * @property {any} resource
 * @property {string[]} keys
 * @property {any} options
 * @property {Set<unknown>} [editable] keys of the items of a list that the caller may change
 */

/** @param {import('./api.js').ApiResponse} response @param {About} about */
export async function showList(response, about) {
  const { resource, options, path } = about;
  const args = argumentsOf(options, 'GET');
  const items = Array.isArray(response.body) ? response.body : Object.values(response.body);
  const name = resource?.plural ?? words(path.split('/').pop() ?? '');
  const total = response.headers.get('X-WP-Total') ?? String(items.length);
  const editable = await editableOf(response, about, args);
  const mayCreate = mayAdd(response, resource);
  show(
    name,
    crumbs(...pathTo(about), { text: name }),
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, name),
      h('span', { class: 'count' }, total),
      mayCreate && newButton(resource),
    ),
    tabbed([
      { name: 'table', text: 'Table', content: () => listing(response, items, { ...about, editable }, args) },
      ...(mayCreate ? [{ name: 'new', text: 'New', content: () => showCreate(about) }] : []),
      { name: 'json', text: 'JSON', content: () => jsonView(response.body, response) },
      { name: 'schema', text: 'Schema', content: () => schemaView(options, resource) },
    ]),
  );
}

/**
 * Keys of the items that a signed-in caller may change: those that he sees in the context `edit`.
 * @param {import('./api.js').ApiResponse} response
 * @param {About} about
 * @param {any} args
 */
async function editableOf(response, { resource }, args) {
  if (!resource?.item || userName() === undefined || !args.context?.enum?.includes('edit')) return new Set();
  const { key } = resource;
  const params = Object.fromEntries(new URLSearchParams(location.search));
  const isEdit = params.context === 'edit';
  const mayChange = couldDo(resource, 'update') || couldDo(resource, 'delete');
  if (!isEdit && !(mayChange && couldDo(resource, 'list', { ...params, context: 'edit' }))) return new Set();
  const { body } = isEdit ? response : await request(hrefWith({ context: 'edit', _fields: key }));
  return new Set(Array.isArray(body) ? body.map((item) => item[key]) : []);
}

/**
 * Whether a new item can be offered. Where it depends on what is sent, such as the item that it is about, the list itself
 * cannot tell: a signed-in caller is asked to try.
 * @param {import('./api.js').ApiResponse} response
 * @param {any} resource
 */
export function mayAdd({ allow }, resource) {
  return allow.includes('POST') || (resource && userName() !== undefined && couldDo(resource, 'create'));
}

/** @param {any} resource */
function newButton(resource) {
  const text = resource ? `New ${resource.singular.toLowerCase()}` : 'New';
  return h('a', { class: 'button main', href: '#new' }, text);
}

/**
 * Links to the lists and items above a path. What is above a parent that is below another item is not in the path.
 * @param {About} about
 */
export function pathTo({ resource, keys }) {
  const above = resource?.parent ? resources.find(({ list }) => list === resource.parent) : undefined;
  if (!above || above.parent) return [];
  return [
    { text: above.plural, href: listPath(above, keys) },
    { text: `#${keys[0]}`, href: itemPath(above, keys) },
  ];
}

/** @param {import('./api.js').ApiResponse} response @param {any[]} items @param {About} about @param {any} args */
function listing(response, items, about, args) {
  const { resource } = about;
  const all = columnsOf(items, about);
  const shown = chooseColumns(all, about, items, () => table.replaceChildren(...rows()));
  const bar = bulkBar(about);
  const rows = () => [head(shown.visible(), about, args, bar.all), body(items, shown.visible(), about, bar)];
  const table = h('table', { class: 'list' }, ...rows());
  const label = `${resource?.plural ?? 'Items'}, ${items.length} of ${response.headers.get('X-WP-Total') ?? items.length}`;
  return h(
    'div',
    {},
    states(resource, args),
    filters(args, resource, shown.control),
    bar.element,
    items.length > 0
      ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table)
      : nothing(response, resource),
    pager(response, args),
  );
}

/** What to do about an empty list. @param {import('./api.js').ApiResponse} response @param {any} resource */
function nothing(response, resource) {
  if (location.search !== '')
    return h('p', { class: 'nothing' }, 'Nothing fits. ', h('a', { href: location.pathname }, 'Show the whole list'));
  if (!mayAdd(response, resource)) return h('p', { class: 'nothing' }, 'Nothing here.');
  const sample = h(
    'p',
    {},
    'For sample content, stop the server and start it once with ',
    h('code', {}, resource?.sample),
    ', while the site is empty.',
  );
  return h(
    'div',
    { class: 'nothing' },
    h('p', {}, 'Nothing here yet. ', h('a', { href: '#new' }, 'Create the first one')),
    resource?.sample && sample,
  );
}

/** The URL with other parameters; undefined removes one. @param {Record<string, any>} changes */
export function hrefWith(changes) {
  return withChangedQuery(location.pathname, location.search, changes);
}

/** Links to the items in each state. @param {any} resource @param {any} args */
function states(resource, args) {
  if (!resource || userName() === undefined) return undefined;
  const { states: model, trash } = resource;
  if (!model && !trash) return undefined;
  const context = args.context?.enum?.includes('edit') ? 'edit' : undefined;
  const params = new URLSearchParams(location.search);
  const names = [model?.param, trash?.param].filter(Boolean);
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  const entry = (/** @type {string} */ text, /** @type {string} */ param, /** @type {string | undefined} */ value) => {
    const isHere = (params.get(param) ?? undefined) === value;
    const changes = {
      ...none,
      [param]: value,
      page: undefined,
      offset: undefined,
      cursor: undefined,
      context: value === undefined ? undefined : context,
    };
    return h('li', {}, h('a', { href: hrefWith(changes), 'aria-current': isHere ? 'true' : undefined }, text));
  };
  const entries = [
    entry('Default', names[0], undefined),
    ...(model?.values ?? [])
      .filter((/** @type {any} */ { listed }) => couldDo(resource, 'list', { [model.param]: listed, context }))
      .map((/** @type {any} */ { value, listed }) => entry(words(value), model.param, listed)),
    trash &&
      couldDo(resource, 'list', { [trash.param]: trash.value, context }) &&
      entry('Trash', trash.param, trash.value),
  ];
  return h('nav', { class: 'states', 'aria-label': 'State' }, h('ul', {}, ...entries.filter(Boolean)));
}

/** @param {string[]} columns @param {About} about @param {any} args @param {Node | undefined} choice */
function head(columns, { resource, options }, args, choice) {
  const params = new URLSearchParams(location.search);
  const by = params.get('orderby') ?? args.orderby?.default;
  const direction = params.get('order') ?? args.order?.default;
  const orders = args.orderby?.enum ?? [];
  const cells = columns.map((name) => {
    const order = resource?.fields[name]?.order ?? name;
    const text = words(name);
    const title = options.schema?.properties?.[name]?.description;
    if (!orders.includes(order)) return h('th', { scope: 'col', title }, text);
    const isBy = by === order;
    const next = isBy && direction === 'asc' ? 'desc' : 'asc';
    const sort = isBy ? (direction === 'asc' ? 'ascending' : 'descending') : undefined;
    const href = hrefWith({ orderby: order, order: next, page: undefined, offset: undefined, cursor: undefined });
    return h('th', { scope: 'col', title, 'aria-sort': sort }, h('a', { href }, text));
  });
  return h('thead', {}, h('tr', {}, choice && h('td', { class: 'choice' }, choice), ...cells));
}

/** @param {any[]} items @param {string[]} columns @param {About} about @param {ReturnType<typeof bulkBar>} bar */
function body(items, columns, about, bar) {
  const { resource, options } = about;
  const rows = items.map((item) => {
    const path = pathOfItem(item, about);
    const cells = columns.map((name, at) => {
      const content = cell(item[name], options.schema?.properties?.[name], resource?.fields[name]);
      if (at > 0) return h('td', {}, content);
      const text = content.textContent === '–' ? nameOf(item, resource) || '(no name)' : content.textContent;
      return h('th', { scope: 'row' }, path ? h('a', { href: path }, text) : text);
    });
    const choice = bar.choice(item, path);
    return h('tr', {}, choice && h('td', { class: 'choice' }, choice), ...cells);
  });
  return h('tbody', {}, ...rows);
}

/** The path of an item after a change of its key; undefined where that stayed. @param {any} item @param {any} changed @param {About} about */
export function newPath(item, changed, about) {
  const key = about.resource?.key;
  return key === undefined || changed?.[key] === undefined || changed[key] === item[key]
    ? undefined
    : pathOfItem(changed, about);
}

/** @param {any} item @param {About} about */
export function pathOfItem(item, { resource, keys, path }) {
  const self = item?._links?.self?.[0]?.href;
  const found = self ? apiPathOf(self) : undefined;
  if (found !== undefined) return found;
  if (!resource) return item?.uuid === undefined ? undefined : `${path}/${item.uuid}`;
  const key = item?.[resource.key];
  return resource.item === undefined || key === undefined ? undefined : itemPath(resource, [...keys, String(key)]);
}

/** @param {import('./api.js').ApiResponse} response @param {any} args */
function pager({ headers }, args) {
  const pages = Number(headers.get('X-WP-TotalPages') ?? 1);
  if (!args.page || pages <= 1) return undefined;
  const page = Number(new URLSearchParams(location.search).get('page') ?? 1);
  const link = (/** @type {number} */ to, /** @type {string} */ text) =>
    to < 1 || to > pages || to === page
      ? h('span', { class: 'off' }, text)
      : h('a', { href: hrefWith({ page: to === 1 ? undefined : to, offset: undefined, cursor: undefined }) }, text);
  return h(
    'nav',
    { class: 'pager', 'aria-label': 'Pages' },
    link(1, 'First'),
    link(page - 1, 'Previous'),
    h('span', {}, `Page ${page} of ${pages}`),
    link(page + 1, 'Next'),
    link(pages, 'Last'),
  );
}
