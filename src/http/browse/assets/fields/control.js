// A control for a value, chosen by its schema and the type of its field.
import { h, newId, words } from '../dom.js';
import { choice, choices, flag } from './choice.js';
import { dateTime } from './date.js';
import { objectList, textList } from './list.js';
import { members, json } from './object.js';
import { referencePicker } from './reference.js';
import { rich } from './rich.js';
import { line, number, password, paragraphs } from './text.js';

/**
 * @typedef {object} Wanted
 * @property {string} id
 * @property {string} name
 * @property {any} schema
 * @property {{ type?: string, to?: string[], clock?: string, pipeline?: string }} hint
 * @property {any} value what it has now; undefined for a new item
 * @property {boolean} required
 * @property {boolean} [isMember] it may be left out of the object that it belongs to
 */

/**
 * @typedef {object} Control
 * @property {Element} element
 * @property {() => any} read the value; undefined: none was given. Throws an Error with a message for what is no value
 * @property {boolean} [isGroup] it has labels of its own inside
 * @property {(path: string[]) => Element | undefined} [inner] the control of a member
 */

/** @param {Wanted} wanted @returns {Control} */
export function controlFor(wanted) {
  const { schema, hint } = wanted;
  const types = [schema.type ?? 'string'].flat().filter((type) => type !== 'null');
  if (hint.to) return picked(wanted, types);
  if (hint.type === 'password') return password(wanted);
  if (hint.type === 'rendered' || isText(schema)) return rich(wanted);
  if (schema.enum && !types.includes('array')) return choice(wanted);
  if (hint.type === 'json' || isOfAnyType(schema, wanted.value)) return json(wanted);
  if (types.includes('boolean')) return flag(wanted);
  if (types.includes('integer') || types.includes('number')) return number(wanted, types.includes('integer'));
  if (types.includes('array')) return listed(wanted);
  if (types.includes('object')) return Object.keys(schema.properties ?? {}).length > 0 ? members(wanted) : json(wanted);
  if (types.length > 1) return json(wanted);
  if (['date-time', 'date', 'time'].includes(schema.format)) return dateTime(wanted);
  if (hint.type === 'text' || (schema.maxLength ?? 0) > 300) return paragraphs(wanted);
  return line(wanted);
}

/** Values that one line of text cannot stand for, or not without losing their type. @param {any} schema @param {any} value */
function isOfAnyType({ type, anyOf, oneOf }, value) {
  return type === undefined && (anyOf !== undefined || oneOf !== undefined || isStructure(value));
}

/** @param {any} value */
function isStructure(value) {
  return typeof value === 'object' && value !== null;
}

/** Whether a line of its own holds a value as it is. @param {any} value */
function isLine(value) {
  return typeof value !== 'string' || (value !== '' && value === value.trim() && !/[\r\n]/.test(value));
}

/** Texts are sent whole and shown in two forms. @param {any} schema */
function isText(schema) {
  return schema.properties?.raw !== undefined && schema.properties?.rendered !== undefined;
}

/** @param {Wanted} wanted @param {string[]} types @returns {Control} */
function picked({ id, hint, value, required, schema }, types) {
  const many = types.includes('array');
  const isNullable = [schema.type].flat().includes('null');
  const picker = referencePicker({
    id,
    to: hint.to ?? [],
    many,
    value: [value ?? []].flat().filter((each) => each > 0),
    required,
  });
  const empty = isNullable ? null : 0;
  return { element: picker.element, read: () => picker.read() ?? (value === undefined ? undefined : empty) };
}

/** @param {Wanted} wanted @returns {Control} */
function listed(wanted) {
  const { items = {} } = wanted.schema;
  if (items.enum) return choices(wanted);
  const stored = Array.isArray(wanted.value) ? wanted.value : [];
  // A text that a line cannot hold would be another one, or several, once another line is edited.
  if (isOfAnyType(items, stored.find(isStructure)) || !stored.every(isLine)) return json(wanted);
  const types = [items.type ?? 'string'].flat();
  if (types.includes('object')) return items.properties ? objectList(wanted) : json(wanted);
  return types.includes('array') ? json(wanted) : textList(wanted);
}

/**
 * A control with its label, its description and a place for what is wrong with it.
 * @param {Omit<Wanted, 'id'>} wanted
 */
export function labelled(wanted) {
  const id = newId(wanted.name);
  const made = controlFor({ ...wanted, id });
  const { description } = wanted.schema;
  const help = description ? h('p', { class: 'help', id: `${id}-help` }, description) : undefined;
  const error = h('p', { class: 'error', id: `${id}-error`, hidden: true });
  const text = words(wanted.name);
  const mark = wanted.required ? h('span', { class: 'required' }, ' required') : undefined;
  const described = `${id}-error${help ? ` ${id}-help` : ''}`;
  const input = made.element.id === id ? made.element : made.element.querySelector(`[id="${id}"]`);
  input?.setAttribute('aria-describedby', described);
  const isFlag = input instanceof HTMLInputElement && input.type === 'checkbox';
  const element = made.isGroup
    ? h(
        'fieldset',
        { class: 'group', 'aria-describedby': described },
        h('legend', {}, text, mark),
        help,
        made.element,
        error,
      )
    : h(
        'div',
        { class: isFlag ? 'field switch' : 'field' },
        isFlag ? made.element : undefined,
        h('label', { for: id }, text, mark),
        isFlag ? undefined : made.element,
        error,
        help,
      );
  /** @param {string | undefined} message @param {string[]} [path] the member that it is about */
  const fail = (message, path = []) => {
    error.hidden = message === undefined;
    error.textContent = message ?? '';
    const at = (path.length > 0 && made.inner?.(path)) || input;
    for (const marked of element.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid');
    if (message !== undefined) at?.setAttribute('aria-invalid', 'true');
  };
  const focus = () => {
    const first =
      element.querySelector('[aria-invalid]') ?? input ?? element.querySelector('input, textarea, select, button');
    if (first instanceof HTMLElement) first.focus();
  };
  return { name: wanted.name, element, read: made.read, fail, focus, label: text };
}
