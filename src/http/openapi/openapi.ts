// The OpenAPI 3.1 document: built by @nestjs/swagger from the bound controllers at first use, and again when a setting
// that it shows has changed.
import type * as Swagger from '@nestjs/swagger';
import type { INestApplication, Type } from '@nestjs/common';
import type { Site } from '../../model/site/site.js';
import type { ResourceRoute } from '../routes/resource-route.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { describeDefaults } from './body-properties.js';
import { addBodyExamples, addParameterExamples } from './request-examples.js';
import { componentSchemas, tagOf } from './components.js';
import { decorate } from './decorators.js';
import { OTHER_TAGS } from './described-operation.js';
import { takesFiles } from '../resource/upload-intake.js';
import { splitNull } from './json-schema-31.js';
import { addAlias, completePaths, offerFiles, type Paths } from './other-paths.js';
import { describeQuery, QUERY_SCHEMAS } from './query-parameters.js';
import { webhookOperations } from './webhooks.js';
import { addCommonHeaders, COMPONENT_HEADERS } from './response-headers.js';

/** Settings of the document. */
export interface OpenApiOptions {
  site: Site;
  /** Absolute URL of the server, no trailing slash. */
  publicUrl: string;
  /** Controllers that are not part of the document. */
  hidden: readonly Type[];
  /** Whether reads count against a rate limit. */
  countsReads: boolean;
}

/** Builds and caches the document of one application. */
export class OpenApi {
  /** Set once Nest has created it. */
  app: INestApplication | undefined;
  private building: Promise<Record<string, unknown>> | undefined;
  /** What the document shows of the settings. */
  private shown = '';
  private decorated = false;

  constructor(
    private readonly bound: readonly BoundController[],
    readonly options: OpenApiOptions,
  ) {}

  /** The document; the same object until a setting that it shows changes. */
  document(): Promise<Record<string, unknown>> {
    const shown = this.shownSettings();
    if (shown !== this.shown) this.building = undefined;
    this.shown = shown;
    return (this.building ??= this.build());
  }

  private shownSettings(): string {
    const { settings } = this.options.site;
    const fields = this.bound.flatMap(({ route }) => [...route.model.fields.values()]);
    const defaults = fields.flatMap(({ defaultSetting }) => (defaultSetting ? [settings[defaultSetting]] : []));
    return JSON.stringify([settings.title, settings.description, defaults]);
  }

  private async build(): Promise<Record<string, unknown>> {
    const { site, publicUrl } = this.options;
    // Imported lazily: loading it takes as long as the rest of the start.
    const swagger = await import('@nestjs/swagger');
    // Decorators accumulate: on a decorated class only the defaults are updated.
    if (!this.decorated) {
      for (const each of this.bound) decorate(swagger, each);
      for (const controller of this.options.hidden) swagger.ApiExcludeController()(controller);
    }
    this.decorated = true;
    for (const { route, bodies } of this.bound) describeDefaults(swagger, bodies.create, route.model, site.settings);
    const builder = heading(swagger, site, publicUrl);
    const routes = this.bound.map(({ route }) => route);
    for (const [tag, description] of tagsOf(routes)) builder.addTag(tag, description);
    const document = swagger.SwaggerModule.createDocument(this.app!, builder.build());
    completePaths(document.paths as Paths, routes, site.apiRoot.slice(publicUrl.length));
    for (const { route, bodies } of this.bound)
      if (takesFiles(route)) offerFiles(document.paths as Paths, route, swagger.getSchemaPath(bodies.create));
    for (const route of routes) describeQuery(document.paths as Paths, route);
    for (const route of routes) addAlias(document.paths as Paths, route);
    nameOnce(document.paths as Paths);
    for (const route of routes) addBodyExamples(document.paths as Paths, route);
    addParameterExamples(document.paths as Paths);
    addCommonHeaders(document.paths as Paths, this.options.countsReads);
    const schemas = componentSchemas(routes.map(({ model }) => model));
    document.components = {
      ...document.components,
      headers: COMPONENT_HEADERS,
      schemas: { ...unwrap(document.components?.schemas), ...(schemas as object), ...QUERY_SCHEMAS },
    };
    const webhooks = webhookOperations(routes.map(({ model }) => model));
    if (Object.keys(webhooks).length > 0) Object.assign(document, { webhooks });
    return JSON.parse(JSON.stringify(document), (_name, value: unknown) => splitNull(value)) as Record<string, unknown>;
  }
}

/** What the document says of the whole site. */
function heading(swagger: typeof Swagger, { settings, namespace }: Site, publicUrl: string): Swagger.DocumentBuilder {
  return new swagger.DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(settings.title)
    .setDescription(settings.description || 'Resources declared in schema files, one JSON file each.')
    .setVersion(namespace)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(publicUrl)
    .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .addSecurityRequirements('basic')
    .addSecurityRequirements('bearer')
    .addSecurityRequirements({});
}

/** Tags with their descriptions, each once: the routes of a resource and of its saved queries share one. */
function tagsOf(routes: readonly ResourceRoute[]): Map<string, string> {
  const own = routes.map(({ model }): [string, string] => [tagOf(model), model.description]);
  return new Map([...own, ...Object.entries(OTHER_TAGS)]);
}

/** Operation ids are made of paths and may repeat: later ones get an underscore appended. */
function nameOnce(paths: Paths): void {
  const taken = new Set<string>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    while (taken.has(operation.operationId ?? '')) operation.operationId += '_';
    if (operation.operationId !== undefined) taken.add(operation.operationId);
  }
}

// Swagger keeps the alternatives of a property only inside an allOf.
function unwrap(schemas: object | undefined): Record<string, never> {
  return JSON.parse(JSON.stringify(schemas ?? {}), (_name, value: Record<string, unknown>) => {
    const all = value?.['allOf'];
    return Array.isArray(all) && all.length === 1 && Object.keys(value).length === 1 ? (all[0] as unknown) : value;
  }) as Record<string, never>;
}
