// The only error this room throws on purpose: an upload, or the storing of one, that cannot go on.
// The caller turns `code` into the status and message of the error catalogue.
/**
 * An upload that failed. `fault` tells the two readings of `rest_upload_sideload_error` and
 * `rest_upload_unknown_error` apart: 400 for the client's faults, 500 for ours (decision 13.15).
 * For a fault of the disk, `cause` is the system error with its `code`: ENOSPC, EROFS, EMFILE …
 */
export class UploadProblem extends Error {
    code;
    fault;
    constructor(code, message, details = {}) {
        super(message, { cause: details.cause });
        this.name = 'UploadProblem';
        this.code = code;
        this.fault = details.fault ?? 'client';
    }
}
/** Wraps a failure of the disk as `rest_upload_file_error`, a server fault; an UploadProblem passes unchanged. */
export function diskProblem(cause) {
    if (cause instanceof UploadProblem)
        return cause;
    return new UploadProblem('rest_upload_file_error', 'The server could not store the file; try again later.', {
        fault: 'server',
        cause,
    });
}
