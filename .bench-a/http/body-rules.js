import { takesFiles } from './upload-intake.js';
/** The rule for a request, by its path alone. */
export function bodyRules(routes, options) {
    const plain = { limit: options.body, uploads: false };
    const rules = new Map();
    for (const route of routes) {
        const limit = [...route.model.fields.values()].some((field) => field.type === 'rendered')
            ? options.contentBody
            : options.body;
        const path = `${route.base}${route.model.route}`.replaceAll(/:\w+/g, '*').toLowerCase();
        rules.set(path, { limit, uploads: takesFiles(route) });
        rules.set(`${path}/*`, { limit, uploads: false });
    }
    for (const [path, rule] of Object.entries(options.extra ?? {}))
        rules.set(path.toLowerCase(), rule);
    const base = routes[0]?.base ?? '';
    return (request) => {
        const path = pathOf(request);
        return rules.get(path) ?? rules.get(wildcards(path, base.length)) ?? plain;
    };
}
function pathOf(request) {
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    return (mark < 0 ? url : url.slice(0, mark)).replace(/\/+$/, '').toLowerCase();
}
// Below the namespace every second segment is a key.
function wildcards(path, base) {
    const segments = path.slice(base + 1).split('/');
    return `${path.slice(0, base)}/${segments.map((segment, at) => (at % 2 === 1 ? '*' : segment)).join('/')}`;
}
