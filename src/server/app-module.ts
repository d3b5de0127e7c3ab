// The Nest module of an application: its controllers in the order of routes, its providers, the modules of extensions.
import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ResourceService } from '../engine/resource.service.js';
import type { BoundController } from '../http/resource/bind-controllers.js';
import { docsController } from '../http/endpoints/docs.controller.js';
import { HealthController } from '../http/endpoints/health.controller.js';
import { IndexDocument } from '../http/endpoints/index-document.js';
import { indexControllers } from '../http/endpoints/index.controller.js';
import type { OpenApi } from '../http/openapi/openapi.js';
import { SiteContext } from './extensions/site-context.js';
import { extensionImports } from './extensions/site-module.js';
import type { AppParts } from './app-parts.js';

/** Providers that modules of extensions may inject. */
const OFFERED = [DataSource, ResourceService, SiteContext];

/** Holds the controllers of one application; Nest requires a class for it. */
@Module({})
class ApiModule {}

/** Assembles the module. */
export function apiModule(
  parts: AppParts,
  bound: BoundController[],
  openApi: OpenApi,
  providers: Provider[],
): DynamicModule {
  const { config, site } = parts;
  const docsUrl = `${config.publicUrl}/docs`;
  const index = new IndexDocument({ site, publicUrl: config.publicUrl, bound, extra: parts.routes ?? {} });
  const offered = providers.filter(
    (provider) => 'provide' in provider && OFFERED.some((token) => token === provider.provide),
  );
  return {
    module: ApiModule,
    imports: extensionImports(parts.modules ?? [], offered) ?? [],
    controllers: [
      // The router tries routes in turn; the resources with the most fields are likely to be requested most.
      ...richestFirst(bound),
      HealthController,
      ...indexControllers(index, {
        root: config.apiRoot,
        namespace: config.apiNamespace,
        apiUrl: `${site.apiRoot}/`,
        docsUrl,
      }),
      docsController(openApi),
      ...(parts.controllers ?? []),
      ...(parts.undocumented ?? []),
    ],
    providers,
  };
}

function richestFirst(bound: BoundController[]): Type[] {
  const size = ({ route }: BoundController) => route.model.fields.size;
  return [...bound].sort((a, b) => size(b) - size(a)).map(({ controller }) => controller);
}
