// Folders of uploads in which something else is: what is in them is served, or removed where no item names it.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Problem } from '../errors/problem.js';
import { guardedFiles, mediaFolders } from './folders.js';
import type { Config } from './settings.js';
import { invalidValue, type Environment } from './variables.js';

type Places = Omit<Config, 'site'>;

/** Problems of the folders of uploads: each must be for uploads alone. */
export function sharedFolders(config: Places, env: Environment): Problem[] {
  const folders = mediaFolders(config);
  if (!folders) return [];
  const { open, closed } = folders;
  const uploads = [
    [env['MEDIA_URL'] ? 'MEDIA_URL' : 'MEDIA_DIR', open] as const,
    ['PRIVATE_MEDIA_DIR', closed] as const,
  ];
  const others = [...guardedFiles(config), config.rolesFile, config.schemasDir, config.extensionsDir];
  const problems = uploads.flatMap(([variable, folder]) => {
    const found = others.find((path) => contains(folder, path));
    const message = `"${folder}" contains "${found}", which would be taken for an upload: name a folder for uploads alone`;
    return found === undefined ? [] : [invalidValue(variable, message)];
  });
  if (!contains(open, closed) && !contains(closed, open)) return problems;
  const message = `"${closed}" and "${open}", the folder of public files, must not be the same or one inside the other`;
  return [...problems, invalidValue('PRIVATE_MEDIA_DIR', message)];
}

/** Whether a path is a folder itself, or anywhere below it. */
function contains(folder: string, path: string): boolean {
  const below = relative(resolve(folder), resolve(path));
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
