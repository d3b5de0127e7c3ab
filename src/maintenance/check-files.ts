// Compares the stored files with the items that name them.
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { AuditFinding } from '../model/hooks.js';
import { and, equals, NEXT_VERSION, type Row } from '../model/query.js';
import type { Site } from '../model/site/site.js';
import type { Reader, Store } from '../model/store.js';
import type { UploadFace } from '../model/faces.js';
import { isNamed } from './sweep-files.js';
import type { FileStorage } from '../model/site/file-storage.js';

/** The part of a site that stores its files. */
export type WithFiles = Pick<Site, 'files'>;

/** Milliseconds after which an unreferenced file counts as orphaned: no upload takes that long. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;
/** Rows per statement. */
const PAGE = 1000;

/**
 * Items whose file is missing (lost, or never fetched by an import), which cannot be repaired, and files older than a day that no
 * item names, which are removed.
 */
export async function auditFiles(
  models: ModelSet,
  store: Store,
  site: Pick<Site, 'files' | 'now'>,
): Promise<AuditFinding[]> {
  const { files } = site;
  const findings: AuditFinding[] = [];
  const named = new Set<string>();
  /** Beginnings of the names of copies that an item may have. */
  const unknown: string[] = [];
  // Listed before the items are read, so that a file whose item is deleted in between is not reported as missing.
  const stored: string[] = [];
  for await (const key of files.list!(new Date(site.now() - MIN_AGE_MS))) stored.push(key);
  for (const model of models.byName.values()) {
    const { upload } = model.faces;
    if (!upload) continue;
    for await (const row of allRows(model, store.reader)) {
      if (isUnreadable(row[upload.columns.details])) {
        findings.push({ message: `${model.name} ${row['id']}: ${UNREADABLE}` });
        unknown.push(`${String(row[upload.columns.key]).replace(/\.[^./]*$/, '')}-`);
      }
      const closed = upload.closed(row);
      if (closed) findings.push(openFile(model, row, closed, files));
      for (const key of upload.keysOf(row)) {
        named.add(key);
        if (await files.exists!(key)) continue;
        findings.push({ message: `${model.name} ${row['id']}: its file ${key} is not there` });
      }
    }
  }
  const isNamedNow = (key: string) => named.has(key) || named.has(files.originOf?.(key) ?? key);
  const lost = stored.filter((key) => !isNamedNow(key) && !unknown.some((start) => key.startsWith(start)));
  return [...findings, ...lost.map((key) => strayFile(key, models, store, files))];
}

const UNREADABLE = 'the details of its file are not JSON, so that its resized copies are not known';

function isUnreadable(details: unknown): boolean {
  if (typeof details !== 'string' || details === '') return false;
  try {
    JSON.parse(details);
    return false;
  } catch {
    return true;
  }
}

type Move = NonNullable<ReturnType<UploadFace['closed']>>;

/** A public file of an item whose files are private: uploaded before `access` changed, or imported. */
function openFile(model: ResourceModel, row: Row, { keys, columns }: Move, files: FileStorage): AuditFinding {
  return {
    message: `${model.name} ${row['id']}: everybody may fetch its file ${keys[0]![0]}`,
    fix: async (tx) => {
      for (const [from, to] of keys) {
        if ((await files.exists!(from)) && !(await files.exists!(to))) await files.put(to, await files.open!(from));
      }
      const unchanged = and(equals('id', row['id']), equals('row_version', row['row_version']));
      const moved = await tx.update(model.table!.name, { ...columns, ...NEXT_VERSION }, unchanged);
      if (moved > 0) tx.after(() => files.remove(keys.map(([from]) => from)));
    },
  };
}

function strayFile(key: string, models: ModelSet, store: Store, files: FileStorage): AuditFinding {
  return {
    message: `the file ${key} belongs to no item`,
    fix: async () => {
      for (const each of new Set([key, files.originOf?.(key) ?? key]))
        if (await isNamed(models, store.reader, each)) return;
      await files.remove([key]);
    },
  };
}

async function* allRows(model: ResourceModel, reader: Reader): AsyncGenerator<Row> {
  const query = { table: model.table!.name, columns: model.allColumns, limit: PAGE };
  for (let after = 0; ;) {
    const where = and(model.rowScope, { op: 'gt', column: 'id', value: after });
    const rows = await reader.select({ ...query, where, order: [{ column: 'id', direction: 'asc' }] });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!['id'];
  }
}
