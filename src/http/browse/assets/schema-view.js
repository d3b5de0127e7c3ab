// The fields of a resource and what each operation takes, as OPTIONS describes them to the caller.
import { BASE } from './api.js';
import { h } from './dom.js';
import { rightsView } from './rights-view.js';

/** @param {any} options @param {any} [resource] */
export function schemaView(options, resource) {
  const fields = Object.entries(options.schema?.properties ?? {});
  const required = new Set(options.schema?.required ?? []);
  const rows = fields.map(([name, schema]) => {
    const hint = resource?.fields[name];
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('code', {}, name)),
      h('td', {}, typeOf(schema), hint?.to ? targets(hint.to) : ''),
      h('td', {}, (schema.context ?? []).join(', ')),
      h(
        'td',
        {},
        [schema.readonly ? 'read only' : '', required.has(name) ? 'required' : ''].filter(Boolean).join(', '),
      ),
      h('td', {}, schema.description ?? '', limits(schema)),
    );
  });
  return h(
    'div',
    {},
    resource && h('p', { class: 'lead' }, resource.text),
    h('h2', {}, 'Fields'),
    table('Fields', ['Field', 'Type', 'Contexts', '', 'Meaning'], rows),
    h('h2', {}, 'Operations'),
    h('p', {}, 'You may use: ', h('code', {}, options.allow.filter(Boolean).join(', ') || 'none here'), '.'),
    ...(options.endpoints ?? []).map(operation),
    resource && rightsView(resource),
  );
}

/** @param {any} endpoint */
function operation({ methods, args }) {
  const rows = Object.entries(args).map(([name, schema]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('code', {}, name)),
      h('td', {}, typeOf(schema)),
      h('td', {}, schema.required ? 'required' : ''),
      h('td', {}, schema.description ?? '', limits(schema)),
    ),
  );
  const name = methods.join(', ');
  return h(
    'details',
    { class: 'operation' },
    h('summary', {}, h('code', {}, name), ` ${rows.length} arguments`),
    table(name, ['Argument', 'Type', '', 'Meaning'], rows),
  );
}

/** @param {string} label @param {string[]} heads @param {Node[]} rows */
export function table(label, heads, rows) {
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map((text) => (text ? h('th', { scope: 'col' }, text) : h('td'))))),
      h('tbody', {}, ...rows),
    ),
  );
}

/** @param {string[]} lists */
function targets(lists) {
  return h(
    'span',
    {},
    ' of ',
    ...lists.flatMap((list, at) => [at > 0 ? ', ' : '', h('a', { href: BASE + list }, list.slice(1))]),
  );
}

/** @param {any} schema */
export function typeOf(schema) {
  const type = [schema.type ?? 'any'].flat().join(' or ');
  const inner = schema.items ? ` of ${[schema.items.format ?? schema.items.type ?? 'any'].flat().join(' or ')}` : '';
  return `${type}${inner}${schema.format ? ` (${schema.format})` : ''}`;
}

/** @param {any} schema */
function limits(schema) {
  const found = ['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']
    .filter(
      (name) =>
        schema[name] !== undefined && schema[name] !== null && schema[name] !== '' && String(schema[name]) !== '',
    )
    .map((name) => `${name} ${JSON.stringify(schema[name])}`);
  const choices = schema.enum ?? schema.items?.enum;
  if (choices)
    found.unshift(`one of ${choices.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(', ')}`);
  return found.length > 0 ? h('small', {}, ` ${found.join(' · ')}`) : '';
}
