// The exception filter of bound controllers: adds the Allow header to errors on a known route, then delegates to the
// global filter.
import type { ArgumentsHost } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import { ResourceError } from '../../errors/resource-error.js';
import { UploadProblem } from '../../files/upload-problem.js';
import type { AllowHeader } from './allow-header.js';
import type { ApiAdapter } from '../transport/api-adapter.js';
import { requestInput, type RequestInput, type RoutedRequest } from '../routes/request-input.js';
import { contextOf } from '../request/request-context.js';
import type { ResourceRoute, RouteKind } from '../routes/resource-route.js';
import { uploadError } from './upload-error.js';
import type { ApiResponse } from '../response/write-response.js';

/** Writes the errors of one resource. */
@Catch()
export class RouteErrorFilter {
  private readonly route: ResourceRoute;
  private readonly adapter: ApiAdapter;
  private readonly allowance: AllowHeader;

  constructor(route: ResourceRoute, adapter: ApiAdapter, allowance: AllowHeader) {
    this.route = route;
    this.adapter = adapter;
    this.allowance = allowance;
  }

  /** Handles everything thrown on a route of the resource, including by its pipe. */
  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.respond(thrown, http.getRequest<RoutedRequest>(), http.getResponse<ApiResponse>());
  }

  /** Responds to a request whose handling has thrown. */
  async respond(thrown: unknown, request: RoutedRequest, response: ApiResponse): Promise<void> {
    this.adapter.replyError(request, response, await this.withAllow(thrown, request));
  }

  /** The error, with the methods that are allowed; that of finding them out, if this fails. */
  private async withAllow(thrown: unknown, request: RoutedRequest): Promise<unknown> {
    try {
      const error = thrown instanceof UploadProblem ? uploadError(thrown) : thrown;
      const { method, known, isAction } = contextOf(request);
      const at = { route: this.route, kind: this.kindOf(request), method, known, isAction };
      await addAllow(error, at, requestInput(request), this.allowance);
      return error;
    } catch (failure) {
      return failure;
    }
  }

  private kindOf(request: RoutedRequest): RouteKind {
    return request.params && this.route.keyParam in request.params ? 'item' : 'collection';
  }
}

/** The route and the request that an error belongs to. */
export interface Place {
  route: ResourceRoute;
  kind: RouteKind;
  method: string;
  /** Whether the caller is signed in. */
  known: boolean;
  /** Whether it is the route of an action on the item or collection. */
  isAction?: boolean;
}

/** Statuses of a missing permission; any other error can be corrected with the same method. */
const FORBIDDEN = new Set([401, 403]);

/** Adds the header `Allow` to an error on a known route: without the method, when the caller may not use it. */
export async function addAllow(
  error: unknown,
  { route, kind, method, known, isAction }: Place,
  input: RequestInput,
  allowance: AllowHeader,
): Promise<void> {
  if (!(error instanceof ResourceError) || !concernsRoute(error)) return;
  const found = isAction ? ['POST'] : await allowance.of(route, kind, input);
  // Below a parent that does not exist, rules about the parent cannot hold.
  const all = found.length === 0 && error.status === 404 ? allowance.ever(route, kind, input) : found;
  const forbidden = error.denied && FORBIDDEN.has(error.statusFor(known));
  const allow = forbidden ? all.filter((each) => !areEquivalent(each, method)) : all;
  if (allow.length > 0) error.headers['Allow'] = allow.join(', ');
}

// POST, PUT and PATCH are one operation on an item; HEAD is GET.
const EQUIVALENT_METHODS = [
  ['POST', 'PUT', 'PATCH'],
  ['GET', 'HEAD'],
];

function areEquivalent(method: string, refused: string): boolean {
  return method === refused || EQUIVALENT_METHODS.some((group) => group.includes(method) && group.includes(refused));
}

// An unknown route has no methods, and a failing service is not queried again.
function concernsRoute(error: ResourceError): boolean {
  return error.code !== 'rest_no_route' && (error.status === 'auth' || error.status < 500 || error.status === 501);
}
