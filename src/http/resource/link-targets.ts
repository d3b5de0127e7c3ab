// Which resource a link inside the API leads to, and with which path segments and parameters.
import { parseQuery, type Parameters } from '../request/parse-query.js';
import type { ResourceRoute } from '../routes/resource-route.js';

/** What a path below the namespace leads to. */
export interface LinkTarget {
  route: ResourceRoute;
  kind: 'list' | 'retrieve';
  /** Path segments by the name of their parameter. */
  segments: Readonly<Record<string, string>>;
  query: Parameters;
  /** Reserved names that have been removed from the query. */
  dropped: readonly string[];
}

/** Between the path of a resource and the name of a saved query. */
const VIEWS = 'views';

/** Finds the resources that URLs lead to. One per application. */
export class LinkTargets {
  private readonly routes = new Map<string, ResourceRoute>();

  /** `base`: absolute URL of the namespace. */
  constructor(
    routes: readonly ResourceRoute[],
    private readonly base: string,
  ) {
    for (const route of routes) {
      const { parent, path, view } = route.model;
      const collection = parent ? `${parent.model.path}/*/${path}` : path;
      this.routes.set((view ? `${collection}/${VIEWS}/${view.name}` : collection).toLowerCase(), route);
    }
  }

  /** The resource and its parameters; undefined for a URL that no resource reads. */
  find(href: string): LinkTarget | undefined {
    if (!href.startsWith(`${this.base}/`)) return undefined;
    return this.below(href.slice(this.base.length + 1));
  }

  /** The same for a path below the namespace, with its query. As in requests, its case does not matter, except in keys. */
  below(path: string): LinkTarget | undefined {
    const mark = path.indexOf('?');
    const names = decodeAll((mark < 0 ? path : path.slice(0, mark)).replace(/\/+$/, '').split('/'));
    if (!names) return undefined;
    const view = names.length > 2 && names.at(-2)!.toLowerCase() === VIEWS ? `/${names.splice(-2).join('/')}` : '';
    const nested = names.length > 2;
    const route = this.routes.get(((nested ? `${names[0]}/*/${names[2]}` : names[0]!) + view).toLowerCase());
    const own = nested ? names.slice(2) : names;
    const single = route?.model.singleton === true;
    if (!route || own.length > (single || route.model.found || view !== '' ? 1 : 2)) return undefined;
    const kind = own.length === 1 && !single ? 'list' : 'retrieve';
    const segments: Record<string, string> = {};
    if (nested) segments[route.parentParam!] = names[1]!;
    if (own.length === 2) segments[route.keyParam] = own[1]!;
    const dropped: string[] = [];
    const query = parseQuery(mark < 0 ? '' : path.slice(mark + 1), (names) => dropped.push(...names));
    return { route, kind, segments, query, dropped };
  }
}

function decodeAll(names: string[]): string[] | undefined {
  try {
    return names.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
