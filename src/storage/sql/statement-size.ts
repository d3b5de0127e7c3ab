// Limits the size of a statement before it is sent: a server would close the connection on a larger packet.
import { ResourceError } from '../../errors/resource-error.js';
import type { Bound } from './connection.js';

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
export const MAX_BYTES_PER_UNIT = 3;

/**
 * Throws ResourceError 413 when the values of a statement exceed `maxBytes`; bytes are counted only where the length
 * in characters does not decide.
 */
export function checkSize(params: readonly Bound[], maxBytes: number): void {
  let units = 0;
  for (const value of params) if (typeof value === 'string') units += value.length;
  if (units * MAX_BYTES_PER_UNIT <= maxBytes) return;
  let bytes = 0;
  for (const value of params) if (typeof value === 'string') bytes += Buffer.byteLength(value);
  if (bytes > maxBytes)
    throw new ResourceError('rest_request_too_large', {
      message: `The texts of this request, with what is made of them, come to more than ${maxBytes} bytes, which is all that the database takes at once. Send shorter texts.`,
    });
}
