// Imports the files of the folder of extensions. TypeScript needs no build: jiti, loaded when there is an extension,
// strips the types, and gives decorators the metadata that Nest's injection reads.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTimeout } from '../../concurrency/with-timeout.js';
import { StartupError, type Problem } from '../../errors/problem.js';
import { isExtension, type Extension } from './define.js';
import { ExtensionFile } from './place.js';

/** Milliseconds that an import may take: a top-level `await` that never settles would block all later changes. */
const IMPORT_MS = 20_000;
const ENDINGS = /\.(ts|mts|js|mjs)$/;

/** An extension with its file. */
export interface ImportedExtension {
  file: ExtensionFile;
  extension: Extension;
}

/**
 * Sorted paths of the extension files of a folder; subfolders are for modules that these import. The folder is
 * optional.
 * @throws StartupError when the folder exists but cannot be read: its hooks would be missing silently
 */
export function extensionFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => !entry.isDirectory() && ENDINGS.test(entry.name) && !entry.name.endsWith('.d.ts'),
    );
    return names.map(({ name }) => resolve(join(folder, name))).sort();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new StartupError([
      { file: 'environment', path: 'EXTENSIONS_DIR', message: `the folder cannot be read: ${message}` },
    ]);
  }
}

/** Imports each of these files again, without a cache; adds their problems to `problems`. */
export async function importExtensions(paths: readonly string[], problems: Problem[]): Promise<ImportedExtension[]> {
  if (paths.length === 0) return [];
  const load = await importer(paths[0]!);
  const found: ImportedExtension[] = [];
  for (const path of paths) {
    const file = readable(path, problems);
    if (file === undefined) continue;
    try {
      const extension = ((await withTimeout(IMPORT_MS, load(path), tooSlow)) as { default?: unknown }).default;
      if (isExtension(extension)) found.push({ file, extension });
      else
        problems.push(file.problem('the default export is not made by defineExtension({ … })', 'docs/extensions.md'));
    } catch (error) {
      problems.push(file.problemOf(error, 'cannot be imported'));
    }
  }
  return found;
}

function tooSlow(): Error {
  return new Error(
    `its import has not ended after ${IMPORT_MS / 1_000} seconds: an await in it waits for what does not come`,
  );
}

function readable(path: string, problems: Problem[]): ExtensionFile | undefined {
  try {
    return new ExtensionFile(path);
  } catch (error) {
    problems.push({ file: path, message: `cannot be read: ${(error as Error).message}` });
    return undefined;
  }
}

// Extensions get this program's copy of the packages whose classes are compared by identity (injection tokens, errors).
async function importer(beside: string): Promise<(path: string) => Promise<unknown>> {
  const [{ createJiti }, typecase, common, core, typeorm] = await Promise.all([
    import('jiti'),
    import('./api.js'),
    import('@nestjs/common'),
    import('@nestjs/core'),
    import('typeorm'),
  ]);
  const jiti = createJiti(pathToFileURL(beside).href, {
    // No caches: a reload imports the saved files, and a cache folder that other users may write to is never read.
    moduleCache: false,
    fsCache: false,
    virtualModules: { typecase, '@nestjs/common': common, '@nestjs/core': core, typeorm },
  });
  // Otherwise jiti leaves JavaScript modules to Node, which may resolve another copy of these packages.
  const settings = { async: true, forceTranspile: true };
  return async (path) =>
    jiti.evalModule(readFileSync(path, 'utf8'), { ...settings, filename: path, ext: extname(path) });
}
