// The filter of bound controllers: a refusal on a known route says which methods remain (decisions 4.3). Otherwise the global one.
import type { ArgumentsHost } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import { ResourceError } from '../errors/resource-error.js';
import { UploadProblem } from '../files/upload-problem.js';
import type { Allowance } from './allowance.js';
import type { ApiAdapter } from './api-adapter.js';
import { askedOf, type RoutedRequest } from './asked.js';
import { toErrorAnswer } from './error-answer.js';
import { contextOf } from './request-context.js';
import type { ResourceRoute, RouteKind } from './resource-route.js';
import { uploadRefusal } from './upload-refusal.js';
import type { ApiResponse } from './write-answer.js';

/** Writes the errors of one resource. */
@Catch()
export class RouteErrorFilter {
  private readonly route: ResourceRoute;
  private readonly adapter: ApiAdapter;
  private readonly allowance: Allowance;

  constructor(route: ResourceRoute, adapter: ApiAdapter, allowance: Allowance) {
    this.route = route;
    this.adapter = adapter;
    this.allowance = allowance;
  }

  /** Called by Nest with everything thrown on a route of the resource, by its pipe too. */
  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<RoutedRequest>();
    const response = http.getResponse<ApiResponse>();
    const error = thrown instanceof UploadProblem ? uploadRefusal(thrown) : thrown;
    if (error instanceof ResourceError && concernsRoute(error)) await this.addAllow(error, request);
    const answer = toErrorAnswer(error, contextOf(request), this.adapter.transport.log);
    if (response.headersSent) response.destroy();
    else this.adapter.reply(response, answer, answer.status);
  }

  private async addAllow(error: ResourceError, request: RoutedRequest): Promise<void> {
    const all = await this.allowance.of(this.route, this.kindOf(request), askedOf(request));
    const allow = error.denied ? all.filter((method) => !together(method, contextOf(request).method)) : all;
    if (allow.length > 0) error.headers['Allow'] = allow.join(', ');
  }

  private kindOf(request: RoutedRequest): RouteKind {
    return request.params && this.route.keyParam in request.params ? 'item' : 'collection';
  }
}

// POST, PUT and PATCH are one operation on an item; HEAD is GET.
const SAME = [
  ['POST', 'PUT', 'PATCH'],
  ['GET', 'HEAD'],
];

function together(method: string, refused: string): boolean {
  return method === refused || SAME.some((group) => group.includes(method) && group.includes(refused));
}

// A path that is no route has no methods, and a service in trouble is not asked again.
function concernsRoute(error: ResourceError): boolean {
  return error.code !== 'rest_no_route' && (error.status === 'auth' || error.status < 500 || error.status === 501);
}
