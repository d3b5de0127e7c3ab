var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
// `/docs` and `/docs-json`: the OpenAPI document as a page for people and as JSON for tools (contract.md).
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Answer, toAnswer } from './answer.js';
import { noRoute } from './refusals.js';
import { contextOf } from './request-context.js';
// The page colours itself with inline styles and tries requests out at the public address, which may be another one.
const POLICY = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src *; base-uri 'self'; object-src 'none'; frame-ancestors 'self'";
const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
/** The controller of one document. */
export function docsController(openApi) {
    const { site, publicUrl } = openApi.options;
    const home = `${new URL(publicUrl).pathname.replace(/\/$/, '')}`;
    let DocsController = class DocsController {
        page() {
            return text('text/html', pageOf(site.settings.title, home));
        }
        async json(request) {
            return toAnswer({ status: 200, body: await openApi.document() }, contextOf(request));
        }
        script() {
            return text('text/javascript', startScript(home));
        }
        asset(asset, response) {
            if (!ASSETS.has(asset))
                throw noRoute();
            response.sendFile(asset, { root: assetFolder(), maxAge: '1d' });
        }
    };
    __decorate([
        Get('docs'),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", []),
        __metadata("design:returntype", Answer)
    ], DocsController.prototype, "page", null);
    __decorate([
        Get('docs-json'),
        __param(0, Req()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [Object]),
        __metadata("design:returntype", Promise)
    ], DocsController.prototype, "json", null);
    __decorate([
        Get('docs/start.js'),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", []),
        __metadata("design:returntype", Answer)
    ], DocsController.prototype, "script", null);
    __decorate([
        Get('docs/:asset'),
        __param(0, Param('asset')),
        __param(1, Res()),
        __metadata("design:type", Function),
        __metadata("design:paramtypes", [String, Object]),
        __metadata("design:returntype", void 0)
    ], DocsController.prototype, "asset", null);
    DocsController = __decorate([
        Controller()
    ], DocsController);
    return DocsController;
}
function text(type, body) {
    return new Answer(200, { 'Content-Type': `${type}; charset=UTF-8`, 'Content-Security-Policy': POLICY }, body);
}
// Belongs to @nestjs/swagger, wherever the package manager has put it.
function assetFolder() {
    const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger/package.json');
    return dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
}
function pageOf(title, home) {
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
function startScript(home) {
    const url = JSON.stringify(`${home}/docs-json`);
    return `SwaggerUIBundle({ url: ${url}, dom_id: '#docs', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: 0 });\n`;
}
