// What is around every view: the header with the resources and the account, the title, tabs and messages.
import { BASE, ROOT, TITLE } from './api.js';
import { h, newId } from './dom.js';
import { openSignIn } from './sign-in.js';
import { signOut, userName } from './session.js';
import { accountResource, fileProblems, itemPath, listPath, topResources } from './site.js';

const FLASH = 'typecase-flash';
/** Milliseconds that a message stays. */
const STAY = 6000;

const main = h('main', { id: 'main', tabindex: '-1' });
const messages = h('div', { class: 'messages', role: 'status', 'aria-live': 'polite' });

/** Puts the frame into the page. */
export function showFrame() {
  const here = location.pathname.replace(/\/+$/, '');
  const link = (/** @type {string} */ path, /** @type {string} */ text) =>
    h('a', { href: path, 'aria-current': path.replace(/\/+$/, '') === here ? 'page' : undefined }, text);
  const lists = topResources().map((resource) => h('li', {}, link(listPath(resource), resource.plural)));
  const menu = h(
    'details',
    { class: 'menu' },
    h('summary', {}, 'Resources'),
    h('nav', { 'aria-label': 'Resources' }, h('ul', {}, ...lists)),
  );
  const wide = matchMedia('(min-width: 60rem)');
  const follow = () => (menu.open = wide.matches);
  wide.addEventListener('change', follow);
  follow();
  const page = h(
    'div',
    { id: 'page' },
    h('a', { class: 'skip', href: '#main', click: skip }, 'Skip to content'),
    h('header', { class: 'top' }, h('a', { class: 'brand', href: `${ROOT}/` }, TITLE), account()),
    refusedFiles(),
    h('div', { class: 'columns' }, menu, main),
    messages,
  );
  document.getElementById('page')?.replaceWith(page);
  const stored = sessionStorage.getItem(FLASH);
  sessionStorage.removeItem(FLASH);
  if (stored) showMessage(stored);
}

/** A link to a fragment would change the URL, which tabs use. @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

/** What is wrong with the files that were saved last; the schemas before them are served. */
function refusedFiles() {
  const problems = fileProblems();
  if (problems.length === 0) return undefined;
  return h(
    'section',
    { class: 'refused', 'aria-label': 'Schemas that are not applied' },
    h('p', {}, h('strong', {}, 'The saved schemas are not applied.'), ' The ones before them go on serving.'),
    h('ul', {}, ...problems.map((line) => h('li', {}, h('code', {}, line)))),
  );
}

function account() {
  const user = userName();
  if (user === undefined)
    return h('div', { class: 'account' }, h('button', { type: 'button', click: openSignIn }, 'Sign in'));
  const resource = accountResource();
  const name = resource
    ? h('a', { href: itemPath(resource, [resource.self]), class: 'user' }, user)
    : h('span', {}, user);
  const leave = async () => {
    await signOut();
    location.reload();
  };
  return h(
    'div',
    { class: 'account' },
    name,
    h('button', { type: 'button', class: 'quiet', click: leave }, 'Sign out'),
  );
}

/**
 * Shows a view.
 * @param {string} name for the title of the window
 * @param {...(Node | false | undefined)} parts
 */
export function show(name, ...parts) {
  document.title = name === '' ? TITLE : `${name} · ${TITLE}`;
  main.replaceChildren(...parts.filter((part) => part instanceof Node));
}

/** A short message, read aloud too. @param {string} text @param {'good' | 'bad'} [kind] */
export function showMessage(text, kind = 'good') {
  const note = h('p', { class: `note ${kind}` }, text);
  messages.append(note);
  setTimeout(() => note.remove(), STAY);
}

/** A message for the page that is opened next. @param {string} text */
export function showMessageNext(text) {
  sessionStorage.setItem(FLASH, text);
}

/** Breadcrumbs: every part of the path that has a page of its own. @param {{ text: string, href?: string }[]} parts */
export function crumbs(...parts) {
  const all = [{ text: 'API', href: `${BASE}` }, ...parts];
  const entries = all.map(({ text, href }) =>
    h('li', {}, href ? h('a', { href }, text) : h('span', { 'aria-current': 'page' }, text)),
  );
  return h('nav', { class: 'crumbs', 'aria-label': 'Path' }, h('ol', {}, ...entries));
}

/**
 * Tabs; the chosen one is the fragment of the URL. Content is made when it is first shown.
 * @param {{ name: string, text: string, content: () => Node }[]} tabs
 */
export function tabbed(tabs) {
  const buttons = tabs.map(({ name, text }) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        'aria-controls': `panel-${name}`,
        click: () => choose(name, true),
      },
      text,
    ),
  );
  const panels = tabs.map(({ name }) =>
    h('section', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, tabindex: '-1' }),
  );
  const bar = h('div', { role: 'tablist', class: 'tabs', keydown: move }, ...buttons);
  choose(location.hash.slice(1), false);
  addEventListener('hashchange', () => choose(location.hash.slice(1), false));
  return h('div', { id: newId('tabs') }, bar, ...panels);

  /** @param {string} name @param {boolean} updatesUrl */
  function choose(name, updatesUrl) {
    const chosen = Math.max(
      0,
      tabs.findIndex((tab) => tab.name === name),
    );
    if (updatesUrl) history.replaceState(null, '', `#${tabs[chosen].name}`);
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== chosen;
      buttons[at].setAttribute('aria-selected', String(at === chosen));
      buttons[at].tabIndex = at === chosen ? 0 : -1;
    }
    if (panels[chosen].childNodes.length === 0) panels[chosen].append(tabs[chosen].content());
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = buttons.findIndex((button) => button === document.activeElement);
    const next = (at + step + tabs.length) % tabs.length;
    buttons[next].focus();
    choose(tabs[next].name, true);
  }
}
