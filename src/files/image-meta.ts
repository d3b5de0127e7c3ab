// The image_meta member of media_details, from an image's EXIF block.
import { readExif, TAG, type ExifTags } from './exif.js';

/** Values are strings, as clients expect: "0" or "" where unknown. Texts are plain: no tags, no control characters. */
export type ImageMeta = Record<string, unknown> & { title: string; caption: string; keywords: string[] };

const MAX_TITLE_CHARACTERS = 80;

/**
 * All members of image_meta; the defaults without a block or with a damaged one. `created_timestamp` is Unix seconds.
 */
export function imageMeta(exif: Buffer | undefined): ImageMeta {
  const tags: ExifTags = exif ? readExif(exif) : new Map();
  const description = text(tags.get(TAG.imageDescription));
  return {
    aperture: number(tags.get(TAG.fNumber), 2),
    credit: text(tags.get(TAG.artist)),
    camera: text(tags.get(TAG.model)),
    caption: description,
    created_timestamp: timestamp(tags.get(TAG.dateTimeDigitized) ?? tags.get(TAG.dateTimeOriginal)),
    copyright: text(tags.get(TAG.copyright)),
    focal_length: number(tags.get(TAG.focalLength), 2),
    iso: number(tags.get(TAG.iso), 0),
    shutter_speed: number(tags.get(TAG.exposureTime), 6),
    title: description.length < MAX_TITLE_CHARACTERS ? description : '',
    orientation: number(tags.get(TAG.orientation), 0),
    keywords: [],
  };
}

// Clients put these texts into pages, and cameras do not write markup: angle brackets are an attack.
function text(value: string | number | undefined): string {
  return typeof value === 'string' ? value.replace(/[<>\p{Cc}\ufffd]/gu, '').trim() : '';
}

function number(value: string | number | undefined, decimals: number): string {
  return typeof value === 'number' ? String(Number(value.toFixed(decimals))) : '0';
}

// EXIF dates have no time zone; they are read as UTC, because the server's zone is unrelated to the camera's.
function timestamp(value: string | number | undefined): string {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text(value));
  if (!match) return '0';
  const milliseconds = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`);
  return Number.isNaN(milliseconds) ? '0' : String(milliseconds / 1000);
}
