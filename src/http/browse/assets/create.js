// A new item: a form of the arguments of its creation, with a file where the resource takes one.
import { argumentsOf, request, sendFile } from './api.js';
import { h } from './dom.js';
import { formFor } from './form.js';
import { crumbs, showMessage, showMessageNext, show, tabbed } from './frame.js';
import { pathOfItem, pathTo } from './list.js';
import { schemaView } from './schema-view.js';
import { uploadBody, uploadControl } from './upload.js';
import { loadZone } from './zone.js';

/** A resource whose items can be created and whose list cannot be read. @param {import('./list.js').About} about */
export function showNew(about) {
  const { resource, options } = about;
  show(
    resource.plural,
    crumbs(...pathTo(about), { text: resource.plural }),
    h('div', { class: 'heading' }, h('h1', {}, resource.plural)),
    tabbed([
      { name: 'new', text: 'New', content: () => showCreate(about) },
      { name: 'schema', text: 'Schema', content: () => schemaView(options, resource) },
    ]),
  );
}

/** @param {import('./list.js').About} about */
export function showCreate(about) {
  const { resource, options, path } = about;
  const holder = h('div', {}, h('p', { class: 'loading' }, 'Loading …'));
  void loadZone().then(fill);
  return holder;

  function fill() {
    const file = resource?.upload ? uploadControl() : undefined;
    const form = formFor({
      args: argumentsOf(options, 'POST'),
      schema: options.schema,
      resource,
      button: resource ? `Create ${resource.singular.toLowerCase()}` : 'Create',
      before: file ? [file.element] : [],
      async send(values) {
        if (!file) return request(path, { method: 'POST', body: values });
        const chosen = file.read();
        if (!chosen) return undefined;
        file.progress(0);
        const response = await sendFile(path, uploadBody(chosen, values), file.progress);
        file.progress();
        return response;
      },
      done,
    });
    holder.replaceChildren(form);
  }

  /** @param {import('./api.js').ApiResponse} response */
  function done({ body }) {
    const to = pathOfItem(body, about);
    if (typeof body?.password === 'string' && body.uuid) return showSecret(body);
    showMessageNext('Created.');
    if (to === undefined) location.reload();
    else location.assign(to);
  }

  /** A secret that is shown only once stays visible until the page is left. @param {any} body */
  function showSecret({ name, password }) {
    const box = h('p', { class: 'secret' }, h('code', {}, password));
    holder.replaceChildren(
      h('h2', {}, name),
      h('p', {}, 'This is the password. It is shown only now: keep it, then leave the page.'),
      box,
      h('a', { class: 'button', href: path }, 'Done'),
    );
    showMessage('Created.');
  }
}
