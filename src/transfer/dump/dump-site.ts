// Writes all content of a site as JSON Lines, one file per resource, in schema terms. The given reader must read a
// consistent snapshot.
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, OWNER_FOLDER } from '../../disk/folders.js';
import type { ModelSet } from '../../model/model.js';
import { not, or } from '../../model/query.js';
import type { Reader } from '../../model/store.js';
import { copyFilesOut } from './dump-files.js';
import { lineOf } from './dump-line.js';
import { fingerprint, FORMAT, markUnfinished, writeManifest, type Manifest } from './dump-manifest.js';
import { shapesOf, type Shape } from './dump-shape.js';
import { BATCH_CHARACTERS, itemsOf, type StoredItem } from './stored-items.js';
import type { TableModel } from '../../model/table.js';
import type { FileStorage } from '../../model/site/file-storage.js';
import { counted } from '../../values/value-issue.js';

/** Parameters of a dump. */
export interface DumpRequest {
  /** A new or empty folder. */
  folder: string;
  models: ModelSet;
  reader: Reader;
  /** Version of the engine. */
  engine: string;
  /** Engine tables to include. */
  engineTables?: readonly TableModel[];
  /** Storage of uploaded files; if given, they are copied too. */
  files?: FileStorage;
  onProgress?(done: number, total: number): void;
}

/** Counts of a dump, and what could not be included. */
export interface DumpSummary {
  counts: Map<string, number>;
  files: number;
  /** Number of files that could not be copied. */
  missing: number;
  notes: string[];
}

/** Errors of file systems that refuse writes. */
const UNWRITABLE = /^E(NOSPC|DQUOT|FBIG|IO|ROFS|ACCES|PERM)$/;

/** Dumps a site. Throws an Error when the folder is not empty, or cannot be written to. */
export async function dumpSite(request: DumpRequest): Promise<DumpSummary> {
  const { folder } = request;
  await claimFolder(folder);
  try {
    await markUnfinished(folder);
    return await dumpShapes(request);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (!UNWRITABLE.test(code)) throw cause;
    const remedy = 'Delete the folder, what is in it is not complete.';
    throw new Error(`${folder}: the dump cannot be written: ${message}. ${remedy}`, { cause });
  }
}

async function dumpShapes(request: DumpRequest): Promise<DumpSummary> {
  const { folder, models, reader, onProgress } = request;
  const shapes = [...shapesOf(models, request.engineTables).values()];
  const expected = new Map<Shape, number>();
  for (const shape of shapes) expected.set(shape, await reader.count(shape.table.name, shape.where));
  const total = [...expected.values()].reduce((sum, count) => sum + count, 0);
  const summary: DumpSummary = { counts: new Map(), files: 0, missing: 0, notes: [] };
  const manifest: Manifest = { format: FORMAT, engine: request.engine, resources: {}, tables: {} };
  let done = 0;
  for (const shape of shapes) {
    const before = done;
    const count = await dumpShape(shape, request, summary, (lines) => onProgress?.((done = before + lines), total));
    summary.counts.set(shape.name, count);
    manifest[shape.model ? 'resources' : 'tables'][shape.name] = { count, schema: fingerprint(shape) };
  }
  summary.notes.push(...(await unassignedRows(shapes, models, reader)));
  await writeManifest(folder, manifest);
  return summary;
}

async function claimFolder(folder: string): Promise<void> {
  // Private folder: the lines contain password hashes.
  await makeFolder(folder, OWNER_FOLDER).catch((cause: Error) => {
    throw new Error(`${folder}: the folder cannot be made: ${cause.message}`, { cause });
  });
  if ((await readdir(folder)).length > 0)
    throw new Error(
      `${folder} is not empty. Name a folder that is new or empty, so that nothing of an older dump is left in it.`,
    );
}

async function dumpShape(
  shape: Shape,
  { folder, reader, files }: DumpRequest,
  summary: DumpSummary,
  onLines: (lines: number) => void,
): Promise<number> {
  const handle = await open(join(folder, `${shape.name}.jsonl`), 'wx', 0o600);
  let count = 0;
  let weight = 0;
  try {
    for await (const batch of itemsOf(shape, reader, () => weight)) {
      weight = await writeLines(handle, shape, batch);
      if (files) await copyFilesOut(shape, batch, files, folder, summary);
      onLines((count += batch.length));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return count;
}

/** Writes the lines of some items, in pieces: together they may be longer than a text can be. Returns their length. */
async function writeLines(handle: FileHandle, shape: Shape, items: readonly StoredItem[]): Promise<number> {
  let weight = 0;
  let text = '';
  for (const [at, item] of items.entries()) {
    text += `${lineOf(shape, item)}\n`;
    if (text.length < BATCH_CHARACTERS && at < items.length - 1) continue;
    await handle.appendFile(text);
    weight += text.length;
    text = '';
  }
  return weight;
}

/** Rows that belong to no schema. */
async function unassignedRows(shapes: readonly Shape[], models: ModelSet, reader: Reader): Promise<string[]> {
  const notes: string[] = [];
  const all = shapes.filter((shape) => shape.model);
  for (const { table } of new Map(all.map((shape) => [shape.table.name, shape])).values()) {
    const described = all.filter((shape) => shape.table === table);
    const carried = described.some(({ table: { name } }) => all.some(({ meta }) => meta?.table === name));
    if (carried) continue;
    const rows = await reader.count(table.name, not(or(...described.map(({ where }) => where))));
    if (rows > 0) notes.push(`${counted(rows, 'row')} of the table ${table.name} without a resource`);
  }
  for (const table of new Set(all.flatMap(({ meta }) => (meta && !meta.entries ? [meta.table] : [])))) {
    const owners = all.filter(({ meta }) => meta?.table === table);
    const owner = { op: 'exists', table: owners[0]!.table.name, outer: 'owner_id', inner: 'id' } as const;
    const where = not({ ...owner, where: or(...owners.map((shape) => shape.where)) });
    const rows = models.tables.has(table) ? await reader.count(table, where) : 0;
    if (rows > 0) notes.push(`${counted(rows, 'meta entry')} without an item in the table ${table}`);
  }
  return notes;
}
