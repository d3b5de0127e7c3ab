// Maps an attachment's file: storage key, type, dimensions.
import type { UploadFace } from '../../model/faces.js';
import type { Row } from '../../model/query.js';
import { fileKeyOf, mimeTypeOf } from './file-key.js';
import { unserialize } from '../wxr-file/php-serialized.js';
import { metaOf, type WxrItem, type WxrMeta } from '../wxr-file/wxr-events.js';

/** Columns of an attachment's file: storage key, type, known details. */
export function fileColumns(item: WxrItem, { columns }: UploadFace): Row {
  const known = metaOf(item, '_wp_attached_file');
  // Some plugins store a whole URL or an absolute path there.
  const relative = known && !/^\/|:/.test(known) ? `/uploads/${known}` : undefined;
  const file = fileKeyOf(relative ?? (item.attachmentUrl.trim() || item.guid.trim()));
  const details = detailsOf(unserialize(metaOf(item, '_wp_attachment_metadata') ?? ''), file);
  return {
    [columns.key]: file,
    [columns.mime]: mimeTypeOf(file),
    ...(details ? { [columns.details]: JSON.stringify(details) } : {}),
  };
}

/** Resized copies are dropped: exports do not contain their files. */
function detailsOf(found: unknown, file: string): Record<string, unknown> | undefined {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
  const { width, height, filesize, image_meta: image } = found as Record<string, unknown>;
  const numbers = Object.entries({ width, height, filesize }).filter(([, value]) => Number.isInteger(value));
  return {
    ...Object.fromEntries(numbers),
    file,
    sizes: {},
    ...(isObject(image) ? { image_meta: imageMeta(image) } : {}),
  };
}

function imageMeta(found: object): Record<string, unknown> {
  const plain = (value: unknown) =>
    Array.isArray(value) ? value.map(String) : typeof value === 'object' ? '' : String(value);
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(value)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The meta of an attachment, with the source URL of its file for a later download. */
export function withSource({ meta, line, attachmentUrl }: WxrItem): WxrMeta[] {
  const value = attachmentUrl.trim();
  return value ? [...meta, { line, key: '_source_url', value }] : meta;
}
