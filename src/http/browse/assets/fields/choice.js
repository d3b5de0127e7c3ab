// One of several values, several of them, yes or no.
import { h, words } from '../dom.js';

/** @typedef {import('./control.js').Wanted} Wanted */

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function choice({ id, name, schema, value, required }) {
  // What is stored may be no choice of a client.
  const known = value !== undefined && !schema.enum.includes(value) ? [value, ...schema.enum] : schema.enum;
  const options = known.map((/** @type {unknown} */ each, /** @type {number} */ at) =>
    h('option', { value: at }, labelOf(each)),
  );
  // The default may be no choice of a client either.
  const isOpen = value === undefined && !known.includes(schema.default);
  const select = h('select', { id, name, required }, isOpen && h('option', { value: '' }, ''), ...options);
  const first = known.indexOf(value ?? schema.default);
  if (first >= 0) select.value = String(first);
  return { element: select, read: () => (select.value === '' ? undefined : known[Number(select.value)]) };
}

/** @param {unknown} value */
function labelOf(value) {
  if (value === null) return '(not set)';
  return value === '' ? '(none)' : words(String(value));
}

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function choices({ schema, value, id }) {
  const stored = Array.isArray(value) ? value : [];
  const known = [...new Set([...schema.items.enum, ...stored])];
  const boxes = known.map((each, at) =>
    h('input', { type: 'checkbox', id: at === 0 ? id : undefined, checked: stored.includes(each) }),
  );
  const element = h(
    'div',
    { class: 'boxes' },
    ...known.map((each, at) => h('label', { class: 'switch' }, boxes[at], labelOf(each))),
  );
  const read = () => {
    const chosen = known.filter((_, at) => boxes[at].checked);
    return chosen.length === 0 && value === undefined ? undefined : chosen;
  };
  return { element, read, isGroup: true };
}

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function flag(wanted) {
  const { id, name, schema, value } = wanted;
  if ([schema.type].flat().includes('null'))
    return choice({ ...wanted, schema: { ...schema, enum: [null, true, false] } });
  const input = h('input', { id, name, type: 'checkbox', role: 'switch', checked: value ?? schema.default ?? false });
  return { element: input, read: () => input.checked };
}
