// The two paths of a resource below the namespace, and their methods. One per model, made at start.
import type { ResourceModel } from '../../model/model.js';
import type { OwnActionModel } from '../../model/hooks.js';
import { keyParamOf, listPath } from '../../model/functions/paths.js';
import type { OperationKind } from '../../model/schema/schema.js';

/** The two routes of every resource. */
export type RouteKind = 'collection' | 'item';

/** The paths of a resource. */
export interface ResourceRoute {
  readonly model: ResourceModel;
  /** Path of the namespace with the API root before it: `/wp-json/cms/v2`. */
  readonly base: string;
  /** The namespace alone: `cms/v2`. */
  readonly namespace: string;
  /** Name of the path segment that names an item. */
  readonly keyParam: string;
  /** Name of the path segment that names the parent. */
  readonly parentParam: string | undefined;
}

/** The route of a model below the namespace; `root` is the path of the API root, '' or `/wp-json`. */
export function routeOf(model: ResourceModel, root: string, namespace: string): ResourceRoute {
  const keyParam = keyParamOf(model);
  return { model, base: `${root}/${namespace}`, namespace, keyParam, parentParam: model.parent?.param };
}

/** Whether an operation belongs to the collection or to an item; a singleton is at the path of the collection. */
export function kindOfRoute(kind: OperationKind, model: ResourceModel): RouteKind {
  return kind === 'list' || kind === 'create' || model.singleton ? 'collection' : 'item';
}

/** Methods of a route, in the order of the Allow header. */
export function methodsOf(model: ResourceModel, kind: RouteKind): string[] {
  return endpointsOf(model, kind).flatMap(({ methods }) => methods);
}

/** Operations of a route with their methods. */
export function endpointsOf(model: ResourceModel, kind: RouteKind): { operation: OperationKind; methods: string[] }[] {
  if (model.singleton && kind === 'item') return [];
  const all: { operation: OperationKind; methods: string[] }[] =
    kind === 'collection' && !model.singleton
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

/** The path as a named-group pattern: `/cms/v2/books/(?P<id>[\d]+)`. */
export function patternOf(route: ResourceRoute, kind: RouteKind): string {
  const { model } = route;
  const above = model.parent ? `/${model.parent.model.path}/(?P<${model.parent.param}>[\\d]+)` : '';
  const item = kind === 'item' ? `/(?P<${route.keyParam}>${model.integerKey ? '[\\d]+' : '[\\w-]+'})` : '';
  return `/${route.namespace}${above}/${listPath(model)}${item}`;
}

/** An action as its route shows it. */
export type RouteAction = Pick<OwnActionModel, 'name' | 'description' | 'on' | 'params' | 'returns'>;

/** The actions of traits and of extensions; other lists of the same items have none. */
export function actionsOf({ listOf, actions, ownActions }: ResourceModel): RouteAction[] {
  if (listOf) return [];
  const ofTraits = [...actions].map(([name, { description }]) => ({
    name,
    description,
    on: 'item' as const,
    params: new Map(),
  }));
  return [...ofTraits, ...ownActions.values()];
}

/** The path of an action as such a pattern. */
export function actionPattern(route: ResourceRoute, { name, on }: Pick<RouteAction, 'name' | 'on'>): string {
  return `${patternOf(route, on === 'item' && !route.model.singleton ? 'item' : 'collection')}/${name}`;
}

/** Path of an action below the namespace with `{id}` in place of keys. */
export function actionTemplate(route: ResourceRoute, { name, on }: RouteAction): string {
  const collection = route.model.route.replaceAll(/:(\w+)/g, '{$1}');
  return `${on === 'item' && !route.model.singleton ? itemTemplate(route) : collection}/${name}`;
}

/** Path of an item below the namespace with `{id}` in place of keys, for link templates. */
export function itemTemplate({ model, keyParam }: ResourceRoute): string {
  return `${model.route.replaceAll(/:(\w+)/g, '{$1}')}/{${keyParam}}`;
}
