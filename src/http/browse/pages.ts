// Pages for browsers: which requests get one, and the files and the description of the site that its script reads.
import { PAGES_FOLDER } from '../../model/functions/paths.js';
import type { Site } from '../../model/site/site.js';
import { noRoute } from '../http-errors.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { KnownRoutes } from '../routes/known-routes.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import { etagOf } from '../response/etag.js';
import { HttpResponse } from '../response/response.js';
import { assets } from './assets.js';
import { describeSite, type SampleDescription } from './describe-site.js';
import { prefersPage } from './prefers-page.js';
import { RIGHTS } from './rights.controller.js';
import { PAGE_POLICY, shell } from './shell.js';

/** What the pages are made of. */
export interface PagesOptions {
  site: Site;
  /** Absolute URL of the server, no trailing slash. */
  publicUrl: string;
  /** '' or `/wp-json`. */
  root: string;
  routes: readonly ResourceRoute[];
  /** Patterns of the routes that belong to no resource, below the API root. */
  patterns: readonly string[];
  sample: SampleDescription;
}

/** Shared caches would have to distinguish JSON and pages by `Accept`: only the browser stores them. */
const CACHING = 'private, no-cache';
/** The description of the site, below the folder of the files. */
const DESCRIPTION = 'site.json';

/** Responds to browsers, before a request is authenticated or routed. */
export class Pages {
  private readonly known: KnownRoutes;
  private readonly others: readonly RegExp[];
  private readonly home: string;
  private readonly namespace: string;
  private readonly folder: string;
  private title: string | undefined;
  private found: HttpResponse | undefined;
  private missing: HttpResponse | undefined;
  private description: HttpResponse | undefined;

  constructor(private readonly options: PagesOptions) {
    const { site, root, publicUrl, routes, patterns } = options;
    this.known = new KnownRoutes(routes);
    this.others = patterns.map((pattern) => new RegExp(`^${root}${pattern.replaceAll('(?P<', '(?<')}$`, 'i'));
    this.home = new URL(publicUrl).pathname.replace(/\/+$/, '');
    this.namespace = `${root}/${site.namespace}`;
    this.folder = `${root}/${PAGES_FOLDER}/`;
  }

  /** The page, or a file of it, for a request; undefined where the API handles it. Throws for an unknown file. */
  responseTo(request: ApiRequest): HttpResponse | undefined {
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    if (path.startsWith(this.folder)) return this.file(path.slice(this.folder.length));
    if (!this.isOfApi(path)) return undefined;
    contextOf(request).negotiated = true;
    return prefersPage(request.headers.accept) ? this.page(request, path) : undefined;
  }

  private isOfApi(path: string): boolean {
    const { root } = this.options;
    if (path === '/' || path === root || path === `${root}/`) return true;
    const { namespace } = this;
    return path.startsWith(namespace) && (path.length === namespace.length || path[namespace.length] === '/');
  }

  private page(request: ApiRequest, path: string): HttpResponse {
    const { title } = this.options.site.settings;
    if (title !== this.title) this.found = this.missing = undefined;
    this.title = title;
    if (this.isRoute(request, path)) return (this.found ??= this.renderPage(200));
    return (this.missing ??= this.renderPage(404));
  }

  private isRoute(request: ApiRequest, path: string): boolean {
    const plain = path.replace(/\/+$/, '');
    if (plain === '' || plain === this.options.root || plain === this.namespace) return true;
    return this.known.of(request) !== undefined || this.others.some((pattern) => pattern.test(plain));
  }

  private renderPage(status: number): HttpResponse {
    const { site, root } = this.options;
    const { namespace, apiRoot, settings } = site;
    const body = shell({ title: settings.title, home: this.home, root, namespace, api: `${apiRoot}/` }, assets());
    const headers = {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': PAGE_POLICY,
      'Cache-Control': CACHING,
      ETag: etagOf(0, body),
    };
    return new HttpResponse(status, headers, body);
  }

  private file(name: string): HttpResponse | undefined {
    if (name === RIGHTS) return undefined;
    if (name === DESCRIPTION) return (this.description ??= this.describeSite());
    const { hash, find } = assets();
    const file = name.startsWith(`${hash}/`) ? find(name.slice(hash.length + 1)) : undefined;
    if (!file) throw noRoute();
    return file;
  }

  private describeSite(): HttpResponse {
    const body = JSON.stringify(describeSite(this.options.routes, this.options.sample));
    return new HttpResponse(200, { 'Cache-Control': CACHING, ETag: etagOf(0, body) }, body);
  }
}
