// Objects: a group of controls for their members, or JSON where the members are not known.
import { h } from '../dom.js';
import { labelled } from './control.js';

/** @typedef {import('./control.js').Wanted} Wanted */

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function members({ schema, value }) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(schema.properties ?? {})
    .filter(([, member]) => !(/** @type {any} */ (member).readonly))
    .map(([name, member]) =>
      labelled({ name, schema: member, hint: {}, value: value?.[name], required: required.has(name), isMember: true }),
    );
  const others = unnamed(schema, value);
  const before = JSON.stringify(fields.map(({ read }) => tried(read)));
  const read = () => {
    const values = fields.map((field) => [field.name, field.read()]);
    if (value === undefined && JSON.stringify(values.map(([, each]) => each)) === before) return undefined;
    return { ...others, ...Object.fromEntries(values.filter(([, each]) => each !== undefined)) };
  };
  const inner = (/** @type {string[]} */ [name]) =>
    fields.find((field) => field.name === name)?.element.querySelector('input, textarea, select') ?? undefined;
  return {
    element: h('div', { class: 'members' }, ...fields.map(({ element }) => element)),
    read,
    isGroup: true,
    inner,
  };
}

/** Members that the schema allows without a name: they have no control, and stay as they are. @param {any} schema @param {any} value */
function unnamed({ properties = {}, additionalProperties, patternProperties }, value) {
  if (additionalProperties === false && !patternProperties) return {};
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !Object.hasOwn(properties, name)));
}

/** @param {() => any} read */
function tried(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function json({ id, name, value, required }) {
  const stored = value === undefined ? '' : JSON.stringify(value, undefined, 2);
  const input = h(
    'textarea',
    { id, name, required, rows: '4', class: 'source', spellcheck: 'false', placeholder: 'JSON' },
    stored,
  );
  const read = () => {
    if (input.value.trim() === '') return undefined;
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error('This is not JSON.');
    }
  };
  return { element: input, read };
}
