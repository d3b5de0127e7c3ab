// Where an attachment's file belongs in our storage, and what kind of file it is, by its address alone. Called by the item mapping.
const MIMES = {
    'image/jpeg': 'jpg jpeg jpe', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp', 'image/avif': 'avif', 'image/bmp': 'bmp',
    'image/tiff': 'tif tiff', 'image/heic': 'heic', 'image/x-icon': 'ico',
    'video/mp4': 'mp4 m4v', 'video/quicktime': 'mov qt', 'video/mpeg': 'mpeg mpg mpe', 'video/webm': 'webm', 'video/ogg': 'ogv',
    'video/avi': 'avi', 'video/x-ms-wmv': 'wmv', 'video/x-flv': 'flv', 'video/x-matroska': 'mkv', 'video/3gpp': '3gp',
    'audio/mpeg': 'mp3 m4a', 'audio/wav': 'wav', 'audio/ogg': 'ogg oga', 'audio/flac': 'flac', 'audio/aac': 'aac', 'audio/midi': 'mid midi',
    'text/plain': 'txt', 'text/csv': 'csv', 'text/calendar': 'ics', 'text/vtt': 'vtt',
    'application/pdf': 'pdf', 'application/zip': 'zip', 'application/x-gzip': 'gz', 'application/x-tar': 'tar', 'application/rtf': 'rtf',
    'application/msword': 'doc', 'application/vnd.ms-excel': 'xls', 'application/vnd.ms-powerpoint': 'ppt',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.text': 'odt', 'application/vnd.oasis.opendocument.spreadsheet': 'ods',
};
const BY_EXTENSION = new Map(Object.entries(MIMES).flatMap(([mime, all]) => all.split(' ').map((extension) => [extension, mime])));
/** MIME type by the ending of a name; '' when it is none of the usual ones. Exports do not say it. */
export function mimeTypeOf(name) {
    return BY_EXTENSION.get(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? '';
}
/**
 * Storage key of an attachment: the path below `/uploads/`, else its last `YYYY/MM/name`, else the bare name.
 * Segments that would lead elsewhere are dropped; '' when no name is left.
 */
export function fileKeyOf(address) {
    const path = decoded(pathOf(address.trim()));
    const below = path.lastIndexOf('/uploads/');
    const dated = /\/(\d{4}\/\d\d\/[^/]+)$/.exec(path)?.[1];
    const key = below >= 0 ? path.slice(below + '/uploads/'.length) : (dated ?? path.slice(path.lastIndexOf('/') + 1));
    const segments = key.split('/').map((segment) => segment.replace(/[\p{Cc}\\<>:"|?*%]/gu, '').replace(/^[.\s]+/, ''));
    return segments.filter((segment) => segment !== '').join('/').slice(-400);
}
function pathOf(address) {
    return URL.canParse(address) ? new URL(address).pathname : (address.split(/[?#]/)[0] ?? '');
}
function decoded(path) {
    try {
        return decodeURIComponent(path);
    }
    catch {
        return path;
    }
}
//# sourceMappingURL=file-key.js.map