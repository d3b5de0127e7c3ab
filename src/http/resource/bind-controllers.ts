// Creates one controller class per model at start: Nest's decorators, applied as functions, give the generic methods
// their routes.
import 'reflect-metadata';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Options,
  Patch,
  Post,
  Put,
  Req,
  UseFilters,
  type Type,
} from '@nestjs/common';
import { isAcross } from '../../model/functions/paths.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import type { Site } from '../../model/site/site.js';
import type { AllowHeader } from './allow-header.js';
import type { HttpResponse } from '../response/response.js';
import type { ApiAdapter } from '../transport/api-adapter.js';
import type { RoutedRequest } from '../routes/request-input.js';
import { createBodyClass, type BodyClass } from '../validation/dto.factory.js';
import { OptionsDocuments } from './options-document.js';
import type { CheckedBody } from './operation.factory.js';
import { ResourceController } from './resource.controller.js';
import { ResourcePipe, Sent } from './body.pipe.js';
import { routeOf, type ResourceRoute } from '../routes/resource-route.js';
import { RouteErrorFilter } from './route-error.filter.js';
import type { UploadIntake } from './upload-intake.js';

/** Dependencies of bound controllers besides their models. */
export interface Binding {
  adapter: ApiAdapter;
  allowance: AllowHeader;
  uploads: UploadIntake;
  site: Site;
  /** Path of the API root: '' or `/wp-json`. */
  root: string;
}

/** A controller class with its route and its methods. */
export interface BoundController {
  controller: Type<ResourceController>;
  route: ResourceRoute;
  documents: OptionsDocuments;
  /** DTO classes that validate its bodies, for requests that bypass the pipe (batches). */
  bodies: Readonly<Record<'create' | 'update', BodyClass>>;
}

/** One controller per model. */
export function bindControllers(models: ModelSet, binding: Binding): BoundController[] {
  const served = [...models.byName.values()].flatMap((model) => [
    model,
    ...(model.across ? [model.across] : []),
    ...(model.views ?? []),
    ...(model.across?.views ?? []),
  ]);
  return served.map((model) => bind(routeOf(model, binding.root, binding.site.namespace), binding));
}

function bind(route: ResourceRoute, binding: Binding): BoundController {
  const documents = new OptionsDocuments(route, binding.site);
  class Bound extends ResourceController {
    protected readonly route = route;
    protected readonly documents = documents;
  }
  Object.defineProperty(Bound, 'name', {
    value: `${route.model.typeName}${isAcross(route.model) ? 'Across' : ''}Controller`,
  });
  // Before the routes of items: the path of an action on the collection looks like that of an item with a name.
  bindOwnActions(Bound, route);
  bindReads(Bound, route);
  const bodies = { create: createBodyClass(route.model, 'create'), update: createBodyClass(route.model, 'update') };
  bindWrites(Bound, route, bodies, binding.uploads);
  bindActions(Bound, route);
  UseFilters(new RouteErrorFilter(route, binding.adapter, binding.allowance))(Bound);
  Controller(route.base + route.model.route)(Bound);
  return { controller: Bound, route, documents, bodies };
}

const generic = ResourceController.prototype;

function bindReads(bound: BoundClass, { model, keyParam }: ResourceRoute): void {
  const item = itemSegment(model, keyParam);
  const { operations } = model;
  if (operations.has('list')) method(bound, 'list', Get(), (self, request) => generic.list.call(self, request));
  if (operations.has('retrieve'))
    method(bound, 'retrieve', Get(item), (self, request) => generic.retrieve.call(self, request));
  if (operations.has('delete'))
    method(bound, 'delete', Delete(item), (self, request) => generic.delete.call(self, request));
  method(bound, 'describe', Options(), (self, request) => generic.describe.call(self, request, 'collection'));
  if (model.listOf || model.singleton || model.found) return;
  method(bound, 'describeItem', Options(item), (self, request) => generic.describe.call(self, request, 'item'));
}

/** The path of an item below the one of the resource. */
function itemSegment({ singleton }: ResourceModel, keyParam: string): string {
  return singleton ? '' : `:${keyParam}`;
}

// POST, PUT and PATCH are one operation, but Nest keeps one route per function.
const UPDATES = [
  ['update', Post],
  ['updateByPut', Put],
  ['updateByPatch', Patch],
] as const;

function bindWrites(
  bound: BoundClass,
  route: ResourceRoute,
  bodies: BoundController['bodies'],
  uploads: UploadIntake,
): void {
  const { model, keyParam } = route;
  if (model.operations.has('create')) {
    method(bound, 'create', Post(), (self, request, body) => generic.create.call(self, request, body));
    takeBody(bound, 'create', bodies.create, new ResourcePipe(route, uploads, 'create'));
  }
  if (!model.operations.has('update')) return;
  const pipe = new ResourcePipe(route, uploads, 'update');
  for (const [name, verb] of UPDATES) {
    method(bound, name, verb(itemSegment(model, keyParam)), (self, request, body) =>
      generic.update.call(self, request, body),
    );
    HttpCode(200)(bound.prototype, name, Object.getOwnPropertyDescriptor(bound.prototype, name)!);
    takeBody(bound, name, bodies.update, pipe);
  }
}

function bindActions(bound: BoundClass, { model, keyParam }: ResourceRoute): void {
  if (model.listOf) return;
  for (const name of model.actions.keys()) {
    const action = `act-${name}`;
    method(bound, action, Post(`:${keyParam}/${name}`), (self, request) => generic.act.call(self, request, name));
    HttpCode(200)(bound.prototype, action, Object.getOwnPropertyDescriptor(bound.prototype, action)!);
    bindDescription(bound, `:${keyParam}/${name}`, name);
  }
}

function bindDescription(bound: BoundClass, path: string, name: string): void {
  method(bound, `describe-${name}`, Options(path), (self, request) => generic.describeAction.call(self, request, name));
}

function bindOwnActions(bound: BoundClass, { model, keyParam }: ResourceRoute): void {
  if (model.listOf) return;
  for (const { name, on } of model.ownActions.values()) {
    const path = on === 'item' && !model.singleton ? `:${keyParam}/${name}` : name;
    const action = `perform-${name}`;
    method(bound, action, Post(path), (self, request) => generic.perform.call(self, request, name));
    HttpCode(200)(bound.prototype, action, Object.getOwnPropertyDescriptor(bound.prototype, action)!);
    bindDescription(bound, path, name);
  }
}

type BoundClass = Type<ResourceController>;
type Run = (self: ResourceController, request: RoutedRequest, body: CheckedBody) => Promise<HttpResponse>;

// A separate function for each class and route: Nest stores the metadata of a route on its function.
function method(bound: BoundClass, name: string, verb: MethodDecorator, run: Run): void {
  const value = function (this: ResourceController, request: RoutedRequest, body: CheckedBody) {
    return run(this, request, body);
  };
  const descriptor = { value, writable: true, configurable: true };
  Object.defineProperty(bound.prototype, name, descriptor);
  verb(bound.prototype, name, descriptor);
  Req()(bound.prototype, name, 0);
}

function takeBody(bound: BoundClass, name: string, type: BodyClass, pipe: ResourcePipe): void {
  Sent(pipe)(bound.prototype, name, 1);
  Reflect.defineMetadata('design:paramtypes', [Object, type], bound.prototype, name);
}
