// Checks the machine: the version of Node, and the folders that the site writes to.
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { notUploads, sharedFolderWarning } from '../../config/check-folders.js';
import { dataFolder, guardedFiles, mediaFolders, nearestExisting } from '../../config/folders.js';
import { exposedFiles } from '../../disk/private-file.js';
import { type Finding, findingsAbout } from './finding.js';
import type { Config } from '../../config/settings.js';

/** First supported release of each line of Node that has long-term support, and of all lines from the last one on. */
const NODE: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 13],
  [24, 11],
];
/** Free bytes below which a folder causes a warning, and below which a failure. */
const ENOUGH = 1024 ** 3;
const LEAST = 100 * 1024 ** 2;

const node = findingsAbout('node');

/** Whether this version of Node (`20.19.0`) is supported. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isKnown = NODE.some(([line, least]) => major === line && minor >= least);
  const [last] = NODE.at(-1)!;
  if (isKnown || major > last) return node.ok(version);
  const known = NODE.map(([line, least]) => `${line}.${least}`).join(', ');
  return node.fail(`${version} is not supported: use ${known} or later of these lines`);
}

/** Whether the folders of a site can be written to, have room, and keep secrets private to their owner. */
export async function checkFolders(config: Config): Promise<Finding[]> {
  const folders = [dataFolder(config), ...Object.values(mediaFolders(config) ?? {})].map((each) => resolve(each));
  const found: Finding[] = [];
  for (const folder of new Set(folders)) found.push(await checkFolder(folder));
  const files = findingsAbout('files');
  for (const file of exposedFiles(guardedFiles(config)))
    found.push(files.warn(`other users of this machine may open ${file}: restrict it with chmod 600`));
  for (const path of notUploads(config)) found.push(files.warn(sharedFolderWarning(path)));
  return found;
}

/** Checks a folder; the server creates a missing one. */
async function checkFolder(folder: string): Promise<Finding> {
  const disk = findingsAbout('disk');
  const { path: existing, isFolder } = nearestExisting(folder);
  if (!isFolder) return disk.fail(`${folder} cannot be written to: ${existing} is not a folder`);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    return disk.fail(`${folder} cannot be written to: give the user of the server the right to write in ${existing}`);
  }
  const { bavail, bsize } = await statfs(existing);
  return room(folder, bavail * bsize);
}

/** The finding for the free bytes of a folder. */
export function room(folder: string, free: number): Finding {
  const disk = findingsAbout('disk');
  const message = `${folder} has ${(free / ENOUGH).toFixed(1)} GiB free`;
  if (free < LEAST) return disk.fail(`${message}: delete files or enlarge the disk, writes will fail`);
  return free < ENOUGH ? disk.warn(`${message}: delete files or enlarge the disk`) : disk.ok(message);
}
