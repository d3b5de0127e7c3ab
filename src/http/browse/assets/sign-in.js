// The dialog that signs in, with the password of an account or with an application password.
import { BASE } from './api.js';
import { openDialog } from './dialog.js';
import { h } from './dom.js';
import { signIn, signInToApplication } from './session.js';
import { accountResource, itemPath } from './site.js';

/** Opens the dialog; the page is shown again after signing in. */
export function openSignIn() {
  const name = h('input', {
    id: 'sign-in-name',
    name: 'username',
    autocomplete: 'username',
    required: true,
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const password = h('input', {
    id: 'sign-in-password',
    name: 'password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const isApplication = h('input', { id: 'sign-in-kind', type: 'checkbox' });
  openDialog({
    title: 'Sign in',
    button: 'Sign in',
    content: [
      h('p', { class: 'field' }, h('label', { for: 'sign-in-name' }, 'Username'), name),
      h('p', { class: 'field' }, h('label', { for: 'sign-in-password' }, 'Password'), password),
      h(
        'p',
        { class: 'field switch' },
        isApplication,
        h('label', { for: 'sign-in-kind' }, 'This is an application password'),
      ),
    ],
    async send() {
      const resource = accountResource();
      const path = resource ? itemPath(resource, [resource.self]) : BASE;
      const message = isApplication.checked
        ? await signInToApplication(name.value, password.value, path)
        : await signIn(name.value, password.value);
      if (message === undefined) location.reload();
      return message;
    },
  });
  name.focus();
}
