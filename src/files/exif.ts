// Reads the EXIF tags that image_meta contains from the raw block that sharp returns. Every offset in the block is
// untrusted: offsets outside of it are ignored, and nothing throws or loops. Libraries decode as many values as an
// entry claims to have: a hostile block of 64 KB, whose entries all claim the entire block, took exif-reader 12 seconds
// and 1.5 GB.

/** Tag number to value: text, or a number (a fraction already divided). Other types are left out. */
export type ExifTags = Map<number, string | number>;

/** Numbers of the tags that are read, by their EXIF names. */
export const TAG = {
  imageDescription: 0x010e,
  model: 0x0110,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exposureTime: 0x829a,
  exifDirectory: 0x8769,
  fNumber: 0x829d,
  iso: 0x8827,
  dateTimeOriginal: 0x9003,
  dateTimeDigitized: 0x9004,
  focalLength: 0x920a,
} as const;

const WANTED = new Set<number>(Object.values(TAG));
const MAX_ENTRIES = 200;
const MAX_TEXT = 1000;
const ASCII = 2;
const UNSIGNED_SHORT = 3;
const LONG = 4;
const RATIONAL = 5;

/** The tags of the main and the EXIF directory; an empty map when the block is damaged or not EXIF. */
export function readExif(block: Buffer): ExifTags {
  const tiff = block.subarray(0, 4).toString('latin1') === 'Exif' ? block.subarray(6) : block;
  const order = tiff.subarray(0, 2).toString('latin1');
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return new Map();
  const read = new Reader(tiff, order === 'II');
  const main = directory(read, read.long(4));
  const inner = main.get(TAG.exifDirectory);
  return new Map([...(typeof inner === 'number' ? directory(read, inner) : []), ...main]);
}

/** Bounds-checked reads in either byte order; outside of the block every number is 0. */
class Reader {
  readonly #view: DataView;
  readonly #bytes: Buffer;
  readonly #little: boolean;

  constructor(bytes: Buffer, little: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = little;
  }

  short(at: number): number {
    return at + 2 <= this.#bytes.length ? this.#view.getUint16(at, this.#little) : 0;
  }

  long(at: number): number {
    return at + 4 <= this.#bytes.length ? this.#view.getUint32(at, this.#little) : 0;
  }

  text(at: number, length: number): string {
    const [text = ''] = this.#bytes
      .subarray(at, at + Math.min(length, MAX_TEXT))
      .toString('utf8')
      .split('\0', 1);
    return text;
  }
}

function directory(read: Reader, start: number): ExifTags {
  const tags: ExifTags = new Map();
  const count = Math.min(read.short(start), MAX_ENTRIES);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    const tag = read.short(at);
    const value = WANTED.has(tag) ? entryValue(read, at) : undefined;
    if (value !== undefined) tags.set(tag, value);
  }
  return tags;
}

function entryValue(read: Reader, at: number): string | number | undefined {
  const kind = read.short(at + 2);
  const length = read.long(at + 4);
  const place = read.long(at + 8);
  // A value of up to four bytes is stored in the entry itself.
  if (kind === ASCII) return read.text(length > 4 ? place : at + 8, length);
  if (kind === UNSIGNED_SHORT) return read.short(at + 8);
  if (kind === LONG) return place;
  const divisor = kind === RATIONAL ? read.long(place + 4) : 0;
  return divisor === 0 ? undefined : read.long(place) / divisor;
}
