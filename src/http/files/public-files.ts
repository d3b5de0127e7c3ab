// Serves public files. All uploads are untrusted: none may run as a page of this origin.
import { isPrivate } from '../../files/file-store.js';
import { missingFile } from '../../files/serve.js';
import { deliverFile, type FileMiddleware, type FileServing, isRead, keyOf, servedError } from './requested-file.js';

/** Serves GET and HEAD; other methods are left to the next handler, and every other path is a missing file. */
export function servePublicFiles(options: FileServing): FileMiddleware {
  return (request, response, next) => {
    if (!isRead(request)) return next();
    const key = keyOf(request);
    if (key === undefined || isPrivate(key)) return missingFile(request, response);
    deliverFile(key, request, response, options).catch((error: unknown) =>
      options.fail(servedError(error), request, response),
    );
  };
}
