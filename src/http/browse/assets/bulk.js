// What is done with the chosen items of a list: another state, trash, deletion; and emptying the trash.
import { argumentsOf, optionsOf, request, withQuery } from './api.js';
import { openDialog } from './dialog.js';
import { h, words } from './dom.js';
import { showMessage, showMessageNext } from './frame.js';
import { couldDo, itemPath, mostOf, nameOf } from './site.js';

/** @typedef {{ element: Node | undefined, all: Node | undefined, choice: (item: any, path: string | undefined) => Node | undefined }} Bar */

/**
 * @param {import('./list.js').About} about
 * @returns {Bar}
 */
export function bulkBar(about) {
  const { resource, editable } = about;
  const { trash, states } = resource ?? {};
  const isTrash = trash !== undefined && new URLSearchParams(location.search).get(trash.param) === trash.value;
  /** @type {Map<string, HTMLInputElement>} */
  const boxes = new Map();
  /** Methods that the server allows, by path. @type {Map<string, Promise<string[]>>} */
  const rights = new Map();
  const isUseless = !trash && !states;
  if (isUseless || !editable?.size) return { element: undefined, all: undefined, choice: () => undefined };
  const count = h('span', { role: 'status' });
  const buttons = actions();
  const element = h(
    'div',
    { class: 'bulk', role: 'group', 'aria-label': 'Chosen items' },
    count,
    h('span', { class: 'buttons' }, ...buttons.map(({ button }) => button)),
    isTrash && emptyButton(about),
  );
  const all = h('input', { type: 'checkbox', 'aria-label': 'Choose all', change: () => setAll(all.checked) });
  void update();
  return { element, all, choice };

  /** @param {any} item @param {string | undefined} at */
  function choice(item, at) {
    if (at === undefined || !editable?.has(item[resource.key])) return h('span');
    const isChosen = boxes.get(at)?.checked ?? false;
    const label = `Choose ${nameOf(item, resource) || at}`;
    const box = h('input', { type: 'checkbox', checked: isChosen, 'aria-label': label, change: update });
    boxes.set(at, box);
    return box;
  }

  /** @param {boolean} isChosen */
  function setAll(isChosen) {
    for (const box of boxes.values()) box.checked = isChosen;
    void update();
  }

  function chosen() {
    return [...boxes].filter(([, box]) => box.checked).map(([at]) => at);
  }

  /** Only what is allowed for all chosen items can be done with them. */
  async function update() {
    const paths = chosen();
    count.textContent = paths.length === 0 ? 'Choose items to change them together.' : `${paths.length} chosen`;
    for (const { button } of buttons) button.disabled = true;
    const methods = await Promise.all(paths.map((at) => allowedAt(at)));
    if (paths.join() !== chosen().join()) return;
    for (const { button, method } of buttons)
      button.disabled = paths.length === 0 || !methods.every((allow) => allow.includes(method));
  }

  /** @param {string} at */
  function allowedAt(at) {
    let allowed = rights.get(at);
    if (!allowed) rights.set(at, (allowed = request(at, { method: 'HEAD' }).then(({ allow }) => allow)));
    return allowed;
  }

  /** @returns {{ button: HTMLButtonElement, method: string }[]} */
  function actions() {
    const offered = (states?.values ?? []).filter((/** @type {any} */ { value }) =>
      couldDo(resource, 'update', { [states.field]: value }),
    );
    const actions = offered.map((/** @type {any} */ { value }) => {
      const send = (/** @type {string} */ at) => request(at, { method: 'POST', body: { [states.field]: value } });
      return { button: h('button', { type: 'button', click: () => run(send) }, words(value)), method: 'POST' };
    });
    for (const name of isTrash ? Object.keys(resource.actions ?? {}) : []) {
      const send = (/** @type {string} */ at) => request(`${at}/${name}`, { method: 'POST' });
      actions.push({ button: h('button', { type: 'button', click: () => run(send) }, words(name)), method: 'POST' });
    }
    // Deletion may need parameters: the page of the item handles that.
    if (trash) actions.push({ button: removal(), method: 'DELETE' });
    return actions;
  }

  function removal() {
    const text = isTrash ? 'Delete for good' : 'Move to trash';
    const remove = (/** @type {string} */ at) =>
      request(withQuery(at, isTrash ? { force: true } : {}), { method: 'DELETE' });
    const confirm = () =>
      openDialog({
        title: text,
        content: [h('p', {}, `${chosen().length} chosen. This cannot be undone.`)],
        button: text,
        danger: true,
        send: async () => (await run(remove), undefined),
      });
    return h('button', { type: 'button', class: 'danger', click: () => (isTrash ? confirm() : run(remove)) }, text);
  }

  /** @param {(at: string) => Promise<import('./api.js').ApiResponse>} send */
  async function run(send) {
    const refused = [];
    const wanted = chosen();
    for (const at of wanted) {
      const { ok, body } = await send(at);
      if (!ok) refused.push(`${at.split('/').pop()}: ${body?.message}`);
    }
    if (refused.length === wanted.length) return showMessage(refused.join(' '), 'bad');
    showMessageNext(`${wanted.length - refused.length} changed. ${refused.join(' ')}`);
    location.reload();
  }
}

/** @param {import('./list.js').About} about */
function emptyButton(about) {
  const send = async () => {
    const message = await emptyTrash(about);
    if (message === undefined) location.reload();
    return message;
  };
  const content = [h('p', {}, 'Everything in it that you may delete will be deleted permanently.')];
  const confirm = () => openDialog({ title: 'Empty the trash', content, button: 'Empty', danger: true, send });
  return h('button', { type: 'button', class: 'danger', click: confirm }, 'Empty the trash');
}

/** Deletes page after page; items whose deletion is refused are skipped. @param {import('./list.js').About} about */
async function emptyTrash({ resource, keys, path }) {
  const { key, trash } = resource;
  const args = argumentsOf(await optionsOf(path), 'GET');
  const context = args.context?.enum?.includes('edit') ? 'edit' : undefined;
  let refused = 0;
  for (;;) {
    let deleted = 0;
    const page = { per_page: mostOf(resource), offset: refused || undefined };
    const query = { [trash.param]: trash.value, context, ...page, _fields: key };
    const list = await request(withQuery(path, query));
    if (!list.ok) return list.body?.message;
    for (const item of list.body) {
      const at = itemPath(resource, [...keys, String(item[key])]);
      const { ok } = await request(withQuery(at, { force: true }), { method: 'DELETE' });
      if (ok) deleted++;
      else refused++;
    }
    if (list.body.length === 0 || (deleted === 0 && !args.offset)) break;
  }
  return refused > 0 ? `${refused} could not be deleted.` : undefined;
}
