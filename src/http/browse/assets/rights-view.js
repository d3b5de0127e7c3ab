// What each role may do with a resource, as the server derives it from the rules of the schema.
import { request, ROOT, withQuery } from './api.js';
import { h, words } from './dom.js';
import { table } from './schema-view.js';
import { seesRoles } from './site.js';

const EXTENTS = /** @type {Record<string, string>} */ ({ all: 'yes', own: 'own', some: 'some', none: 'no' });
const CALLERS = /** @type {Record<string, string>} */ ({ anonymous: 'Anybody, signed out', you: 'You' });

/** @param {any} resource */
export function rightsView(resource) {
  const holder = h('div', {}, h('p', { class: 'loading' }, 'Loading …'));
  void fill();
  return h('section', {}, h('h2', {}, 'Permissions'), holder);

  async function fill() {
    const { ok, body } = await request(withQuery(`${ROOT}/_page/rights.json`, { of: resource.list }));
    if (!ok) return holder.replaceChildren(h('p', {}, body?.message ?? 'The server did not say.'));
    const kinds = Object.keys(body.callers[0].rights);
    const rows = body.callers.map((/** @type {any} */ { name, rights }) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, CALLERS[name] ?? words(name)),
        ...kinds.map((kind) => h('td', {}, ...extent(rights[kind]))),
      ),
    );
    const help = seesRoles() ? '' : ' Those who make accounts see here what every role may do.';
    holder.replaceChildren(
      h(
        'p',
        { class: 'help' },
        `“Own”: with the items of the caller. “Some”: the rules of the schema decide item by item.${help}`,
      ),
      table('Permissions', ['Caller', ...kinds.map(words)], rows),
    );
  }
}

/** @param {any} right */
function extent({ extent: reach, except = [] }) {
  const limits = except.map(limit).filter(Boolean);
  return [
    h('span', { class: `extent ${reach}` }, EXTENTS[reach]),
    limits.length > 0 && h('small', {}, ` ${limits.join('; ')}`),
  ];
}

/** A field or parameter that may not have every value. @param {any} exception */
function limit({ names, extent: reach, in: within, notIn, notSelf }) {
  const text = (/** @type {unknown[]} */ values) => values.map((value) => String(value)).join(' or ');
  const name = names.join(' or ');
  const reached = reach === 'own' ? 'for own items' : 'for some items';
  if (notIn) return reach === 'none' ? `${name} only ${text(notIn)}` : `${name} beyond ${text(notIn)} ${reached}`;
  const which = within ? `${name} ${text(within)}` : `${name}${notSelf ? ' other than oneself' : ''}`;
  return reach === 'none' ? `not with ${which}` : `${which} ${reached}`;
}
