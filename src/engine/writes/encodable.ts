// Whether the response to a write can be sent: checked before the commit, because afterwards it could only be a 500 for a
// stored write.
import { encodeError } from '../../errors/encode-error.js';
import type { Operation, Result } from '../../model/operation.js';
import { NO_ADDITIONS } from '../../model/registered.js';

/**
 * Called before the transaction ends. Only code of extensions makes values that JSON has no form for.
 * @throws ResourceError 500
 */
export function requireEncodable({ model }: Operation, { body }: Result): void {
  if ((model.site.additions ?? NO_ADDITIONS) === NO_ADDITIONS) return;
  try {
    JSON.stringify(body);
  } catch (cause) {
    throw encodeError(cause);
  }
}
