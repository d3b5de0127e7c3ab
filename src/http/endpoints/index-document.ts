// The index documents of the API and of its namespace: every route with its methods and arguments.
import { DateTime } from 'luxon';
import type { Site } from '../../model/site/site.js';
import type { BoundController } from '../resource/bind-controllers.js';
import type { RouteDocument } from '../resource/options-document.js';
import { actionPattern, actionsOf, patternOf } from '../routes/resource-route.js';
import type { SiteSettings } from '../../model/site/site-settings.js';

/** What the index contains besides the resources. */
export interface IndexOptions {
  site: Site;
  /** Absolute URL of the server, no trailing slash. */
  publicUrl: string;
  bound: readonly BoundController[];
  /** Routes that belong to no resource (batch, application passwords), by pattern. */
  extra: Readonly<Record<string, RouteDocument>>;
}

/** The parameter `context` of the indexes. */
export const CONTEXT = { type: 'string', enum: ['view', 'help'], default: 'view' };

/** Builds the index documents; their routes are compiled at first use. */
export class IndexDocument {
  private readonly remembered = new Map<string, Record<string, RouteDocument>>();
  /** Settings of the site that the cached routes were made with. */
  private settings: Readonly<SiteSettings> | undefined;

  constructor(private readonly options: IndexOptions) {}

  /** `GET {API_ROOT}/`; with `help` including the schemas. */
  root(help: boolean): Record<string, unknown> {
    const { site, publicUrl } = this.options;
    const { settings } = site;
    return {
      name: settings.title,
      description: settings.description,
      url: publicUrl,
      home: site.home,
      gmt_offset: offsetOf(settings.timezone, site.now()),
      timezone_string: settings.timezone,
      namespaces: [site.namespace],
      authentication: {
        'application-passwords': { endpoints: {} },
        bearer: { endpoints: { token: `${site.apiRoot}/auth/token`, revoke: `${site.apiRoot}/auth/revoke` } },
      },
      routes: this.routes(help, true),
      _links: { help: [{ href: `${publicUrl}/docs` }] },
    };
  }

  /** `GET {API_ROOT}/{API_NAMESPACE}`. */
  namespace(help: boolean): Record<string, unknown> {
    const { site } = this.options;
    return {
      namespace: site.namespace,
      routes: this.routes(help, false),
      _links: { up: [{ href: `${site.apiRoot}/` }] },
    };
  }

  /** The OPTIONS document of the index itself. */
  description(of: 'root' | 'namespace'): RouteDocument {
    const { site } = this.options;
    const context = { ...CONTEXT, required: false };
    return {
      namespace: of === 'root' ? '' : site.namespace,
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { context } }],
      _links: { self: [{ href: of === 'root' ? `${site.apiRoot}/` : site.base }] },
    };
  }

  private routes(help: boolean, all: boolean): Record<string, RouteDocument> {
    const { settings } = this.options.site;
    if (settings !== this.settings) this.remembered.clear();
    this.settings = settings;
    const key = `${help} ${all}`;
    let routes = this.remembered.get(key);
    if (!routes) this.remembered.set(key, (routes = this.listRoutes(help, all)));
    return routes;
  }

  private listRoutes(help: boolean, all: boolean): Record<string, RouteDocument> {
    const { bound, extra, site } = this.options;
    const routes: Record<string, RouteDocument> = all ? { '/': this.description('root') } : {};
    for (const [pattern, entry] of Object.entries(extra))
      if (all || pattern.startsWith(`/${site.namespace}/`)) routes[pattern] = entry;
    routes[`/${site.namespace}`] = this.description('namespace');
    for (const each of bound) addRoutes(routes, each, help);
    return routes;
  }
}

function addRoutes(routes: Record<string, RouteDocument>, { route, documents }: BoundController, help: boolean): void {
  for (const kind of ['collection', 'item'] as const) {
    const entry = help ? documents.options(kind) : documents.entry(kind);
    if (entry.methods.length > 0) routes[patternOf(route, kind)] = entry;
  }
  for (const action of actionsOf(route.model)) routes[actionPattern(route, action)] = documents.actionEntry(action);
  const self = documents.selfEntry();
  if (!self) return;
  const pattern = `${patternOf(route, 'collection')}/${route.model.schema.selfAlias}`;
  routes[pattern] = help ? documents.options('self') : self;
}

// The current offset from UTC in hours.
function offsetOf(zone: string, now: number): number {
  // A zone may be an offset, which luxon expects with the prefix `utc`.
  const { offset } = DateTime.fromMillis(now, { zone: /^[+-]/.test(zone) ? `utc${zone}` : zone });
  return Number.isNaN(offset) ? 0 : offset / 60;
}
