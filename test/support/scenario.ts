// Table-driven HTTP scenarios: each row is a request and its expected response; one test per row, in the given order.
import { expect, test } from '@jest/globals';
import type { TestSite } from './start-test-site.js';
import type { HttpResponse, Headers, Method } from './send.js';

/** Ids that earlier rows saved, by name. */
export type SavedIds = Record<string, number | string>;

/** One request. In `path` and in texts of `body`, `{name}` is replaced by a saved id. */
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
  /** Part of the body, as `toMatchObject` compares; `{name}` is replaced here too. */
  has?: unknown;
  /** Paths into the body (`title.raw`) that must not exist. */
  hasNot?: string[];
  /** Exactly these members, `_links` aside. */
  members?: string[];
  /** Names of saved ids: exactly these items, in this order. */
  items?: string[];
  /** Headers of the response: text, pattern, or undefined for absent. */
  sends?: Record<string, string | RegExp | undefined>;
  /** Saves the `id` of the body (or of `previous`) under this name. */
  saveAs?: string;
  /** Further expectations. */
  check?(response: HttpResponse, saved: SavedIds): void | Promise<void>;
}

/** The site and its actors; read when a row runs, so that a `beforeAll` may set them. */
export interface Stage {
  site: TestSite;
  actors: Record<string, { headers: Headers }>;
}

/** Declares one test per row. `saved` is shared with other scenarios of the suite when given. */
export function scenario(stage: () => Stage, rows: Row[], saved: SavedIds = {}): void {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    const response = await sendRow(stage(), row, saved);
    await expectResponse(response, row, saved);
  });
}

/** Sends the request of a row. */
export async function sendRow({ site, actors }: Stage, row: Row, saved: SavedIds = {}): Promise<HttpResponse> {
  const { as, body, headers = {}, method = 'GET' } = row;
  if (as !== undefined && !actors[as])
    throw new Error(`No actor "${as}"; there are: ${Object.keys(actors).join(', ')}`);
  const path = String(substitute(row.path, saved));
  const unsaved = /\{\w+\}/.exec(path);
  if (unsaved) throw new Error(`Nothing was saved as ${unsaved[0]}: the row that makes it has failed`);
  const signed = as === undefined ? {} : { as: actors[as]!.headers };
  return site.send(method, path, { ...signed, headers, body: substitute(body, saved) });
}

/** Compares a response with the expectations of its row. */
export function expectResponse(response: HttpResponse, row: Row, saved: SavedIds): void | Promise<void> {
  const { status, body } = response;
  // The message includes the body, because a wrong status alone is not informative.
  if (status !== row.status) throw new Error(`${status} instead of ${row.status}: ${JSON.stringify(body)}`);
  if (row.saveAs) saved[row.saveAs] = body.id ?? body.previous?.id;
  if (row.has !== undefined) expect(body).toMatchObject(substitute(row.has, saved) as object);
  for (const path of row.hasNot ?? []) expect(body).not.toHaveProperty(path);
  if (row.members) expect(membersOf(body)).toEqual([...row.members].sort());
  if (row.items) expectItems(body, row.items, saved);
  for (const [name, wanted] of Object.entries(row.sends ?? {})) expectHeader(response, name, substitute(wanted, saved));
  return row.check?.(response, saved);
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

function expectItems(items: { id: number | string }[], names: string[], saved: SavedIds): void {
  expect(Array.isArray(items)).toBe(true);
  const wanted = Object.fromEntries(names.map((name) => [name, saved[name]]));
  const found = items.map(({ id }) => names.find((name) => saved[name] === id) ?? `unexpected item ${id}`);
  expect({ wanted, found }).toEqual({ wanted, found: names });
}

/** A value with saved ids in place of their names; a text that is only `{name}` becomes the id itself. */
export function substitute(value: unknown, saved: SavedIds): unknown {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value);
    if (whole?.[1] !== undefined && whole[1] in saved) return saved[whole[1]];
    return value.replaceAll(/\{(\w+)\}/g, (text, name: string) => (name in saved ? String(saved[name]) : text));
  }
  if (Array.isArray(value)) return value.map((member) => substitute(member, saved));
  const plain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return plain
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, substitute(member, saved)]))
    : value;
}
