// The caller of a request whose body took long to arrive. A client decides how long that takes, and must not keep rights
// that its account has lost meanwhile.
import { contextOf, type ApiRequest } from './request-context.js';

/** Milliseconds since the beginning of a request after which its caller is identified again. */
const LONG = 1_000;

/** To be called once the body is there. Rejects when the credentials are no longer valid. */
export async function identifyLate(request: ApiRequest): Promise<void> {
  const context = contextOf(request);
  if (!context.identify || performance.now() - context.startedAt < LONG) return;
  context.actor = await context.identify();
}
