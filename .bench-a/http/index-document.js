// The index of the API and of its namespace (decisions 4.1, 4.4, 0.32): every route with its methods and arguments.
import { DateTime } from 'luxon';
import { patternOf } from './resource-route.js';
/** Documents of the index; their routes are put together when first asked for. */
export class IndexDocument {
    options;
    remembered = new Map();
    constructor(options) {
        this.options = options;
    }
    /** `GET {API_ROOT}/`; with `help` the schemas come too. */
    root(help) {
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
    namespace(help) {
        const { site } = this.options;
        return {
            namespace: site.namespace,
            routes: this.routes(help, false),
            _links: { up: [{ href: `${site.apiRoot}/` }] },
        };
    }
    /** What OPTIONS says about the index itself. */
    description(of) {
        const { site } = this.options;
        const context = { type: 'string', enum: ['view', 'help'], default: 'view', required: false };
        return {
            namespace: of === 'root' ? '' : site.namespace,
            methods: ['GET'],
            endpoints: [{ methods: ['GET'], args: { context } }],
            _links: { self: [{ href: of === 'root' ? `${site.apiRoot}/` : site.base }] },
        };
    }
    routes(help, all) {
        const key = `${help} ${all}`;
        let routes = this.remembered.get(key);
        if (!routes)
            this.remembered.set(key, (routes = this.listRoutes(help, all)));
        return routes;
    }
    listRoutes(help, all) {
        const { bound, extra, site } = this.options;
        const routes = {};
        if (all)
            Object.assign(routes, { '/': this.description('root') }, extra);
        routes[`/${site.namespace}`] = this.description('namespace');
        for (const each of bound)
            addRoutes(routes, each, help);
        return routes;
    }
}
function addRoutes(routes, { route, documents }, help) {
    for (const kind of ['collection', 'item']) {
        const entry = help ? documents.options(kind) : documents.entry(kind);
        if (entry.methods.length > 0)
            routes[patternOf(route, kind)] = entry;
    }
    const self = documents.selfEntry();
    if (self)
        routes[`${patternOf(route, 'collection')}/${route.model.schema.selfAlias}`] = self;
}
// Hours east of Greenwich, now.
function offsetOf(zone, now) {
    // A zone may be an offset, which the library wants named.
    const { offset } = DateTime.fromMillis(now, { zone: /^[+-]/.test(zone) ? `utc${zone}` : zone });
    return Number.isNaN(offset) ? 0 : offset / 60;
}
