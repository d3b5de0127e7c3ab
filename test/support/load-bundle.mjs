// Loads the modules of a bundle (bundled-program.ts), beside which it is copied, with V8's code cache.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const BUNDLE = fileURLToPath(new URL('bundle.cjs', import.meta.url));
const CODE_CACHE = fileURLToPath(new URL('bundle.cache', import.meta.url));

let modules;

/** A module of dist/, without `.js`. */
export async function load(name) {
  modules ??= loadModules();
  return (await modules)[name]();
}

async function loadModules() {
  // V8 accepts a code cache only with the flags that it was created with: main.js sets these.
  setFlagsFromString('--heap-growing-percent=35');
  setFlagsFromString('--always-sparkplug');
  setFlagsFromString('--max-inlined-bytecode-size=200');
  setFlagsFromString('--gc-memory-reducer-start-delay-ms=2000000000');
  setFlagsFromString('--retain-maps-for-n-gc=1000');
  const require = createRequire(BUNDLE);
  globalThis.xxhashOfBundle = await require('xxhash-wasm')();
  const script = new Script(
    `(function (require, importOutside, module, __dirname) {${readFileSync(BUNDLE, 'latin1')}\n})`,
    {
      filename: BUNDLE,
      cachedData: readCodeCache(),
    },
  );
  if (process.env.CREATE_CODE_CACHE) process.once('exit', () => writeCodeCache(script));
  const module = { exports: {} };
  const importOutside = (name) => import(name);
  script.runInThisContext()(require, importOutside, module, fileURLToPath(new URL('.', import.meta.url)));
  return module.exports;
}

function readCodeCache() {
  if (process.env.CREATE_CODE_CACHE) return undefined;
  return readFileSync(CODE_CACHE);
}

/** Writes the code compiled so far, including lazily compiled functions. */
function writeCodeCache(script) {
  // Set by threads of SQLite.
  setFlagsFromString('--no-expose-gc');
  writeFileSync(CODE_CACHE, script.createCachedData());
}
