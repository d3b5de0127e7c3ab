// What sharp can tell about a picture: size as shown, EXIF values, and whether it can be decoded at all.
// Called by inspect.ts once the content is known to be one of five formats; nothing else ever reaches the decoder.
import sharp from 'sharp';
import { imageMeta } from './image-meta.js';
import { UploadProblem } from './upload-problem.js';
const READABLE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 20;
/** Whether pictures of this type are decoded here: PNG, JPEG, GIF, WebP and AVIF (decision 0.5). */
export function isReadablePicture(mime) {
    return READABLE.has(mime);
}
/** The type to store a sniffed picture under: animated PNG is PNG, and AVIF often wears the general HEIF brand. */
export async function pictureMime(path, sniffed) {
    if (sniffed === 'image/apng')
        return 'image/png';
    if (sniffed !== 'image/heif')
        return sniffed;
    const header = await sharp(path, { limitInputPixels: false })
        .metadata()
        .catch(() => undefined);
    return header?.compression === 'av1' ? 'image/avif' : sniffed;
}
/**
 * Width and height in pixels with the EXIF orientation applied, and the image_meta values. Rejects with
 * `rest_upload_file_too_big` above `maxPixels`, known from the header before a pixel is decoded, and with what
 * `refuse` makes of a message when the picture is damaged (decisions 0.5, 13.15).
 */
export async function readPicture(path, maxPixels = MAX_PIXELS, refuse) {
    try {
        const header = await sharp(path, { limitInputPixels: false }).metadata();
        if (header.width * header.height > maxPixels)
            throw tooManyPixels(maxPixels);
        await decode(path, maxPixels);
        const { width, height } = header.autoOrient;
        return { width, height, imageMeta: imageMeta(header.exif) };
    }
    catch (error) {
        if (error instanceof UploadProblem)
            throw error;
        throw refuse('The image is damaged and cannot be read.');
    }
}
// a header alone proves little: making the resized copies must not be the first to find the damage
async function decode(path, limitInputPixels) {
    await sharp(path, { limitInputPixels, failOn: 'error' })
        .resize(32, 32, { fit: 'inside' })
        .timeout({ seconds: MAX_SECONDS })
        .raw()
        .toBuffer();
}
function tooManyPixels(limit) {
    const message = `The image has more than ${limit / 1_000_000} million pixels.`;
    return new UploadProblem('rest_upload_file_too_big', message);
}
