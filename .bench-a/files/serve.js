import send from 'send';
import { allowedType } from './media-types.js';
const ONE_YEAR = 365 * 24 * 60 * 60 * 1000;
const SHOWN_IN_PLACE = /^(image|audio|video)\/|^application\/pdf$|^text\/plain$/;
/**
 * Answers GET and HEAD from `directory`, with ranges and 304; other methods go to `next`. The type comes from the
 * table of uploads and never from content; whatever is not picture, sound, film, PDF or plain text is a download.
 * A miss (also a folder, a dot file, a path that tries to leave) is 404 `rest_no_route` as JSON; a failing disk
 * goes to `next`.
 */
export function serveUploads(directory) {
    return (request, response, next) => {
        if (request.method !== 'GET' && request.method !== 'HEAD')
            return next();
        const [path = '/'] = (request.url ?? '/').split('?', 1);
        send(request, path, { root: directory, index: false, dotfiles: 'ignore', maxAge: ONE_YEAR, immutable: true })
            .on('headers', (_response, file) => describe(response, file))
            .on('directory', () => miss(request, response))
            .on('error', (error) => {
            if (error.status === 412 || error.status === 416)
                refuse(response, error.status);
            else if (error.status < 500)
                miss(request, response);
            else
                next(error);
        })
            .pipe(response);
    };
}
function describe(response, file) {
    const mime = allowedType(file, true)?.mime ?? 'application/octet-stream';
    response.setHeader('Content-Type', mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
    // a front end on another origin shows these pictures; helmet's default would forbid it
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (!SHOWN_IN_PLACE.test(mime))
        response.setHeader('Content-Disposition', 'attachment');
}
function miss(request, response) {
    const body = JSON.stringify({
        code: 'rest_no_route',
        message: 'There is no file at this address.',
        data: { status: 404 },
    });
    response.statusCode = 404;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    response.end(request.method === 'HEAD' ? undefined : body);
}
// a precondition or a range that does not fit: the status says it all, and the file's own headers must not stay
function refuse(response, status) {
    for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'Last-Modified', 'ETag']) {
        response.removeHeader(name);
    }
    response.statusCode = status;
    response.setHeader('Content-Length', 0);
    response.end();
}
