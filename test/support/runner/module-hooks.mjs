// Module hooks of Node.js for the tests: TypeScript, and the `@jest/globals` of the current spec file.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const TESTS = new URL('../../', import.meta.url).href;
const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/** Finds `x.ts` for `./x.js`; modules of test/ carry the run of the spec file that imports them, so that each file has its own. */
export async function resolve(specifier, context, next) {
  const run = /\?run=.*/.exec(context.parentURL ?? '')?.[0] ?? '';
  if (specifier === '@jest/globals') return { url: GLOBALS + run, shortCircuit: true };
  const source = sourceOf(specifier, context.parentURL ?? '');
  const found = source
    ? { url: source, format: 'module', shortCircuit: true }
    : await next(specifier, context).catch(throwingModule);
  return found.url.startsWith(TESTS) && !found.url.includes('?') ? { ...found, url: found.url + run } : found;
}

/**
 * A module that throws the error. Node.js 20 keeps a port, and with it all that the importing test holds, for every error
 * of this hook; Nest tries to import three missing packages whenever an application starts.
 */
function throwingModule({ message, code }) {
  // An error with a stack would keep the first importing application in memory.
  const thrown = `throw Object.assign(Object.create(Error.prototype), ${JSON.stringify({ message, code })})`;
  return { url: `data:text/javascript,${encodeURIComponent(thrown)}`, format: 'module', shortCircuit: true };
}

function sourceOf(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !/\.ts(\?|$)/.test(parent)) return undefined;
  const url = new URL(`${specifier.slice(0, -3)}.ts`, parent);
  return existsSync(url) ? url.href : undefined;
}

/** The JavaScript of a TypeScript module. */
export async function load(url, context, next) {
  const file = url.replace(/\?.*/, '');
  if (!file.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await readFile(compile(fileURLToPath(file)), 'utf8'), shortCircuit: true };
}
