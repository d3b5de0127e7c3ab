// The site's secret: given as TOKEN_SECRET, or made once and kept beside the data. Every other key is derived from it.
// Losing it ends all tokens and application passwords, so it belongs into backups.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../errors/problem.js';
const BYTES = 32;
const WRITTEN = /^[0-9a-f]{64}\n$/;
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];
const SHORTEST = 16;
/** A secret nobody sees, not even a log: only keys derived from it leave. */
export class Secret {
    #material;
    #keys = new Map();
    constructor(material) {
        this.#material = Buffer.from(material);
    }
    /** 256 bits for one purpose; knowing one key tells nothing about another. */
    key(purpose) {
        let key = this.#keys.get(purpose);
        if (!key) {
            key = Buffer.from(hkdfSync('sha256', this.#material, 'typecase', purpose, BYTES));
            this.#keys.set(purpose, key);
        }
        return key;
    }
    /** Keyed fingerprint of a text, 43 characters. */
    fingerprint(purpose, text) {
        return createHmac('sha256', this.key(purpose)).update(text).digest('base64url');
    }
}
/** The secret that was given, else that of `file`, which is made when missing. Processes that start at once agree. */
export async function loadSecret(given, file) {
    if (given !== undefined) {
        if (given.length >= SHORTEST)
            return new Secret(given);
        throw new BootError([
            { file: 'environment', path: 'TOKEN_SECRET', message: `must have at least ${SHORTEST} characters` },
        ]);
    }
    return (await readSecret(file)) ?? (await makeSecret(file));
}
async function makeSecret(file) {
    await mkdir(dirname(file), { recursive: true });
    const draft = join(dirname(file), `.${randomBytes(8).toString('hex')}.secret`);
    const text = `${randomBytes(BYTES).toString('hex')}\n`;
    try {
        await write(draft, text);
        await link(draft, file);
    }
    catch (error) {
        if (hasCode(error, ...NO_HARD_LINKS))
            await write(file, text).catch(unlessThere);
        else
            unlessThere(error);
    }
    finally {
        await rm(draft, { force: true });
    }
    return (await readSecret(file));
}
async function write(path, text) {
    let handle;
    try {
        handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
        await handle.writeFile(text);
        await handle.sync();
    }
    finally {
        await handle?.close();
    }
}
// Another process may be about to write it where there are no hard links.
async function readSecret(file) {
    for (let tries = 0; tries < 20; tries++) {
        const text = await readFile(file, 'utf8').catch((error) => {
            if (hasCode(error, 'ENOENT'))
                return undefined;
            throw new BootError([{ file, message: 'the secret cannot be read', hint: 'Check the rights of the file.' }]);
        });
        if (text === undefined)
            return undefined;
        if (WRITTEN.test(text))
            return new Secret(Buffer.from(text.trim(), 'hex'));
        await sleep(50);
    }
    const hint = 'Restore it from a backup, or delete it: all tokens and application passwords end then.';
    throw new BootError([{ file, message: 'the file does not hold a secret of 64 hexadecimal digits', hint }]);
}
function unlessThere(error) {
    if (!hasCode(error, 'EEXIST'))
        throw error;
}
function hasCode(error, ...codes) {
    return codes.includes(error.code ?? '');
}
