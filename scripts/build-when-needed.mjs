// Compiles to dist/ when a source file is newer than the last build.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileGrammar } from './compile-grammar.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = 'http/browse/assets';
const stamp = join(root, 'dist/.built');

export async function buildWhenNeeded() {
  if (modified(stamp) > newest()) return;
  process.stderr.write('Building …\n');
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
    { stdio: 'inherit' },
  );
  // The scripts and styles of the pages are served as they are.
  cpSync(join(root, 'src', ASSETS), join(root, 'dist', ASSETS), { recursive: true });
  await compileGrammar(join(root, 'dist'));
  writeFileSync(stamp, '');
}

function newest() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Math.max(
    modified(join(root, 'tsconfig.build.json')),
    modified(join(root, 'package.json')),
    ...files.map((file) => modified(join(file.parentPath, file.name))),
  );
}

function modified(file) {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
