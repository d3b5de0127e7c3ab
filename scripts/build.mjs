// `npm run build`: compiles src/ to one module per file, and bundles them in dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STAMP } from './build-when-needed.mjs';
import { ASSETS, bundle } from './bundle.mjs';
import { compileGrammar } from './compile-grammar.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A folder in which modules can import packages, and which no tool searches for files. */
const CACHE = join(root, 'node_modules/.cache');

/** Builds dist/; files of earlier builds remain there for a while. Throws when the sources do not compile. */
export async function buildProgram() {
  const begun = new Date();
  mkdirSync(CACHE, { recursive: true });
  // Two commands may build at the same time.
  const modules = mkdtempSync(join(CACHE, 'typecase-build-'));
  try {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json'), '--outDir', modules],
      { stdio: 'inherit' },
    );
    cpSync(join(root, 'src', ASSETS), join(modules, ASSETS), { recursive: true });
    await compileGrammar(modules);
    await bundle(modules, join(root, 'dist'));
    writeFileSync(STAMP, '');
    // The start of the build, so that a file that was saved during the build is newer.
    utimesSync(STAMP, begun, begun);
  } finally {
    rmSync(modules, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await buildProgram();
}
