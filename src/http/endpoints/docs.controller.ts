// `/docs` and `/docs-json`: the OpenAPI document as an HTML page and as JSON.
import { Controller, Get, Param, Req, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { tagged } from '../response/etag.js';
import { HttpResponse, toResponse } from '../response/response.js';
import type { OpenApi } from '../openapi/openapi.js';
import { noRoute } from '../http-errors.js';
import type { ApiRequest } from '../request/request-context.js';
import { contextOf } from '../request/request-context.js';

// The page uses inline styles and sends requests to the public URL, which may have another origin.
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src *; base-uri 'self'; object-src 'none'; frame-ancestors 'self'";

const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

/** Creates the controller of one document. */
export function docsController(openApi: OpenApi): Type {
  const { site, publicUrl } = openApi.options;
  const home = `${new URL(publicUrl).pathname.replace(/\/$/, '')}`;

  let cached: { document: unknown; response: HttpResponse } | undefined;

  @Controller()
  class DocsController {
    @Get('docs')
    page(): HttpResponse {
      return text('text/html', pageOf(site.settings.title, home));
    }

    @Get('docs-json')
    async json(@Req() request: ApiRequest): Promise<HttpResponse> {
      const context = contextOf(request);
      const document = await openApi.document();
      const respond = () => tagged(toResponse({ status: 200, body: document }, context), context);
      if (context.pretty || context.envelope) return respond();
      // Cached together with its compressed forms.
      if (cached?.document !== document) cached = { document, response: respond() };
      return cached.response;
    }

    @Get('docs/start.js')
    script(): HttpResponse {
      return text('text/javascript', startScript(home));
    }

    @Get('docs/:asset')
    asset(@Param('asset') asset: string, @Res() response: Response): void {
      if (!ASSETS.has(asset)) throw noRoute();
      response.sendFile(asset, { root: assetFolder(), maxAge: '1d' });
    }
  }
  return DocsController;
}

function text(type: string, body: string): HttpResponse {
  return new HttpResponse(200, { 'Content-Type': `${type}; charset=UTF-8`, 'Content-Security-Policy': POLICY }, body);
}

// Resolved through @nestjs/swagger, wherever the package manager has installed it.
function assetFolder(): string {
  const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger/package.json');
  return dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
}

function pageOf(title: string, home: string): string {
  const safe = title.replaceAll(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${safe}</title>
    <link rel="icon" href="${home}/docs/favicon-32x32.png">
    <link rel="stylesheet" href="${home}/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="${home}/docs/swagger-ui-bundle.js"></script>
    <script src="${home}/docs/start.js"></script>
  </body>
</html>
`;
}

function startScript(home: string): string {
  const url = JSON.stringify(`${home}/docs-json`);
  return `SwaggerUIBundle({ url: ${url}, dom_id: '#docs', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: 0 });\n`;
}
