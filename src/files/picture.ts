// Reads images with sharp: displayed size, EXIF values, and whether they can be decoded.
import sharp from 'sharp';
import { imageMeta, type ImageMeta } from './image-meta.js';
import { UploadProblem } from './upload-problem.js';

const READABLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;

/** Whether images of this type are decoded: PNG, JPEG, GIF, WebP and AVIF. */
export function isReadablePicture(mime: string): boolean {
  return READABLE.has(mime);
}

/** Media type of an image from its detected one: animated PNG is PNG, and AVIF is often detected as HEIF. */
export async function pictureMime(path: string, sniffed: string | undefined): Promise<string | undefined> {
  if (sniffed === 'image/apng') return 'image/png';
  if (sniffed !== 'image/heif') return sniffed;
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  return header?.compression === 'av1' ? 'image/avif' : sniffed;
}

/**
 * Width and height in pixels with the EXIF orientation applied, and the image_meta values. Rejects with
 * `rest_upload_file_too_big` above `maxPixels`, known from the header before a pixel is decoded, and with what
 * the error that `refuse` makes of a message when the image is damaged.
 */
export async function readPicture(
  path: string,
  maxPixels: number = MAX_PIXELS,
  refuse: (message: string) => UploadProblem,
): Promise<{ width: number; height: number; imageMeta: ImageMeta }> {
  try {
    const header = await sharp(path, { limitInputPixels: false }).metadata();
    if (header.width * header.height > maxPixels) throw tooManyPixels(maxPixels);
    await decode(path, maxPixels);
    const { width, height } = header.autoOrient;
    return { width, height, imageMeta: imageMeta(header.exif) };
  } catch (error) {
    if (error instanceof UploadProblem) throw error;
    throw refuse('The image is damaged and cannot be read.');
  }
}

// Decodes the whole image: a valid header does not prove that resized copies can be made.
async function decode(path: string, limitInputPixels: number): Promise<void> {
  await sharp(path, { limitInputPixels, failOn: 'error' })
    .resize(32, 32, { fit: 'inside' })
    .timeout({ seconds: MAX_SECONDS })
    .raw()
    .toBuffer();
}

function tooManyPixels(limit: number): UploadProblem {
  const message = `The image has more than ${limit / 1_000_000} million pixels.`;
  return new UploadProblem('rest_upload_file_too_big', message);
}
