// The `_links` of items: the relations of a context are determined once, the URLs per row.
import type { ResourceModel } from '../../model/model.js';
import type { LinkModel, ViewScope } from '../../model/shown.js';
import type { Operation, Result, View } from '../../model/operation.js';
import { collectionPath, itemPath } from '../../model/functions/paths.js';
import type { Row } from '../../model/query.js';
import type { Context } from '../../model/schema/schema.js';
import { predicateFor } from '../rights/predicate-for.js';

/** Member of a result's row that holds its links. */
export const FOUND_LINKS = '#links';

/** Links of one item, by relation. */
export type ItemLinks = (view: View, row: Row, scope: ViewScope) => Record<string, readonly object[]>;

type Entry = (view: View, row: Row, scope: ViewScope) => object | undefined;

const CURIES: readonly object[] = Object.freeze([
  Object.freeze({ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }),
]);

/** The links that a context includes. */
export function itemLinks(model: ResourceModel, context: Context): ItemLinks {
  const { selfLink: self = true, collectionLink: collection = !model.singleton } = model.schema.list ?? {};
  const own = model.listOf ?? model;
  const shown = model.links
    .filter(({ schema, readers }) => (!schema.context || schema.context === context) && isShownIn(context, readers))
    .map((link) => ({ rel: link.rel, entry: entryOf(link), curie: link.rel.startsWith('wp:') }));
  return (view, row, scope) => {
    const { base } = scope.site;
    const links: Record<string, readonly object[]> = {};
    if (model.found) Object.assign(links, row[FOUND_LINKS]);
    else if (self) links['self'] = [selfLink(base + itemPath(own, row), scope)];
    if (collection) links['collection'] = [{ href: base + collectionPath(own, row) }];
    let curies = false;
    for (const { rel, entry, curie } of shown) {
      const link = entry(view, row, scope);
      if (!link) continue;
      const others = links[rel] as object[] | undefined;
      if (others) others.push(link);
      else links[rel] = [link];
      curies ||= curie;
    }
    if (curies) links['curies'] = CURIES;
    return links;
  };
}

function isShownIn(context: Context, readers: LinkModel['readers']): boolean {
  return readers === 'everyone' || (readers === 'editors' && context === 'edit');
}

function selfLink(href: string, { op }: ViewScope): object {
  const { allow } = op.state;
  return allow ? { href, targetHints: { allow } } : { href };
}

function entryOf({ rel, schema, needs, href, attributes, fields = [] }: LinkModel): Entry {
  const fixed = Object.fromEntries(
    Object.entries(schema.attributes ?? {}).filter(([, value]) => !String(value).startsWith('$')),
  );
  // `href` is present from the start, so that assigning it does not change the object's shape, which is ten times as
  // slow.
  const end = { ...(schema.embeddable ? { embeddable: true } : {}), href: '' };
  const constant = { ...fixed, ...end };
  const makeLink = linkFactory(constant);
  const right = `link:${rel}`;
  return (view, row, scope) => {
    if (schema.when && !row[schema.when]) return undefined;
    if (needs && !(scope.op.ruleResults[right] ?? predicateFor(needs, scope.op.actor).op === 'true')) return undefined;
    const { withheld } = scope;
    if (withheld && fields.some((name) => withheld.has(row, name))) return undefined;
    const url = href(view, row, scope);
    if (url === undefined) return undefined;
    if (!attributes) return makeLink(url);
    return { ...fixed, ...attributes(row, scope), ...end, href: url };
  };
}

/** Most links have no other members: V8 makes literals faster than copies. */
function linkFactory(constant: { href: string; embeddable?: boolean }): (href: string) => object {
  const names = Object.keys(constant);
  if (names.length === 1) return (href) => ({ href });
  if (names.length === 2 && constant.embeddable) return (href) => ({ embeddable: true, href });
  return (href) => ({ ...constant, href });
}

/** The header with the permalink of an item. */
export function alternate(op: Operation, row: Row, view: View): Partial<Result> {
  const { permalink } = op.model;
  if (!permalink || op.state.withheld?.has(row, permalink.name)) return {};
  const href =
    (view[permalink.name] as string | undefined) ?? permalink.toView!(row, { op, context: op.context, site: op.site });
  return { headers: { Link: `<${String(href)}>; rel="alternate"; type=text/html` } };
}
