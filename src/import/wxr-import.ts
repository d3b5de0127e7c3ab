// Imports a WordPress export: pass 1 reads the file to its end and writes nothing, pass 2 writes in bounded transactions,
// a third step completes references. Running it again finishes what was interrupted and changes nothing else. Called by the command line.
import { stat } from 'node:fs/promises';
import type { ContentWriter } from '../engine/content-writer.js';
import { fetchFile as fetchOverHttp, type FetchFile } from './fetch-file.js';
import { importFiles, type WantedFile } from './import-files.js';
import { ItemStep, type ItemUnit } from './import-items.js';
import { ImportSession } from './import-session.js';
import type { ImportSummary } from './import-summary.js';
import { importTerms } from './import-terms.js';
import type { Outcome } from './import-unit.js';
import { importUsers } from './import-users.js';
import { linkItems, type WaitingItem } from './link-items.js';
import { UnitWriter } from './unit-writer.js';
import { takeInventory } from './wxr-inventory.js';
import { readWxr } from './wxr-reader.js';

/** How an import runs. */
export interface WxrImportOptions {
  /** Says what would be done and writes nothing. */
  dryRun?: boolean;
  /** Fetches the files of attachments too. */
  files?: boolean;
  /** Told how many of `total` bytes are done; the file is read twice. */
  onProgress?(done: number, total: number): void;
  fetchFile?: FetchFile;
  /** Largest file that is fetched, in bytes; default 64 MiB. */
  fileLimit?: number;
}

/** Imports `file`. Throws ImportProblem, before anything is written, when it is broken or no export. */
export async function importWxr(
  file: string,
  writer: ContentWriter,
  options: WxrImportOptions = {},
): Promise<ImportSummary> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  const progress = (before: number) => (read: number) => options.onProgress?.(before + read, 2 * size);
  const inventory = await takeInventory(readWxr(file, { onBytes: progress(0) }));
  const session = new ImportSession(writer, inventory, options.dryRun ?? false);
  const waiting: WaitingItem[] = [];
  const files: WantedFile[] = [];
  const units = new UnitWriter(writer, session.ledger, session.summary, (outcome) => follow(outcome, waiting, files));
  await importUsers(session, units);
  await importTerms(session, units);
  const items = new ItemStep(session, units);
  for await (const event of readWxr(file, { onBytes: progress(size) }))
    if (event.type === 'item') await items.add(event);
  await units.flush();
  if (session.dryRun) return session.summary;
  await linkItems(session, waiting);
  if (options.files)
    await importFiles(session, files, options.fetchFile ?? fetchOverHttp, options.fileLimit ?? 64 * 1024 * 1024);
  return session.summary;
}

/** Notes what is left to do for an item. */
function follow({ unit, id, waits }: Outcome, waiting: WaitingItem[], files: WantedFile[]): void {
  const { links, address, model, key, line, hash } = unit as ItemUnit;
  if (!links || id === undefined) return;
  if (waits) waiting.push({ id, hash, links });
  if (address) files.push({ model, id, key, line, address });
}
