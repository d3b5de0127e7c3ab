// Tables of requests and expected responses, for the behaviour suites. A behaviour is one test; all its lines run, and
// all failures are reported. A line reads `['GET /posts?author={ann} as editor', 200, { items: ['first'] }]`; `{name}`
// stands for an id saved before.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administrator, makeActor, type Headers } from '../../support/actors.js';
import { startTestSite, type TestSite } from '../../support/start-test-site.js';
import { whileRefusing } from '../../support/fresh-database.js';
import { membersOf, type SavedIds } from '../../support/scenario.js';
import type { HttpResponse, Method } from '../../support/send.js';

const root = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/** Folder of the shipped schemas. */
export const SCHEMAS = root('schemas');
/** The shipped schemas with registered meta keys. */
export const REFERENCE_SCHEMAS = root('test/reference/schemas');

/** A grey square of four pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQI12PoAAMGCAUALK4GYWP1ieEAAAAASUVORK5CYII=',
  'base64',
);

/** What a line sends besides, and what it wants. */
export interface More {
  body?: unknown;
  /** Form body, or a raw one with its own headers. */
  form?: string;
  raw?: Buffer | string;
  headers?: Headers;
  /** Refusal: `code`, names in `data.params`, codes in `data.details`. */
  code?: string;
  params?: string[];
  details?: Record<string, string>;
  has?: unknown;
  hasNot?: string[];
  members?: string[];
  /** Exactly these items: in this order, in any order; or at least these, and none of those. */
  items?: string[];
  only?: string[];
  holds?: string[];
  lacks?: string[];
  /** Headers of the response; null: absent. */
  sends?: Record<string, string | RegExp | null>;
  saveAs?: string;
  check?(body: any, response: HttpResponse): void | Promise<void>;
}

export type Line = [request: string, status: number, more?: string | More];

/** How a suite's site is made. */
export interface Setting {
  /** Accounts: `editor`, or `ann:author` for a name of its own, or `zoe:author+editor`. `admin` is always there. */
  actors?: string[];
  schemas?: string;
  environment?: Record<string, string>;
  /** Roles besides the shipped ones, by name. */
  roles?: Record<string, string[]>;
  /** Makes the content; every line must have the response that it says. */
  seed?: Line[] | ((world: World) => Promise<void>);
}

/** The site of a suite, its callers and the saved ids. */
export class World {
  site!: TestSite;
  ready = false;
  readonly actors: Record<string, { headers: Headers }> = {};
  readonly saved: SavedIds = {};

  /** Declares a test of some lines, or of a function. */
  behaviour = (title: string, lines: Line[] | ((world: World) => Promise<void>)): void => {
    it(title, async () => {
      if (!this.ready) throw new Error('The content of this suite could not be made.');
      await this.run(lines);
    });
  };

  /** Runs lines; every wrong one is reported. */
  async run(lines: Line[] | ((world: World) => Promise<void>)): Promise<void> {
    if (typeof lines === 'function') return lines(this);
    const wrong: string[] = [];
    for (const line of lines) {
      try {
        await this.line(line);
      } catch (error) {
        wrong.push(`${line[0]}${bodyText(line[2])}\n  ${(error as Error).message.replaceAll('\n', '\n  ')}`);
      }
    }
    if (wrong.length === 0) return;
    const error = new Error(wrong.join('\n\n'));
    // Where the table is run says nothing.
    error.stack = error.message;
    throw error;
  }

  async line([request, status, rest = {}]: Line): Promise<HttpResponse> {
    const more: More = typeof rest === 'string' ? { code: rest } : rest;
    const response = await this.sendRequest(request, more);
    this.compare(response, status, more);
    await more.check?.(response.body, response);
    return response;
  }

  /** Sends one request: `POST /posts as editor`, `GET //livez`. */
  async sendRequest(request: string, more: More = {}): Promise<HttpResponse> {
    const [, verb = '', path = '', as] = /^([A-Z]+) (\S+)(?: as (\w+))?$/.exec(request) ?? [];
    if (as && !this.actors[as]) throw new Error(`no actor "${as}"`);
    const filled = String(this.fill(path));
    const unsaved = /\{\w+\}/.exec(filled);
    if (unsaved) throw new Error(`nothing was saved as ${unsaved[0]}`);
    const { form, raw, body, headers = {} } = more;
    const sent = {
      as: as ? this.actors[as]!.headers : {},
      headers: { ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }), ...headers },
      body: form === undefined ? (raw ?? this.fill(body)) : String(this.fill(form)),
    };
    return this.site.send(verb as Method, filled, sent);
  }

  fill(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^\{(\w+)\}$/.exec(value)?.[1];
      if (whole && whole in this.saved) return this.saved[whole];
      return value.replaceAll(/\{(\w+)\}/g, (text, name: string) =>
        name in this.saved ? String(this.saved[name]) : text,
      );
    }
    if (Array.isArray(value)) return value.map((member) => this.fill(member));
    const plain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return plain ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.fill(member)])) : value;
  }

  private compare(response: HttpResponse, status: number, more: More): void {
    const { body } = response;
    if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${shorten(body)}`);
    if (more.code !== undefined)
      expect({ code: body.code, status: body.data?.status }).toEqual({ code: more.code, status });
    if (more.params)
      expect(
        [
          Object.values(body.data.params).every((text) => typeof text === 'string') &&
            (Array.isArray(body.data.params) ? body.data.params : Object.keys(body.data.params)),
        ]
          .flat()
          .sort(),
      ).toEqual([...more.params].sort());
    if (more.details)
      expect(
        Object.fromEntries(Object.entries<any>(body.data?.details ?? {}).map(([name, { code }]) => [name, code])),
      ).toEqual(more.details);
    if (more.saveAs) this.saved[more.saveAs] = body.id ?? body.previous?.id;
    if (more.has !== undefined) expect(body).toMatchObject(this.fill(more.has) as object);
    for (const path of more.hasNot ?? []) expect(body).not.toHaveProperty(path);
    if (more.members) expect(membersOf(body)).toEqual([...more.members].sort());
    if (more.items) expect(this.names(body, more.items)).toEqual(more.items);
    if (more.only) expect(this.names(body, more.only).sort()).toEqual([...more.only].sort());
    if (more.holds) expect(this.names(body, more.holds)).toEqual(expect.arrayContaining(more.holds));
    if (more.lacks) expect(this.names(body, more.lacks).filter((name) => more.lacks!.includes(name))).toEqual([]);
    for (const [name, wanted] of Object.entries(more.sends ?? {})) {
      const found = response.headers[name.toLowerCase()] as string | undefined;
      if (wanted === null) expect({ [name]: found }).toEqual({ [name]: undefined });
      else if (wanted instanceof RegExp) expect(found ?? `no ${name}`).toMatch(wanted);
      else expect({ [name]: found }).toEqual({ [name]: this.fill(wanted) });
    }
  }

  // Ids of different tables may be equal: the names that are looked for go first.
  private names(items: { id: number }[], wanted: string[]): string[] {
    expect(Array.isArray(items)).toBe(true);
    const byId = new Map([...Object.keys(this.saved), ...wanted].map((name) => [this.saved[name], name]));
    return items.map(({ id }) => byId.get(id) ?? `item ${id}`);
  }
}

/** Declares the site of a suite: started before its tests, closed after them. */
export function world(setting: Setting = {}): World {
  const made = new World();
  const folder = mkdtempSync(join(tmpdir(), 'typecase-roles-'));
  beforeAll(async () => {
    made.site = await startTestSite(setting.schemas ?? SCHEMAS, {
      ROLES_FILE: rolesFile(folder, setting.roles),
      ...setting.environment,
    });
    made.actors['admin'] = administrator(made.site);
    made.saved['admin'] = administrator(made.site).id;
    for (const written of setting.actors ?? []) {
      const [name = '', roles = name] = written.split(':');
      const actor = await makeActor(made.site, roles === '' ? [] : roles.split('+'), name);
      made.actors[name] = actor;
      made.saved[name] = actor.id;
    }
    // A failing beforeAll would be reported once per test.
    const failed = await made
      .run(setting.seed ?? [])
      .catch((error: Error) => process.stderr.write(`${error.message}\n`));
    made.ready = failed !== true;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await made.site?.close();
  });
  return made;
}

/** A copy of schemas, changed; removed after the suite. */
export function changedSchemas(from: string, change: (name: string, schema: any) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'typecase-schemas-'));
  const to = join(folder, 'schemas');
  cpSync(from, to, { recursive: true });
  for (const name of ['post', 'page', 'attachment', 'comment', 'user', 'tag', 'category', 'meta', 'type', 'taxonomy']) {
    const file = join(to, `${name}.json`);
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    change(name, schema);
    writeFileSync(file, JSON.stringify(schema));
  }
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return to;
}

/** Runs `work` while the database itself refuses to write to a table. Only a SQLite file can be reached from here: elsewhere nothing runs. */
export async function withBrokenTable(
  site: TestSite,
  table: string,
  event: 'INSERT' | 'UPDATE',
  work: () => Promise<void>,
): Promise<void> {
  if (!site.config.database.url.startsWith('sqlite:')) return;
  await whileRefusing(site.config.database.url, table, event, work);
}

function rolesFile(folder: string, more: Record<string, string[]> = {}): string {
  const shipped = JSON.parse(readFileSync(root('roles.json'), 'utf8'));
  for (const [name, capabilities] of Object.entries(more)) shipped.roles[name] = { label: name, capabilities };
  const file = join(folder, 'roles.json');
  writeFileSync(file, JSON.stringify(shipped));
  return file;
}

function bodyText(more: Line[2]): string {
  const body = typeof more === 'object' ? (more.form ?? more.body) : undefined;
  return body === undefined ? '' : ` ${shorten(body)}`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

/** Arguments of one method in a response of OPTIONS. */
export function argsOf(document: any, method: string): Record<string, any> {
  return document.endpoints.find(({ methods }: { methods: string[] }) => methods.includes(method)).args;
}

/** The schema in a response of OPTIONS. */
export function schemaOf(document: any): any {
  return document.schema;
}
