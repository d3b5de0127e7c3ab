// Finds the files of a load: a dump with its manifest, a folder of .jsonl files, or a single one.
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FILES, isThere } from '../dump/dump-files.js';
import { readManifest, type Manifest, type ManifestEntry } from '../dump/dump-manifest.js';
import type { LoadProblems } from './load-problems.js';

/** One file of lines. */
export interface LoadFile {
  path: string;
  /** Resource of its lines unless they specify another one. */
  resource: string;
  bytes: number;
  /** Its entry in the manifest. */
  expected?: ManifestEntry;
}

/** The files of a load. */
export interface LoadSource {
  files: LoadFile[];
  /** The folder, if it contains uploaded files. */
  folder?: string;
}

const ENDING = /\.jsonl(\.gz)?$/;

/**
 * Finds the files at a path, which may itself be a symbolic link; links inside a folder are rejected when they are
 * read. Throws an Error when the path does not exist.
 */
export async function openSource(path: string, problems: LoadProblems): Promise<LoadSource> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`${path}: there is no such file or folder`);
  if (!found.isDirectory()) return { files: [fileAt(await realpath(path), found.size, basename(path))] };
  const manifest = await readManifest(path);
  const names = (await readdir(path)).filter((name) => ENDING.test(name)).sort();
  if (!manifest && names.length === 0) throw new Error(`${path}: neither a manifest.json nor .jsonl files are in it`);
  const files: LoadFile[] = [];
  for (const name of names) files.push(fileAt(join(path, name), (await lstat(join(path, name))).size, name, manifest));
  for (const [name] of listed(manifest)) {
    if (!files.some(({ resource }) => resource === name))
      problems.add({ file: join(path, `${name}.jsonl`), line: 0 }, 'the manifest lists this file, and it is not there');
  }
  const hasFiles = await isThere(join(path, FILES));
  return { files: inOrder(files, manifest), ...(hasFiles ? { folder: path } : {}) };
}

function fileAt(path: string, bytes: number, name: string, manifest?: Manifest): LoadFile {
  const resource = name.replace(ENDING, '');
  const expected = new Map(listed(manifest)).get(resource);
  return { path, resource, bytes, ...(expected ? { expected } : {}) };
}

function listed(manifest: Manifest | undefined): [string, ManifestEntry][] {
  return Object.entries({ ...manifest?.resources, ...manifest?.tables });
}

/** Files in the order of the manifest, then the others. */
function inOrder(files: LoadFile[], manifest: Manifest | undefined): LoadFile[] {
  const order = listed(manifest).map(([name]) => name);
  const place = ({ resource }: LoadFile) => (order.includes(resource) ? order.indexOf(resource) : order.length);
  return [...files].sort((a, b) => place(a) - place(b));
}
