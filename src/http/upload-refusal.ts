// A failed upload as the error a client sees (decisions 13.14, 13.15). Called by the filter of bound controllers.
import { ResourceError } from '../errors/resource-error.js';
import type { UploadProblem } from '../files/upload-problem.js';
import { badParameters } from './refusals.js';

// Codes whose status is the client's fault or ours, as the problem says; the others have one status.
const OF_EITHER = new Set(['rest_upload_sideload_error', 'rest_upload_unknown_error']);

const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const CLOSED = ['EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'];

/** The refusal for a problem of the files room. */
export function uploadRefusal(problem: UploadProblem): ResourceError {
  if (problem.code === 'rest_invalid_param') return badParameters(problem.message);
  const status = statusOf(problem);
  const error = new ResourceError(problem.code, { message: problem.message, ...(status && { status }) });
  error.cause = problem.cause;
  return error;
}

/** A disk that is full or takes no writes has statuses of its own, whatever the code. */
function statusOf({ code, fault, cause }: UploadProblem): number | undefined {
  const system = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (fault === 'server' && NO_ROOM.includes(system)) return 507;
  if (fault === 'server' && CLOSED.includes(system)) return 503;
  return OF_EITHER.has(code) ? (fault === 'server' ? 500 : 400) : undefined;
}
