// Uploaded files: where they are kept, and what is known of one that is being received.
import type { Readable } from 'node:stream';

/** A size of resized images: a box in pixels, open to a side that is left out; `crop`: copies fill it. */
export interface ImageSize {
  readonly width?: number;
  readonly height?: number;
  readonly crop?: boolean;
}

/** Storage of uploaded files. */
export interface FileStorage {
  /** Reserves a free key in a folder (`2026/11`) until it is committed or removed; `isCopy`: for a resized copy. */
  reserve(folder: string, name: string, isCopy?: boolean): Promise<string>;
  /** Stores the content of a file or stream under a key; never overwrites a file. */
  put(key: string, source: string | Readable): Promise<void>;
  remove(keys: string[]): Promise<void>;
  /** Ends the reservations of keys whose rows are committed. */
  commit(keys: string[]): Promise<void>;
  /** Reserves keys whose rows are about to be deleted. */
  mark(keys: string[]): Promise<void>;
  /** Keys reserved before a moment and neither committed nor removed since: the process that reserved them died. */
  claimed(before: Date): Promise<string[]>;
  /** Whether a file is stored under a key. */
  exists?(key: string): Promise<boolean>;
  /** Keys of the files that were last written before a moment. */
  list?(before: Date): AsyncIterable<string>;
  /** The bytes of a stored file. */
  open?(key: string): Promise<Readable>;
  /** The key of the original of a copy that was made on demand; the key itself for other files. */
  originOf?(key: string): string;
}

/** A file in the storage whose row is not written yet. */
export interface StoredUpload {
  /** Storage key. */
  key: string;
  /** This key and those of the resized copies. */
  keys: readonly string[];
  /** Name given by the client, else the one it is stored under. */
  name: string;
  inspection: {
    mime: string;
    /** Bytes. */
    size: number;
    /** Pixels, of images. */
    width?: number;
    height?: number;
    /** Texts and camera data found in an image. */
    imageMeta?: Record<string, unknown>;
    /** Shown until an image is loaded. */
    placeholder?: { blurhash: string; color: string };
    /** Metadata of audio or video. */
    recording?: object;
  };
  /** Resized copies, by the name of their size. */
  sizes: Readonly<Record<string, StoredCopy>>;
}

/** A resized copy as the details of an item list it; `file` is the last part of its storage key. */
export interface StoredCopy {
  file: string;
  width: number;
  height: number;
  filesize: number;
  mime_type: string;
}

/** A file sent with the request. */
export interface UploadedFile {
  path: string;
  size: number;
  md5: string;
  filename?: string;
  form: 'raw' | 'multipart';
  remove(): Promise<void>;
}
