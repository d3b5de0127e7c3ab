// JavaScript of TypeScript modules, made by swc with decorators and kept below node_modules with its source map.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const KEPT = fileURLToPath(new URL('../../../node_modules/.cache/typecase-tests/', import.meta.url));
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

mkdirSync(KEPT, { recursive: true });

/** Path of the JavaScript of a TypeScript file; its source map is beside it, with `.map` appended to its name. */
export function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const made = `${KEPT}${createHash('sha1').update(filename).update(source).digest('hex')}.js`;
  if (existsSync(made)) return made;
  const { code, map } = transformSync(source, { filename, ...OPTIONS });
  keep(`${made}.map`, map);
  keep(made, code);
  return made;
}

/** Other workers may write the same file. */
function keep(path, text) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
