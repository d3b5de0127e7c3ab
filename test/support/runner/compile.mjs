// JavaScript of TypeScript modules, transformed by swc with decorators and cached below node_modules with its source map.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const CACHE_FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/typecase-tests/', import.meta.url));
const OPTIONS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
};

mkdirSync(CACHE_FOLDER, { recursive: true });

/** Path of the JavaScript of a TypeScript file; its source map is beside it, with `.map` appended to its name. */
export function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  const cached = `${CACHE_FOLDER}${createHash('sha1').update(filename).update(source).digest('hex')}.js`;
  if (existsSync(cached)) return cached;
  const { code, map } = transformSync(source, { filename, ...OPTIONS });
  writeAtomically(`${cached}.map`, map);
  writeAtomically(cached, code);
  return cached;
}

/** Other workers may write the same file. */
function writeAtomically(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
