// Access of extension controllers to the caller and the body of a request.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { contextOf, type ApiRequest } from '../../http/request/request-context.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';

/** Parameter decorator: the caller of a request, as an `Actor`; its `id` is 0 without credentials. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  return contextOf(context.switchToHttp().getRequest<ApiRequest>()).actor ?? ANONYMOUS;
});

/** Properties of a request under the names that Nest uses. */
type SharedRequest = ApiRequest & { body?: unknown; rawBody?: Buffer };

/** Middleware that gives `@Body()` the body that the transport has read, and `rawBody` its bytes. */
export function shareBody(request: SharedRequest, _response: unknown, next: () => void): void {
  const { body, rawBody } = contextOf(request);
  request.body = body;
  if (rawBody) request.rawBody = rawBody;
  next();
}
