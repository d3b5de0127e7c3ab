// Opens the view for the URL: front page, list, item, or what went wrong.
import { argumentsOf, BASE, optionsOf, request, ROOT } from './api.js';
import { showNew } from './create.js';
import { h } from './dom.js';
import { show, showFrame } from './frame.js';
import { showFront } from './front.js';
import { showItem } from './item.js';
import { jsonView } from './json-view.js';
import { mayAdd, showList } from './list.js';
import { openSignIn } from './sign-in.js';
import { userName } from './session.js';
import { loadSite, locate } from './site.js';
import { tabbed } from './frame.js';

const path = location.pathname;
const plain = path.replace(/\/+$/, '');

await loadSite();
showFrame();
show('', h('p', { class: 'loading' }, 'Loading …'));
const isFront = plain === ROOT || plain === BASE;
const [response, options] = await Promise.all([
  request(path + location.search),
  isFront ? undefined : optionsOf(plain),
]);
open();

function open() {
  const place = locate(path);
  if (!response.ok && !isNewAlone(place)) return showError();
  if (isFront && response.body?.routes) return showFront(response, plain === ROOT);
  const about = {
    path: plain,
    resource: place?.resource,
    keys: place?.keys ?? [],
    options: options ?? { endpoints: [], allow: [] },
  };
  if (!response.ok) return showNew(about);
  const isList = place ? place.kind === 'list' && !place.resource.singleton : Array.isArray(response.body);
  if (isList) return showList(response, about);
  if (options && 'context' in argumentsOf(options, 'GET')) return showItem(response, about);
  show(path, h('h1', {}, path), jsonView(response.body, response));
}

/** Whether the URL only takes new items from this caller. @param {ReturnType<typeof locate>} place */
function isNewAlone(place) {
  const isRefused = [401, 403, 404].includes(response.status);
  const isOffered = options?.endpoints?.some((/** @type {any} */ { methods }) => methods.includes('POST'));
  if (!isRefused || !isOffered || place?.kind !== 'list' || place.resource.singleton) return false;
  return mayAdd(options, place.resource);
}

/** The error of the API, and what can be done about it. */
function showError() {
  const { status, body } = response;
  const details = Object.entries(body?.data?.params ?? {}).map(([name, text]) =>
    h('li', {}, h('code', {}, name), `: ${text}`),
  );
  const isSignedOut = userName() === undefined && (status === 401 || status === 403);
  show(
    `Error ${status || ''}`,
    h('h1', {}, status ? `Error ${status}` : 'No response'),
    h('p', { class: 'lead', role: 'alert' }, body?.message ?? 'The API gave no reason.'),
    details.length > 0 && h('ul', {}, ...details),
    h(
      'p',
      { class: 'buttons' },
      isSignedOut && h('button', { type: 'button', class: 'main', click: openSignIn }, 'Sign in'),
      location.search !== '' && h('a', { class: 'button', href: path }, 'Open without parameters'),
      h('a', { class: 'button', href: `${ROOT}/` }, 'All resources'),
    ),
    tabbed([{ name: 'json', text: 'JSON', content: () => jsonView(body, response) }]),
  );
}
