// `manifest.json`: the contents of a dump. Written last, so that its presence marks a complete dump; read first by
// load.
import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from './dump-files.js';
import type { Shape } from './dump-shape.js';
import { readPlain, UnsafeFile } from '../plain-file.js';

/** Format version; increase it when older engines can no longer read the lines. */
export const FORMAT = 1;
/** Name of the manifest in the folder of a dump. */
const MANIFEST = 'manifest.json';
/** Its name until the dump is complete. */
const UNFINISHED = `${MANIFEST}.part`;
/** Largest manifest in bytes. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/** Names of resources and tables, from which file names are made. */
const NAME = /^[a-z_][\w-]{0,99}$/i;

/** Manifest entry of one file. */
export interface ManifestEntry {
  /** Number of lines. */
  count: number;
  /** Fingerprint of the names, types and lengths of the members of a line. */
  schema: string;
}

/** The contents of `manifest.json`. */
export interface Manifest {
  format: number;
  /** Version of the engine that wrote the dump. */
  engine: string;
  resources: Record<string, ManifestEntry>;
  /** Internal tables of the engine. */
  tables: Record<string, ManifestEntry>;
}

/** Fingerprint of the line format of a shape. */
export function fingerprint({ name, constants, fields, many, meta }: Shape): string {
  const columns = [...fields.values()].map(({ name: field, column, field: model }) => [
    field,
    model?.type ?? column.kind,
    column.length ?? 0,
    column.nullable ?? false,
  ]);
  const pairs = many.map((field) => [field.name, field.type, field.many!.target?.name ?? '']);
  const keys = meta ? [meta.name, meta.field.meta!.keys.map(({ key, structured }) => [key, structured])] : [];
  const canonical = JSON.stringify([name, constants, columns, pairs, keys]);
  return createHash('sha256').update(canonical).digest('hex').slice(0, 16);
}

/** Marks a folder as an unfinished dump, to tell it from a folder of lines that never had a manifest. */
export async function markUnfinished(folder: string): Promise<void> {
  await writeFile(join(folder, UNFINISHED), '', { flag: 'wx', mode: 0o600 });
}

/** Writes the manifest, which marks the dump of a folder as complete. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, UNFINISHED), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await rename(join(folder, UNFINISHED), join(folder, MANIFEST));
}

/** Reads the manifest of a folder; undefined where there is none. Throws an Error with the reason where it is invalid. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST);
  const text = await readPlain(path, MAX_MANIFEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error instanceof UnsafeFile) throw new Error(`${path}: it ${error.message}`);
    throw error;
  });
  if (text === undefined && (await isThere(join(folder, UNFINISHED))))
    throw new Error(
      `${folder}: this dump is not complete: its command was interrupted, or still runs. Make a new one in another folder. To load what it has all the same, name its files one by one.`,
    );
  if (text === undefined) return undefined;
  const manifest = manifestOf(text);
  if (!manifest) throw new Error(`${path}: this is not the manifest of a dump`);
  if (manifest.format > FORMAT)
    throw new Error(
      `${path}: format ${manifest.format} was written by a newer engine (${manifest.engine}); this one reads up to ${FORMAT}`,
    );
  return manifest;
}

function manifestOf(text: string): Manifest | undefined {
  try {
    const value = { engine: '?', tables: {}, ...(JSON.parse(text) as Partial<Manifest> | null) };
    const isValid = Number.isInteger(value.format) && areEntries(value.resources) && areEntries(value.tables);
    return isValid ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

function areEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value as Record<string, Partial<ManifestEntry> | null>).every(
    ([name, entry]) => NAME.test(name) && Number.isInteger(entry?.count) && typeof entry?.schema === 'string',
  );
}
