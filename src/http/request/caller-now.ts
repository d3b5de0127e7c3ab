// The caller of a request whose body takes long to arrive, or whose response takes long to be read. A client decides
// how long that takes, and must not retain rights that its account has lost in that time.
import { ResourceError } from '../../errors/resource-error.js';
import type { Actor } from '../../model/actor.js';
import { contextOf, type ApiRequest, type RequestContext } from './request-context.js';

/** Milliseconds since the beginning of a request after which its caller is identified again. */
const LONG = 1_000;

/** To be called once the body is there. Rejects when the credentials are no longer valid. */
export async function identifyLate(request: ApiRequest): Promise<void> {
  const context = contextOf(request);
  if (!context.identify || performance.now() - context.startedAt < LONG) return;
  context.actor = await context.identify();
}

/**
 * To be called before each part of a response that is made as fast as the client reads it. Rejects when the credentials are
 * no longer valid, or the rights are others than those that the response began with.
 */
export async function requireSameCaller({ actor, identify }: RequestContext): Promise<void> {
  if (identify && rightsOf(await identify()) !== rightsOf(actor!)) throw new ResourceError('rest_forbidden');
}

function rightsOf({ id, roles, capabilities, scope }: Actor): string {
  return JSON.stringify([id, roles, [...capabilities].sort(), scope]);
}
