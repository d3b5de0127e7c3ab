// The OpenAPI 3.1 document: built by @nestjs/swagger from the bound controllers at first use.
import type { INestApplication } from '@nestjs/common';
import type { Site } from '../../model/site.js';
import type { BoundController } from '../resource/bind-controllers.js';
import { addBodyExamples, addParameterExamples } from './request-examples.js';
import { componentSchemas, tagOf } from './components.js';
import { decorate } from './decorators.js';
import { OTHER_TAGS } from './described-operation.js';
import { takesFiles } from '../resource/upload-intake.js';
import { splitNull } from './json-schema-31.js';
import { completePaths, offerFiles, type Paths } from './other-paths.js';
import { addCommonHeaders, COMPONENT_HEADERS } from './response-headers.js';

/** Settings of the document. */
export interface OpenApiOptions {
  site: Site;
  /** Absolute address of the server, no trailing slash. */
  publicUrl: string;
}

/** Builds and caches the document of one application. */
export class OpenApi {
  /** Set once Nest has created it. */
  app: INestApplication | undefined;
  private building: Promise<Record<string, unknown>> | undefined;

  constructor(
    private readonly bound: readonly BoundController[],
    readonly options: OpenApiOptions,
  ) {}

  /** The document; the same object every time. */
  document(): Promise<Record<string, unknown>> {
    return (this.building ??= this.build());
  }

  private async build(): Promise<Record<string, unknown>> {
    const { site, publicUrl } = this.options;
    // Imported lazily: loading it takes as long as the rest of the boot.
    const swagger = await import('@nestjs/swagger');
    for (const each of this.bound) decorate(swagger, each);
    const builder = new swagger.DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(site.settings.title)
      .setDescription(site.settings.description || 'Resources declared in schema files, one JSON file each.')
      .setVersion(site.namespace)
      .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
      .addServer(publicUrl)
      .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
      .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
      .addSecurityRequirements('basic')
      .addSecurityRequirements('bearer')
      .addSecurityRequirements({});
    const routes = this.bound.map(({ route }) => route);
    for (const { model } of routes) builder.addTag(tagOf(model), model.description);
    for (const [tag, description] of Object.entries(OTHER_TAGS)) builder.addTag(tag, description);
    const document = swagger.SwaggerModule.createDocument(this.app!, builder.build());
    completePaths(document.paths as Paths, routes, site.apiRoot.slice(publicUrl.length));
    for (const { route, bodies } of this.bound)
      if (takesFiles(route)) offerFiles(document.paths as Paths, route, swagger.getSchemaPath(bodies.create));
    for (const route of routes) addBodyExamples(document.paths as Paths, route);
    addParameterExamples(document.paths as Paths);
    addCommonHeaders(document.paths as Paths);
    const schemas = componentSchemas(routes.map(({ model }) => model));
    document.components = {
      ...document.components,
      headers: COMPONENT_HEADERS,
      schemas: { ...unwrapped(document.components?.schemas), ...(schemas as object) },
    };
    return JSON.parse(JSON.stringify(document), (_name, value: unknown) => splitNull(value)) as Record<string, unknown>;
  }
}

// Swagger keeps the alternatives of a property only inside an allOf.
function unwrapped(schemas: object | undefined): Record<string, never> {
  return JSON.parse(JSON.stringify(schemas ?? {}), (_name, value: Record<string, unknown>) => {
    const all = value?.['allOf'];
    return Array.isArray(all) && all.length === 1 && Object.keys(value).length === 1 ? (all[0] as unknown) : value;
  }) as Record<string, never>;
}
