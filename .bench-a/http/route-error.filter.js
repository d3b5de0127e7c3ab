var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Catch } from '@nestjs/common';
import { ResourceError } from '../errors/resource-error.js';
import { UploadProblem } from '../files/upload-problem.js';
import { askedOf } from './asked.js';
import { toErrorAnswer } from './error-answer.js';
import { contextOf } from './request-context.js';
import { uploadRefusal } from './upload-refusal.js';
/** Writes the errors of one resource. */
let RouteErrorFilter = class RouteErrorFilter {
    route;
    adapter;
    allowance;
    constructor(route, adapter, allowance) {
        this.route = route;
        this.adapter = adapter;
        this.allowance = allowance;
    }
    /** Called by Nest with everything thrown on a route of the resource, by its pipe too. */
    async catch(thrown, host) {
        const http = host.switchToHttp();
        const request = http.getRequest();
        const response = http.getResponse();
        const error = thrown instanceof UploadProblem ? uploadRefusal(thrown) : thrown;
        if (error instanceof ResourceError && concernsRoute(error))
            await this.addAllow(error, request);
        const answer = toErrorAnswer(error, contextOf(request), this.adapter.transport.log);
        if (response.headersSent)
            response.destroy();
        else
            this.adapter.reply(response, answer, answer.status);
    }
    async addAllow(error, request) {
        const allow = await this.allowance.of(this.route, this.kindOf(request), askedOf(request));
        if (allow.length > 0)
            error.headers['Allow'] = allow.join(', ');
    }
    kindOf(request) {
        return request.params && this.route.keyParam in request.params ? 'item' : 'collection';
    }
};
RouteErrorFilter = __decorate([
    Catch(),
    __metadata("design:paramtypes", [Object, Function, Function])
], RouteErrorFilter);
export { RouteErrorFilter };
// A path that is no route has no methods, and a service in trouble is not asked again.
function concernsRoute(error) {
    return error.code !== 'rest_no_route' && (error.status === 'auth' || error.status < 500);
}
