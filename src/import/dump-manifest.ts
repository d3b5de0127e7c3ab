// `manifest.json`: what a dump holds. Written last, so that a folder with one is whole; read first by load.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shape } from './dump-shape.js';

/** Raise it when an older engine could not read the lines any more. */
export const FORMAT = 1;
export const MANIFEST = 'manifest.json';

/** What is known of one file. */
export interface ManifestEntry {
  /** Lines. */
  count: number;
  /** Changes with the names, types and lengths of what a line holds. */
  schema: string;
}

export interface Manifest {
  format: number;
  /** Version of the engine that wrote the dump. */
  engine: string;
  resources: Record<string, ManifestEntry>;
  /** Tables of the engine's own. */
  tables: Record<string, ManifestEntry>;
}

/** Fingerprint of what the lines of a shape hold. */
export function fingerprint({ name, constants, fields, many, meta }: Shape): string {
  const columns = [...fields.values()].map(({ name: field, column, field: model }) => [
    field,
    model?.type ?? column.kind,
    column.length ?? 0,
    column.nullable ?? false,
  ]);
  const pairs = many.map((field) => [field.name, field.type, field.many!.target?.name ?? '']);
  const keys = meta ? [meta.name, meta.field.meta!.keys.map(({ key, structured }) => [key, structured])] : [];
  const told = JSON.stringify([name, constants, columns, pairs, keys]);
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { flag: 'wx', mode: 0o600 });
}

/** The manifest of a folder; undefined where there is none. Throws an Error that says what is wrong with it. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const manifest = manifestOf(text);
  if (!manifest) throw new Error(`${path}: this is no manifest of a dump`);
  if (manifest.format > FORMAT)
    throw new Error(
      `${path}: format ${manifest.format} was written by a newer engine (${manifest.engine}); this one reads up to ${FORMAT}`,
    );
  return manifest;
}

function manifestOf(text: string): Manifest | undefined {
  try {
    const value = JSON.parse(text) as Partial<Manifest> | null;
    const whole = Number.isInteger(value?.format) && typeof value?.resources === 'object' && value.resources !== null;
    return whole ? ({ engine: '?', tables: {}, ...value } as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
