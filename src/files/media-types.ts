// File types that may be uploaded, and the media type each is stored and served under.

/** An extension as stored (lower case, no dot) and its media type. */
export interface MediaType {
  extension: string;
  mime: string;
}

// svg, exe, swf, php and the like are missing on purpose: a browser or a server would execute them.
const EXTENSIONS_BY_MIME: Record<string, string> = {
  'image/jpeg': 'jpg jpeg jpe',
  'image/gif': 'gif',
  'image/png': 'png',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff tif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/x-icon': 'ico',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/heic-sequence': 'heics',
  'image/heif-sequence': 'heifs',
  'video/x-ms-asf': 'asf asx',
  'video/x-ms-wmv': 'wmv',
  'video/x-ms-wmx': 'wmx',
  'video/x-ms-wm': 'wm',
  'video/avi': 'avi',
  'video/divx': 'divx',
  'video/x-flv': 'flv',
  'video/quicktime': 'mov qt',
  'video/mpeg': 'mpeg mpg mpe',
  'video/mp4': 'mp4 m4v',
  'video/ogg': 'ogv',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/3gpp': '3gp 3gpp',
  'video/3gpp2': '3g2 3gp2',
  'text/plain': 'txt asc c cc h srt',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/calendar': 'ics',
  'text/richtext': 'rtx',
  'text/css': 'css',
  'text/vtt': 'vtt',
  'application/ttaf+xml': 'dfxp',
  'audio/mpeg': 'mp3 m4a m4b',
  'audio/aac': 'aac',
  'audio/x-realaudio': 'ra ram',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg oga',
  'audio/flac': 'flac',
  'audio/midi': 'mid midi',
  'audio/x-ms-wma': 'wma',
  'audio/x-ms-wax': 'wax',
  'audio/x-matroska': 'mka',
  'application/rtf': 'rtf',
  'application/pdf': 'pdf',
  'application/x-tar': 'tar',
  'application/zip': 'zip',
  'application/x-gzip': 'gz gzip',
  'application/rar': 'rar',
  'application/x-7z-compressed': '7z',
  'application/octet-stream': 'psd xcf',
  'application/msword': 'doc',
  'application/vnd.ms-powerpoint': 'pot pps ppt',
  'application/vnd.ms-write': 'wri',
  'application/vnd.ms-excel': 'xla xls xlt xlw',
  'application/vnd.ms-access': 'mdb',
  'application/vnd.ms-project': 'mpp',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-word.document.macroEnabled.12': 'docm',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'dotx',
  'application/vnd.ms-word.template.macroEnabled.12': 'dotm',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-excel.sheet.macroEnabled.12': 'xlsm',
  'application/vnd.ms-excel.sheet.binary.macroEnabled.12': 'xlsb',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.template': 'xltx',
  'application/vnd.ms-excel.template.macroEnabled.12': 'xltm',
  'application/vnd.ms-excel.addin.macroEnabled.12': 'xlam',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.ms-powerpoint.presentation.macroEnabled.12': 'pptm',
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow': 'ppsx',
  'application/vnd.ms-powerpoint.slideshow.macroEnabled.12': 'ppsm',
  'application/vnd.openxmlformats-officedocument.presentationml.template': 'potx',
  'application/vnd.ms-powerpoint.template.macroEnabled.12': 'potm',
  'application/vnd.ms-powerpoint.addin.macroEnabled.12': 'ppam',
  'application/vnd.openxmlformats-officedocument.presentationml.slide': 'sldx',
  'application/vnd.ms-powerpoint.slide.macroEnabled.12': 'sldm',
  'application/onenote': 'onetoc onetoc2 onetmp onepkg',
  'application/oxps': 'oxps',
  'application/vnd.ms-xpsdocument': 'xps',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.graphics': 'odg',
  'application/vnd.oasis.opendocument.chart': 'odc',
  'application/vnd.oasis.opendocument.database': 'odb',
  'application/vnd.oasis.opendocument.formula': 'odf',
  'application/wordperfect': 'wp wpd',
  'application/vnd.apple.keynote': 'key',
  'application/vnd.apple.numbers': 'numbers',
  'application/vnd.apple.pages': 'pages',
};

const UNFILTERED_ONLY: Record<string, string> = { 'text/html': 'htm html', 'application/javascript': 'js' };

const filtered = byExtension(EXTENSIONS_BY_MIME);
const unfilteredToo = new Map([...filtered, ...byExtension(UNFILTERED_ONLY)]);

// A Map, because `constructor` is a member of every object.
function byExtension(table: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(table).flatMap(([mime, extensions]) => extensions.split(' ').map((name) => [name, mime] as const)),
  );
}

/**
 * The media type for a file name, or undefined when such a file may not be uploaded.
 * Only the last extension counts; sanitizeFileName neutralizes inner ones.
 * `unfiltered`: the caller has `unfiltered_html`, which permits html and js.
 */
export function allowedType(filename: string, unfiltered: boolean): MediaType | undefined {
  const dot = filename.lastIndexOf('.');
  if (dot < 0) return undefined;
  const extension = filename.slice(dot + 1).toLowerCase();
  const mime = (unfiltered ? unfilteredToo : filtered).get(extension);
  return mime === undefined ? undefined : { extension, mime };
}

/** The usual extension of a media type (`jpg` for image/jpeg), or undefined for a type that may not be uploaded. */
export function usualExtension(mime: string): string | undefined {
  for (const [extension, candidate] of filtered) if (candidate === mime) return extension;
  return undefined;
}
