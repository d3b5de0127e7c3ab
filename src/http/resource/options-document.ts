// The body of OPTIONS and the index entry of a route.
import { LRUCache } from 'lru-cache';
import { ANONYMOUS } from '../../model/actor.js';
import { collectionPath } from '../../model/functions/paths.js';
import type { Site } from '../../model/site/site.js';
import { HttpResponse, toResponse } from '../response/response.js';
import { queryDocument, type QueryDocument } from '../query/query-document.js';
import type { RequestContext } from '../request/request-context.js';
import { callerOptions, type CallerOptions } from './caller-options.js';
import {
  actionsOf,
  actionTemplate,
  endpointsOf,
  methodsOf,
  type ResourceRoute,
  type RouteAction,
  type RouteKind,
} from '../routes/resource-route.js';
import type { SiteSettings } from '../../model/site/site-settings.js';
import { type Argument, ownedArguments, pathArguments, argumentsOf, fromParams } from './argument-documents.js';
import { schemaOf } from './schema-document.js';

/** A group of methods with their arguments. */
export interface EndpointDocument {
  methods: string[];
  allow_batch?: { v1: true };
  args: Record<string, Argument>;
}

/** The index entry of a route. */
export interface RouteDocument {
  namespace: string;
  methods: string[];
  endpoints: EndpointDocument[];
  _links?: { self: { href: string }[] };
}

/** The OPTIONS document of a route. */
export type OptionsDocument = RouteDocument & { schema: Record<string, unknown>; query?: QueryDocument };

function allowing(methods: readonly string[]): Record<string, string> {
  return methods.length > 0 ? { Allow: methods.join(', ') } : {};
}

/** Callers with different rights on fields whose documents are cached. */
const MAX_SIGHTS = 50;

/** The documents of one resource, cached because they depend only on model, settings and rights on fields. */
export class OptionsDocuments {
  private readonly texts = new LRUCache<string, string>({ max: 3 * MAX_SIGHTS });
  /** Settings of the site that the cached documents were made with. */
  private settings: Readonly<SiteSettings> | undefined;

  constructor(
    private readonly route: ResourceRoute,
    private readonly site: Site,
  ) {}

  /** The response to OPTIONS. */
  response(kind: RouteKind | 'self', context: RequestContext, allow: readonly string[]): HttpResponse {
    const headers = allowing(allow);
    const { settings } = this.site;
    if (settings !== this.settings) this.texts.clear();
    this.settings = settings;
    const forCaller = callerOptions(this.route.model, context.actor ?? ANONYMOUS);
    if (context.pretty || context.envelope)
      return toResponse({ status: 200, body: this.options(kind, forCaller), headers }, context);
    const key = `${kind} ${forCaller?.key ?? ''}`;
    let text = this.texts.get(key);
    if (text === undefined) this.texts.set(key, (text = JSON.stringify(this.options(kind, forCaller))));
    return new HttpResponse(200, headers, text);
  }

  /** The document of OPTIONS: whole, or as far as one caller sees and sets the fields. */
  options(kind: RouteKind | 'self', forCaller?: CallerOptions): OptionsDocument {
    const { _links, ...entry } = kind === 'self' ? this.selfEntry()! : this.entry(kind);
    const schema = schemaOf(this.route, this.site);
    const query = kind === 'collection' ? queryDocument(this.route.model) : undefined;
    const own = { ...this.actionsOf(kind), schema, ...(query ? { query } : {}) };
    const document = { ...entry, ...own, ...(_links ? { _links } : {}) };
    return forCaller ? forCaller.narrow(document) : document;
  }

  /** The entry in the index. */
  entry(kind: RouteKind): RouteDocument {
    const { model, namespace } = this.route;
    const path = kind === 'collection' && !model.parent ? collectionPath(model, {}) : undefined;
    return {
      namespace,
      methods: methodsOf(model, kind),
      endpoints: endpointsOf(model, kind).map(({ operation, methods }) => ({
        methods,
        ...(model.batch ? { allow_batch: { v1: true as const } } : {}),
        args: {
          ...pathArguments(this.route, kind),
          ...argumentsOf(model, operation, this.site.settings),
          ...(operation === 'create' ? ownedArguments(model) : {}),
        },
      })),
      ...(path ? { _links: { self: [{ href: this.site.base + path }] } } : {}),
    };
  }

  /** The response to OPTIONS on the path of an action. */
  actionResponse(name: string, context: RequestContext, allow: readonly string[]): HttpResponse {
    const action = actionsOf(this.route.model).find((each) => each.name === name)!;
    const { _links, ...entry } = this.actionEntry(action);
    const { description, returns } = action;
    const body = { ...entry, description, ...(returns ? { schema: returns } : {}) };
    return toResponse({ status: 200, body, headers: allowing(allow) }, context);
  }

  /** The entry of an action in the index. */
  actionEntry(action: RouteAction): RouteDocument {
    const kind = action.on === 'item' && !this.route.model.singleton ? 'item' : 'collection';
    const args = { ...pathArguments(this.route, kind), ...fromParams(action.params) };
    return { namespace: this.route.namespace, methods: ['POST'], endpoints: [{ methods: ['POST'], args }] };
  }

  /** The actions of extensions in OPTIONS. */
  private actionsOf(kind: RouteKind | 'self'): Record<string, unknown> {
    const { model } = this.route;
    const on = kind === 'collection' && !model.singleton ? 'collection' : 'item';
    const own = [...model.ownActions.values()].filter((action) => action.on === on);
    if (own.length === 0 || model.listOf) return {};
    const entries = own.map((action) => [
      action.name,
      {
        description: action.description,
        href: this.site.base + actionTemplate(this.route, action),
        args: fromParams(action.params),
      },
    ]);
    return { actions: Object.fromEntries(entries) };
  }

  /** The entry of the `me` route, where there is one. */
  selfEntry(): RouteDocument | undefined {
    const { model, keyParam } = this.route;
    const alias = model.schema.selfAlias;
    if (alias === undefined) return undefined;
    const entry = this.entry('item');
    for (const endpoint of entry.endpoints) delete endpoint.args[keyParam];
    return { ...entry, _links: { self: [{ href: `${this.site.base}${collectionPath(model, {})}/${alias}` }] } };
  }
}
