// The only error that file handling throws on purpose: a failed upload or a failed write to the storage.
// The caller translates `code` into the status and message of the error catalogue.

/** The codes in use; each is in the error catalogue. */
export type UploadProblemCode =
  | 'rest_upload_no_data'
  | 'rest_upload_hash_mismatch'
  | 'rest_upload_file_error'
  | 'rest_upload_sideload_error'
  | 'rest_upload_unknown_error'
  | 'rest_upload_file_too_big'
  | 'rest_request_too_large'
  | 'rest_invalid_param'
  | 'rest_unavailable';

/** Details of an {@link UploadProblem}: who caused it (default `client`) and the underlying error. */
export interface UploadProblemDetails {
  fault?: 'client' | 'server';
  cause?: unknown;
}

/**
 * An upload that failed. `fault` distinguishes the two statuses of `rest_upload_sideload_error` and
 * `rest_upload_unknown_error`: 400 for errors of the client, 500 for errors of the server.
 * For a disk error, `cause` is the system error with its `code`: ENOSPC, EROFS, EMFILE …
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

/** Wraps a disk error as `rest_upload_file_error`, a server error; an UploadProblem is returned unchanged. */
export function diskProblem(cause: unknown): UploadProblem {
  if (cause instanceof UploadProblem) return cause;
  return new UploadProblem('rest_upload_file_error', 'The server could not store the file; try again later.', {
    fault: 'server',
    cause,
  });
}
