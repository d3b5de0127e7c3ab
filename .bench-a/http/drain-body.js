import { hasBody } from './media-type.js';
/** Whether part of the body is still on its way. */
export function isIncomplete(request) {
    return !request.complete && !request.destroyed && hasBody(request);
}
/** Resolves once the body has ended, the bytes or the time are used up, or the client has left. Never rejects. */
export function drainBody(request, bytes, ms) {
    if (request.complete || request.destroyed)
        return Promise.resolve();
    return new Promise((resolve) => {
        let left = bytes;
        const stop = () => {
            clearTimeout(timer);
            request.off('data', count).off('end', stop).off('error', stop).off('close', stop);
            resolve();
        };
        const count = (chunk) => {
            left -= chunk.length;
            if (left < 0)
                stop();
        };
        const timer = setTimeout(stop, ms).unref();
        request.on('data', count).on('end', stop).on('error', stop).on('close', stop).resume();
    });
}
