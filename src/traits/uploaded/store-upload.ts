// Stores an uploaded file and its resized copies, all reserved until the row that names them is committed.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ResourceError } from '../../errors/resource-error.js';
import { PRIVATE } from '../../files/file-store.js';
import { plannedCopies } from '../../files/images/image-sizes.js';
import { makeCopies } from '../../files/images/make-copies.js';
import { inspectFile, type Inspection } from '../../files/inspect.js';
import type { ResourceModel } from '../../model/model.js';
import type { Operation } from '../../model/operation.js';
import { equals } from '../../model/query.js';
import type { Site } from '../../model/site/site.js';
import { toWall, utcNow } from '../../values/date-time.js';
import type { Options } from './options.js';
import type { StoredCopy, StoredUpload } from '../../model/site/file-storage.js';

/** Random bytes that make the name of a private file unguessable. */
const RANDOM_BYTES = 16;

/** A file of this machine that is to be stored. */
export interface IncomingFile {
  path: string;
  /** As a client or an export gives it. */
  name: string;
  /** `2026/11`. */
  folder: string;
  form?: 'raw' | 'multipart';
  /** HTML and JavaScript are allowed. */
  unfiltered?: boolean;
  /** Clients take turns when images wait. */
  client?: string;
}

type Storage = Pick<Site, 'files' | 'imageSizes'>;

/**
 * Stores the file of an operation; sets `op.state.upload`. What is stored is removed if the operation fails.
 * @throws ResourceError without a file; UploadProblem when the file is refused or cannot be stored
 */
export async function storeUpload(model: ResourceModel, options: Options, op: Operation): Promise<void> {
  const { file } = op;
  if (!file) throw new ResourceError('rest_upload_no_data');
  const unfiltered = op.actor.capabilities.has('unfiltered_html');
  const keys: string[] = [];
  op.compensations.push(() => op.site.files.remove(keys));
  const { path, filename: name = '', form } = file;
  const folder = await folderOf(model, options, op);
  op.state.upload = await storeFile(
    { path, name, folder, form, unfiltered, client: `#${op.actor.id}` },
    options,
    op.site,
    keys,
  );
}

/**
 * Inspects a file and stores it with its resized copies. `keys` receives every key that is reserved, at once: the caller
 * commits or removes them.
 * @throws UploadProblem when the file is refused or cannot be stored
 */
export async function storeFile(
  { path, name, folder, form = 'raw', unfiltered = false, client = '' }: IncomingFile,
  options: Options,
  site: Storage,
  keys: string[],
): Promise<StoredUpload> {
  const inspection = await inspectFile(path, name, { unfiltered, form, client });
  const key = await (options.access === 'read'
    ? site.files.reserve(PRIVATE + folder, `${randomBytes(RANDOM_BYTES).toString('hex')}-${inspection.filename}`)
    : site.files.reserve(folder, inspection.filename));
  keys.push(key);
  await site.files.put(key, path);
  const sizes = await storeCopies(path, inspection, keys, {
    sizes: options.sizes ?? site.imageSizes ?? {},
    site,
    client,
  });
  return { key, inspection, name: lastPart(name) || inspection.filename, sizes, keys };
}

/** A name without the folders that some clients send before it. */
function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}

/** Stores the copies beside the first of `keys`, to which theirs are added. */
async function storeCopies(
  path: string,
  { width, height, mime, frames = 1 }: Inspection,
  keys: string[],
  { sizes, site, client }: { sizes: NonNullable<Options['sizes']>; site: Storage; client: string },
): Promise<Record<string, StoredCopy>> {
  if (width === undefined || height === undefined) return {};
  const planned = plannedCopies(width, height, sizes);
  const copies = await makeCopies({ path, mime, width, height, frames }, planned, { client });
  const [key = ''] = keys;
  const stored = new Map<string, StoredCopy>();
  for (const copy of copies) {
    const { folder, stem, extension } = partsOf(key);
    const name = `${stem}-${copy.width}x${copy.height}${extension}`;
    const own = await site.files.reserve(folder, name, true);
    keys.push(own);
    await site.files.put(own, Readable.from([copy.bytes]));
    const entry = {
      file: own.slice(folder.length + 1),
      width: copy.width,
      height: copy.height,
      filesize: copy.bytes.length,
      mime_type: copy.mime,
    };
    for (const each of copy.names) stored.set(each, entry);
  }
  // In the order in which the sizes are declared.
  return Object.fromEntries(planned.flatMap(({ name }) => (stored.has(name) ? [[name, stored.get(name)!]] : [])));
}

function partsOf(key: string): { folder: string; stem: string; extension: string } {
  const slash = key.lastIndexOf('/');
  const dot = key.lastIndexOf('.');
  return { folder: key.slice(0, slash), stem: key.slice(slash + 1, dot), extension: key.slice(dot) };
}

/** Year and month of the dated item a file is attached to, else of now. */
async function folderOf(model: ResourceModel, options: Options, op: Operation): Promise<string> {
  const id = options.parent ? (op.values[options.parent] as number | undefined) : undefined;
  const field = options.parent ? model.fields.get(options.parent) : undefined;
  const dated = field?.targets?.find(({ faces }) => faces.dates && !faces.tree);
  const kinds = Object.entries(dated?.discriminator ?? {});
  const row =
    id && dated
      ? await op.store.first(dated.table!.name, ['date', ...kinds.map(([column]) => column)], equals('id', id))
      : undefined;
  const own = row && kinds.every(([column, value]) => row[column] === value);
  const date = own ? String(row['date']) : toWall(utcNow(op), op.site.settings.timezone);
  return `${date.slice(0, 4)}/${date.slice(5, 7)}`;
}
