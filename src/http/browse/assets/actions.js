// What can be done with an item besides changing its fields: other states, trash, deletion, actions of its resource.
import { argumentsOf, optionsOf, request, withQuery } from './api.js';
import { openDialog } from './dialog.js';
import { h, words } from './dom.js';
import { labelled } from './fields/control.js';
import { showMessage, showMessageNext } from './frame.js';
import { newPath } from './list.js';
import { couldDo, itemPath, listPath, resources } from './site.js';

/** The state of an item, where its resource has states. @param {any} item @param {any} resource */
export function stateOf(item, resource) {
  const value = item?.[resource?.states?.field];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Buttons for what the caller may do.
 * @param {any} item
 * @param {string[]} allow
 * @param {import('./list.js').About} about
 */
export async function actionsFor(item, allow, about) {
  const { resource, path, keys } = about;
  const isTrashed = resource?.trash ? await isInTrash(item, about) : false;
  const states = allow.includes('POST') ? stateButtons(item, about) : [];
  const buttons = states.length > 0 ? [h('span', { class: 'set' }, 'Set to'), ...states] : [];
  for (const [name, description] of Object.entries(resource?.actions ?? {})) {
    if (!(await mayAct(isTrashed, allow, about))) continue;
    const parent = above(about);
    const act = () => {
      const sent = request(`${path}/${name}`, { method: 'POST' });
      const done = `${words(name)}: done.`;
      return parent === undefined ? run(sent, done, path, item, about) : run(sent, done, parent);
    };
    buttons.push(h('button', { type: 'button', title: description, click: act }, words(name)));
  }
  if (allow.includes('DELETE')) buttons.push(await removal(isTrashed, about, listPath(resource ?? { list: '' }, keys)));
  return buttons.length > 0 ? [h('div', { class: 'buttons actions' }, ...buttons)] : [];
}

/** @param {any} item @param {import('./list.js').About} about */
function stateButtons(item, about) {
  const { resource, options, path } = about;
  const { field, values } = resource?.states ?? {};
  const argument = argumentsOf(options, 'POST')[field];
  if (!argument) return [];
  const now = item[field];
  return values
    .filter((/** @type {any} */ { value }) => value !== now && (!argument.enum || argument.enum.includes(value)))
    .filter((/** @type {any} */ { value }) => couldDo(resource, 'update', { [field]: value }))
    .map((/** @type {any} */ { value }) => {
      const act = () =>
        run(
          request(path, { method: 'POST', body: { [field]: value } }),
          `Now: ${words(value).toLowerCase()}.`,
          path,
          item,
          about,
        );
      return h('button', { type: 'button', click: act }, words(value));
    });
}

/** `include` takes ids, whatever the key of the resource is. @param {any} item @param {import('./list.js').About} about */
async function isInTrash(item, { resource, keys }) {
  const { trash, states } = resource;
  if (states) return item[states.field] === trash.state;
  if (item.id === undefined) return false;
  const query = { [trash.param]: trash.value, include: item.id, _fields: 'id' };
  const { ok, body } = await request(withQuery(listPath(resource, keys), query));
  return ok && Array.isArray(body) && body.some(({ id }) => id === item.id);
}

/** An action on an item that has a parent changes the parent; others take the item out of the trash. @param {boolean} isTrashed @param {string[]} allow @param {import('./list.js').About} about */
async function mayAct(isTrashed, allow, about) {
  const parent = above(about);
  if (parent === undefined) return isTrashed && allow.includes('POST');
  const response = await request(parent);
  return response.allow.includes('POST');
}

/** The path of the item that ours is a copy of. @param {import('./list.js').About} about */
function above({ resource, keys }) {
  const parent = resource?.copies ? resources.find(({ list }) => list === resource.parent) : undefined;
  return parent && itemPath(parent, keys);
}

/** @param {boolean} isTrashed @param {import('./list.js').About} about @param {string} list */
async function removal(isTrashed, { resource, options, path }, list) {
  const args = { ...argumentsOf(options ?? (await optionsOf(path)), 'DELETE') };
  const goesToTrash = Boolean(resource?.trash) && args.force?.default === false && !isTrashed;
  const text = goesToTrash ? 'Move to trash' : isTrashed || args.force ? 'Delete for good' : 'Delete';
  const force = args.force && !goesToTrash ? { force: true } : {};
  const back = resource ? list : path.slice(0, path.lastIndexOf('/'));
  const remove = (/** @type {Record<string, any>} */ query) =>
    request(withQuery(path, { ...query, ...force }), { method: 'DELETE' });
  const wanted = Object.entries(args).filter(
    ([name, schema]) => name !== 'force' && schema.description && !path.endsWith(`{${name}}`) && !isKey(name, resource),
  );
  const ask = () => {
    if (goesToTrash && wanted.length === 0) return run(remove({}), 'In the trash now.', back);
    const fields = wanted.map(([name, schema]) =>
      labelled({ name, schema, hint: hintOf(schema, resource), value: undefined, required: isNeeded(schema) }),
    );
    openDialog({
      title: text,
      danger: true,
      button: text,
      content: [h('p', {}, 'This cannot be undone.'), ...fields.map(({ element }) => element)],
      async send() {
        const query = Object.fromEntries(
          fields.map(({ name, read }) => [name, read() ?? (args[name].required ? 'false' : undefined)]),
        );
        const { ok, body } = await remove(query);
        if (!ok) return body?.message ?? 'The server refused this.';
        showMessageNext('Deleted.');
        location.assign(back);
        return undefined;
      },
    });
  };
  return h('button', { type: 'button', class: 'danger', click: ask }, text);
}

/** Path segments are listed among the arguments. @param {string} name @param {any} resource */
function isKey(name, resource) {
  const template = resource?.item ?? '';
  return template.includes(`{${name}}`) || ['user_id', 'uuid'].includes(name);
}

/** What takes over from an item is one of the same resource. @param {any} schema @param {any} resource */
function hintOf(schema, resource) {
  return typesOf(schema).includes('integer') && resource ? { to: [resource.list] } : {};
}

/** A choice that may be `false` may be left out: it is sent as that. @param {any} schema */
function isNeeded(schema) {
  return schema.required === true && !typesOf(schema).includes('boolean');
}

/** @param {any} schema */
function typesOf({ type, anyOf = [] }) {
  return [type, ...anyOf.map((/** @type {any} */ each) => each.type)].flat();
}

/**
 * Shows what became of a request, on the page at `to`, or where the changed item is now.
 * @param {Promise<import('./api.js').ApiResponse>} sent
 * @param {string} message
 * @param {string} to
 * @param {any} [item] before the change
 * @param {import('./list.js').About} [about]
 */
async function run(sent, message, to, item, about) {
  const { ok, body } = await sent;
  if (!ok) return showMessage(body?.message ?? 'The server refused this.', 'bad');
  showMessageNext(message);
  const moved = about && newPath(item, body, about);
  if (moved !== undefined) location.assign(moved);
  else if (to === location.pathname.replace(/\/+$/, '')) location.reload();
  else location.assign(to);
}
