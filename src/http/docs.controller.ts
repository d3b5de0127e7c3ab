// `/docs` and `/docs-json`: the OpenAPI document as a page for people and as JSON for tools (contract.md).
import { Controller, Get, Param, Req, Res, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Answer, toAnswer } from './answer.js';
import type { OpenApi } from './openapi.js';
import { noRoute } from './refusals.js';
import type { ApiRequest } from './request-context.js';
import { contextOf } from './request-context.js';

// The page colours itself with inline styles and tries requests out at the public address, which may be another one.
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src *; base-uri 'self'; object-src 'none'; frame-ancestors 'self'";

const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

/** The controller of one document. */
export function docsController(openApi: OpenApi): Type {
  const { site, publicUrl } = openApi.options;
  const home = `${new URL(publicUrl).pathname.replace(/\/$/, '')}`;

  @Controller()
  class DocsController {
    @Get('docs')
    page(): Answer {
      return text('text/html', pageOf(site.settings.title, home));
    }

    @Get('docs-json')
    async json(@Req() request: ApiRequest): Promise<Answer> {
      return toAnswer({ status: 200, body: await openApi.document() }, contextOf(request));
    }

    @Get('docs/start.js')
    script(): Answer {
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

function text(type: string, body: string): Answer {
  return new Answer(200, { 'Content-Type': `${type}; charset=UTF-8`, 'Content-Security-Policy': POLICY }, body);
}

// Belongs to @nestjs/swagger, wherever the package manager has put it.
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
