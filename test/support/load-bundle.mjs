// Loads the modules of a bundle (bundled-program.ts), beside which it is copied, with the code that V8 has kept of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const BUNDLE = fileURLToPath(new URL('bundle.cjs', import.meta.url));
const KEPT = fileURLToPath(new URL('bundle.code', import.meta.url));

let modules;

/** A module of dist/, without `.js`. */
export async function load(name) {
  modules ??= loaded();
  return (await modules)[name]();
}

async function loaded() {
  // Kept code is of use only with the flags that it was made with: main.js sets these.
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
      cachedData: keptCode(),
    },
  );
  if (process.env.KEEP_CODE) process.once('exit', () => keepCode(script));
  const module = { exports: {} };
  const importOutside = (name) => import(name);
  script.runInThisContext()(require, importOutside, module, fileURLToPath(new URL('.', import.meta.url)));
  return module.exports;
}

function keptCode() {
  if (process.env.KEEP_CODE) return undefined;
  return readFileSync(KEPT);
}

/** Keeps what was compiled so far, also of functions that V8 compiles when they are called. */
function keepCode(script) {
  // Set by threads of SQLite.
  setFlagsFromString('--no-expose-gc');
  writeFileSync(KEPT, script.createCachedData());
}
