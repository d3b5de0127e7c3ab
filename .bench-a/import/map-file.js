import { fileKeyOf, mimeTypeOf } from './file-key.js';
import { unserialize } from './php-serialized.js';
import { metaOf } from './wxr-events.js';
/** Columns of an attachment's file: storage key, type, known details. */
export function fileColumns(item) {
    const known = metaOf(item, '_wp_attached_file');
    // Some plugins keep a whole address or an absolute path there.
    const relative = known && !/^\/|:/.test(known) ? `/uploads/${known}` : undefined;
    const file = fileKeyOf(relative ?? (item.attachmentUrl.trim() || item.guid.trim()));
    const details = detailsOf(unserialize(metaOf(item, '_wp_attachment_metadata') ?? ''), file);
    return { file, mime_type: mimeTypeOf(file), ...(details ? { media_details: JSON.stringify(details) } : {}) };
}
/** Resized copies are not taken over: their files are not part of an export. */
function detailsOf(found, file) {
    if (typeof found !== 'object' || found === null || Array.isArray(found))
        return undefined;
    const { width, height, filesize, image_meta: image } = found;
    const numbers = Object.entries({ width, height, filesize }).filter(([, value]) => Number.isInteger(value));
    return { ...Object.fromEntries(numbers), file, sizes: {}, ...(isObject(image) ? { image_meta: imageMeta(image) } : {}) };
}
function imageMeta(found) {
    const plain = (value) => (Array.isArray(value) ? value.map(String) : typeof value === 'object' ? '' : String(value));
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(value)]));
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** The meta of an attachment with the address its file came from: it is fetched only on request. */
export function withSource({ meta, line, attachmentUrl }) {
    const value = attachmentUrl.trim();
    return value ? [...meta, { line, key: '_source_url', value }] : meta;
}
//# sourceMappingURL=map-file.js.map