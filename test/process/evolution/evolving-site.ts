// A folder of schema files that change, the database under them, and the real commands. Used by the specs beside it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../../../src/cli.js';
import { ADMINISTRATOR, startTestSite, type TestSite } from '../../support/start-test-site.js';
import { engineOf, type FreshDatabase, freshDatabase, openConnection } from '../../support/fresh-database.js';

/** What a command printed, and how it ended. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

export type Item = Record<string, any>;

export class EvolvingSite {
  /** Variables that every process of this site is given. */
  readonly environment: Record<string, string>;

  private constructor(
    readonly folder: string,
    readonly database: FreshDatabase,
  ) {
    this.environment = this.variables();
  }

  static async make(): Promise<EvolvingSite> {
    const folder = mkdtempSync(join(tmpdir(), 'typecase-evolving-'));
    mkdirSync(join(folder, 'schemas'));
    mkdirSync(join(folder, 'work'));
    return new EvolvingSite(folder, await freshDatabase());
  }

  get schemas(): string {
    return join(this.folder, 'schemas');
  }

  /** Where commands write. */
  get work(): string {
    return join(this.folder, 'work');
  }

  get engine(): string {
    return engineOf(this.database.url);
  }

  /** Writes schema files; a null removes one. */
  write(files: Record<string, object | null>): void {
    for (const [name, schema] of Object.entries(files)) {
      const file = join(this.schemas, `${name}.json`);
      if (schema === null) rmSync(file);
      else writeFileSync(file, JSON.stringify({ name, path: `${name}s`, ...schema }, undefined, 2));
    }
  }

  private variables(): Record<string, string> {
    return {
      SCHEMAS_DIR: this.schemas,
      DATABASE_URL: this.database.url,
      MEDIA_DIR: join(this.folder, 'media'),
      ROLES_FILE: resolve('roles.json'),
      LOG_LEVEL: 'silent',
      TOKEN_SECRET: 'a secret that only tests know',
      ADMIN_PASSWORD: ADMINISTRATOR.password,
    };
  }

  /** Runs a command of the command line, in the folder `work`. */
  async cli(...words: string[]): Promise<Said> {
    const said: Said = { code: 0, out: '', err: '' };
    const before = { env: { ...process.env }, cwd: process.cwd(), exitCode: process.exitCode };
    const { stdout, stderr } = process;
    const [out, err] = [stdout.write, stderr.write];
    Object.assign(process.env, this.environment);
    process.chdir(this.work);
    process.exitCode = 0;
    stdout.write = (text: any) => Boolean((said.out += String(text)));
    stderr.write = (text: any) => Boolean((said.err += String(text)));
    try {
      await run(['node', 'typecase', ...words]);
      said.code = Number(process.exitCode ?? 0);
    } finally {
      Object.assign(stdout, { write: out });
      Object.assign(stderr, { write: err });
      process.chdir(before.cwd);
      process.exitCode = before.exitCode;
      for (const name of Object.keys(this.environment)) delete process.env[name];
      Object.assign(process.env, before.env);
    }
    return said;
  }

  /** A server on the schemas as they are. */
  start(migrate: 'auto' | 'check' | 'off' = 'auto'): Promise<TestSite> {
    return startTestSite(this.schemas, {
      ...this.environment,
      DATABASE_MIGRATE: migrate,
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    });
  }

  /** What was thrown at startup; undefined when it went well. */
  async startFailure(migrate: 'auto' | 'check' | 'off' = 'auto'): Promise<string | undefined> {
    try {
      await (await this.start(migrate)).close();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Starts, works, and stops. */
  async serving<T>(work: (site: Served) => Promise<T>, migrate: 'auto' | 'check' | 'off' = 'auto'): Promise<T> {
    const site = await this.start(migrate);
    try {
      return await work(new Served(site));
    } finally {
      await site.close();
    }
  }

  /** Rows past the store. */
  async sql(text: string): Promise<Item[]> {
    const window = await openConnection(this.database.url);
    try {
      return (await window.runSql(text)).map((row) => ({ ...row }));
    } finally {
      await window.close();
    }
  }

  /** Files that migrations wrote what they dropped into. */
  get dropped(): string[] {
    return readdirSync(this.work)
      .filter((name) => name.startsWith('dropped-'))
      .sort()
      .map((name) => join(this.work, name));
  }

  /** The lines of a file. */
  static lines(file: string): Item[] {
    const text = readFileSync(file, 'utf8');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  async close(): Promise<void> {
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Requests to a running site; each throws when the response is no success. */
export class Served {
  constructor(readonly site: TestSite) {}

  async get(path: string): Promise<any> {
    const response = await this.site.send('GET', path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async post(path: string, body: object): Promise<any> {
    const response = await this.site.send('POST', path, { body });
    if (response.status > 201) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  /** Every item of a collection by id, without its links. */
  async all(path: string): Promise<Item[]> {
    const items: Item[] = await this.get(`${path}?per_page=100&orderby=id&order=asc`);
    return items.map(({ _links, ...item }) => item);
  }
}

/** Anybody may do anything. */
export const OPEN = {
  permissions: {
    rules: { read: true, edit: true, delete: true },
    ...Object.fromEntries(
      ['list', 'retrieve', 'create', 'update', 'delete'].map((kind) => [
        kind,
        [{ needs: true, error: 'rest_forbidden' }],
      ]),
    ),
  },
};

/** Texts that have been lost before, somewhere. */
export const AWKWARD = [
  'plain',
  'it\u2019s "quoted" and \'quoted\'',
  'four bytes \u{1F600}\u{1F9EA}',
  'trailing spaces   ',
  'back\\slash %_ $1 ? :x',
  'z\u0301 combining, \u00c5 composed, \u4e2d\u6587, \u0627\u0644',
  '12',
  'tab\tand\nline',
];
