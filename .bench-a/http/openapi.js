import { componentSchemas, tagOf } from './openapi-components.js';
import { decorate } from './openapi-decorators.js';
import { completePaths } from './openapi-extras.js';
/** Knows the document of one application. */
export class OpenApi {
    bound;
    options;
    /** Set once Nest has made it. */
    app;
    building;
    constructor(bound, options) {
        this.bound = bound;
        this.options = options;
    }
    /** The document; the same object every time. */
    document() {
        return (this.building ??= this.build());
    }
    async build() {
        const { site, publicUrl } = this.options;
        // Loaded here, for it costs as much time as the rest of a boot.
        const swagger = await import('@nestjs/swagger');
        for (const each of this.bound)
            decorate(swagger, each);
        const builder = new swagger.DocumentBuilder()
            .setOpenAPIVersion('3.1.0')
            .setTitle(site.settings.title)
            .setDescription(site.settings.description || 'Resources declared in schema files, one JSON file each.')
            .setVersion(site.namespace)
            .addServer(publicUrl)
            .addBasicAuth({ type: 'http', scheme: 'basic' }, 'basic')
            .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
            .addSecurityRequirements('basic')
            .addSecurityRequirements('bearer')
            .addSecurityRequirements({});
        const routes = this.bound.map(({ route }) => route);
        for (const { model } of routes)
            builder.addTag(tagOf(model), model.description);
        const document = swagger.SwaggerModule.createDocument(this.app, builder.build());
        completePaths(document.paths, routes, site.apiRoot.slice(publicUrl.length));
        const schemas = componentSchemas(routes.map(({ model }) => model));
        document.components = {
            ...document.components,
            schemas: { ...document.components?.schemas, ...schemas },
        };
        return document;
    }
}
