// Texts of one line and of several, numbers, passwords.
import { h } from '../dom.js';

/** @typedef {import('./control.js').Wanted} Wanted */

/** Types of inputs by format. @type {Record<string, string>} */
const TYPES = { email: 'email', uri: 'url', color: 'color' };

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function line({ id, name, schema, value, required }) {
  // An address may be an e-mail address or a path in the eyes of the API: it is the judge.
  const type = TYPES[schema.format] === 'email' ? 'email' : 'text';
  const input = h('input', {
    id,
    name,
    type,
    value: shown(value),
    required,
    minlength: schema.minLength,
    maxlength: schema.maxLength,
    inputmode: schema.format === 'uri' ? 'url' : undefined,
    placeholder: typeof schema.default === 'string' && value === undefined ? schema.default : undefined,
    autocomplete: 'off',
  });
  return { element: input, read: () => textOf(input.value, schema, value) };
}

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function paragraphs({ id, name, schema, value, required }) {
  const input = h('textarea', { id, name, required, rows: '3', maxlength: schema.maxLength }, shown(value));
  return { element: input, read: () => textOf(input.value, schema, value) };
}

/** @param {any} value */
function shown(value) {
  return value === undefined || value === null ? '' : String(value);
}

/** An empty text is not sent for a new item. @param {string} text @param {any} schema @param {any} before */
function textOf(text, schema, before) {
  if (text !== '') return text;
  if (before === undefined) return undefined;
  // A text that may not be empty is taken away.
  const isNone = before === null || schema.format || schema.minLength > 0 || schema.pattern !== undefined;
  return [schema.type].flat().includes('null') && isNone ? null : '';
}

/** @param {Wanted} wanted @param {boolean} isInteger @returns {import('./control.js').Control} */
export function number({ id, name, schema, value, required, isMember }, isInteger) {
  const input = h('input', {
    id,
    name,
    type: 'number',
    value: shown(value),
    required,
    min: schema.minimum,
    max: schema.maximum,
    step: isInteger ? 1 : 'any',
    placeholder: typeof schema.default === 'number' && value === undefined ? schema.default : undefined,
  });
  const isNullable = [schema.type].flat().includes('null');
  const read = () => {
    if (input.validity.badInput) throw new Error('This is no number.');
    if (input.value !== '') return Number(input.value);
    if (value === undefined) return undefined;
    if (!isNullable && value !== null && !isMember) throw new Error('This needs a number.');
    return isNullable ? null : undefined;
  };
  return { element: input, read };
}

/** A stored password is never shown: an empty one is not sent. @param {Wanted} wanted @returns {import('./control.js').Control} */
export function password({ id, name, required, schema }) {
  const input = h('input', {
    id,
    name,
    type: 'password',
    required,
    autocomplete: 'new-password',
    minlength: schema.minLength,
  });
  const toggle = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', click: reveal }, 'Show');
  return { element: h('div', { class: 'with-button' }, input, toggle), read: () => input.value || undefined };

  function reveal() {
    const isHidden = input.type === 'password';
    input.type = isHidden ? 'text' : 'password';
    toggle.setAttribute('aria-pressed', String(isHidden));
  }
}
