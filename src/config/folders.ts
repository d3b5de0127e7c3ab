// Paths of the files and folders of a site.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from './settings.js';

/** The file of the embedded database; undefined for a database server. */
export function databaseFile({ database }: Pick<Config, 'database'>): string | undefined {
  return /^sqlite:([^?]*)/.exec(database.url)?.[1];
}

/** Whether the database is a file that does not exist: opening it would create it. */
export function lacksFile(config: Pick<Config, 'database'>): boolean {
  const path = databaseFile(config);
  return path !== undefined && !existsSync(path);
}

/** The folder of the embedded database, which also contains secrets and incoming files. */
export function dataFolder(config: Pick<Config, 'database'>): string {
  const path = databaseFile(config);
  return path ? dirname(path) : 'data';
}

/** The folders of uploads, public and private; undefined where they are kept in a bucket. */
export function mediaFolders({
  mediaUrl,
  privateMediaDir,
}: Pick<Config, 'mediaUrl' | 'privateMediaDir'>): { open: string; closed: string } | undefined {
  return mediaUrl.startsWith('s3:') ? undefined : { open: mediaUrl.replace(/^file:/, ''), closed: privateMediaDir };
}

/**
 * The folder of incoming files. Absolute, because a program that embeds the site may change its working directory
 * later.
 */
export function incomingFolder(config: Pick<Config, 'database'>): string {
  return resolve(dataFolder(config), 'incoming');
}

/** Files with secrets or content, which only their owner should be able to open. */
export function guardedFiles(config: Pick<Config, 'database' | 'tokenSecret'>): string[] {
  const database = databaseFile(config);
  const stores = database === undefined ? [] : ['', '-wal', '-shm'].map((ending) => database + ending);
  return config.tokenSecret === undefined ? [...stores, join(dataFolder(config), 'secret')] : stores;
}

/** The nearest existing path among a folder, given by its full path, and the folders that contain it. */
export function nearestExisting(folder: string): { path: string; isFolder: boolean } {
  return existsSync(folder)
    ? { path: folder, isFolder: statSync(folder).isDirectory() }
    : nearestExisting(dirname(folder));
}
