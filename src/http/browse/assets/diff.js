// What changed between a stored version of an item and the present one, line by line.
import { request, withQuery } from './api.js';
import { h, words } from './dom.js';

/** @param {string} path path of the stored version */
export function diffView(path) {
  const holder = h('div', {}, h('p', { class: 'loading' }, 'Loading …'));
  void fill();
  return holder;

  async function fill() {
    const { ok, body } = await request(withQuery(path, { diff: true }));
    if (!ok || !body.diff)
      return holder.replaceChildren(h('p', {}, body?.message ?? 'There is nothing to compare with.'));
    const parts = Object.entries(body.diff).map(([name, steps]) => difference(name, steps));
    holder.replaceChildren(
      h('p', { class: 'help' }, 'From this version to the present one: removed lines have a minus, added ones a plus.'),
      ...parts,
    );
  }
}

const SIGNS = /** @type {Record<string, string>} */ ({ equal: ' ', insert: '+', delete: '−' });
const READ = /** @type {Record<string, string>} */ ({ insert: 'added: ', delete: 'removed: ' });

/** @param {string} name @param {any[]} steps */
function difference(name, steps) {
  const isSame = steps.every(({ op }) => op === 'equal');
  const lines = steps.flatMap(({ op, text }) =>
    String(text)
      .replace(/\n$/, '')
      .split('\n')
      .map((line) =>
        h(
          'div',
          { class: `line ${op}` },
          h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[op] ?? ''),
          READ[op] && h('span', { class: 'hidden' }, READ[op]),
          line || ' ',
        ),
      ),
  );
  const content = isSame ? h('p', { class: 'help' }, 'No difference.') : h('div', { class: 'diff' }, ...lines);
  return h('section', {}, h('h2', {}, words(name)), content);
}
