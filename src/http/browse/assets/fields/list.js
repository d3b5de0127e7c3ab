// Lists: of texts and numbers, one a line, and of objects, each in a group of its own.
import { h } from '../dom.js';
import { members } from './object.js';

/** @typedef {import('./control.js').Wanted} Wanted */

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function textList({ id, name, schema, value, required }) {
  const stored = Array.isArray(value) ? value : [];
  const isNumber = ['integer', 'number'].includes([schema.items?.type ?? 'string'].flat()[0]);
  const rows = Math.min(Math.max(stored.length + 1, 2), 8);
  const input = h(
    'textarea',
    { id, name, required, rows, class: 'lines', placeholder: 'One a line' },
    stored.join('\n'),
  );
  const read = () => {
    const lines = input.value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length === 0 && value === undefined) return undefined;
    return isNumber ? lines.map((line) => (Number.isNaN(Number(line)) ? line : Number(line))) : lines;
  };
  return { element: input, read };
}

/** @param {Wanted} wanted @returns {import('./control.js').Control} */
export function objectList({ id, name, schema, hint, value }) {
  const holder = h('div', { class: 'entries' });
  /** @type {{ element: Element, control: import('./control.js').Control }[]} */
  const entries = [];
  for (const each of Array.isArray(value) ? value : []) add(each);
  const button = h('button', { type: 'button', id, click: () => add(undefined, true) }, 'Add an entry');
  const read = () => {
    if (entries.length === 0 && value === undefined) return undefined;
    return entries.map(({ control }) => control.read() ?? {});
  };
  const inner = (/** @type {string[]} */ [index, ...rest]) => entries[Number(index)]?.control.inner?.(rest);
  return { element: h('div', {}, holder, button), read, isGroup: true, inner };

  /** @param {any} stored @param {boolean} [isNew] */
  function add(stored, isNew = false) {
    const control = members({
      id: `${id}-${entries.length}`,
      name,
      schema: schema.items,
      hint,
      value: stored,
      required: false,
    });
    const number = h('legend', {});
    const element = h(
      'fieldset',
      { class: 'entry' },
      number,
      control.element,
      h('button', { type: 'button', class: 'quiet', click: remove }, 'Remove this entry'),
    );
    const entry = { element, control };
    entries.push(entry);
    holder.append(element);
    count();
    if (isNew) /** @type {HTMLElement | null} */ (element.querySelector('input, textarea, select'))?.focus();

    function remove() {
      entries.splice(entries.indexOf(entry), 1);
      element.remove();
      count();
    }
  }

  function count() {
    for (const [at, { element }] of entries.entries())
      element.querySelector('legend')?.replaceChildren(`Entry ${at + 1}`);
  }
}
