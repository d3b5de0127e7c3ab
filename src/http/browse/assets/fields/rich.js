// A text with markup: its source, and beside it how it looks. The preview is a frame of its own that runs nothing and
// sends nothing.
import { pathOf } from '../api.js';
import { h, parsed } from '../dom.js';

/** Elements that a preview leaves out. */
const LEFT_OUT = 'script, style, link, meta, base, iframe, object, embed, form, frame, frameset, template, svg, math';
const SOURCES = ['src', 'srcset', 'poster', 'background', 'data'];

/** @param {import('./control.js').Wanted} wanted @returns {import('./control.js').Control} */
export function rich({ id, name, hint, value, required }) {
  const stored = typeof value === 'string' ? value : (value?.raw ?? '');
  const isShort = hint.pipeline === 'title' && !stored.includes('\n');
  const input = isShort
    ? h('input', { id, name, type: 'text', value: stored, required })
    : h('textarea', { id, name, required, rows: rowsFor(stored, hint), class: 'source' }, stored);
  const read = () => (input.value === '' && value === undefined ? undefined : input.value);
  if (isShort) return { element: input, read };
  const frame = h('iframe', { sandbox: '', title: `Preview of ${name}`, class: 'preview', tabindex: '-1' });
  const preview = h('details', { class: 'preview-of', toggle: draw }, h('summary', {}, 'Preview'), frame);
  input.addEventListener('input', () => preview.open && draw());
  return { element: h('div', { class: 'rich' }, input, preview), read };

  function draw() {
    if (preview.open) frame.srcdoc = safe(input.value);
  }
}

/** @param {string} text @param {{ pipeline?: string }} hint */
function rowsFor(text, { pipeline = 'content' }) {
  const least = pipeline === 'content' ? 8 : 3;
  return Math.min(Math.max(text.split('\n').length + Math.round(text.length / 90), least), 20);
}

/** The document of a preview: without anything that would run, or be fetched from elsewhere. @param {string} source */
export function safe(source) {
  const body = parsed(paragraphs(source));
  for (const element of body.querySelectorAll(LEFT_OUT)) element.remove();
  for (const element of body.querySelectorAll('*')) {
    for (const { name, value } of Array.from(element.attributes)) {
      const isForeign = SOURCES.includes(name) && pathOf(value) === undefined && !value.startsWith('/');
      if (name.startsWith('on') || name === 'style' || isForeign || /^\s*javascript:/i.test(value))
        element.removeAttribute(name);
    }
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return `<!doctype html><meta name="color-scheme" content="${scheme}"><title>Preview</title>${body.innerHTML}`;
}

/** Blank lines part paragraphs where there is no markup of blocks. @param {string} source */
function paragraphs(source) {
  if (/<(p|div|h[1-6]|ul|ol|table|blockquote|figure|pre|!--)\b/i.test(source)) return source;
  return source
    .split(/\n\s*\n/)
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`)
    .join('');
}
