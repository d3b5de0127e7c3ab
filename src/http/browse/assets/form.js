// A form for the arguments of an operation. Errors of the server are shown at their fields.
import { h } from './dom.js';
import { labelled } from './fields/control.js';
import { couldDo, couldSend } from './site.js';

/** Status of a change that is based on an older version. */
const CONFLICT = 412;

/**
 * @typedef {object} FormOptions
 * @property {any} args arguments of the operation, from OPTIONS
 * @property {any} schema of the items, from OPTIONS
 * @property {any} resource
 * @property {any} [item] the stored item; absent: a new one
 * @property {string} button
 * @property {Node[]} [before] parts before the fields
 * @property {(values: Record<string, any>) => Promise<import('./api.js').ApiResponse | undefined>} send
 * @property {(response: import('./api.js').ApiResponse) => void} done
 */

/** @param {FormOptions} options */
export function formFor({ args, schema, resource, item, button, before = [], send, done }) {
  const kind = item ? 'update' : 'create';
  const fields = Object.entries(args)
    .filter(([name, argument]) => isOffered(name, argument, schema?.properties) && couldSend(resource, kind, name))
    .map(([name, argument]) =>
      labelled({
        name,
        schema: onlyAllowed(name, withStates(name, argument, resource), resource, kind, item?.[name]),
        hint: resource?.fields[name] ?? {},
        value: item?.[name],
        required: argument.required === true,
      }),
    );
  const first = new Map(fields.map((field) => [field.name, JSON.stringify(tried(field.read))]));
  const summary = h('div', { class: 'summary', role: 'alert', tabindex: '-1', hidden: true });
  const submit = h('button', { type: 'submit', class: 'main' }, button);
  const form = h(
    'form',
    { class: 'item', novalidate: true, submit: onSubmit },
    summary,
    ...before,
    ...inOrder(fields, args, resource).map(({ element }) => element),
    h('p', { class: 'buttons sticky' }, submit),
  );
  form.addEventListener('keydown', (event) => {
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) onSubmit(event);
  });
  return form;

  /** @param {Event} event */
  async function onSubmit(event) {
    event.preventDefault();
    const values = collect();
    if (!values || submit.disabled) return;
    submit.disabled = true;
    const received = await send(values);
    submit.disabled = false;
    if (received?.ok) done(received);
    else if (received) refuse(received);
  }

  /** What was entered; defaults and stored values are left to the server. Undefined when something is no value. */
  function collect() {
    /** @type {Record<string, any>} */
    const values = {};
    /** @type {Map<string, string>} */
    const faults = new Map();
    for (const { name, read } of fields) {
      try {
        const value = read();
        if (value === undefined) continue;
        const isNew = !item && args[name].required;
        if (isNew || JSON.stringify(value) !== first.get(name)) values[name] = value;
      } catch (error) {
        faults.set(name, /** @type {Error} */ (error).message);
      }
    }
    mark(faults);
    if (faults.size === 0) return values;
    showErrors('Some values cannot be sent.', faults);
    return undefined;
  }

  /** @param {import('./api.js').ApiResponse} response */
  function refuse({ status, body }) {
    const { params, details } = body?.data ?? {};
    /** @type {Map<string, string>} */
    const faults = new Map();
    if (Array.isArray(params)) for (const name of params) faults.set(name, 'This is required.');
    else for (const [name, text] of Object.entries(params ?? {})) faults.set(name, String(text));
    for (const [name, detail] of Object.entries(details ?? {}))
      if (!faults.has(name) && detail?.message) faults.set(name, detail.message);
    mark(faults);
    showErrors(body?.message ?? 'The server refused this.', faults, status === CONFLICT);
  }

  /** @param {Map<string, string>} faults */
  function mark(faults) {
    for (const field of fields) {
      const found =
        [...faults].find(([name]) => name === field.name) ??
        [...faults].find(([name]) => name.split(/[.[]/)[0] === field.name);
      field.fail(
        found?.[1],
        found
          ? found[0]
              .split(/[.[\]]+/)
              .filter(Boolean)
              .slice(1)
          : [],
      );
    }
  }

  /** @param {string} message @param {Map<string, string>} faults @param {boolean} [isOld] the item has changed since it was loaded */
  function showErrors(message, faults, isOld = false) {
    const entries = [...faults].map(([name, text]) => {
      const field = fields.find((each) => each.name === name.split(/[.[]/)[0]);
      const label = field
        ? h('button', { type: 'button', class: 'link', click: () => field.focus() }, field.label)
        : h('code', {}, name);
      return h('li', {}, label, `: ${text}`);
    });
    /** @type {Element[]} */
    const parts = [h('p', {}, message)];
    if (entries.length > 0) parts.push(h('ul', {}, ...entries));
    if (isOld)
      parts.push(h('button', { type: 'button', click: () => location.reload() }, 'Drop my changes and load it'));
    summary.replaceChildren(...parts);
    summary.hidden = false;
    summary.focus();
    summary.scrollIntoView({ block: 'center' });
  }
}

/** A state is chosen, also where the API takes more words for it than it lists. @param {string} name @param {any} argument @param {any} resource */
function withStates(name, argument, resource) {
  const { field, values } = resource?.states ?? {};
  if (name !== field || argument.enum) return argument;
  return { ...argument, enum: values.map((/** @type {any} */ { value }) => value) };
}

/**
 * Without the choices that would be refused.
 * @param {string} name
 * @param {any} argument
 * @param {any} resource
 * @param {'create' | 'update'} kind
 * @param {unknown} stored
 */
function onlyAllowed(name, argument, resource, kind, stored) {
  if (!argument.enum) return argument;
  const isAllowed = (/** @type {unknown} */ value) => value === stored || couldDo(resource, kind, { [name]: value });
  return { ...argument, enum: argument.enum.filter(isAllowed) };
}

/** Keys in the URL are not fields; an object without known members has nothing to enter. @param {string} name @param {any} argument @param {any} properties */
function isOffered(name, argument, properties = {}) {
  if (properties[name] === undefined || properties[name].readonly) return false;
  return argument.type !== 'object' || !argument.properties || Object.keys(argument.properties).length > 0;
}

/** What is required first, then names of the item, then texts, then the rest. @param {any[]} fields @param {any} args @param {any} resource */
function inOrder(fields, args, resource) {
  const rank = (/** @type {any} */ { name }) => {
    if (args[name].required) return 0;
    if (resource?.names.includes(name)) return 1;
    const { type, pipeline } = resource?.fields[name] ?? {};
    if (type === 'rendered') return pipeline === 'content' ? 2 : 3;
    return type === 'text' ? 4 : 5;
  };
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

/** @param {() => any} read */
function tried(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
