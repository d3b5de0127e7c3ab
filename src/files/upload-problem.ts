// The only error this room throws on purpose: an upload, or the storing of one, that cannot go on.
// The caller turns `code` into the status and message of the error catalogue.

/** The codes this room uses; each is a row of the error catalogue (decisions 13.14, 13.15, 13.31, 21.2, 21.7). */
export type UploadProblemCode =
  | 'rest_upload_no_data'
  | 'rest_upload_hash_mismatch'
  | 'rest_upload_file_error'
  | 'rest_upload_sideload_error'
  | 'rest_upload_unknown_error'
  | 'rest_upload_file_too_big'
  | 'rest_request_too_large'
  | 'rest_invalid_param';

/** Details of an {@link UploadProblem}: whose fault it is (default `client`) and what lay beneath it. */
export interface UploadProblemDetails {
  fault?: 'client' | 'server';
  cause?: unknown;
}

/**
 * An upload that failed. `fault` tells the two readings of `rest_upload_sideload_error` and
 * `rest_upload_unknown_error` apart: 400 for the client's faults, 500 for ours (decision 13.15).
 * For a fault of the disk, `cause` is the system error with its `code`: ENOSPC, EROFS, EMFILE …
 */
export class UploadProblem extends Error {
  readonly code: UploadProblemCode;
  readonly fault: 'client' | 'server';

  constructor(code: UploadProblemCode, message: string, details: UploadProblemDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'UploadProblem';
    this.code = code;
    this.fault = details.fault ?? 'client';
  }
}

/** Wraps a failure of the disk as `rest_upload_file_error`, a server fault; an UploadProblem passes unchanged. */
export function diskProblem(cause: unknown): UploadProblem {
  if (cause instanceof UploadProblem) return cause;
  return new UploadProblem('rest_upload_file_error', 'The server could not store the file; try again later.', {
    fault: 'server',
    cause,
  });
}
