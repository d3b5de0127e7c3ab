// The controls of a list, made of its parameters: search, filters, order, context. They make the URL.
import { withChangedQuery } from './api.js';
import { h, newId, words } from './dom.js';
import { referencePicker } from './fields/reference.js';

/** Parameters with a place of their own. */
const SEPARATE = new Set(['page', 'offset', 'search', 'orderby', 'order', 'context', 'per_page', 'cursor']);

/** @typedef {{ name: string, element: Node, read: () => string | undefined }} Control */

/**
 * @param {any} args
 * @param {any} resource
 * @param {Node | undefined} columns
 */
export function filters(args, resource, columns) {
  const params = new URLSearchParams(location.search);
  const given = (/** @type {string} */ name) => params.get(name) ?? (params.getAll(`${name}[]`).join(',') || undefined);
  const names = Object.keys(args)
    .filter((name) => !SEPARATE.has(name) && isShown(args[name]))
    .sort((a, b) => Number(isRare(a)) - Number(isRare(b)));
  const narrowing = names.map((name) => control(name, args[name], given(name), resource?.params?.[name]));
  const arranging = ['orderby', 'order', 'per_page', 'context']
    .filter((name) => args[name])
    .map((name) => control(name, args[name], given(name)));
  const search =
    args.search &&
    h('input', {
      type: 'search',
      id: 'search',
      value: given('search') ?? '',
      placeholder: 'Search',
      'aria-label': 'Search',
    });
  // The states have links of their own.
  const own = new Set([resource?.states?.param, resource?.trash?.param]);
  const active = names.filter((name) => !own.has(name) && given(name) !== undefined).length;
  const panel = h(
    'details',
    { class: 'filters', open: active > 0 },
    h('summary', {}, active > 0 ? `Filters (${active})` : 'Filters'),
    h('div', { class: 'controls' }, ...[...narrowing, ...arranging].map(({ element }) => element)),
    h(
      'p',
      { class: 'buttons' },
      h('button', { type: 'submit', class: 'main' }, 'Apply'),
      h('a', { class: 'button quiet', href: location.pathname }, 'Clear all'),
    ),
  );
  const controls = [...narrowing, ...arranging];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    location.assign(urlWith(controls, search?.value));
  };
  return h(
    'form',
    { class: 'tools', role: 'search', submit },
    search && h('div', { class: 'search' }, search, h('button', { type: 'submit' }, 'Search')),
    controls.length > 0 && panel,
    columns,
  );
}

/** Lists of what is wanted or not, which links make rather than readers. @param {string} name */
function isRare(name) {
  return /(^|_)(include|exclude)$/.test(name);
}

/** Objects of any content and parameters without a form cannot be offered. @param {any} schema */
function isShown(schema) {
  const types = [schema.type ?? 'string'].flat();
  return !types.includes('object') && !(types.includes('array') && ['object', 'array'].includes(schema.items?.type));
}

/** Parameters of the URL without a control are preserved. @param {Control[]} controls @param {string | undefined} search */
function urlWith(controls, search) {
  /** @type {Record<string, string | undefined>} */
  const changes = { page: undefined, offset: undefined, cursor: undefined };
  for (const { name, read } of controls) {
    changes[`${name}[]`] = undefined;
    changes[name] = read();
  }
  if (search !== undefined) changes.search = search;
  return withChangedQuery(location.pathname, location.search, changes);
}

/**
 * @param {string} name
 * @param {any} schema
 * @param {string | undefined} value
 * @param {string[]} [to]
 * @returns {Control}
 */
function control(name, schema, value, to) {
  const id = newId(name);
  const types = [schema.type ?? 'string'].flat();
  const field = (/** @type {Node} */ input) =>
    h('div', { class: 'field' }, h('label', { for: id, title: schema.description }, words(name)), input);
  if (to) {
    const many = types.includes('array');
    const picker = referencePicker({ id, to, many, value: (value ?? '').split(',').filter(Boolean).map(Number) });
    return { name, element: field(picker.element), read: () => [picker.read() ?? []].flat().join(',') || undefined };
  }
  const choices = types.includes('boolean')
    ? ['true', 'false']
    : (schema.enum ?? (types.includes('array') ? schema.items?.enum : undefined));
  if (choices) {
    const known = value !== undefined && !choices.map(String).includes(value) ? [value, ...choices] : choices;
    const first =
      schema.default === undefined || schema.default === null || schema.default === ''
        ? 'any'
        : `default: ${schema.default}`;
    const entries = known
      .filter((/** @type {unknown} */ each) => each !== '')
      .map((/** @type {unknown} */ each) => h('option', { value: String(each) }, String(each)));
    const select = h('select', { id }, h('option', { value: '' }, first), ...entries);
    select.value = value ?? '';
    return { name, element: field(select), read: () => select.value || undefined };
  }
  const isNumber = types.includes('integer') || types.includes('number');
  const attributes = isNumber
    ? { type: 'number', min: schema.minimum, max: schema.maximum, step: types.includes('number') ? 'any' : undefined }
    : { type: 'text', maxlength: schema.maxLength, inputmode: schema.format === 'email' ? 'email' : undefined };
  const hint = placeholder(schema, types);
  const input = h('input', { id, value: value ?? '', placeholder: hint, ...attributes });
  return { name, element: field(input), read: () => input.value.trim() || undefined };
}

/** @param {any} schema @param {string[]} types */
function placeholder(schema, types) {
  if (schema.format === 'date-time') return '2030-12-31T12:00:00';
  if (schema.format === 'date') return '2030-12-31';
  if (types.includes('array')) return 'one, two';
  return schema.default === undefined || schema.default === null ? undefined : `default: ${schema.default}`;
}
