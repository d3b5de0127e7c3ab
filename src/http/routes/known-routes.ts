// Finds the resource route of a request by its path alone, for what happens before routing.
import type { ApiRequest } from '../request/request-context.js';
import type { ResourceRoute, RouteKind } from './resource-route.js';

/** A resource route, with the path segments as Express would name them. */
export interface FoundRoute {
  route: ResourceRoute;
  kind: RouteKind;
  segments: Readonly<Record<string, string>>;
}

const SLASH = 0x2f;

/** Below the namespace every second segment is a key. */
export class KnownRoutes {
  private readonly byPath = new Map<string, { route: ResourceRoute; kind: RouteKind }>();
  private readonly base: string;

  constructor(routes: readonly ResourceRoute[]) {
    this.base = routes[0]?.base ?? '';
    for (const route of routes) {
      const path = patternPath(route);
      this.byPath.set(path, { route, kind: 'collection' });
      if (!route.model.singleton && !route.model.found) this.byPath.set(`${path}/*`, { route, kind: 'item' });
    }
  }

  /** The route at the path of a request, whatever its method. */
  of(request: ApiRequest): FoundRoute | undefined {
    const path = pathOf(request);
    const found = this.byPath.get(wildcards(path, this.base.length));
    if (!found) return undefined;
    const keys = (request.url ?? '/')
      .split('?', 1)[0]!
      .slice(this.base.length + 1)
      .split('/')
      .filter((_, at) => at % 2 === 1)
      .map(decoded);
    const { parentParam, keyParam } = found.route;
    const names = [...(parentParam === undefined ? [] : [parentParam]), ...(found.kind === 'item' ? [keyParam] : [])];
    return { ...found, segments: Object.fromEntries(names.map((name, at) => [name, keys[at] ?? ''])) };
  }
}

/** A path segment as Express would decode it; itself where it cannot be decoded, which Express refuses. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of a collection with `*` for the key of a parent, in lower case. */
export function patternPath(route: ResourceRoute): string {
  return `${route.base}${route.model.route}`.replaceAll(/:\w+/g, '*').toLowerCase();
}

/** The path of a request in lower case, without a slash at its end. */
export function pathOf(request: ApiRequest): string {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  let end = mark < 0 ? url.length : mark;
  while (end > 0 && url.charCodeAt(end - 1) === SLASH) end--;
  return url.slice(0, end).toLowerCase();
}

/** A path with `*` for each key; `base` is the length of the path of the namespace. */
export function wildcards(path: string, base: number): string {
  const segments = path.slice(base + 1).split('/');
  return `${path.slice(0, base)}/${segments.map((segment, at) => (at % 2 === 1 ? '*' : segment)).join('/')}`;
}
