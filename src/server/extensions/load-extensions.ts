// Loads the folder of extensions of a site.
import { StartupError, type Problem } from '../../errors/problem.js';
import type { ModelSet } from '../../model/model.js';
import { compileSite } from '../../schema/compile-site.js';
import { collectExtensions, type ExtensionSet } from './collect.js';
import { extensionFiles, importExtensions } from './import-files.js';
import type { OnSlow } from './guarded.js';
import type { Config } from '../../config/settings.js';

export type { ExtensionSet };

/**
 * The additions of the extensions in a folder; empty when there is no such folder.
 * @throws StartupError with every problem of their files
 */
export async function loadExtensions(folder: string, onSlow: OnSlow = () => undefined): Promise<ExtensionSet> {
  const problems: Problem[] = [];
  const imported = await importExtensions(extensionFiles(folder), problems);
  const extensions = collectExtensions(imported, problems, onSlow);
  if (problems.length > 0) throw new StartupError(problems);
  return extensions;
}

/**
 * The schema files of a site as compiled with its extensions, for commands. `directory`: another folder of schema files.
 * @throws StartupError with every problem of extensions and schema files
 */
export async function loadModels(
  { extensionsDir, schemasDir, site }: Pick<Config, 'extensionsDir' | 'schemasDir' | 'site'>,
  directory = schemasDir,
): Promise<ModelSet> {
  const { additions } = await loadExtensions(extensionsDir);
  return compileSite(directory, site, additions);
}
