// `npm run build`: compiles src/ to one module per file in .build/, and bundles them in dist/.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASSETS, bundle } from './bundle.mjs';
import { compileGrammar } from './compile-grammar.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds dist/. Throws when the sources do not compile. */
export async function buildProgram() {
  const modules = join(root, '.build');
  rmSync(modules, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json'), '--outDir', modules],
    { stdio: 'inherit' },
  );
  cpSync(join(root, 'src', ASSETS), join(modules, ASSETS), { recursive: true });
  await compileGrammar(modules);
  await bundle(modules, join(root, 'dist'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProgram();
