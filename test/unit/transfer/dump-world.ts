// Sites to dump, and the ways to look at them: tables row by row, responses of the API, files of a dump. Used by the dump specs.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { CARRIED } from '../../../src/cli/dump.command.js';
import { readConfig } from '../../../src/config/config.js';
import type { ModelSet } from '../../../src/model/model.js';
import { compileSite } from '../../../src/schema/compile-site.js';
import { dumpSite, type DumpSummary } from '../../../src/transfer/dump/dump-site.js';
import type { LoadOutcome } from '../../../src/transfer/load/load-outcome.js';
import { loadSite } from '../../../src/transfer/load/load-site.js';
import type { Row } from '../../../src/model/query.js';
import { nearest } from '../../../src/text/nearest-name.js';
import { openSite, type OpenSite } from '../../../src/server/open-site.js';
import { administrator, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite, CHEAP_HASHES } from '../../support/start-test-site.js';
import type { Method } from '../../support/send.js';
import type { TableModel } from '../../../src/model/table.js';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that goes with the suite. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-dump-'));
  folders.push(folder);
  return folder;
}

/** Where a site of a spec lives, so that it can be opened and started again. */
export interface Place {
  schemas: string;
  environment: Record<string, string>;
}

/** A place with nothing in it. */
export function newPlace(schemas: string, environment: Record<string, string> = {}): Place {
  const folder = newFolder();
  return {
    schemas,
    environment: {
      DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}?synchronous=normal`,
      MEDIA_DIR: join(folder, 'media'),
      TOKEN_SECRET: 'a secret that only tests know',
      ...CHEAP_HASHES,
      ...environment,
    },
  };
}

/** Opens a place as the commands do: no seeds, no first account. */
export function openBare({ schemas, environment }: Place): Promise<OpenSite> {
  const config = readConfig({ SCHEMAS_DIR: schemas, ...environment }, false);
  const key = JSON.stringify([textsOf(schemas), config.site]);
  const models = compiled.get(key) ?? compileSite(schemas, config.site);
  compiled.set(key, models);
  return openSite(config, { warn: () => {} }, { bare: true, models });
}

/** Models by schema files and settings: a place is opened dozens of times. */
const compiled = new Map<string, ModelSet>();

/** Runs `work` on a place as a command would. */
export async function at<T>(place: Place, work: (site: OpenSite) => Promise<T>): Promise<T> {
  const site = await openBare(place);
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}

/** Dumps a place into a new folder. */
export async function dump(place: Place, files = false): Promise<{ folder: string; summary: DumpSummary }> {
  const folder = join(newFolder(), 'dump');
  const summary = await at(place, ({ store, models, site }) =>
    store.snapshot((reader) =>
      dumpSite({
        folder,
        models,
        reader,
        engine: 'test',
        engineTables: CARRIED,
        ...(files ? { files: site.files } : {}),
      }),
    ),
  );
  return { folder, summary };
}

/** Loads a source into a place. */
export function load(place: Place, source: string, dryRun = false): Promise<LoadOutcome> {
  return at(place, ({ writer }) => loadSite({ source, writer, engineTables: CARRIED, nearest, dryRun }));
}

/** Text of every file of a dump. */
export function textsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'latin1')];
    }),
  );
}

/** Lines of one resource in a dump. */
export function linesOf(folder: string, resource: string): any[] {
  const text = readFileSync(join(folder, `${resource}.jsonl`), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Every row of every table of the content, maintained counts included. */
export async function tablesOf(place: Place): Promise<Record<string, Row[]>> {
  return at(place, async ({ models, store }) => {
    const tables: Record<string, Row[]> = {};
    for (const table of [...models.tables.values(), ...CARRIED]) {
      const rows = await store.reader.select({
        table: table.name,
        columns: [...table.columns.keys()],
        where: { op: 'true' },
        order: [],
      });
      // Ids of meta entries that no resource shows are nobody's business.
      const shown = models.ofTable.has(table.name) || !table.name.endsWith('_meta');
      for (const row of rows) if (!shown) delete row['id'];
      for (const row of rows) Object.assign(row, searchedTexts(table, row));
      tables[table.name] = rows
        .map((row) => [JSON.stringify(row), row] as const)
        .sort()
        .map(([, row]) => row);
    }
    const counters = await store.transaction((tx) => tx.wrongCounters());
    return { ...tables, counters };
  });
}

/** The texts that empty ones stand for on SQLite. */
function searchedTexts(table: TableModel, row: Row): Row {
  const texts: Row = {};
  for (const { columns, joins = [] } of table.indexes.values()) {
    const joined = joins.find(({ where }) => Object.entries(where).every(([name, value]) => row[name] === value));
    if (!joined || row[columns[0]!] !== '') continue;
    const text = joined.columns.map((name) => row[name] ?? '').join('\n');
    texts[columns[0]!] = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  return texts;
}

/** Starts a place; the first account exists already when it was loaded. */
export function start({ schemas, environment }: Place): Promise<TestSite> {
  return startTestSite(schemas, environment);
}

/** A way to talk to a running site. */
export class Talk {
  headers: Headers;

  constructor(readonly site: TestSite) {
    this.headers = site.site.administrator ? administrator(site).headers : {};
  }

  async send(method: Method, path: string, body?: object, headers = this.headers): Promise<any> {
    const response = await this.site.send(method, path, { as: headers, body });
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** The id of what was made. */
  async make(path: string, body: object, headers = this.headers): Promise<number> {
    return (await this.send('POST', path, body, headers)).id;
  }

  async upload(name: string, type: string, content: Buffer): Promise<number> {
    const response = await this.site.send('POST', '/media', { as: this.headers, file: { name, type, content } });
    if (response.status !== 201) throw new Error(JSON.stringify(response.body));
    return response.body.id;
  }

  /** Body, totals and tag of a response. */
  async response(path: string): Promise<object> {
    const { status, body, headers } = await this.site.send('GET', path, { as: this.headers });
    const { 'x-wp-total': total, 'x-wp-totalpages': pages, etag, link } = headers;
    return { path, status, body, total, pages, etag, link };
  }
}
