// Imports the files of the folder of extensions. TypeScript needs no build: jiti, loaded when there is an extension,
// strips the types, and gives decorators the metadata that Nest's injection reads.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Problem } from '../../errors/problem.js';
import { isExtension, type Extension } from './define.js';
import { ExtensionFile } from './place.js';

const ENDINGS = /\.(ts|mts|js|mjs)$/;

/** An extension with its file. */
export interface ImportedExtension {
  file: ExtensionFile;
  extension: Extension;
}

/** Paths of the files of a folder that are extensions, sorted; sub-folders are for what they import. */
export function extensionFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => !entry.isDirectory() && ENDINGS.test(entry.name) && !entry.name.endsWith('.d.ts'),
    );
    return names.map(({ name }) => resolve(join(folder, name))).sort();
  } catch {
    // The folder is optional.
    return [];
  }
}

/** Imports each of these files anew; `problems` gets what is wrong with them. */
export async function importExtensions(paths: readonly string[], problems: Problem[]): Promise<ImportedExtension[]> {
  if (paths.length === 0) return [];
  const load = await importer(paths[0]!);
  const found: ImportedExtension[] = [];
  for (const path of paths) {
    const file = new ExtensionFile(path);
    try {
      const extension = ((await load(path)) as { default?: unknown }).default;
      if (isExtension(extension)) found.push({ file, extension });
      else
        problems.push(file.problem('the default export is not made by defineExtension({ … })', 'docs/extensions.md'));
    } catch (error) {
      problems.push(file.problemOf(error, 'cannot be imported'));
    }
  }
  return found;
}

// Packages whose classes are compared by identity (injection tokens, errors) are those of this program.
async function importer(beside: string): Promise<(path: string) => Promise<unknown>> {
  const [{ createJiti }, typecase, common, core, typeorm] = await Promise.all([
    import('jiti'),
    import('./api.js'),
    import('@nestjs/common'),
    import('@nestjs/core'),
    import('typeorm'),
  ]);
  const jiti = createJiti(pathToFileURL(beside).href, {
    // A reload imports what was saved since. Nothing is read from a folder that others may write to.
    moduleCache: false,
    fsCache: false,
    virtualModules: { typecase, '@nestjs/common': common, '@nestjs/core': core, typeorm },
  });
  // Otherwise jiti leaves modules in JavaScript to Node, which may find another copy of these packages.
  const asked = { async: true, forceTranspile: true };
  return async (path) => jiti.evalModule(readFileSync(path, 'utf8'), { ...asked, filename: path, ext: extname(path) });
}
