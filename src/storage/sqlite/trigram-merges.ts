// Merges the segments of trigram tables. FTS5 would do it within the commit that adds one, which would block the event
// loop for tens of milliseconds now and then. Here commits only add segments, and the writing thread merges them in
// between, a little at a time. (docs/architecture.md, Storage)
import type { Bound } from '../sql/connection.js';
import type { TableModel } from '../../model/table.js';
import { quote } from './column-ddl.js';
import { ftsName, fulltextCommand } from './fulltext-ddl.js';
import type { SqliteWriter } from './writer.js';

/** Commits after which segments are merged: each adds one to every table that it writes to, and searches read all. */
const COMMITS = 8;
/** Pages of an index, of 4 KiB, that are written at a time; others may write in between. */
const PAGES = 64;
/**
 * Segments of a level from which FTS5 merges them itself, within a commit: where no server has merged them for long.
 */
const MAX_SEGMENTS = 1_000;
/** Segments of a trigram table from which a server merges them at boot. */
const MANY_SEGMENTS = 16;

/** The trigram tables of a store, and when they are due. */
export class TrigramMerges {
  private readonly names: readonly string[];
  private readonly script: string;
  private commits = 0;

  constructor(tables: Iterable<TableModel>) {
    this.names = trigramTables(tables);
    const merges = this.names.map((name) => fulltextCommand(name, 'merge', PAGES));
    this.script = ['BEGIN IMMEDIATE', ...merges, 'COMMIT'].join('; ');
  }

  /** To be called after each commit. Returns true when segments should be merged. */
  isDue(): boolean {
    this.commits += 1;
    if (this.commits < COMMITS) return false;
    this.commits = 0;
    return this.names.length > 0;
  }

  /** Whether another process, or an older version, has left many segments. */
  isBehind(rows: (sql: string) => Bound[][]): boolean {
    const tables = new Set(rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(([name]) => name));
    return this.names.some((name) => {
      // Without migrations a table may be missing.
      if (!tables.has(name)) return false;
      const [[segments] = []] = rows(`SELECT COUNT(DISTINCT segid) FROM ${quote(`${name}_idx`)}`);
      return Number(segments) >= MANY_SEGMENTS;
    });
  }

  /** Merges a part of the segments of each table in a transaction; returns whether there is more to do. */
  async some(writer: SqliteWriter): Promise<boolean> {
    const before = await changed(writer);
    // Within a transaction: the driver leaves the statement of a merge that finds the file locked open, and with it an
    // old snapshot, which would make every later transaction of the connection fail.
    await writer.exec(this.script);
    return (await changed(writer)) - before >= PAGES;
  }
}

/** Turns off the automatic merges of FTS5, in files where they are on. The settings are part of the file. */
export async function stopMergesOfCommits(writer: SqliteWriter, tables: Iterable<TableModel>): Promise<void> {
  for (const name of trigramTables(tables)) {
    const [kept] = await writer.rows(`SELECT v FROM ${quote(`${name}_config`)} WHERE k = 'automerge'`, []);
    if (kept?.[0] === 0) continue;
    await writer.exec(fulltextCommand(name, 'crisismerge', MAX_SEGMENTS));
    await writer.exec(fulltextCommand(name, 'automerge', 0));
  }
}

function trigramTables(tables: Iterable<TableModel>): string[] {
  return [...tables].flatMap(({ name, indexes }) =>
    [...indexes.values()].filter(({ fulltext }) => fulltext).map(({ columns }) => ftsName(name, columns[0]!)),
  );
}

/** Rows changed so far by this connection, pages of trigram tables included. */
async function changed(writer: SqliteWriter): Promise<number> {
  const [row] = await writer.rows('SELECT total_changes()', []);
  return Number(row![0]);
}
