// Lists and items that are handled without Express and Nest: routing one of them there costs more than reading it.
// Every other request, and whatever is unusual about a URL, is left to them.
import type { ResourceController } from '../resource/resource.controller.js';
import type { RouteErrorFilter } from '../resource/route-error.filter.js';
import type { RoutedRequest } from '../routes/request-input.js';
import { patternPath } from '../routes/known-routes.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { hasBody } from '../request/media-type.js';
import type { HttpResponse } from '../response/response.js';
import type { ApiResponse } from '../response/write-response.js';

/** A resource whose reads are handled directly. */
export interface DirectResource {
  route: ResourceRoute;
  controller: ResourceController;
  errors: RouteErrorFilter;
}

/** How a direct read is handled, once the caller is known. */
export type DirectRead = (request: RoutedRequest, response: ApiResponse) => void;

interface Target extends DirectResource {
  kind: 'list' | 'retrieve';
  /** The pattern of the route, as Express would show it in the log. */
  pattern: { path: string };
  /** Names of the keys in the path, in their order. */
  keys: readonly string[];
}

type Reply = (response: ApiResponse, httpResponse: HttpResponse) => unknown;

const KEY = /\/(\d+)(?=\/|$)/g;
const DIGITS = /\d+/g;

/** The reads of a site that need no router. */
export class DirectReads {
  private readonly targets = new Map<string, Target>();
  /** Characters before the first key: the root and the namespace may have digits too. */
  private readonly start: number;

  constructor(
    resources: readonly DirectResource[],
    private readonly reply: Reply,
  ) {
    this.start = resources[0]?.route.base.length ?? 0;
    for (const resource of resources) this.add(resource);
  }

  /** How to handle a request; undefined: like every other request. */
  find(request: RoutedRequest): DirectRead | undefined {
    const { method, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || hasBody(request)) return undefined;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const tail = path.slice(this.start);
    // A path that contains the placeholder itself is not that of an item.
    if (tail.includes('*')) return undefined;
    const target = this.targets.get(path.slice(0, this.start) + tail.replace(KEY, '/*'));
    return target && ((routed, response) => this.respond(target, tail, routed, response));
  }

  private add(resource: DirectResource): void {
    const { route } = resource;
    const { model, keyParam, parentParam, base } = route;
    const path = patternPath(route);
    if (path.slice(base.length).match(DIGITS)) return;
    const above = parentParam === undefined ? [] : [parentParam];
    const fullPath = base + model.route;
    const { operations, singleton, integerKey } = model;
    if (operations.has('list'))
      this.targets.set(path, { ...resource, kind: 'list', pattern: { path: fullPath }, keys: above });
    if (!operations.has('retrieve')) return;
    if (singleton) this.targets.set(path, { ...resource, kind: 'retrieve', pattern: { path: fullPath }, keys: above });
    else if (integerKey) {
      const pattern = { path: `${fullPath}/:${keyParam}` };
      this.targets.set(`${path}/*`, { ...resource, kind: 'retrieve', pattern, keys: [...above, keyParam] });
    }
  }

  private respond(target: Target, tail: string, request: RoutedRequest, response: ApiResponse): void {
    request.originalUrl = request.url ?? '';
    request.route = target.pattern;
    request.params = segmentsOf(target, tail);
    target.controller[target.kind](request)
      .then((httpResponse) => this.reply(response, httpResponse))
      .catch((error: unknown) => target.errors.respond(error, request, response))
      // The client has left, or the response cannot be written.
      .catch(() => response.destroy());
  }
}

function segmentsOf({ keys }: Target, tail: string): Record<string, string> {
  const segments: Record<string, string> = {};
  if (keys.length === 0) return segments;
  const found = tail.match(DIGITS)!;
  keys.forEach((name, at) => (segments[name] = found[at]!));
  return segments;
}
