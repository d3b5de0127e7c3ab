// The file of a new item: chosen or dropped, shown before it is sent.
import { h } from './dom.js';

/** Bytes per step of the units. */
const STEP = 1024;

/** A control for one file. */
export function uploadControl() {
  const error = h('p', { class: 'error', id: 'upload-error', hidden: true });
  const input = h('input', {
    type: 'file',
    id: 'upload',
    name: 'file',
    required: true,
    'aria-describedby': 'upload-error',
    change: preview,
  });
  const image = h('img', { alt: 'Preview of the file', class: 'image', hidden: true });
  const size = h('p', { class: 'help', role: 'status' });
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Part of the file that was sent', hidden: true });
  const area = h(
    'div',
    { class: 'drop field', dragover: over, dragleave: leave, drop },
    h('label', { for: 'upload' }, 'File', h('span', { class: 'required' }, ' required')),
    input,
    error,
    size,
    bar,
    image,
  );
  return { element: area, read, progress };

  function read() {
    const file = input.files?.[0];
    error.hidden = file !== undefined;
    error.textContent = file ? '' : 'Choose a file.';
    if (!file) input.focus();
    return file;
  }

  function preview() {
    const file = input.files?.[0];
    if (image.src) URL.revokeObjectURL(image.src);
    image.hidden = !file?.type.startsWith('image/');
    if (file && !image.hidden) image.src = URL.createObjectURL(file);
    else image.removeAttribute('src');
    size.textContent = file ? `${file.name}, ${inUnits(file.size)}` : '';
    if (file) error.hidden = true;
  }

  /** Shows how much was sent; nothing: none is being sent. @param {number} [part] */
  function progress(part) {
    bar.hidden = part === undefined;
    bar.value = part ?? 0;
  }

  /** @param {DragEvent} event */
  function over(event) {
    event.preventDefault();
    area.classList.add('over');
  }

  function leave() {
    area.classList.remove('over');
  }

  /** @param {DragEvent} event */
  function drop(event) {
    event.preventDefault();
    leave();
    if (!event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    preview();
  }
}

/** @param {number} bytes */
function inUnits(bytes) {
  if (bytes < STEP) return `${bytes} bytes`;
  return bytes < STEP * STEP ? `${Math.round(bytes / STEP)} KiB` : `${(bytes / STEP / STEP).toFixed(1)} MiB`;
}

/** The form with the file and the other values, members in brackets. @param {File} file @param {Record<string, any>} values */
export function uploadBody(file, values) {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) add(form, name, value);
  form.append('file', file);
  return form;
}

/** @param {FormData} form @param {string} name @param {any} value */
function add(form, name, value) {
  if (value === null || value === undefined) return;
  if (typeof value === 'object')
    for (const [key, member] of Object.entries(value)) add(form, `${name}[${key}]`, member);
  else form.append(name, String(value));
}
