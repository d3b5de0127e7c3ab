// Table-driven HTTP scenarios: each row is one request and what must come back, one test per row, in the order written.
import { expect, test } from '@jest/globals';
import type { TestSite } from './start-test-site.js';
import type { HttpResponse, Headers, Method } from './send.js';

/** Ids that earlier rows kept, by name. */
export type Kept = Record<string, number | string>;

/** One request. In `path` and in texts of `body`, `{name}` stands for a kept id. */
export interface Row {
  name: string;
  /** Name of an actor; absent: anonymous. */
  as?: string;
  method?: Method;
  /** Below the namespace unless it begins with `//`: then from the root of the server. */
  path: string;
  headers?: Headers;
  body?: unknown;
  status: number;
  /** Part of the body, as `toMatchObject` compares; `{name}` stands for a kept id here too. */
  has?: unknown;
  /** Paths into the body (`title.raw`) that must not be there. */
  hasNot?: string[];
  /** Exactly these members, `_links` aside. */
  members?: string[];
  /** Names of kept ids: exactly these items, in this order. */
  items?: string[];
  /** Headers of the response: text, pattern, or undefined for absent. */
  sends?: Record<string, string | RegExp | undefined>;
  /** Keeps the `id` of the body (of `previous` too) under this name. */
  keep?: string;
  /** Anything else. */
  check?(response: HttpResponse, kept: Kept): void | Promise<void>;
}

/** What the rows run against; read when a row runs, so that a `beforeAll` may fill it. */
export interface Stage {
  site: TestSite;
  actors: Record<string, { headers: Headers }>;
}

/** Declares one test per row. `kept` is shared with other scenarios of the same suite when given. */
export function scenario(stage: () => Stage, rows: Row[], kept: Kept = {}): void {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const response = await ask(stage(), row, kept);
    await expectResponse(response, row, kept);
  });
}

/** Sends the request of a row. */
export async function ask({ site, actors }: Stage, row: Row, kept: Kept = {}): Promise<HttpResponse> {
  const { as, body, headers = {}, method = 'GET' } = row;
  if (as !== undefined && !actors[as])
    throw new Error(`No actor "${as}"; there are: ${Object.keys(actors).join(', ')}`);
  const path = String(filled(row.path, kept));
  const unkept = /\{\w+\}/.exec(path);
  if (unkept) throw new Error(`Nothing was kept as ${unkept[0]}: the row that makes it has failed`);
  const signed = as === undefined ? {} : { as: actors[as]!.headers };
  return site.send(method, path, { ...signed, headers, body: filled(body, kept) });
}

/** Compares a response with what its row says. */
export function expectResponse(response: HttpResponse, row: Row, kept: Kept): void | Promise<void> {
  const { status, body } = response;
  // A wrong status alone says nothing.
  if (status !== row.status) throw new Error(`${status} instead of ${row.status}: ${JSON.stringify(body)}`);
  if (row.keep) kept[row.keep] = body.id ?? body.previous?.id;
  if (row.has !== undefined) expect(body).toMatchObject(filled(row.has, kept) as object);
  for (const path of row.hasNot ?? []) expect(body).not.toHaveProperty(path);
  if (row.members) expect(membersOf(body)).toEqual([...row.members].sort());
  if (row.items) expectItems(body, row.items, kept);
  for (const [name, wanted] of Object.entries(row.sends ?? {})) expectHeader(response, name, filled(wanted, kept));
  return row.check?.(response, kept);
}

/** Members of an item, sorted, without its links. */
export function membersOf(item: object): string[] {
  return Object.keys(item)
    .filter((name) => name !== '_links')
    .sort();
}

function expectHeader(response: HttpResponse, name: string, wanted: unknown): void {
  const found = response.headers[name.toLowerCase()] as string | undefined;
  if (wanted === undefined) expect({ [name]: found }).toEqual({ [name]: undefined });
  else if (wanted instanceof RegExp) expect(found ?? '').toMatch(wanted);
  else expect({ [name]: found }).toEqual({ [name]: wanted });
}

function expectItems(items: { id: number | string }[], names: string[], kept: Kept): void {
  expect(Array.isArray(items)).toBe(true);
  const wanted = Object.fromEntries(names.map((name) => [name, kept[name]]));
  const found = items.map(({ id }) => names.find((name) => kept[name] === id) ?? `unexpected item ${id}`);
  expect({ wanted, found }).toEqual({ wanted, found: names });
}

/** A value with kept ids in the place of their names; a text that is nothing but `{name}` becomes the id itself. */
export function filled(value: unknown, kept: Kept): unknown {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value);
    if (whole?.[1] !== undefined && whole[1] in kept) return kept[whole[1]];
    return value.replaceAll(/\{(\w+)\}/g, (text, name: string) => (name in kept ? String(kept[name]) : text));
  }
  if (Array.isArray(value)) return value.map((member) => filled(member, kept));
  const plain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return plain
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, kept)]))
    : value;
}
