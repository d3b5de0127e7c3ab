// Merges the segments of trigram tables. FTS5 would do it within the commit that adds one, which would occasionally
// block the event loop for tens of milliseconds. Therefore commits only add segments, and the writing thread merges
// them between transactions in small steps. (docs/architecture.md, Storage)
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bound } from '../sql/connection.js';
import type { TableModel } from '../../model/table.js';
import { quote } from './column-ddl.js';
import { ftsName, fulltextCommand } from './fulltext-ddl.js';
import type { SqliteWriter } from './writer.js';

/** Commits after which segments are merged: each adds one to every table that it writes to, and searches read all. */
const COMMITS = 8;
/** Pages of an index, of 4 KiB, that are written at a time, some 15 ms; others may write in between. */
const PAGES = 64;
/** The same while other writers wait: a few milliseconds. */
const FEW_PAGES = 16;
/** Pause after a step while others write, in multiples of its time. Merges must keep up with the commits. */
const PAUSE = 2;
/**
 * Segments of a level from which FTS5 merges them itself within a commit, as a fallback where no server has merged
 * them.
 */
const MAX_SEGMENTS = 1_000;
/** Segments of a trigram table from which a server merges them at start. */
const MANY_SEGMENTS = 16;
/** Segments of a trigram table from which merges do not pause: new ones must not reach `MAX_SEGMENTS` in between. */
const TOO_MANY_SEGMENTS = 200;

/** The trigram tables of a store, and when they are due. */
export class TrigramMerges {
  private readonly names: readonly string[];
  private commits = 0;

  constructor(tables: Iterable<TableModel>) {
    this.names = trigramTables(tables);
  }

  /** To be called after each commit. Returns true when segments should be merged. */
  isDue(): boolean {
    this.commits += 1;
    return this.names.length > 0 && this.commits % COMMITS === 0;
  }

  /** Whether another process, or an older version, has left many segments. */
  isBehind(rows: (sql: string) => Bound[][]): boolean {
    const tables = new Set(rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(([name]) => name));
    return this.names.some((name) => {
      // Without migrations a table may be missing.
      if (!tables.has(name)) return false;
      return countOf(rows(segmentsOf(name))) >= MANY_SEGMENTS;
    });
  }

  /**
   * Merges segments in steps until there are few; `between` runs each step between transactions of the writing thread.
   * Other writers get most of the turns. Throws what `between` throws.
   */
  async all(between: (step: (writer: SqliteWriter) => Promise<Step>) => Promise<Step>): Promise<void> {
    let pages = PAGES;
    for (;;) {
      const { commits } = this;
      const step = await between((writer) => this.step(writer, pages));
      if (!step.unfinished) return;
      const yields = this.commits !== commits && !step.hasTooMany;
      if (yields) await sleep(step.ms * PAUSE, undefined, { ref: false });
      pages = yields ? FEW_PAGES : PAGES;
    }
  }

  /** Merges a part of the segments of each table in a transaction. */
  private async step(writer: SqliteWriter, pages: number): Promise<Step> {
    const began = performance.now();
    let longest = 0;
    for (const name of this.names) longest = Math.max(longest, countOf(await writer.rows(segmentsOf(name), [])));
    const before = await totalChanges(writer);
    const merges = this.names.map((name) => fulltextCommand(name, 'merge', pages));
    // Within a transaction: the driver leaves the statement of a merge that finds the file locked open, and with it an
    // old snapshot, which would make every later transaction of the connection fail.
    await writer.exec(['BEGIN IMMEDIATE', ...merges, 'COMMIT'].join('; '));
    const unfinished = (await totalChanges(writer)) - before >= pages;
    return { unfinished, hasTooMany: longest >= TOO_MANY_SEGMENTS, ms: performance.now() - began };
  }
}

/** The result of a merge step: the remaining work, and its duration. */
interface Step {
  unfinished: boolean;
  hasTooMany: boolean;
  ms: number;
}

/** Turns off the automatic merges of FTS5, in files where they are on. The settings are part of the file. */
export async function stopMergesOfCommits(writer: SqliteWriter, tables: Iterable<TableModel>): Promise<void> {
  for (const name of trigramTables(tables)) {
    const [setting] = await writer.rows(`SELECT v FROM ${quote(`${name}_config`)} WHERE k = 'automerge'`, []);
    if (setting?.[0] === 0) continue;
    await writer.exec(fulltextCommand(name, 'crisismerge', MAX_SEGMENTS));
    await writer.exec(fulltextCommand(name, 'automerge', 0));
  }
}

function trigramTables(tables: Iterable<TableModel>): string[] {
  return [...tables].flatMap(({ name, indexes }) =>
    [...indexes.values()].filter(({ fulltext }) => fulltext).map(({ columns }) => ftsName(name, columns[0]!)),
  );
}

/** Counts the segments of a trigram table: looks up each, as an index has a row per page. */
function segmentsOf(name: string): string {
  const next = (where: string): string => `SELECT MIN(segid) FROM ${quote(`${name}_idx`)}${where}`;
  const all = `${next('')} UNION ALL SELECT (${next(' WHERE segid > id')}) FROM segments WHERE id IS NOT NULL`;
  return `WITH RECURSIVE segments (id) AS (${all}) SELECT COUNT(id) FROM segments`;
}

function countOf([row]: Bound[][]): number {
  return Number(row![0]);
}

/** Rows changed so far by this connection, pages of trigram tables included. */
async function totalChanges(writer: SqliteWriter): Promise<number> {
  return countOf(await writer.rows('SELECT total_changes()', []));
}
