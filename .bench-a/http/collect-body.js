import { badRequest, requestTimeout, tooLarge } from './refusals.js';
/** All bytes of a body; rejects when they are too many, too slow or cut off. What is left unread is the answer's business. */
export function collectBody(request, limit, timeout) {
    return new Promise((resolve, reject) => {
        const chunks = [];
        let size = 0;
        const settle = () => {
            clearTimeout(timer);
            request.off('data', take).off('end', end).off('error', cut).off('close', cut);
        };
        const fail = (error) => {
            settle();
            request.pause();
            reject(error);
        };
        const take = (chunk) => {
            size += chunk.length;
            if (size > limit)
                fail(tooLarge(limit));
            else
                chunks.push(chunk);
        };
        const end = () => {
            settle();
            resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
        };
        const cut = () => fail(badRequest('The body ended before all of it was sent.'));
        const timer = setTimeout(() => fail(requestTimeout()), timeout).unref();
        request.on('data', take).on('end', end).on('error', cut).on('close', cut);
    });
}
