// Maps a failed upload to the error of the response.
import { ResourceError } from '../../errors/resource-error.js';
import type { UploadProblem } from '../../files/upload-problem.js';
import { badParameters, unavailable } from '../http-errors.js';

// Codes whose status (4xx or 5xx) depends on the problem; the others have a fixed status.
const VARIABLE_STATUS = new Set(['rest_upload_sideload_error', 'rest_upload_unknown_error']);

const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const CLOSED = ['EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'];

/** When to try again while too many images are processed. */
const BUSY_SECONDS = 5;

/** The error for a problem reported by src/files. */
export function uploadError(problem: UploadProblem): ResourceError {
  if (problem.code === 'rest_invalid_param') return badParameters(problem.message);
  if (problem.code === 'rest_unavailable') return unavailable(problem.message, BUSY_SECONDS);
  const status = statusOf(problem);
  const error = new ResourceError(problem.code, { message: problem.message, ...(status && { status }) });
  error.cause = problem.cause;
  return error;
}

/** A full or read-only disk has statuses of its own, whatever the code. */
function statusOf({ code, fault, cause }: UploadProblem): number | undefined {
  const { code: system = '', syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  if (fault === 'server' && NO_ROOM.includes(system)) return 507;
  if (fault === 'server' && CLOSED.includes(system)) return 503;
  // The folder that the files are in was moved away, or its disk is not mounted.
  if (fault === 'server' && system === 'ENOENT' && syscall === 'mkdir') return 503;
  return VARIABLE_STATUS.has(code) ? (fault === 'server' ? 500 : 400) : undefined;
}
