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
// The one controller of all resources. bind-controllers.ts makes a subclass per model and gives its methods their routes.
import { Inject } from '@nestjs/common';
import { ResourceService } from '../engine/resource.service.js';
import { askedOf } from './asked.js';
import { Allowance } from './allowance.js';
import { requireRoute } from './item-key.js';
import { OperationFactory } from './operation.factory.js';
import { contextOf } from './request-context.js';
import { resourceAnswer } from './resource-answer.js';
/** Turns requests into operations and results into answers; everything else is the service's. */
let ResourceController = class ResourceController {
    service;
    operations;
    allowance;
    constructor(service, operations, allowance) {
        this.service = service;
        this.operations = operations;
        this.allowance = allowance;
    }
    /** A page of the collection. */
    list(request) {
        return this.run(request, this.operations.read(this.route, 'list', askedOf(request)));
    }
    /** One item. */
    retrieve(request) {
        return this.run(request, this.operations.read(this.route, 'retrieve', askedOf(request)));
    }
    /** A new item. */
    create(request, body) {
        return this.run(request, this.operations.write(this.route, 'create', askedOf(request), body));
    }
    /** A change of an item; what was not sent stays. */
    update(request, body) {
        return this.run(request, this.operations.write(this.route, 'update', askedOf(request), body));
    }
    /** The end of an item, or its way into the trash. */
    delete(request) {
        return this.run(request, this.operations.remove(this.route, askedOf(request)));
    }
    /** What the route offers, to whom (decisions 4.2). */
    async describe(request, kind) {
        const asked = askedOf(request);
        requireRoute(this.route, asked);
        return this.documents.answer(kind, contextOf(request), await this.allowance.of(this.route, kind, asked));
    }
    async run(request, op) {
        try {
            const result = await this.service[op.kind](op);
            const allow = result.allow ?? (await this.allowance.after(op, this.route, askedOf(request)));
            return resourceAnswer(result, op, allow, contextOf(request));
        }
        finally {
            await op.file?.remove();
        }
    }
};
ResourceController = __decorate([
    __param(0, Inject(ResourceService)),
    __param(1, Inject(OperationFactory)),
    __param(2, Inject(Allowance)),
    __metadata("design:paramtypes", [ResourceService,
        OperationFactory,
        Allowance])
], ResourceController);
export { ResourceController };
