// Questions in a dialog.
import { h, newId } from './dom.js';

/**
 * Opens a dialog with a form. `send` returns the message of a refusal, or nothing when all is done.
 * @param {object} options
 * @param {string} options.title
 * @param {(Node | string)[]} options.content
 * @param {string} options.button
 * @param {boolean} [options.danger]
 * @param {() => Promise<string | undefined>} options.send
 */
export function openDialog({ title, content, button, danger = false, send }) {
  const id = newId('dialog');
  const error = h('p', { class: 'error', role: 'alert', hidden: true });
  const submit = h('button', { type: 'submit', class: danger ? 'danger' : 'main' }, button);
  const form = h(
    'form',
    { submit: onSubmit },
    h('h2', { id }, title),
    ...content,
    error,
    h(
      'div',
      { class: 'buttons' },
      submit,
      h('button', { type: 'button', class: 'quiet', click: () => dialog.close() }, 'Cancel'),
    ),
  );
  const dialog = h('dialog', { 'aria-labelledby': id, close: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;

  /** @param {Event} event */
  async function onSubmit(event) {
    event.preventDefault();
    submit.disabled = true;
    const message = await send();
    submit.disabled = false;
    error.hidden = message === undefined;
    error.textContent = message ?? '';
    if (message === undefined) dialog.close();
  }
}
