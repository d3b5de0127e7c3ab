// Files that appear whole or not at all and never replace another one, by means every file system offers.
// Called by local-store.ts. Errors are the system's own; the store wraps them.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
const NO_HARD_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];
/**
 * Copies `source` to `target` under a temporary name in the same folder, flushes it to the disk, then publishes it.
 * Rejects with EEXIST when `target` is there. Ends the claim on the name.
 */
export async function writeOnce(source, target) {
    const draft = join(dirname(target), `.${randomUUID()}.part`);
    try {
        await copyFile(source, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await settle(draft);
        await publish(draft, target);
        await syncDirectory(dirname(target));
        await rm(reservation(target), { force: true });
    }
    finally {
        await rm(draft, { force: true }).catch(() => undefined);
    }
}
/** Claims the name of `target` against every other process; false when it is claimed or stored already. */
export async function claim(target) {
    try {
        await (await open(reservation(target), 'wx')).close();
    }
    catch (error) {
        if (hasCode(error, 'EEXIST'))
            return false;
        throw error;
    }
    // looked for after the claim: whoever published the file meanwhile gave up its own claim only afterwards
    if (!(await isThere(target)))
        return true;
    await rm(reservation(target), { force: true });
    return false;
}
/** Removes the file and any claim on its name. */
export async function erase(target) {
    // the file goes last: while it stands nobody can claim the name, so the claim removed is never a stranger's
    await rm(reservation(target), { force: true });
    await rm(target, { force: true });
}
/** Whether anything stands at `path`. */
export async function isThere(path) {
    return access(path).then(() => true, () => false);
}
function reservation(target) {
    return join(dirname(target), `.${basename(target).toLowerCase()}.reserved`);
}
// the copy took over the mode of a private temporary file; a web server in front must be able to read it
async function settle(path) {
    await chmod(path, 0o644);
    const handle = await open(path, 'r+');
    try {
        await handle.sync();
    }
    finally {
        await handle.close();
    }
}
async function publish(draft, target) {
    try {
        await link(draft, target);
    }
    catch (error) {
        if (!hasCode(error, ...NO_HARD_LINKS))
            throw error;
        // some mounts know no hard links: an empty file takes the name exclusively, then the whole one replaces it
        await (await open(target, 'wx')).close();
        await rename(draft, target).catch(async (fault) => {
            await rm(target, { force: true });
            throw fault;
        });
    }
}
// without it a power failure may forget the name although the row was committed; not every platform can do it
async function syncDirectory(path) {
    const handle = await open(path, 'r').catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
}
function hasCode(error, ...codes) {
    return codes.includes(error.code ?? '');
}
