// Detects the type of a received file and decides whether it is accepted.
// Runs after receiving and before a key is reserved; the file is stored under the returned extension.
import { open, stat } from 'node:fs/promises';
import { sanitizeFileName } from './file-name.js';
import { imageMeta } from './image-meta.js';
import { allowedType, usualExtension, type MediaType } from './media-types.js';
import { isReadableImage, imageMime, readImage } from './read-image.js';
import { isRecording, recordingAt } from './recordings/recordings.js';
import { diskProblem, UploadProblem } from './upload-problem.js';

/**
 * `form`: how the file was sent, which determines the error code (default `raw`); `maxPixels`: default 50 million; `client`:
 * the client to whose queue the image is added.
 */
export interface InspectOptions {
  unfiltered: boolean;
  form?: 'raw' | 'multipart';
  maxPixels?: number;
  client?: string;
}

/**
 * Type and size of a file. `filename` is sanitized and ends in `extension`; `size` in bytes; `width` and `height` as
 * displayed.
 */
export interface Inspection {
  filename: string;
  extension: string;
  mime: string;
  size: number;
  width?: number;
  height?: number;
  frames?: number;
  imageMeta?: Record<string, unknown>;
  placeholder?: { blurhash: string; color: string };
  /** Metadata of audio or video. */
  recording?: object;
}

const SNIFFED_BYTES = 1024 * 1024;

const PROGRAMS = new Set([
  'application/x-msdownload',
  'application/vnd.microsoft.portable-executable',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-shockwave-flash',
  'application/java-vm',
]);

/**
 * The type of the file at `path`: by the extension of `filename`, and for images by content too. An image with another
 * image's extension is corrected; any other content behind an image extension is rejected, as are empty files,
 * programs, unlisted extensions (html and js without `unfiltered`) and images that cannot be decoded. Rejects with
 * UploadProblem: `rest_upload_sideload_error` (raw) or `rest_upload_unknown_error` (multipart),
 * `rest_upload_file_too_big` for too many pixels, `rest_unavailable` when too many images wait,
 * `rest_upload_file_error` when `path` cannot be read.
 */
export async function inspectFile(path: string, filename: string, options: InspectOptions): Promise<Inspection> {
  const code = options.form === 'multipart' ? 'rest_upload_unknown_error' : 'rest_upload_sideload_error';
  const refuse = (message: string) => new UploadProblem(code, message);
  const name = sanitizeFileName(filename);
  const declared = allowedType(name, options.unfiltered);
  if (!declared) throw refuse('Files of this type may not be uploaded.');
  const { size, start } = await readStart(path);
  if (size === 0) throw refuse('The file is empty.');
  const sniffed = await sniff(start);
  if (PROGRAMS.has(sniffed ?? '')) throw refuse('Programs may not be uploaded.');
  if (isRecording(declared.mime)) {
    const recording = await recordingAt(path);
    return { filename: name, ...declared, size, ...(recording ? { recording } : {}) };
  }
  if (!declared.mime.startsWith('image/')) return { filename: name, ...declared, size };

  const actual = imageType(declared, await imageMime(path, sniffed));
  if (!actual) throw refuse('The content of the file is not an image, although its name says so.');
  const found = { filename: rename(name, actual.extension), ...actual, size };
  if (!isReadableImage(actual.mime)) return { ...found, imageMeta: imageMeta(undefined) };
  return { ...found, ...(await readImage(path, options, refuse)) };
}

async function readStart(path: string): Promise<{ size: number; start: Buffer }> {
  try {
    const { size } = await stat(path);
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, SNIFFED_BYTES)));
      return { size, start: buffer.subarray(0, bytesRead) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw diskProblem(error);
  }
}

// The detection can throw for a damaged file, whose type is then unknown.
async function sniff(start: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  return fileTypeFromBuffer(start).then(
    (type) => type?.mime,
    () => undefined,
  );
}

// `jpeg` stays `jpeg`: only an extension of another type is replaced.
function imageType(declared: MediaType, mime: string | undefined): MediaType | undefined {
  if (mime === declared.mime) return declared;
  const extension = mime?.startsWith('image/') ? usualExtension(mime) : undefined;
  return mime && extension ? { extension, mime } : undefined;
}

function rename(name: string, extension: string): string {
  return `${name.slice(0, name.lastIndexOf('.'))}.${extension}`;
}
