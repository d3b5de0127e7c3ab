// Derives the storage key and MIME type of an attachment's file from its URL.

const MIMES: Record<string, string> = {
  'image/jpeg': 'jpg jpeg jpe',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/tiff': 'tif tiff',
  'image/heic': 'heic',
  'image/x-icon': 'ico',
  'video/mp4': 'mp4 m4v',
  'video/quicktime': 'mov qt',
  'video/mpeg': 'mpeg mpg mpe',
  'video/webm': 'webm',
  'video/ogg': 'ogv',
  'video/avi': 'avi',
  'video/x-ms-wmv': 'wmv',
  'video/x-flv': 'flv',
  'video/x-matroska': 'mkv',
  'video/3gpp': '3gp',
  'audio/mpeg': 'mp3 m4a',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/midi': 'mid midi',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'text/vtt': 'vtt',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/x-gzip': 'gz',
  'application/x-tar': 'tar',
  'application/rtf': 'rtf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
};

const BY_EXTENSION = new Map(
  Object.entries(MIMES).flatMap(([mime, all]) => all.split(' ').map((extension) => [extension, mime] as const)),
);

/** MIME type by file extension, because exports do not contain it; '' for uncommon ones. */
export function mimeTypeOf(name: string): string {
  return BY_EXTENSION.get(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '') ?? '';
}

/** Folders of the storage that an import must not write to: private files, copies made on demand. */
const OWN = ['private', 'resized'];
/** Characters of a key. */
const MAX_KEY = 400;

/**
 * Storage key of an attachment: the path below `/uploads/`, else its last `YYYY/MM/name`, else the file name. Segments
 * that would leave the folder, or lead into those of the storage itself, are dropped, and so are the first folders of a
 * key that is too long; '' when no name is left.
 */
export function fileKeyOf(url: string): string {
  const path = decoded(pathOf(url.trim()));
  const below = path.lastIndexOf('/uploads/');
  const dated = /\/(\d{4}\/\d\d\/[^/]+)$/.exec(path)?.[1];
  const key = below >= 0 ? path.slice(below + '/uploads/'.length) : (dated ?? path.slice(path.lastIndexOf('/') + 1));
  const segments = key.split('/').map((segment) => nameOf(segment.replace(/[\p{Cc}\\<>:"|?*%]/gu, '')));
  const named = segments.filter((segment) => segment !== '');
  while (named.length > 1 && named.join('/').length > MAX_KEY) named.shift();
  while (OWN.includes(named[0]?.toLowerCase() ?? '')) named.shift();
  return nameOf(named.join('/').slice(-MAX_KEY));
}

/** A name without the beginning that would hide it, or lead out of its folder; a character may have been cut off there. */
function nameOf(text: string): string {
  return text.replace(/^[.\s\udc00-\udfff]+/, '');
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : (url.split(/[?#]/)[0] ?? '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
