// Last step of the WXR import, optional: downloads the files of attachments.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder, OWNER_FOLDER } from '../../disk/folders.js';
import { isUndecided } from '../../errors/resource-error.js';
import type { ResourceModel } from '../../model/model.js';
import { withDerived } from '../../model/functions/with-derived.js';
import { equals, NEXT_VERSION } from '../../model/query.js';
import type { FetchFile } from './fetch-file.js';
import { mimeTypeOf } from './file-key.js';
import type { ImportSession } from './import-session.js';
import { contentHash, isRecordedTwice } from './import-table.js';

/** An attachment and the URL of its file. */
export interface WantedFile {
  model: ResourceModel;
  id: number;
  key: string;
  line: number;
  url: string;
}

/** Kind of the entries in the import table. */
const KIND = 'file';
/** Folder of files whose URL has none. */
const WITHOUT_FOLDER = 'imported';

/** Thrown where another import has stored the file of the same item. */
class AlreadyImported extends Error {}

/** Downloads what earlier runs have not downloaded. Failures are reported, and the rest continues. */
export async function importFiles(
  session: ImportSession,
  wanted: readonly WantedFile[],
  fetchFile: FetchFile,
  { limit, folder }: { limit: number; folder: string },
): Promise<void> {
  if (wanted.length === 0) return;
  await makeFolder(folder, OWNER_FOLDER);
  // A name that servers sweep: an import that is killed cannot remove the file.
  const path = join(folder, `.${randomUUID()}.part`);
  try {
    for (const file of wanted) await importFile(session, file, fetchFile, limit, path);
  } finally {
    await rm(path, { force: true });
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
  const hash = contentHash({ address: wanted.url });
  const entry = await ledger.find(writer.store.reader, KIND, wanted.key);
  if (entry?.hash === hash && entry.itemId === wanted.id) return summary.count(KIND, 'skipped', 'unchanged');
  const keys: string[] = [];
  try {
    const upload = wanted.model.faces.upload;
    if (upload === undefined) throw new Error('the resource takes no files');
    const { columns } = upload;
    const names = ['id', columns.key, columns.details];
    const row = await writer.store.reader.first(wanted.model.table!.name, names, equals('id', wanted.id));
    const planned = String(row?.[columns.key] ?? '');
    if (mimeTypeOf(planned) === '') throw new Error('files of this type are not taken');
    await fetchFile(wanted.url, path, limit);
    const folder = dirname(planned) === '.' ? WITHOUT_FOLDER : dirname(planned);
    const stored = await upload.store({ path, name: basename(planned), folder }, writer.site, keys);
    const details = withExported(stored[columns.details], row?.[columns.details]);
    await writer.batch(async ({ tx }) => {
      const table = wanted.model.table!.name;
      // Another import may have recorded the file since.
      const recorded = await ledger.find(tx, KIND, wanted.key);
      if (recorded?.hash === hash && recorded.itemId === wanted.id) throw new AlreadyImported();
      const current = await tx.first(table, wanted.model.allColumns, equals('id', wanted.id));
      if (!current) throw new Error('its item was deleted meanwhile');
      const changes = { ...stored, [columns.details]: details };
      const derived = withDerived(wanted.model, changes, { site: writer.store }, current);
      await tx.update(table, { ...derived, ...NEXT_VERSION }, equals('id', wanted.id));
      await ledger.record(tx, { kind: KIND, key: wanted.key, hash, itemId: wanted.id }, recorded);
    });
    // The row refers to the files now: keep them, whatever fails from here on.
    await writer.site.files.commit(keys.splice(0));
    summary.count(KIND, entry ? 'updated' : 'created');
  } catch (error) {
    if (keys.length > 0 && !isUndecided(error)) await writer.site.files.remove(keys);
    // A record that another import commits at the same time is not read above: the insertion fails instead.
    if (error instanceof AlreadyImported || isRecordedTwice(error)) return summary.count(KIND, 'skipped', 'unchanged');
    const reason = (error as Error).message;
    summary.refuse({ resource: KIND, line: wanted.line, label: wanted.url, reason }, 'could not be fetched');
  } finally {
    await rm(path, { force: true });
  }
}

/** The details that were read from a file, with the camera data of the export. */
function withExported(found: unknown, exported: unknown): string {
  const known =
    typeof exported === 'string' && exported !== '' ? (JSON.parse(exported) as { image_meta?: unknown }) : {};
  const own = JSON.parse(String(found)) as Record<string, unknown>;
  return JSON.stringify({ ...own, ...(known.image_meta ? { image_meta: known.image_meta } : {}) });
}
