// The image_meta member of media_details (decision 10.11), from a picture's EXIF block. Called by inspect.ts.
import { readExif, TAG } from './exif.js';
const LONGEST_TITLE = 80;
/** All members of decision 10.11; without a block, or with a damaged one, the defaults. `created_timestamp` is Unix seconds. */
export function imageMeta(exif) {
    const tags = exif ? readExif(exif) : new Map();
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
        title: description.length < LONGEST_TITLE ? description : '',
        orientation: number(tags.get(TAG.orientation), 0),
        keywords: [],
    };
}
// clients put these texts into pages, and a camera never writes markup: angle brackets are an attack
function text(value) {
    return typeof value === 'string' ? value.replace(/[<>\p{Cc}\ufffd]/gu, '').trim() : '';
}
function number(value, decimals) {
    return typeof value === 'number' ? String(Number(value.toFixed(decimals))) : '0';
}
// EXIF dates carry no zone; read as UTC, for a server's own zone says nothing about the camera's
function timestamp(value) {
    const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text(value));
    if (!match)
        return '0';
    const milliseconds = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`);
    return Number.isNaN(milliseconds) ? '0' : String(milliseconds / 1000);
}
