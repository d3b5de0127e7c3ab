// Reads images with sharp: displayed size, EXIF values, a placeholder, and whether they can be decoded.
import { encode } from 'blurhash';
import { loadSharp } from './load-sharp.js';
import { imageQueue } from './image-queue.js';
import { imageMeta, type ImageMeta } from './image-meta.js';
import { UploadProblem } from './upload-problem.js';

const READABLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;
/** Longest side in pixels of the sample that the placeholder is computed from. */
const SAMPLE = 32;

/** Whether images of this type are decoded: PNG, JPEG, GIF, WebP and AVIF. */
export function isReadableImage(mime: string): boolean {
  return READABLE.has(mime);
}

/** Media type of an image from its detected one: animated PNG is PNG, and AVIF is often detected as HEIF. */
export async function imageMime(path: string, sniffed: string | undefined): Promise<string | undefined> {
  if (sniffed === 'image/apng') return 'image/png';
  if (sniffed !== 'image/heif') return sniffed;
  const sharp = await loadSharp();
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  return header?.compression === 'av1' ? 'image/avif' : sniffed;
}

/** The information about a decoded image. */
export interface ImageInfo {
  /** Pixels, with the EXIF orientation applied. */
  width: number;
  height: number;
  /** Frames of an animation; 1 for other images. */
  frames: number;
  imageMeta: ImageMeta;
  /** Shown until the image is loaded: a BlurHash, and the dominant colour as `#rrggbb`. */
  placeholder: { blurhash: string; color: string };
}

/**
 * Decodes an image once. Rejects with `rest_upload_file_too_big` above `maxPixels`, known from the header before a pixel
 * is decoded, with the error that `refuse` makes of a message when the image is damaged, and with `rest_unavailable` when
 * too many images wait.
 */
export async function readImage(
  path: string,
  { maxPixels = MAX_PIXELS, client }: { maxPixels?: number | undefined; client?: string | undefined },
  refuse: (message: string) => UploadProblem,
): Promise<ImageInfo> {
  try {
    const sharp = await loadSharp();
    const header = await sharp(path, { limitInputPixels: false }).metadata();
    if (header.width * header.height > maxPixels) throw tooManyPixels(maxPixels);
    const placeholder = await imageQueue.run('upload', () => decode(path, maxPixels), client);
    const { width, height } = header.autoOrient;
    return { width, height, frames: header.pages ?? 1, imageMeta: imageMeta(header.exif), placeholder };
  } catch (error) {
    if (error instanceof UploadProblem) throw error;
    throw refuse('The image is damaged and cannot be read.');
  }
}

// Decodes the whole image: a valid header does not prove that resized copies can be made.
async function decode(path: string, limitInputPixels: number): Promise<ImageInfo['placeholder']> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(path, { limitInputPixels, failOn: 'error' })
    .autoOrient()
    .resize(SAMPLE, SAMPLE, { fit: 'inside' })
    .toColourspace('srgb')
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .timeout({ seconds: MAX_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const { dominant } = await sharp(data, { raw: { width, height, channels: info.channels } })
    .removeAlpha()
    .stats();
  const [across, down] = width < height ? [3, 4] : [4, 3];
  const hex = (part: number) => part.toString(16).padStart(2, '0');
  return {
    blurhash: encode(new Uint8ClampedArray(data), width, height, across, down),
    color: `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`,
  };
}

function tooManyPixels(limit: number): UploadProblem {
  const message = `The image has more than ${limit / 1_000_000} million pixels.`;
  return new UploadProblem('rest_upload_file_too_big', message);
}
