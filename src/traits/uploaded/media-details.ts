// The details of an item with a file: what is stored of them, and what is shown.
import { isPrivate, PRIVATE } from '../../files/file-store.js';
import type { UploadFace } from '../../model/faces.js';
import type { ResourceModel } from '../../model/model.js';
import type { ViewScope } from '../../model/shown.js';
import { equals, or, type Predicate, type Row } from '../../model/query.js';
import { FULL } from './options.js';
import type { MemberSchema } from '../../model/schema/value-schema.js';
import type { FieldModel } from '../../model/field.js';
import type { StoredCopy, StoredUpload } from '../../model/site/file-storage.js';

const COLUMN = 'media_details';

const NUMBER = (description: string): MemberSchema => ({ type: 'integer', description });
const TEXT = (description: string): MemberSchema => ({ type: 'string', description });

/** The members of the field, for documents; there may be others, of imported items for instance. */
export const PROPERTIES: Record<string, MemberSchema> = {
  width: NUMBER('Pixels, of images and films; the EXIF orientation of images is applied.'),
  height: NUMBER('Pixels, of images and films.'),
  file: TEXT('Storage key of an image.'),
  filesize: NUMBER('Bytes.'),
  sizes: {
    type: 'object',
    description: 'Resized copies of an image by name, and the image itself as full, if there are any.',
    additionalProperties: {
      type: 'object',
      properties: {
        file: TEXT('Name of the file, in the folder of the image.'),
        width: NUMBER('Pixels.'),
        height: NUMBER('Pixels.'),
        filesize: NUMBER('Bytes.'),
        mime_type: TEXT('MIME type of the file.'),
        source_url: TEXT('Address of the file.'),
      },
      additionalProperties: true,
    },
  },
  srcset: TEXT(
    'Addresses and widths of the copies with the proportions of the image, as the attribute srcset of HTML.',
  ),
  length: NUMBER('Seconds, of sound and film.'),
  length_formatted: TEXT('The same as 3:25 or 1:03:25.'),
  bitrate: NUMBER('Bits per second, of sound and film.'),
  fileformat: TEXT('Container of sound and film.'),
  image_meta: { type: 'object', description: 'EXIF data of an image, as texts.', additionalProperties: true },
  blurhash: TEXT('BlurHash of an image: what to show until it is loaded.'),
  dominant_color: TEXT('Most frequent colour of an image, as #rrggbb.'),
};

/** The columns of a new file. */
export function columnsOf(upload: StoredUpload): Row {
  return { file: upload.key, mime_type: upload.inspection.mime, [COLUMN]: JSON.stringify(detailsOf(upload)) };
}

function detailsOf({ inspection, key, sizes }: StoredUpload): Record<string, unknown> {
  const { width, height, size, mime, imageMeta, placeholder, recording } = inspection;
  if (!mime.startsWith('image/')) return { filesize: size, sizes, ...recording };
  return {
    ...(width ? { width, height } : {}),
    file: key,
    filesize: size,
    sizes,
    image_meta: imageMeta,
    ...(placeholder ? { blurhash: placeholder.blurhash, dominant_color: placeholder.color } : {}),
  };
}

/** Makes the field show where the copies are. */
export function showUrls(model: ResourceModel, isPrivateModel: boolean): void {
  const field = model.fields.get(COLUMN)!;
  const stored = field.toView!;
  field.reads = [...new Set([...field.reads, 'mime_type'])];
  const signs = isPrivateModel && !isGuarded(model, field);
  field.toView = (row, scope) => {
    const details = stored(row, scope);
    return hasCopies(details) ? withUrls(details, row, scope, signs) : details;
  };
}

/**
 * Whether the URL of the file has rights of its own wherever it is shown: the details then hold URLs without a
 * signature, which open nothing by themselves.
 */
function isGuarded(model: ResourceModel, details: FieldModel): boolean {
  const showing = [...model.fields.values()].filter((field) => !field.hidden && field.reads.includes('file'));
  return showing.length > 0 && showing.every(({ readRules }) => readRules !== undefined) && !details.readRules;
}

interface Details {
  file: string;
  width?: number;
  height?: number;
  sizes: Record<string, Partial<StoredCopy>>;
}

function hasCopies(details: unknown): details is Details {
  const { file, sizes } = (details ?? {}) as Partial<Details>;
  return typeof file === 'string' && typeof sizes === 'object' && sizes !== null && Object.keys(sizes).length > 0;
}

function withUrls(details: Details, row: Row, { site, op }: ViewScope, signs: boolean): unknown {
  const { file, width, height } = details;
  const folder = folderOfKey(file);
  const urlOf = (key: string) => {
    const signed = site.signFile?.(key);
    if (signed === undefined) return `${site.uploads}/${key}`;
    if (!signs) return signed.slice(0, signed.indexOf('?'));
    // A signed URL expires: it changes without a change of the data.
    op.state.volatile = true;
    return signed;
  };
  const { [FULL]: _own, ...copies } = details.sizes;
  const full = { file: file.slice(folder.length), width, height, mime_type: row['mime_type'] };
  const sizes = Object.fromEntries(
    Object.entries({ ...copies, [FULL]: full }).map(([name, copy]) => [
      name,
      { ...copy, source_url: urlOf(folder + copy.file) },
    ]),
  );
  const srcset = srcsetOf(Object.values(sizes), (width ?? 0) / (height ?? 1));
  return { ...details, sizes, ...(srcset === '' ? {} : { srcset }) };
}

/** The copies with the proportions of the image, each width once, up to the rounding of the shorter side. */
function srcsetOf(copies: readonly (Partial<StoredCopy> & { source_url: string })[], ratio: number): string {
  const widths = new Map<number, string>();
  for (const { width = 0, height = 0, source_url: url } of copies) {
    const rounding = Math.max(1, ratio);
    if (width > 0 && height > 0 && Math.abs(width - height * ratio) <= rounding) widths.set(width, url);
  }
  if (widths.size < 2) return '';
  return [...widths]
    .sort(([one], [other]) => one - other)
    .map(([width, url]) => `${url} ${width}w`)
    .join(', ');
}

/** Storage keys of an item's file and of its resized copies. */
export function filesOf(row: Record<string, unknown>): string[] {
  return row['file'] ? [String(row['file']), ...copiesOf(row)] : [];
}

/** Rows that have the file as their own, or that may list it as a resized copy. */
export function rowsWithFile(key: string): Predicate {
  const name = JSON.stringify(key.slice(key.lastIndexOf('/') + 1));
  return or(equals('file', key), { op: 'contains', column: COLUMN, value: `"file":${name}` });
}

/** Storage keys of the resized copies listed in an item's details. */
function copiesOf(row: Record<string, unknown>): string[] {
  const details = storedDetails(row);
  const folder = folderOfKey(String(row['file']));
  const own = String(row['file']).slice(folder.length);
  const files = Object.values((details.sizes ?? {}) as Record<string, { file?: string } | null>).map(
    (size) => size?.file,
  );
  return [...new Set(files)].flatMap((file) => (file && file !== own ? [folder + file] : []));
}

/** How the public files of a row become private, where only readers of the item may fetch them. */
export function closed(row: Record<string, unknown>): ReturnType<UploadFace['closed']> {
  const key = String(row['file'] ?? '');
  if (key === '' || isPrivate(key)) return undefined;
  const details = storedDetails(row);
  const moved = details.file === key ? { ...details, file: PRIVATE + key } : details;
  return {
    keys: filesOf(row).map((each) => [each, PRIVATE + each]),
    columns: { file: PRIVATE + key, media_details: JSON.stringify(moved) },
  };
}

/** The details of a row; empty where another program has stored something else than an object. */
function storedDetails(row: Record<string, unknown>): Partial<Details> {
  try {
    const details: unknown = JSON.parse(String(row[COLUMN] ?? ''));
    return typeof details === 'object' && details !== null ? (details as Partial<Details>) : {};
  } catch {
    return {};
  }
}

function folderOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}
