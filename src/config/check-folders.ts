// Folders of uploads in which something else is: what is in them is served, or removed where no item names it.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Problem } from '../errors/problem.js';
import { guardedFiles, incomingFolder, mediaFolders } from './folders.js';
import type { Config } from './settings.js';
import { invalidValue } from './variables.js';

type Places = Omit<Config, 'site'>;

/** The problem of a folder of private files that is served, or of a served one that is private. */
export function nestedFolders(config: Places): Problem[] {
  const { open, closed } = mediaFolders(config) ?? {};
  if (open === undefined || closed === undefined || (!contains(open, closed) && !contains(closed, open))) return [];
  const message = `"${closed}" and "${open}", the folder of public files, must not be the same or one inside the other`;
  return [invalidValue('PRIVATE_MEDIA_DIR', message)];
}

/**
 * Files and folders of the site inside a folder of uploads, by their full paths: these, and what begins with their names (the
 * journals of a database), are no uploads.
 */
export function notUploads(config: Places): string[] {
  const folders = Object.values(mediaFolders(config) ?? {});
  const { rolesFile, schemasDir, extensionsDir } = config;
  const own = [...guardedFiles(config), incomingFolder(config), rolesFile, schemasDir, extensionsDir];
  return own
    .filter((path) => folders.some((folder) => contains(folder, path) && resolve(folder) !== resolve(path)))
    .map((path) => resolve(path));
}

/** What to tell an operator of such a file or folder. */
export function sharedFolderWarning(path: string): string {
  return `${path} is in a folder of uploads: it is not served, but name a folder for uploads alone (MEDIA_DIR)`;
}

/** Whether a path is a folder itself, or anywhere below it. */
function contains(folder: string, path: string): boolean {
  const below = relative(resolve(folder), resolve(path));
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
