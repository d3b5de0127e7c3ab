// What controllers of extensions get of a request: its caller and its body.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { contextOf, type ApiRequest } from '../../http/request/request-context.js';
import { ANONYMOUS, type Actor } from '../../model/actor.js';

/** Parameter decorator: the caller of a request, as an `Actor`; its `id` is 0 without credentials. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  return contextOf(context.switchToHttp().getRequest<ApiRequest>()).actor ?? ANONYMOUS;
});

/** Middleware that gives `@Body()` the body that the transport has read. */
export function shareBody(request: ApiRequest & { body?: unknown }, _response: unknown, next: () => void): void {
  request.body = contextOf(request).body;
  next();
}
