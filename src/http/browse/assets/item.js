// One item: a form where the caller may change it, else its fields; what can be done with it, and where its links lead.
import { apiPathOf, argumentsOf, request, withChangedQuery } from './api.js';
import { actionsFor, stateOf } from './actions.js';
import { imageLink, imagePathOf, fullValue } from './cells.js';
import { diffView } from './diff.js';
import { h, words } from './dom.js';
import { formFor } from './form.js';
import { crumbs, showMessage, showMessageNext, show, tabbed } from './frame.js';
import { jsonView } from './json-view.js';
import { newPath, pathTo } from './list.js';
import { mayRead } from './references.js';
import { schemaView } from './schema-view.js';
import { userName } from './session.js';
import { listPath, nameOf, nestedIn } from './site.js';
import { loadZone } from './zone.js';

/** @param {import('./api.js').ApiResponse} response @param {import('./list.js').About} about */
export async function showItem(response, about) {
  const { resource, options, keys, path } = about;
  const editable = userName() === undefined ? undefined : await forEditing(response, about);
  const item = editable?.body ?? response.body;
  const allow = editable?.allow ?? response.allow;
  const mayUpdate = editable !== undefined && allow.includes('POST');
  if (mayUpdate) await loadZone();
  const isSingle = resource?.singleton;
  const name = isSingle ? resource.plural : nameOf(item, resource) || path;
  const list = isSingle || !resource ? [] : [{ text: resource.plural, href: listPath(resource, keys) }];
  const state = stateOf(item, resource);
  const file = resource?.upload ? Object.values(item).map(imagePathOf).find(Boolean) : undefined;
  const details = { name: 'details', text: mayUpdate ? 'All fields' : 'Details', content: () => fieldsOf(item, about) };
  show(
    name,
    crumbs(...pathTo(about), ...list, { text: name }),
    h(
      'div',
      { class: 'heading' },
      h('h1', {}, name),
      state && h('span', { class: 'state' }, words(state)),
      ...(await actionsFor(item, allow, about)),
    ),
    file !== undefined && imageLink(file, 'The image itself'),
    tabbed([
      ...(mayUpdate ? [{ name: 'edit', text: 'Edit', content: () => editForm(item, editable, about) }] : []),
      ...(resource?.copies ? [{ name: 'changes', text: 'Changes', content: () => diffView(path) }] : []),
      details,
      { name: 'json', text: 'JSON', content: () => jsonView(response.body, response) },
      { name: 'schema', text: 'Schema', content: () => schemaView(options, resource) },
    ]),
    linksOf(item, about),
  );
}

/** The item with what only its editors see; undefined for callers who may not have that. @param {import('./api.js').ApiResponse} response @param {import('./list.js').About} about */
async function forEditing(response, { path, options }) {
  const contexts = argumentsOf(options, 'GET').context?.enum ?? [];
  const isEdit = new URLSearchParams(location.search).get('context') === 'edit';
  if (!contexts.includes('edit') || isEdit) return response.allow.includes('POST') ? response : undefined;
  // Who may change an item is the one who may see all of it.
  if (!response.allow.includes('POST') && !response.allow.includes('DELETE')) return undefined;
  const edited = await request(withChangedQuery(path, location.search, { context: 'edit' }));
  return edited.ok ? edited : undefined;
}

/** @param {any} item @param {import('./api.js').ApiResponse} response @param {import('./list.js').About} about */
function editForm(item, response, about) {
  const { resource, options, path } = about;
  // A proxy that compresses makes the tag weak.
  const tag = response.headers.get('ETag');
  /** @type {Record<string, string>} */
  const headers = tag === null ? {} : { 'If-Match': tag.replace(/^W\//, '').replace(/-(br|gzip)"$/, '"') };
  return formFor({
    args: argumentsOf(options, 'POST'),
    schema: options.schema,
    resource,
    item,
    button: 'Save',
    async send(values) {
      if (Object.keys(values).length > 0) return request(path, { method: 'POST', body: values, headers });
      showMessage('Nothing was changed.');
      return undefined;
    },
    done({ body }) {
      showMessageNext('Saved.');
      const to = newPath(item, body, about);
      if (to === undefined) location.reload();
      else location.assign(to);
    },
  });
}

/** @param {any} item @param {import('./list.js').About} about */
function fieldsOf(item, { resource, options }) {
  const { properties = {} } = options.schema ?? {};
  const rows = Object.entries(item)
    .filter(([name]) => !name.startsWith('_'))
    .map(([name, value]) =>
      h(
        'div',
        {},
        h('dt', { title: properties[name]?.description }, words(name)),
        h('dd', {}, fullValue(value, properties[name], resource?.fields[name])),
      ),
    );
  return h('dl', { class: 'fields' }, ...rows);
}

/** Where the links of the item and the URLs below it lead, as far as the caller may follow them. @param {any} item @param {import('./list.js').About} about */
function linksOf(item, { resource, path }) {
  const skipped = new Set(['self', 'collection', 'curies']);
  const entries = Object.entries(item?._links ?? {})
    .filter(([rel]) => !skipped.has(rel) && !rel.includes(':action-'))
    .flatMap(([rel, links]) => links.map((/** @type {any} */ link) => entryOf(rel, link)))
    .filter((entry) => entry !== undefined);
  for (const each of resource ? nestedIn(resource) : []) {
    const below = listPath(each, [String(item[resource.key])]);
    if (!entries.some(({ href }) => href === below)) entries.push({ href: below, text: each.plural, number: '' });
  }
  if (resource?.account)
    entries.push({ href: `${path}/application-passwords`, text: 'Application passwords', number: '' });
  const list = h('ul', {});
  const section = h('section', { class: 'links', 'aria-label': 'Links', hidden: true }, h('h2', {}, 'Links'), list);
  for (const { href, text, number } of entries) {
    const entry = h('li', { hidden: true });
    list.append(entry);
    void mayRead(href).then((isReadable) => {
      if (!isReadable) return entry.remove();
      entry.append(h('a', { href }, text), number);
      entry.hidden = section.hidden = false;
    });
  }
  return section;
}

/** @param {string} rel @param {any} link @returns {{ href: string, text: string, number: string } | undefined} */
function entryOf(rel, { href, count, taxonomy, name }) {
  const path = apiPathOf(href);
  if (path === undefined) return undefined;
  const text = words(rel.replace(/^https?:.*\//, '').replace(/^\w+:/, ''));
  const more = taxonomy ?? name;
  const number = count === undefined ? '' : ` (${count})`;
  return { href: path, text: more ? `${text}: ${more}` : text, number };
}
