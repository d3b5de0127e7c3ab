// JSON as it is, indented, with its URLs as links: those that the caller is never shown are texts.
import { apiPathOf } from './api.js';
import { h } from './dom.js';
import { showMessage } from './frame.js';
import { couldSee } from './site.js';

/** @param {unknown} value @param {import('./api.js').ApiResponse} [response] */
export function jsonView(value, response) {
  const code = h('code');
  write(code, value, '');
  const copy = async () => {
    await navigator.clipboard.writeText(JSON.stringify(value, undefined, 2));
    showMessage('Copied.');
  };
  const headers = ['X-WP-Total', 'X-WP-TotalPages', 'Allow', 'ETag', 'Link']
    .map((name) => [name, response?.headers.get(name)])
    .filter(([, text]) => text)
    .map(([name, text]) => h('div', {}, h('dt', {}, String(name)), h('dd', {}, String(text))));
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'bar' },
      response && h('span', { class: 'method' }, `GET ${response.status}`),
      h('code', { class: 'url' }, location.pathname + location.search),
      navigator.clipboard && h('button', { type: 'button', class: 'quiet', click: copy }, 'Copy'),
    ),
    headers.length > 0 && h('dl', { class: 'headers' }, ...headers),
    h('pre', { class: 'json', tabindex: '0', role: 'region', 'aria-label': 'JSON' }, code),
  );
}

/** @param {Element} into @param {any} value @param {string} indent */
function write(into, value, indent) {
  if (value === null || typeof value !== 'object') return into.append(scalar(value));
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return into.append(isList ? '[]' : '{}');
  into.append(isList ? '[' : '{');
  for (const [at, [name, member]] of entries.entries()) {
    into.append(`${at > 0 ? ',' : ''}\n${indent}  `);
    if (!isList) into.append(h('span', { class: 'key' }, JSON.stringify(name)), ': ');
    write(into, member, `${indent}  `);
  }
  into.append(`\n${indent}${isList ? ']' : '}'}`);
}

/** @param {unknown} value */
function scalar(value) {
  const text = JSON.stringify(value);
  const path = typeof value === 'string' && /^https?:/.test(value) ? apiPathOf(value) : undefined;
  if (path !== undefined && couldSee(path)) return h('a', { href: path }, text);
  return h('span', { class: value === null ? 'null' : typeof value }, text);
}
