// The front page: every resource with what it has, and what waits for somebody.
import { request, withQuery } from './api.js';
import { h, words } from './dom.js';
import { crumbs, show, tabbed } from './frame.js';
import { jsonView } from './json-view.js';
import { userName } from './session.js';
import { couldDo, isPaged, listPath, topResources } from './site.js';

/** Requests at the same time. */
const AT_ONCE = 4;

/** @param {import('./api.js').ApiResponse} response @param {boolean} isRoot */
export function showFront(response, isRoot) {
  const title = isRoot ? response.body.name : response.body.namespace;
  show(
    isRoot ? '' : title,
    isRoot ? undefined : crumbs(),
    h('h1', {}, title || 'API'),
    isRoot && response.body.description ? h('p', { class: 'lead' }, response.body.description) : undefined,
    tabbed([
      { name: 'resources', text: 'Resources', content: overview },
      { name: 'json', text: 'JSON', content: () => jsonView(response.body, response) },
    ]),
  );
}

function overview() {
  /** @type {(() => Promise<void>)[]} */
  const work = [];
  const waiting = h('ul', { class: 'waiting' });
  const area = h('section', { 'aria-label': 'What waits', hidden: true }, h('h2', {}, 'Waiting'), waiting);
  const cards = topResources().map((resource) => {
    const count = h('span', { class: 'count' });
    if (couldDo(resource, 'list')) work.push(() => countItems(resource, count));
    if (resource.states && userName() !== undefined) work.push(() => listWaiting(resource, waiting, area));
    return h(
      'li',
      { class: 'card' },
      h('h3', {}, h('a', { href: listPath(resource) }, resource.plural), ' ', count),
      h('p', {}, resource.text),
    );
  });
  void inTurn(work);
  const none = h('p', {}, 'This site has no resources yet: add a schema file to the folder of schemas.');
  return h(
    'div',
    {},
    area,
    h('h2', { class: 'hidden' }, 'Resources'),
    cards.length > 0 ? h('ul', { class: 'cards' }, ...cards) : none,
  );
}

/** @param {(() => Promise<void>)[]} work */
async function inTurn(work) {
  const next = async () => {
    for (let task = work.shift(); task; task = work.shift()) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** @param {any} resource @param {Record<string, any>} [params] */
async function totalOf(resource, params = {}) {
  const page = isPaged(resource) ? { per_page: 1 } : {};
  const { ok, headers, body } = await request(withQuery(listPath(resource), { ...params, ...page, _fields: 'id' }));
  const total = headers.get('X-WP-Total');
  if (!ok) return undefined;
  if (total !== null) return Number(total);
  return Array.isArray(body) ? body.length : undefined;
}

/** @param {any} resource @param {Element} into */
async function countItems(resource, into) {
  if (resource.singleton) return;
  const total = await totalOf(resource);
  into.textContent = total === undefined ? '' : String(total);
}

/** @param {any} resource @param {Element} into @param {HTMLElement} area */
async function listWaiting(resource, into, area) {
  const { param, values } = resource.states;
  for (const { value, listed, waits } of values) {
    if (!waits || !couldDo(resource, 'list', { [param]: listed, context: 'edit' })) continue;
    const params = { [param]: listed, context: 'edit' };
    const total = await totalOf(resource, params);
    if (!total) continue;
    area.hidden = false;
    into.append(
      h(
        'li',
        {},
        h(
          'a',
          { href: withQuery(listPath(resource), params) },
          h('strong', {}, String(total)),
          ` ${resource.plural}: ${words(value).toLowerCase()}`,
        ),
      ),
    );
  }
}
