// The files of the pages: read once at start, served below a path that contains the hash of all of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HttpResponse } from '../response/response.js';

const FOLDER = fileURLToPath(new URL('assets/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
};
/** The path changes with the content, so that a copy is never out of date. */
const CACHING = 'public, max-age=31536000, immutable';

/** The files by name, and what they have in common in their URLs. */
export interface Assets {
  /** Changes when any of the files does. */
  readonly hash: string;
  /** Names of the script modules. */
  readonly modules: readonly string[];
  find(name: string): HttpResponse | undefined;
}

let cached: Assets | undefined;

/** The files, read at the first call. */
export function assets(): Assets {
  return (cached ??= readAssets());
}

function readAssets(): Assets {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => TYPES[endingOf(name)] !== undefined)
    .sort();
  const texts = names.map((name) => readFileSync(FOLDER + name, 'utf8'));
  const hash = createHash('sha256')
    .update(JSON.stringify([names, texts]))
    .digest('hex')
    .slice(0, 16);
  const files = new Map(names.map((name, at) => [name, responseOf(name, texts[at]!, hash)]));
  const modules = names.filter((name) => endingOf(name) === 'js');
  return { hash, modules, find: (name) => files.get(name) };
}

function responseOf(name: string, text: string, hash: string): HttpResponse {
  const headers = { 'Content-Type': TYPES[endingOf(name)]!, ETag: `"${hash}"`, 'Cache-Control': CACHING };
  return new HttpResponse(200, headers, text);
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
