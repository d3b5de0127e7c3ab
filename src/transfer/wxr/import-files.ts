// Last step of the WXR import, optional: downloads the files of attachments.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ResourceModel } from '../../model/model.js';
import { equals } from '../../model/query.js';
import type { FetchFile } from './fetch-file.js';
import { mimeTypeOf } from './file-key.js';
import type { ImportSession } from './import-session.js';
import { contentHash } from './import-table.js';

/** An attachment and the URL of its file. */
export interface WantedFile {
  model: ResourceModel;
  id: number;
  key: string;
  line: number;
  address: string;
}

/** Kind of the entries in the import table. */
const KIND = 'file';

/** Downloads what earlier runs have not downloaded. Failures are reported, and the rest continues. */
export async function importFiles(
  session: ImportSession,
  wanted: readonly WantedFile[],
  fetchFile: FetchFile,
  limit: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-import-'));
  try {
    for (const file of wanted) await importFile(session, file, fetchFile, limit, join(folder, 'file'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importFile(
  session: ImportSession,
  wanted: WantedFile,
  fetchFile: FetchFile,
  limit: number,
  path: string,
): Promise<void> {
  const { ledger, summary, writer } = session;
  const hash = contentHash({ address: wanted.address });
  const entry = await ledger.find(writer.store.reader, KIND, wanted.key);
  if (entry?.hash === hash && entry.itemId === wanted.id) return summary.count(KIND, 'skipped', 'unchanged');
  let key: string | undefined;
  try {
    const columns = wanted.model.faces.upload?.columns;
    if (columns === undefined) throw new Error('the resource takes no files');
    const names = ['id', columns.key, columns.details];
    const row = await writer.store.reader.first(wanted.model.table!.name, names, equals('id', wanted.id));
    const planned = String(row?.[columns.key] ?? '');
    if (mimeTypeOf(planned) === '') throw new Error('files of this type are not taken');
    await fetchFile(wanted.address, path, limit);
    key = await writer.site.files.reserve(dirname(planned) === '.' ? '' : dirname(planned), basename(planned));
    await writer.site.files.put(key, path);
    await writer.batch(async ({ tx }) => {
      const details = renamed(row?.[columns.details], planned, key!);
      const changes = { [columns.key]: key!, ...(details === undefined ? {} : { [columns.details]: details }) };
      await tx.update(wanted.model.table!.name, changes, equals('id', wanted.id));
      await ledger.record(tx, KIND, wanted.key, hash, wanted.id, entry);
    });
    const stored = [key];
    // The row refers to the file now: keep it, whatever fails from here on.
    key = undefined;
    await writer.site.files.commit(stored);
    summary.count(KIND, entry ? 'updated' : 'created');
  } catch (error) {
    if (key !== undefined) await writer.site.files.remove([key]);
    const reason = (error as Error).message;
    summary.refuse({ resource: KIND, line: wanted.line, label: wanted.address, reason }, 'could not be fetched');
  } finally {
    await rm(path, { force: true });
  }
}

/** The details of a file that is stored under another key than planned: they name it too. */
function renamed(details: unknown, planned: string, key: string): string | undefined {
  if (key === planned || typeof details !== 'string' || details === '') return undefined;
  const known = JSON.parse(details) as { file?: unknown };
  return known.file === planned ? JSON.stringify({ ...known, file: key }) : undefined;
}
