// The text of an export file, in pieces: unpacked when gzipped, checked to be UTF-8. Read by the WXR reader.
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ImportProblem } from './import-problem.js';
const WHY = {
    ENOENT: 'there is no such file',
    EISDIR: 'this is a folder',
    EACCES: 'the file may not be read',
};
/** Pieces of the file's text. Throws ImportProblem; `line` tells how far the caller has got. */
export async function* textOf(file, line, onBytes) {
    const raw = createReadStream(file, { highWaterMark: 128 * 1024 });
    const bytes = await unpacked(raw, onBytes);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let first = true;
    try {
        for await (const chunk of bytes) {
            if (first)
                checkEncoding(chunk);
            first = false;
            yield decode(decoder, chunk, line());
        }
        const rest = decode(decoder, undefined, line());
        if (rest)
            yield rest;
    }
    catch (error) {
        throw problemOf(error, line());
    }
    finally {
        raw.destroy();
    }
}
async function unpacked(raw, onBytes) {
    const counted = counting(raw, onBytes);
    let head;
    try {
        head = await counted.next();
    }
    catch (error) {
        throw problemOf(error, 0);
    }
    const whole = async function* () {
        if (!head.done)
            yield head.value;
        yield* counted;
    };
    if (head.done || head.value[0] !== 0x1f || head.value[1] !== 0x8b)
        return whole();
    return unzip(whole());
}
async function* unzip(packed) {
    const gunzip = createGunzip();
    const feeding = (async () => {
        for await (const chunk of packed) {
            if (gunzip.destroyed)
                return;
            if (!gunzip.write(chunk))
                await new Promise((resolve) => gunzip.once('drain', resolve).once('close', resolve));
        }
        gunzip.end();
    })();
    // A failed read ends the unpacking too; without this it would wait for ever.
    feeding.catch((error) => gunzip.destroy(error));
    yield* gunzip;
    await feeding;
}
async function* counting(raw, onBytes) {
    let read = 0;
    for await (const chunk of raw) {
        read += chunk.length;
        onBytes?.(read);
        yield chunk;
    }
}
/** Refuses other encodings by their byte order mark or by what the file says of itself. */
function checkEncoding(chunk) {
    const [a, b] = chunk;
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0) {
        throw new ImportProblem(1, 'the file is UTF-16 or UTF-32 text; save it as UTF-8');
    }
    const declared = /^[^<]*<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(chunk.toString('latin1', 0, 1024))?.[1];
    if (declared !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(declared)) {
        throw new ImportProblem(1, `the file says its encoding is ${declared.slice(0, 40)}; save it as UTF-8`);
    }
}
function decode(decoder, chunk, line) {
    try {
        return decoder.decode(chunk, { stream: chunk !== undefined });
    }
    catch {
        const readable = chunk ? new TextDecoder().decode(chunk) : '';
        const before = readable.slice(0, Math.max(0, readable.indexOf('\uFFFD')));
        throw new ImportProblem(line + before.split('\n').length - 1, 'the file has bytes that are not UTF-8');
    }
}
function problemOf(error, line) {
    if (error instanceof ImportProblem)
        return error;
    const { code, message } = error;
    if (code?.startsWith('Z_'))
        return new ImportProblem(line, `the gzip data is damaged or cut off (${message})`);
    return code ? new ImportProblem(0, `cannot be read: ${WHY[code] ?? message}`) : error;
}
//# sourceMappingURL=text-source.js.map