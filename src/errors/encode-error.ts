// The error for values that JSON has no form for: a BigInt, an object within itself.
import { ResourceError } from './resource-error.js';

/** What `cause`, thrown while JSON was written, becomes; an error with a code of its own stays. */
export function encodeError(cause: unknown): ResourceError {
  if (cause instanceof ResourceError) return cause;
  const error = new ResourceError('rest_encode_error', {
    status: 500,
    message: 'The response cannot be written as JSON.',
  });
  error.cause = cause;
  return error;
}
