// Dimensions and length of a film in an MP4 or QuickTime file, from the headers of the file and its tracks. Sizes in the file are
// untrusted: data outside of its box is ignored, and at most a few hundred boxes are read.
import { open, type FileHandle } from 'node:fs/promises';

/** The values of the headers; missing ones are left out. */
export interface Film {
  /** Pixels of the first track that is visible. */
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
}

const MAX_BOXES = 500;
/** Boxes whose nested boxes are read. */
const INSIDE = new Set(['moov', 'trak']);
/** Bytes of a track header by its version; width and height are the last two numbers, in 16.16 fixed point. */
const TRACK_HEADER = [84, 96];
const MAX_HEADER = 100;

/** The values of a file; none for damaged files and those of other kinds. Rejects when the file cannot be read. */
export async function mp4Film(path: string): Promise<Film> {
  const file = await open(path, 'r');
  const film: Film = {};
  try {
    const { size } = await file.stat();
    await search(file, { start: 0, end: size }, film, { left: MAX_BOXES });
    return film;
  } finally {
    await file.close();
  }
}

async function search(
  file: FileHandle,
  { start, end }: { start: number; end: number },
  film: Film,
  budget: { left: number },
): Promise<void> {
  for (let at = start; at + 8 <= end && budget.left > 0;) {
    budget.left -= 1;
    const header = await bytesAt(file, at, 16);
    if (header.length < 16) return;
    const type = header.subarray(4, 8).toString('latin1');
    const short = header.readUInt32BE(0);
    const length = short === 0 ? end - at : short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    const inner = at + (short === 1 ? 16 : 8);
    if (length < inner - at || at + length > end) return;
    if (INSIDE.has(type)) await search(file, { start: inner, end: at + length }, film, budget);
    else if (type === 'tkhd' || type === 'mvhd')
      take(type, await bytesAt(file, inner, Math.min(at + length - inner, MAX_HEADER)), film);
    at += length;
  }
}

function take(type: 'tkhd' | 'mvhd', header: Buffer, film: Film): void {
  const version = header[0] ?? 2;
  const length = TRACK_HEADER[version];
  if (length === undefined || header.length < length) return;
  if (type === 'tkhd') {
    const [width, height] = [header.readUInt16BE(length - 8), header.readUInt16BE(length - 4)];
    // Audio tracks have no dimensions.
    if (width > 0 && height > 0 && film.width === undefined) Object.assign(film, { width, height });
  } else {
    const scale = header.readUInt32BE(version === 0 ? 12 : 20);
    const units = version === 0 ? header.readUInt32BE(16) : Number(header.readBigUInt64BE(24));
    if (scale > 0) film.duration = units / scale;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
