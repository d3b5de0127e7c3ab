// The exception filter of bound controllers: adds the Allow header to errors on a known route, then delegates to the
// global filter.
import type { ArgumentsHost } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import { ResourceError } from '../../errors/resource-error.js';
import { UploadProblem } from '../../files/upload-problem.js';
import type { AllowedMethods } from './allowed-methods.js';
import type { ApiAdapter } from '../transport/api-adapter.js';
import { requestInput, type RoutedRequest } from './request-input.js';
import { toErrorResponse } from '../response/error-response.js';
import { contextOf } from '../request/request-context.js';
import type { ResourceRoute, RouteKind } from './resource-route.js';
import { uploadError } from './upload-error.js';
import type { ApiResponse } from '../response/write-response.js';

/** Writes the errors of one resource. */
@Catch()
export class RouteErrorFilter {
  private readonly route: ResourceRoute;
  private readonly adapter: ApiAdapter;
  private readonly allowance: AllowedMethods;

  constructor(route: ResourceRoute, adapter: ApiAdapter, allowance: AllowedMethods) {
    this.route = route;
    this.adapter = adapter;
    this.allowance = allowance;
  }

  /** Handles everything thrown on a route of the resource, including by its pipe. */
  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<RoutedRequest>();
    const response = http.getResponse<ApiResponse>();
    const error = thrown instanceof UploadProblem ? uploadError(thrown) : thrown;
    if (error instanceof ResourceError && concernsRoute(error)) await this.addAllow(error, request);
    const answer = toErrorResponse(error, contextOf(request), this.adapter.transport.log);
    if (response.headersSent) response.destroy();
    else this.adapter.reply(response, answer, answer.status);
  }

  private async addAllow(error: ResourceError, request: RoutedRequest): Promise<void> {
    const all = await this.allowance.of(this.route, this.kindOf(request), requestInput(request));
    const allow = error.denied ? all.filter((method) => !together(method, contextOf(request).method)) : all;
    if (allow.length > 0) error.headers['Allow'] = allow.join(', ');
  }

  private kindOf(request: RoutedRequest): RouteKind {
    return request.params && this.route.keyParam in request.params ? 'item' : 'collection';
  }
}

// POST, PUT and PATCH are one operation on an item; HEAD is GET.
const EQUIVALENT_METHODS = [
  ['POST', 'PUT', 'PATCH'],
  ['GET', 'HEAD'],
];

function together(method: string, refused: string): boolean {
  return method === refused || EQUIVALENT_METHODS.some((group) => group.includes(method) && group.includes(refused));
}

// An unknown route has no methods, and a failing service is not queried again.
function concernsRoute(error: ResourceError): boolean {
  return error.code !== 'rest_no_route' && (error.status === 'auth' || error.status < 500 || error.status === 501);
}
