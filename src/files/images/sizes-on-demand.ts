// Resized copies that readers request: each copy that the configuration allows is made once and stored.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { loadSharp } from '../load-sharp.js';
import { type FileStore, resizedFolder } from '../file-store.js';
import { allowedType, usualExtension } from '../media-types.js';
import { diskProblem, UploadProblem } from '../upload-problem.js';
import { busy } from '../image-queue.js';
import { fitted, type ImageSize, type PlannedCopy } from './image-sizes.js';
import { isWritable, makeCopies, type SourceImage } from './make-copies.js';

/** Boxes and media types that may be requested. */
export interface OnDemandOptions {
  boxes: readonly ImageSize[];
  /** Besides the type of the image itself. */
  formats: readonly string[];
}

/** A requested copy; `format` is a media type. */
export interface Wanted extends ImageSize {
  format?: string;
}

/** An image, and the version of the file under its key. */
interface Original {
  key: string;
  version: string;
}

const PARAMETERS = ['width', 'height', 'fit', 'format'] as const;
const FITS = ['inside', 'cover'];
const MAX_PIXELS = 50_000_000;
/** Maximum number of copies that are being made or wait: each has a temporary copy of its image. */
const MAX_CONCURRENT = 32;

/** The copies of one site. */
export class SizesOnDemand {
  readonly #files: FileStore;
  readonly #options: OnDemandOptions;
  readonly #folder: string;
  /** Copies that are being made, by key. */
  readonly #making = new Map<string, Promise<boolean>>();

  /** `folder`: for temporary files. */
  constructor(files: FileStore, options: OnDemandOptions, folder: string) {
    this.#files = files;
    this.#options = options;
    this.#folder = folder;
  }

  /**
   * The copy that a query requests; undefined when it requests the file itself.
   * @throws UploadProblem `rest_invalid_param` for copies that are not allowed
   */
  wanted(query: URLSearchParams): Wanted | undefined {
    const given = PARAMETERS.filter((name) => query.has(name));
    if (given.length === 0) return undefined;
    if (this.#options.boxes.length === 0) throw refused('Images are not resized here: leave out the query.');
    const twice = given.find((name) => query.getAll(name).length > 1);
    if (twice) throw refused(`${twice} is given more than once.`);
    const fit = query.get('fit') ?? 'inside';
    if (!FITS.includes(fit)) throw refused(`fit must be one of ${FITS.join(', ')}.`);
    const box = this.#box(query.get('width'), query.get('height'));
    const format = this.#format(query.get('format'));
    const crop = fit === 'cover' && box.width !== undefined && box.height !== undefined;
    return { ...box, ...(crop ? { crop } : {}), ...(format ? { format } : {}) };
  }

  /**
   * The key of a copy, which is made if it does not exist; undefined when there is no image with that key. Rejects with
   * UploadProblem: `rest_invalid_param` for a file that cannot be resized, `rest_unavailable` when too many wait,
   * `rest_upload_file_error` for the storage.
   */
  async keyOf(key: string, wanted: Wanted): Promise<string | undefined> {
    const own = allowedType(key, false)?.mime ?? '';
    if (!isWritable(own)) throw refused('Only PNG, JPEG, GIF, WebP and AVIF images are resized.');
    const mime = wanted.format ?? own;
    const target = `${resizedFolder(key)}${nameOf(wanted)}.${usualExtension(mime)}`;
    if (await this.#files.exists(target)) return target;
    const version = await this.#files.version(key);
    if (version === undefined) return undefined;
    let making = this.#making.get(target);
    if (!making) {
      if (this.#making.size >= MAX_CONCURRENT) throw busy();
      making = this.#make({ key, version }, target, { ...wanted, format: mime }).finally(() =>
        this.#making.delete(target),
      );
      this.#making.set(target, making);
    }
    // When the image was deleted or replaced during the work, the copy is discarded and the request starts again.
    return (await making) ? target : this.keyOf(key, wanted);
  }

  /** Makes and stores a copy; false where the image has been deleted or replaced since. */
  async #make({ key, version }: Original, target: string, wanted: Wanted): Promise<boolean> {
    const path = join(this.#folder, `.${randomUUID()}.part`);
    try {
      await pipeline(await this.#files.open(key), createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(
        (error: unknown) => Promise.reject(diskProblem(error)),
      );
      const bytes = await resized(path, allowedType(key, false)!.mime, wanted);
      await this.#files.put(target, Readable.from([bytes])).catch(ifNotThere);
      // The copy of a deleted image would never be removed, and the key may belong to another image already.
      const isSame = (await this.#files.version(key)) === version;
      if (!isSame) await this.#files.remove([target]);
      return isSame;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  #box(width: string | null, height: string | null): ImageSize {
    const found = this.#options.boxes.find(
      (box) => String(box.width ?? '') === (width ?? '') && String(box.height ?? '') === (height ?? ''),
    );
    if (found) return found;
    const allowed = this.#options.boxes.map((box) => `${box.width ?? ''}x${box.height ?? ''}`).join(', ');
    throw refused(`width and height must be one of these pairs: ${allowed}.`);
  }

  #format(name: string | null): string | undefined {
    if (name === null) return undefined;
    const mime = `image/${name}`;
    if (this.#options.formats.includes(mime)) return mime;
    const allowed = this.#options.formats.map((each) => each.slice('image/'.length)).join(', ');
    throw refused(allowed === '' ? 'format cannot be chosen here.' : `format must be one of ${allowed}.`);
  }
}

async function resized(path: string, mime: string, wanted: Wanted): Promise<Buffer> {
  const source = await described(path, mime);
  const [copy] = await makeCopies(source, [planned(source, wanted)], { as: wanted.format ?? mime, kind: 'reader' });
  if (!copy) throw refused('The image is damaged or takes too long to resize.');
  return copy.bytes;
}

async function described(path: string, mime: string): Promise<SourceImage> {
  const sharp = await loadSharp();
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header) throw refused('The file is not an image that can be resized.');
  if (header.width * header.height > MAX_PIXELS) throw refused('The image has too many pixels to be resized.');
  return { path, mime, ...header.autoOrient, frames: header.pages ?? 1 };
}

function planned({ width, height }: SourceImage, wanted: Wanted): PlannedCopy {
  if (!wanted.crop) return { name: '', ...fitted(width, height, wanted), crop: false };
  return { name: '', width: Math.min(width, wanted.width!), height: Math.min(height, wanted.height!), crop: true };
}

function nameOf({ width, height, crop }: Wanted): string {
  return `${width ?? ''}x${height ?? ''}${crop ? '-cover' : ''}`;
}

/** Ignores the error where another process has stored the same copy. */
function ifNotThere(error: unknown): void {
  const { cause } = error as UploadProblem;
  if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'EEXIST') throw error;
}

function refused(message: string): UploadProblem {
  return new UploadProblem('rest_invalid_param', message);
}
