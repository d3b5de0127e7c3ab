// A failed upload as the error a client sees (decisions 13.14, 13.15). Called by the filter of bound controllers.
import { ResourceError } from '../errors/resource-error.js';
import { badParameters } from './refusals.js';
// Codes whose status is the client's fault or ours, as the problem says; the others have one status.
const OF_EITHER = new Set(['rest_upload_sideload_error', 'rest_upload_unknown_error']);
/** The refusal for a problem of the files room. */
export function uploadRefusal(problem) {
    if (problem.code === 'rest_invalid_param')
        return badParameters(problem.message);
    const status = OF_EITHER.has(problem.code) ? { status: problem.fault === 'server' ? 500 : 400 } : {};
    const error = new ResourceError(problem.code, { message: problem.message, ...status });
    error.cause = problem.cause;
    return error;
}
