// Items of other resources, found by typing a part of their name.
import { h, newId } from '../dom.js';
import { namesOf, search } from '../references.js';
import { nameOf, resourceAt } from '../site.js';

/** Milliseconds after the last key until the search begins. */
const PAUSE = 200;

/**
 * @param {{ id: string, to: string[], many: boolean, value: number[], required?: boolean }} options
 */
export function referencePicker({ id, to, many, value, required = false }) {
  /** @type {Map<number, string>} */
  const chosen = new Map(value.map((each) => [each, `#${each}`]));
  const listId = newId('found');
  const kinds = to.map((list) => resourceAt(list)?.plural ?? list.slice(1)).join(', ');
  const chips = h('ul', { class: 'chips' });
  const found = h('ul', { class: 'found', role: 'listbox', id: listId, 'aria-label': kinds, hidden: true });
  const input = h('input', {
    id,
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    'aria-required': required ? 'true' : undefined,
    autocomplete: 'off',
    placeholder: `Search ${kinds.toLowerCase()}`,
    input: later,
    focus: later,
    blur: () => setTimeout(close, PAUSE),
    keydown: move,
  });
  const element = h('div', { class: 'picker' }, chips, input, found);
  /** @type {{ id: number, name: string }[]} */
  let offered = [];
  let at = -1;
  let timer = 0;
  let asked = 0;
  draw();
  void nameChosen();
  return { element, read: () => (many ? [...chosen.keys()] : [...chosen.keys()][0]) };

  async function nameChosen() {
    for (const list of to)
      for (const [key, { name }] of await namesOf(list, value))
        if (chosen.has(Number(key))) chosen.set(Number(key), name);
    draw();
  }

  function draw() {
    const entries = [...chosen].map(([key, name]) =>
      h(
        'li',
        {},
        name,
        h('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${name}`, click: () => remove(key) }, '×'),
      ),
    );
    chips.replaceChildren(...entries);
    chips.hidden = entries.length === 0;
  }

  /** @param {number} key */
  function remove(key) {
    chosen.delete(key);
    draw();
    input.focus();
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => void offer(), PAUSE);
  }

  async function offer() {
    const mine = ++asked;
    const items = await search(to, input.value.trim());
    if (mine !== asked || document.activeElement !== input) return;
    offered = items.filter((item) => !chosen.has(item.id));
    at = -1;
    const entries = offered.map((item, index) =>
      h(
        'li',
        {
          role: 'option',
          id: `${listId}-${index}`,
          'aria-selected': 'false',
          mousedown: (/** @type {Event} */ event) => pick(index, event),
        },
        item.name,
        h('small', {}, ` #${item.id}`),
      ),
    );
    found.replaceChildren(
      ...(entries.length > 0
        ? entries
        : [h('li', { role: 'option', 'aria-disabled': 'true', class: 'nothing' }, 'Nothing found')]),
    );
    found.hidden = false;
    input.setAttribute('aria-expanded', 'true');
  }

  function close() {
    found.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  /** @param {number} index @param {Event} event */
  function pick(index, event) {
    event.preventDefault();
    const item = offered[index];
    if (!item) return;
    if (!many) chosen.clear();
    chosen.set(item.id, item.name || nameOf(item, undefined));
    input.value = '';
    draw();
    close();
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    if (event.key === 'Escape' && !found.hidden) {
      event.preventDefault();
      close();
    }
    if (event.key === 'Enter' && !found.hidden) pick(Math.max(at, 0), event);
    if (event.key === 'Backspace' && input.value === '' && chosen.size > 0)
      remove(/** @type {number} */ ([...chosen.keys()].pop()));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (found.hidden) return later();
    at = Math.min(Math.max(at + step, 0), offered.length - 1);
    for (const [index, entry] of [...found.children].entries())
      entry.setAttribute('aria-selected', String(index === at));
    if (at >= 0) input.setAttribute('aria-activedescendant', `${listId}-${at}`);
    found.children[at]?.scrollIntoView({ block: 'nearest' });
  }
}
