/** The route of a model below the namespace; `root` is the path of the API root, '' or `/wp-json`. */
export function routeOf(model, root, namespace) {
    const keyParam = model.integerKey ? 'id' : model.name.replaceAll(/\W/g, '_');
    return { model, base: `${root}/${namespace}`, namespace, keyParam, parentParam: model.parent?.param };
}
/** Whether an operation belongs to the collection or to an item. */
export function kindOfRoute(kind) {
    return kind === 'list' || kind === 'create' ? 'collection' : 'item';
}
/** Methods of a route in the order of decisions 4.2. */
export function methodsOf(model, kind) {
    return endpointsOf(model, kind).flatMap(({ methods }) => methods);
}
/** Operations of a route with their methods. */
export function endpointsOf(model, kind) {
    const all = kind === 'collection'
        ? [
            { operation: 'list', methods: ['GET'] },
            { operation: 'create', methods: ['POST'] },
        ]
        : [
            { operation: 'retrieve', methods: ['GET'] },
            { operation: 'update', methods: ['POST', 'PUT', 'PATCH'] },
            { operation: 'delete', methods: ['DELETE'] },
        ];
    return all.filter(({ operation }) => model.operations.has(operation));
}
/** The path as clients parse it: `/cms/v2/books/(?P<id>[\d]+)` (decisions 4.5, 0.15). */
export function patternOf(route, kind) {
    const { model } = route;
    const above = model.parent ? `/${model.parent.model.path}/(?P<${model.parent.param}>[\\d]+)` : '';
    const item = kind === 'item' ? `/(?P<${route.keyParam}>${model.integerKey ? '[\\d]+' : '[\\w-]+'})` : '';
    return `/${route.namespace}${above}/${model.path}${item}`;
}
/** Path of an item below the namespace with `{id}` in place of keys, for link templates. */
export function itemTemplate({ model, keyParam }) {
    return `${model.route.replaceAll(/:(\w+)/g, '{$1}')}/{${keyParam}}`;
}
