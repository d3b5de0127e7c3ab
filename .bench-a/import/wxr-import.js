// Imports a WordPress export: pass 1 reads the file to its end and writes nothing, pass 2 writes in bounded transactions,
// a third step completes references. Running it again finishes what was interrupted and changes nothing else. Called by the command line.
import { stat } from 'node:fs/promises';
import { fetchFile as fetchOverHttp } from './fetch-file.js';
import { importFiles } from './import-files.js';
import { ItemStep } from './import-items.js';
import { ImportSession } from './import-session.js';
import { importTerms } from './import-terms.js';
import { importUsers } from './import-users.js';
import { linkItems } from './link-items.js';
import { UnitWriter } from './unit-writer.js';
import { takeInventory } from './wxr-inventory.js';
import { readWxr } from './wxr-reader.js';
/** Imports `file`. Throws ImportProblem, before anything is written, when it is broken or no export. */
export async function importWxr(file, writer, options = {}) {
    const size = await stat(file).then((found) => found.size, () => 0);
    const progress = (before) => (read) => options.onProgress?.(before + read, 2 * size);
    const inventory = await takeInventory(readWxr(file, { onBytes: progress(0) }));
    const session = new ImportSession(writer, inventory, options.dryRun ?? false);
    const waiting = [];
    const files = [];
    const units = new UnitWriter(writer, session.ledger, session.summary, (outcome) => follow(outcome, waiting, files));
    await importUsers(session, units);
    await importTerms(session, units);
    const items = new ItemStep(session, units);
    for await (const event of readWxr(file, { onBytes: progress(size) }))
        if (event.type === 'item')
            await items.add(event);
    await units.flush();
    if (session.dryRun)
        return session.summary;
    await linkItems(session, waiting);
    if (options.files)
        await importFiles(session, files, options.fetchFile ?? fetchOverHttp, options.fileLimit ?? 64 * 1024 * 1024);
    return session.summary;
}
/** Notes what is left to do for an item. */
function follow({ unit, id, waits }, waiting, files) {
    const { links, address, model, key, line, hash } = unit;
    if (!links || id === undefined)
        return;
    if (waits)
        waiting.push({ id, hash, links });
    if (address)
        files.push({ model, id, key, line, address });
}
//# sourceMappingURL=wxr-import.js.map