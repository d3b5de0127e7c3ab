// Which fields of a list are columns: those of its context, of which the reader may hide some.
import { h, words } from './dom.js';

const KEY = 'typecase-columns';
/** Columns that a list begins with. */
const FIRST = 7;
/** Types of fields that say little in a table: what others are computed into, long texts, other forms of the same. */
const UNINFORMATIVE = new Set(['computed', 'formatted', 'metadata', 'object', 'json', 'password', 'rendered', 'text']);

/**
 * Fields of the items, the ones that name them first.
 * @param {any[]} items
 * @param {import('./list.js').About} about
 */
export function columnsOf(items, { resource, options }) {
  const shown = new Set(items.flatMap((item) => Object.keys(item)));
  const declared = Object.keys(options.schema?.properties ?? {}).filter((name) => shown.has(name));
  const others = [...shown].filter((name) => !declared.includes(name) && !name.startsWith('_'));
  const names = (resource?.names ?? ['name']).filter((/** @type {string} */ name) => shown.has(name)).slice(0, 1);
  const state = [resource?.states?.field].filter((name) => shown.has(name));
  return [...new Set([...names, ...state, ...declared, ...others])];
}

/**
 * The columns that are shown, and a control that chooses them.
 * @param {string[]} all
 * @param {import('./list.js').About} about
 * @param {any[]} items
 * @param {() => void} changed
 */
export function chooseColumns(all, { resource, path }, items, changed) {
  const key = `${KEY} ${resource?.list ?? path}`;
  const stored = read(key);
  const hidden = new Set(stored ?? hiddenAtFirst(all, resource, items));
  const box = (/** @type {string} */ name) => {
    const input = h('input', {
      type: 'checkbox',
      checked: !hidden.has(name),
      change: () => toggle(name, input.checked),
    });
    return h('label', { class: 'switch' }, input, words(name));
  };
  const control = h(
    'details',
    { class: 'columns-choice' },
    h('summary', {}, 'Columns'),
    h('div', { class: 'boxes' }, ...all.slice(1).map(box)),
  );
  return {
    control: all.length > 1 ? control : undefined,
    visible: () => all.filter((name, at) => at === 0 || !hidden.has(name)),
  };

  /** @param {string} name @param {boolean} isShown */
  function toggle(name, isShown) {
    if (isShown) hidden.delete(name);
    else hidden.add(name);
    localStorage.setItem(key, JSON.stringify([...hidden]));
    changed();
  }
}

/** @param {string} key @returns {string[] | undefined} */
function read(key) {
  try {
    const names = JSON.parse(localStorage.getItem(key) ?? '');
    return Array.isArray(names) ? names : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string[]} all @param {any} resource @param {any[]} items */
function hiddenAtFirst(all, resource, items) {
  const [first, ...others] = all;
  const isUninformative = (/** @type {string} */ name) => {
    const { type, clock } = resource?.fields[name] ?? {};
    const other = name.replace(/_(gmt|utc)$/, '');
    return UNINFORMATIVE.has(type) || (clock === 'utc' && other !== name && all.includes(other));
  };
  // What an item belongs to and when it was made say more than its other names.
  const rank = (/** @type {string} */ name) => {
    const { type, to, order } = resource?.fields[name] ?? {};
    if (name === resource?.states?.field) return 0;
    if (to || (order && (type === 'datetime' || type === 'date'))) return 1;
    return type === 'slug' ? 3 : 2;
  };
  const isEmpty = (/** @type {string} */ name) =>
    items.every((item) => [undefined, null, '', 0].includes(item[name]) || item[name]?.length === 0);
  const telling = others.filter((name) => !isUninformative(name) && !isEmpty(name)).sort((a, b) => rank(a) - rank(b));
  const shown = new Set([first, ...telling.slice(0, FIRST - 1)]);
  return all.filter((name) => !shown.has(name));
}
