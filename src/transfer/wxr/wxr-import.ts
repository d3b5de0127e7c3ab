// Imports a WordPress export: pass 1 reads the whole file and writes nothing, pass 2 writes in transactions of limited
// size, a third step completes references. Repeating an import finishes an interrupted one and changes nothing else.
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { ContentWriter } from '../../engine/content-writer.js';
import type { AllowedHost } from '../../outgoing/public-address.js';
import { type FetchFile, fileFetcher } from './fetch-file.js';
import { importFiles, type WantedFile } from './import-files.js';
import { ItemStep, type ItemUnit } from './import-items.js';
import { ImportSession } from './import-session.js';
import type { ImportSummary } from '../import-summary.js';
import { importTerms } from './import-terms.js';
import type { Outcome } from './import-unit.js';
import { importUsers } from './import-users.js';
import { linkItems, type WaitingItem } from './link-items.js';
import { ImportWriter } from './unit-writer.js';
import { takeInventory } from '../wxr-file/wxr-inventory.js';
import { readWxr } from '../wxr-file/wxr-reader.js';

/** Options of an import. */
export interface WxrImportOptions {
  /** Reports what would be done and writes nothing. */
  dryRun?: boolean;
  /** Downloads the files of attachments too. */
  files?: boolean;
  /** Called with the processed bytes of `total`; the file is read twice. */
  onProgress?(done: number, total: number): void;
  /** The only hosts from which files are downloaded. */
  allowHosts?: readonly AllowedHost[];
  /** Their names may resolve to IP addresses that are not public. */
  allowPrivate?: boolean;
  fetchFile?: FetchFile;
  /** Largest downloaded file in bytes; default 64 MiB. */
  fileLimit?: number;
  /**
   * Folder of files during their download, preferably the folder of incoming uploads, which servers sweep. Default: the
   * temporary folder of the system.
   */
  incoming?: string;
}

/** Imports `file`. Throws ImportProblem, before anything is written, when it is invalid or not an export. */
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
  const units = new ImportWriter(writer, session.ledger, session.summary, (outcome) =>
    collectFollowUps(outcome, waiting, files),
  );
  await importUsers(session, units);
  await importTerms(session, units);
  const items = new ItemStep(session, units);
  for await (const event of readWxr(file, { onBytes: progress(size) }))
    if (event.type === 'item') await items.add(event);
  await units.flush();
  if (session.dryRun) return session.summary;
  await writer.store.analyze?.();
  await linkItems(session, waiting);
  if (options.files) {
    const fetchFile = options.fetchFile ?? fileFetcher(options.allowHosts, options.allowPrivate);
    const { fileLimit: limit = 64 * 1024 * 1024, incoming: folder = tmpdir() } = options;
    await importFiles(session, files, fetchFile, { limit, folder });
  }
  return session.summary;
}

/** Collects what is left to do for an item. */
function collectFollowUps({ unit, id, waits }: Outcome, waiting: WaitingItem[], files: WantedFile[]): void {
  const { links, fileUrl, model, key, line, hash } = unit as ItemUnit;
  if (!links || id === undefined) return;
  if (waits) waiting.push({ id, hash, links });
  if (fileUrl) files.push({ model, id, key, line, url: fileUrl });
}
