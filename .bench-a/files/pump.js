import { UploadProblem } from './upload-problem.js';
/**
 * Resolves when `sink` has finished. Rejects with UploadProblem, the sink destroyed and the rest of the body
 * read to nowhere, when the sink fails (its own UploadProblem, or `rest_upload_no_data` for any other error),
 * when the client goes away, or when more than `limit` bytes arrive (`rest_upload_file_too_big`, decision 13.31).
 */
export function pump(request, sink, limit) {
    return new Promise((resolve, reject) => {
        let received = 0;
        const count = (chunk) => {
            received += chunk.length;
            if (received > limit)
                fail(tooBig(limit));
        };
        const cutShort = (cause) => fail(unreadable('The connection ended before the whole body had arrived.', cause));
        const closed = () => {
            if (!request.readableEnded)
                cutShort();
        };
        const fail = (problem) => {
            stop();
            sink.destroy();
            reject(problem instanceof UploadProblem ? problem : unreadable('The body could not be read.', problem));
        };
        const succeed = () => {
            stop();
            resolve();
        };
        const stop = () => {
            request.off('data', count).off('error', cutShort).off('close', closed).unpipe(sink);
            sink.off('finish', succeed).off('error', fail);
            // an error may still come after the last listener is gone, and would end the process
            sink.on('error', () => undefined);
            request.resume();
        };
        sink.on('finish', succeed).on('error', fail);
        if (request.destroyed || request.readableEnded)
            return cutShort();
        request.on('error', cutShort).on('close', closed).on('data', count).pipe(sink);
    });
}
/**
 * Throws `rest_upload_file_too_big` when the request announces more than `limit` bytes, before one is read.
 * Chunked bodies announce nothing and are counted by `pump`.
 */
export function refuseAnnounced(request, limit) {
    if (Number(request.headers['content-length']) <= limit || !request.headers['content-length'])
        return;
    request.resume();
    throw tooBig(limit);
}
/** A body that is no upload, or not all of one: `rest_upload_no_data` (decision 13.14). */
export function unreadable(message, cause) {
    return new UploadProblem('rest_upload_no_data', message, { cause });
}
function tooBig(limit) {
    return new UploadProblem('rest_upload_file_too_big', `The upload is larger than the limit of ${limit} bytes.`);
}
