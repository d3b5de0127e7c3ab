// Makes one controller class per model at boot: Nest's decorators, applied as functions, give the generic methods their routes.
import 'reflect-metadata';
import { Controller, Delete, Get, HttpCode, Options, Patch, Post, Put, Req, UseFilters, } from '@nestjs/common';
import { className, createBodyClass } from './dto.factory.js';
import { OptionsDocuments } from './options-document.js';
import { ResourceController } from './resource.controller.js';
import { ResourcePipe, Sent } from './resource.pipe.js';
import { routeOf } from './resource-route.js';
import { RouteErrorFilter } from './route-error.filter.js';
/** One controller per model. */
export function bindControllers(models, binding) {
    return [...models.byName.values()].map((model) => bind(routeOf(model, binding.root, binding.site.namespace), binding));
}
function bind(route, binding) {
    const documents = new OptionsDocuments(route, binding.site);
    class Bound extends ResourceController {
        route = route;
        documents = documents;
    }
    Object.defineProperty(Bound, 'name', { value: `${className(route.model.name)}Controller` });
    bindReads(Bound, route);
    const bodies = { create: createBodyClass(route.model, 'create'), update: createBodyClass(route.model, 'update') };
    bindWrites(Bound, route, bodies, binding.uploads);
    UseFilters(new RouteErrorFilter(route, binding.adapter, binding.allowance))(Bound);
    Controller(route.base + route.model.route)(Bound);
    return { controller: Bound, route, documents, bodies };
}
const generic = ResourceController.prototype;
function bindReads(bound, { model, keyParam }) {
    const item = `:${keyParam}`;
    const { operations } = model;
    if (operations.has('list'))
        method(bound, 'list', Get(), (self, request) => generic.list.call(self, request));
    if (operations.has('retrieve'))
        method(bound, 'retrieve', Get(item), (self, request) => generic.retrieve.call(self, request));
    if (operations.has('delete'))
        method(bound, 'delete', Delete(item), (self, request) => generic.delete.call(self, request));
    method(bound, 'describe', Options(), (self, request) => generic.describe.call(self, request, 'collection'));
    method(bound, 'describeItem', Options(item), (self, request) => generic.describe.call(self, request, 'item'));
}
// POST, PUT and PATCH are one operation (decisions 1.19), and Nest keeps one route per function.
const UPDATES = [
    ['update', Post],
    ['updateByPut', Put],
    ['updateByPatch', Patch],
];
function bindWrites(bound, route, bodies, uploads) {
    const { model, keyParam } = route;
    if (model.operations.has('create')) {
        method(bound, 'create', Post(), (self, request, body) => generic.create.call(self, request, body));
        takeBody(bound, 'create', bodies.create, new ResourcePipe(route, uploads, 'create'));
    }
    if (!model.operations.has('update'))
        return;
    const pipe = new ResourcePipe(route, uploads, 'update');
    for (const [name, verb] of UPDATES) {
        method(bound, name, verb(`:${keyParam}`), (self, request, body) => generic.update.call(self, request, body));
        HttpCode(200)(bound.prototype, name, Object.getOwnPropertyDescriptor(bound.prototype, name));
        takeBody(bound, name, bodies.update, pipe);
    }
}
// A function of its own for each class and route: Nest keeps the metadata of a route on its function (stack.md, trap 8).
function method(bound, name, verb, run) {
    const value = function (request, body) {
        return run(this, request, body);
    };
    const descriptor = { value, writable: true, configurable: true };
    Object.defineProperty(bound.prototype, name, descriptor);
    verb(bound.prototype, name, descriptor);
    Req()(bound.prototype, name, 0);
}
function takeBody(bound, name, type, pipe) {
    Sent(pipe)(bound.prototype, name, 1);
    Reflect.defineMetadata('design:paramtypes', [Object, type], bound.prototype, name);
}
