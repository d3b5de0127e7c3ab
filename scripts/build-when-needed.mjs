// Builds dist/ when a source file is newer than the last build.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A file whose modification time is that of the sources that dist/ was built from. */
export const STAMP = join(root, 'dist/.built');

export async function buildWhenNeeded() {
  if (modified(STAMP) > newest()) return;
  process.stderr.write('Building …\n');
  // Imported on demand, because loading its packages takes longer than comparing the times of the files.
  const { buildProgram } = await import('./build.mjs');
  await buildProgram();
}

function newest() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Math.max(
    modified(join(root, 'tsconfig.build.json')),
    modified(join(root, 'package.json')),
    ...['build', 'bundle', 'compile-grammar'].map((name) => modified(join(root, `scripts/${name}.mjs`))),
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
