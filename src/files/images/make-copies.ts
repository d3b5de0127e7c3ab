// Makes the resized copies of an image with sharp. They contain only pixels, rotated by the EXIF orientation and
// in sRGB; the metadata (such as the location and the camera) stays in the original.
import type { Sharp } from 'sharp';
import { loadSharp } from '../load-sharp.js';
import { imageQueue, type ImageJobKind } from '../image-queue.js';
import type { PlannedCopy } from './image-sizes.js';

/** An image whose pixels are known to be readable. */
export interface SourceImage {
  path: string;
  mime: string;
  /** Pixels, with the EXIF orientation applied. */
  width: number;
  height: number;
  /** Frames of an animation; 1 for other images. */
  frames: number;
}

/** A copy, and the names of the sizes that it serves. */
export interface MadeCopy {
  names: string[];
  mime: string;
  width: number;
  height: number;
  bytes: Buffer;
}

/** Maximum number of pixels of all frames together; of a larger animation only the first frame is copied. */
const MAX_ANIMATED_PIXELS = 50_000_000;
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;

/** Media types of copies, and their encoders, with the usual compromise between quality and size. */
const WRITERS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 82, progressive: true }),
  'image/png': (image) => image.png(),
  'image/gif': (image) => image.gif(),
  'image/webp': (image) => image.webp({ quality: 82 }),
  // Low effort: the default takes five times as long for files that are hardly smaller.
  'image/avif': (image) => image.avif({ quality: 55, effort: 2 }),
};
const ANIMATED = new Set(['image/gif', 'image/webp']);

/** Whether copies can be written in a media type. */
export function isWritable(mime: string): boolean {
  return Object.hasOwn(WRITERS, mime);
}

/**
 * Copies of an image in the media type `as` (default: its own). Those of the same dimensions are made once. A copy that
 * takes longer than 20 seconds, or for which the image turns out to be damaged, is left out; an image that cannot be
 * decoded has none. Rejects with UploadProblem `rest_unavailable` when too many images wait.
 */
export async function makeCopies(
  source: SourceImage,
  planned: readonly PlannedCopy[],
  { as = source.mime, kind = 'upload', client }: { as?: string; kind?: ImageJobKind; client?: string } = {},
): Promise<MadeCopy[]> {
  const groups = grouped(planned);
  if (groups.length === 0 || !isWritable(source.mime) || !isWritable(as)) return [];
  return imageQueue.run(kind, () => makeAll(source, groups, as), client);
}

interface Group extends Omit<PlannedCopy, 'name'> {
  names: string[];
}

function grouped(planned: readonly PlannedCopy[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, ...size } of planned) {
    const id = `${size.width}x${size.height}`;
    const known = groups.get(id);
    if (known) known.names.push(name);
    else groups.set(id, { ...size, names: [name] });
  }
  return [...groups.values()];
}

async function makeAll(source: SourceImage, groups: Group[], as: string): Promise<MadeCopy[]> {
  const open = await (isAnimated(source, as) ? framesOf(source) : stillOf(source, groups));
  if (!open) return [];
  const copies: MadeCopy[] = [];
  for (const { names, width, height, crop } of groups) {
    const resized = open().resize(width, height, { fit: crop ? 'cover' : 'fill' });
    const bytes = await orNothing(WRITERS[as]!(resized).timeout({ seconds: MAX_SECONDS }).toBuffer());
    if (bytes) copies.push({ names, mime: as, width, height, bytes });
  }
  return copies;
}

function isAnimated({ mime, frames, width, height }: SourceImage, as: string): boolean {
  return frames > 1 && ANIMATED.has(mime) && ANIMATED.has(as) && frames * width * height <= MAX_ANIMATED_PIXELS;
}

async function framesOf({ path }: SourceImage): Promise<() => Sharp> {
  const sharp = await loadSharp();
  return () => sharp(path, { pages: -1, failOn: 'error', limitInputPixels: MAX_ANIMATED_PIXELS });
}

/**
 * The pixels from which all copies are made, decoded once: as small as the largest copy allows. Undefined when the image
 * cannot be decoded.
 */
async function stillOf(source: SourceImage, groups: Group[]): Promise<(() => Sharp) | undefined> {
  const sharp = await loadSharp();
  const { path, width, height } = source;
  const scale = Math.max(...groups.map((group) => Math.max(group.width / width, group.height / height)));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const shrunk = sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize(side(width), side(height), { fit: 'fill' })
    .toColourspace('srgb')
    .timeout({ seconds: MAX_SECONDS })
    .raw();
  const pixels = await orNothing(shrunk.toBuffer({ resolveWithObject: true }));
  if (!pixels) return undefined;
  const { info, data } = pixels;
  return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

function orNothing<T>(made: Promise<T>): Promise<T | undefined> {
  return made.catch(() => undefined);
}
