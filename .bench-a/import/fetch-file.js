// Fetches one file over http or https, up to a limit. The default fetcher of imports with files.
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
const TIMEOUT = 120_000;
const MAX_REDIRECTS = 5;
export const fetchFile = async (url, path, limit) => {
    const signal = AbortSignal.timeout(TIMEOUT);
    const answer = await follow(url, signal);
    const size = Number(answer.headers.get('content-length') ?? 0);
    if (size > limit) {
        await answer.body?.cancel();
        throw tooBig(limit);
    }
    if (!answer.body)
        throw new Error('the answer has no body');
    await pipeline(Readable.fromWeb(answer.body), limited(limit), createWriteStream(path), { signal });
};
/** Follows redirects by hand: each address must be http or https, and carry no credentials. */
async function follow(url, signal) {
    let at = url;
    for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
        const answer = await fetch(checked(at), { signal, redirect: 'manual' });
        const next = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
        if (!next) {
            if (answer.ok)
                return answer;
            await answer.body?.cancel();
            throw new Error(`the server answered ${answer.status}`);
        }
        await answer.body?.cancel();
        at = new URL(next, at).href;
    }
    throw new Error('too many redirects');
}
function checked(url) {
    if (!URL.canParse(url))
        throw new Error('the address cannot be read');
    const parsed = new URL(url);
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
        throw new Error('only http and https addresses are fetched');
    if (parsed.username || parsed.password)
        throw new Error('addresses with credentials are not fetched');
    return parsed;
}
function limited(limit) {
    let seen = 0;
    return new Transform({
        transform(chunk, _encoding, done) {
            seen += chunk.length;
            if (seen > limit)
                done(tooBig(limit));
            else
                done(null, chunk);
        },
    });
}
function tooBig(limit) {
    return new Error(`the file is larger than ${limit} bytes`);
}
//# sourceMappingURL=fetch-file.js.map