// Fills the benchmark database through the content writer of the importers, so that the engine itself writes rendered
// texts, sort keys, search texts, counters and counts. An existing file of the same version is reused.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readConfig } from '../src/config/config.js';
import type { Config } from '../src/config/settings.js';
import type { ContentBatch } from '../src/engine/content-writer.js';
import type { ModelSet } from '../src/model/model.js';
import { openSite, type OpenSite } from '../src/server/open-site.js';
import { compileSite } from '../src/schema/compile-site.js';
import { SqliteStore } from '../src/storage/sqlite/store.js';
import { AUTHORS, CATEGORIES, named, posts, TAGS, type SampledPost } from './data-set.js';

/** To be increased when the same schemas must produce different rows. */
const VERSION = 1;
const BATCH = 1_000;

/**
 * Fills the database of `environment.DATABASE_URL` with `count` posts, unless `<file>.version` shows that it has them.
 * A database on a server must be empty; a SQLite file is created again.
 */
export async function fill(environment: Record<string, string>, file: string, count: number): Promise<void> {
  const config = readConfig(environment);
  const version = versionOf(compileSite(config.schemasDir), count);
  if (filledWith(file) === version && (await hasPosts(config, count))) return;
  for (const ending of ['', '-wal', '-shm', '.version']) rmSync(file + ending, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  const site = await openSite(config, { warn: () => undefined });
  try {
    await makeRoom(site);
    await write(site, count);
    await site.store.analyze?.();
  } finally {
    await site.close();
  }
  writeFileSync(`${file}.version`, version);
}

/** Whether the database still has the posts: it may have been dropped since then. */
async function hasPosts(config: Config, count: number): Promise<boolean> {
  const { writer, close } = await openSite(config, { warn: () => undefined });
  try {
    return (await writer.find('post', { id: count })) !== undefined;
  } finally {
    await close();
  }
}

function versionOf(models: ModelSet, count: number): string {
  const tables = [...models.tables.values()].map(({ name, columns, indexes, counted }) => [
    name,
    ...columns.values(),
    ...indexes.values(),
    counted,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([VERSION, count, tables]))
    .digest('hex');
}

function filledWith(file: string): string {
  try {
    return readFileSync(`${file}.version`, 'utf8');
  } catch {
    return '';
  }
}

// Uses a larger page cache: while the database grows, the pages of every index are written repeatedly.
async function makeRoom({ store }: OpenSite): Promise<void> {
  if (store instanceof SqliteStore) await store.exclusive(async (writer) => writer.exec('PRAGMA cache_size = -500000'));
}

/** Ids by position in the data set. */
interface Ids {
  authors: number[];
  categories: number[];
  tags: number[];
}

async function write({ writer }: OpenSite, count: number): Promise<void> {
  const started = performance.now();
  const ids = await writer.batch(writeNamed);
  let waiting: SampledPost[] = [];
  let done = 0;
  const flush = async () => {
    await writer.bulk(async (batch) => {
      for (const post of waiting) await writePost(post, ids, batch);
    });
    done += waiting.length;
    waiting = [];
    if (done % (BATCH * 10) > 0 && done < count) return;
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(`Filling the database: ${done} of ${count} posts, ${seconds.toFixed(0)} s\n`);
  };
  for (const post of posts(count)) {
    waiting.push(post);
    if (waiting.length === BATCH) await flush();
  }
  if (waiting.length > 0) await flush();
}

async function writeNamed(batch: ContentBatch): Promise<Ids> {
  const ids: Ids = { authors: [], categories: [], tags: [] };
  for (const { name, slug } of named('author', AUTHORS)) {
    const account = { username: slug, name, slug, email: `${slug}@example.org`, roles: ['author'] };
    ids.authors.push(await batch.create('user', account));
  }
  for (const entry of named('category', CATEGORIES)) ids.categories.push(await batch.create('category', { ...entry }));
  for (const entry of named('tag', TAGS)) ids.tags.push(await batch.create('tag', { ...entry }));
  return ids;
}

async function writePost(post: SampledPost, ids: Ids, batch: ContentBatch): Promise<void> {
  await batch.create('post', {
    ...post,
    author: ids.authors[post.author],
    categories: post.categories.map((index) => ids.categories[index]),
    tags: post.tags.map((index) => ids.tags[index]),
  });
}
