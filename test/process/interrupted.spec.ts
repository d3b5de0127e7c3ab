// Commands that are killed half-way: a second run completes the work, with the result of an uninterrupted run.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHEAP_HASHES } from '../support/start-test-site.js';
import { runSql, freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { itemXml, wxr } from '../unit/transfer/wxr-files.js';
import { run, startServer } from '../support/built-program.js';
import { runCommand, type CommandResult } from '../support/run-command.js';
import { runs } from '../support/runs.js';
import { until } from '../support/server-process.js';

/** Enough of them that a command is still at work when it is killed. */
const ITEMS = runs(400, 120);

let folder: string;
let databases: FreshDatabase[] = [];
/** Commands of the test that were killed half-way. */
let kills = 0;

beforeEach(() => {
  kills = 0;
  folder = mkdtempSync(join(tmpdir(), 'typecase-interrupted-'));
});
afterEach(async () => {
  for (const database of databases) await database.drop();
  databases = [];
  rmSync(folder, { recursive: true, force: true });
});

/** Runs commands on a database of its own. */
class Bench {
  private constructor(
    readonly url: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async make(): Promise<Bench> {
    const database = await freshDatabase();
    databases.push(database);
    return new Bench(database.url, {
      SCHEMAS_DIR: 'schemas',
      DATABASE_URL: database.url,
      MEDIA_DIR: join(folder, 'media'),
      TOKEN_SECRET: 'a secret that only tests know',
      ADMIN_PASSWORD: 'correct horse battery',
      ...CHEAP_HASHES,
      LOG_LEVEL: 'error',
    });
  }

  /** Runs a command that nobody kills: in this process, which costs a third of one of its own. */
  async cli(...args: string[]): Promise<void> {
    const said = await this.said(...args);
    expect(said).toMatchObject({ code: 0, output: said.output });
  }

  said(...args: string[]): Promise<CommandResult> {
    return runCommand(args, this.environment);
  }

  /** Starts a command and kills it once `sql` counts at least `least`; on a busy machine it may be faster than the kill. */
  async cut(args: string[], sql: string, least: number): Promise<void> {
    const command = run('dist/cli.js', args, this.environment);
    let over = false;
    void command.ended.then(() => (over = true));
    while (!over && (await this.count(sql)) < least) await sleep(5);
    const { code, signal, output } = await command.kill();
    if (signal === 'SIGKILL') kills += 1;
    else expect({ code, output }).toMatchObject({ code: 0 });
  }

  /** Starts a command and kills it once a folder has a file. */
  async cutAtFile(args: string[], place: string): Promise<void> {
    const command = run('dist/cli.js', args, this.environment);
    let over = false;
    void command.ended.then(() => (over = true));
    while (!over && !(existsSync(place) && readdirSync(place).length > 0)) await sleep(1);
    expect(await command.kill()).toMatchObject({ signal: 'SIGKILL' });
  }

  async count(sql: string): Promise<number> {
    // Before the first startup there are no tables.
    const rows = await runSql(this.url, sql).catch(() => []);
    return Number(Object.values(rows[0] ?? { n: 0 })[0]);
  }

  /** Everything it holds, by file of a dump. */
  async dump(name: string): Promise<Record<string, string>> {
    await this.cli('dump', '--out', join(folder, name));
    const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.jsonl'));
    return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(folder, name, file), 'utf8')]));
  }
}

/** Posts with terms and remarks, as WordPress exports them. */
function exported(): string {
  const items = Array.from({ length: ITEMS }, (_, index) => {
    const id = 100 + index;
    const more =
      `<category domain="post_tag" nicename="tag-${index % 40}"><![CDATA[Tag ${index % 40}]]></category>` +
      `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Bea</wp:comment_author>` +
      `<wp:comment_author_email>bea@example.org</wp:comment_author_email><wp:comment_date_gmt>2024-01-03 00:00:00</wp:comment_date_gmt>` +
      `<wp:comment_content>Remark ${index}</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`;
    return itemXml(
      { post_id: id, post_name: `item-${index}`, title: `Item ${index}`, content: `Text *${index}*` },
      more,
    );
  });
  const path = join(folder, 'export.xml');
  writeFileSync(
    path,
    wxr(
      `<wp:author><wp:author_login>ann</wp:author_login><wp:author_email>ann@example.org</wp:author_email></wp:author>${items.join('')}`,
    ),
  );
  return path;
}

const POSTS = "SELECT COUNT(*) AS n FROM contents WHERE type = 'post'";

it('import and load can be completed after a kill', async () => {
  const file = exported();
  const whole = await Bench.make();
  await whole.cli('import', file);
  const wanted = await whole.dump('whole');
  expect(wanted['post.jsonl']!.split('\n').length).toBe(ITEMS + 1);

  const imported = await Bench.make();
  await imported.cut(['import', file], POSTS, ITEMS / 5);
  await imported.cut(['import', file], POSTS, ITEMS / 2);
  await imported.cli('import', file);
  expectSame(await imported.dump('imported'), wanted);
  await imported.cli('check', '--data');

  const loaded = await Bench.make();
  await loaded.cut(['load', join(folder, 'whole')], POSTS, ITEMS / 3);
  await loaded.cli('load', join(folder, 'whole'));
  expect(await loaded.dump('loaded')).toEqual(wanted);
  await loaded.cli('check', '--data');
  expect(kills).toBeGreaterThan(0);
});

/**
 * Dumps of two runs: when something was made, hashes of passwords, and numbers in the audit log and in the list of what was imported are
 * their own.
 */
function expectSame(found: Record<string, string>, wanted: Record<string, string>): void {
  const own =
    /"(registered_date|imported|created|hash|password_changed)":("[^"]*"|\d+)|"id":\d+,(?="source":)|"id":\d+,"date":"[^"]*",(?="user":)/g;
  expect(Object.keys(found)).toEqual(Object.keys(wanted));
  for (const [name, lines] of Object.entries(wanted)) {
    const plain = (text: string): string[] => text.replaceAll(own, '').split('\n').sort();
    expect({ name, lines: plain(found[name]!) }).toEqual({ name, lines: plain(lines) });
  }
}

it('import --files leaves a partial download only where a server sweeps it', async () => {
  const silent = createServer((_, response) => void response.writeHead(200).write('the beginning'));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    const file = join(folder, 'export.xml');
    const attachment = `<wp:attachment_url>http://${host}/wp-content/uploads/2024/01/lamp.png</wp:attachment_url>`;
    writeFileSync(file, wxr(itemXml({ post_type: 'attachment', status: 'inherit', post_id: 1 }, attachment)));
    const database = `sqlite:${join(folder, 'data', 'site.sqlite')}`;
    const environment = { DATABASE_URL: database, SCHEMAS_DIR: resolve('schemas'), MEDIA_DIR: join(folder, 'media') };
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const more = { ...environment, ...CHEAP_HASHES, TMPDIR: temporary, LOG_LEVEL: 'error' };
    const command = run('dist/cli.js', ['import', '--files', '--allow-host', host, file], more);
    const incoming = join(folder, 'data', 'incoming');
    const left = (): string[] => (existsSync(incoming) ? readdirSync(incoming) : []);
    await until(() => left().length, Boolean);
    expect(await command.kill('SIGINT')).toMatchObject({ signal: 'SIGINT' });
    expect(readdirSync(temporary)).toEqual([]);
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const name of left()) utimesSync(join(incoming, name), yesterday, yesterday);
    const server = await startServer(more);
    await until(
      () => left().length,
      (count) => count === 0,
    );
    await server.kill('SIGTERM');
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

it('dump does not mark an incomplete dump as complete', async () => {
  const bench = await Bench.make();
  await bench.cli('import', exported());
  const half = join(folder, 'half');
  await bench.cutAtFile(['dump', '--out', half], half);
  const other = await Bench.make();
  expect(await other.said('load', half)).toMatchObject({ code: 1, output: expect.stringContaining('not complete') });
  expect((await bench.said('dump', '--out', half)).output).toContain('Name a folder that is new or empty');
  const whole = await bench.dump('whole');
  await other.cli('load', join(folder, 'whole'));
  expect(await other.dump('loaded')).toEqual(whole);
});

it('rerender and check --data --fix can be completed after a kill', async () => {
  const bench = await Bench.make();
  await bench.cli('import', exported());
  const rendered = 'SELECT id, content_rendered, search_text FROM contents ORDER BY id';
  const wanted = await runSql(bench.url, rendered);
  await runSql(bench.url, "UPDATE contents SET content_rendered = 'stale' WHERE type = 'post'");
  const done = "SELECT COUNT(*) AS n FROM contents WHERE type = 'post' AND content_rendered <> 'stale'";
  await bench.cut(['rerender'], done, ITEMS / 5);
  await bench.cli('rerender');
  expect(await runSql(bench.url, rendered)).toEqual(wanted);

  await runSql(bench.url, "UPDATE contents SET featured_media = 4000000 WHERE type = 'post'");
  await runSql(bench.url, "UPDATE contents SET revision_count = 3 WHERE type = 'post'");
  const mended = "SELECT COUNT(*) AS n FROM contents WHERE type = 'post' AND featured_media = 0";
  await bench.cut(['check', '--data', '--fix'], mended, 100);
  // A run mends a bounded number of problems and exits with 0 once none is left.
  for (let left = 5, code = 1; code !== 0 && left > 0; left -= 1)
    ({ code } = await bench.said('check', '--data', '--fix'));
  await bench.cli('check', '--data');
  expect(await bench.count('SELECT COUNT(*) AS n FROM contents WHERE revision_count <> 0')).toBe(0);
});
