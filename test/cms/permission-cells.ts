// Turns rows of the permission matrix into tests: one per caller, titled with resource, operation and caller.
import { expect, test } from '@jest/globals';
import type { HttpResponse } from '../support/send.js';
import { CALLERS, type RequestSpec, type Letter, type Status, type World } from './permission-world.js';

/** What a caller's request is made of. */
export interface Stage {
  world: World;
  letter: Letter;
  /** Id of the caller; of a stranger for anonymous, who owns nothing. */
  me: number;
  other: number;
  /** Posts and pages of the caller or of somebody else. */
  own(kind: 'posts' | 'pages', status: Status, extra?: object, tag?: string): Promise<number>;
  others(kind: 'posts' | 'pages', status: Status, extra?: object, tag?: string): Promise<number>;
}

/**
 * A number: that status. A code: 401 anonymous, 403 known. A number and a code: exactly these.
 * A list: 200 with exactly the items of these names. null: does not apply.
 */
export type Outcome = number | string | string[] | null;

/** Outcomes by callers: `{ AEUC: 201, 'S-': 'rest_cannot_create' }`. Every caller stands in one key. */
export type Outcomes = Record<string, Outcome>;

export interface Row {
  resource: string;
  operation: string;
  request(stage: Stage): RequestSpec | Promise<RequestSpec>;
  outcomes: Outcomes;
  check?(response: HttpResponse, stage: Stage): unknown;
  /** Runs after a success. */
  after?(response: HttpResponse, stage: Stage): unknown;
  /** Callers whose response allows exactly these methods, in this order; empty: no `Allow` at all. */
  allow?: Record<string, string>;
}

/** Refusals of a handler, which come after the permission check: `Allow` still names the method. */
const LATE = new Set([
  'rest_cannot_publish',
  'rest_user_invalid_role',
  'rest_meta_protected',
  'rest_not_logged_in',
  'rest_cannot_read_type',
]);
const ALL: Letter[] = ['A', 'E', 'U', 'C', 'S', '-'];

/** How many cells were declared, by resource. */
export const cells: Record<string, number> = {};

/** Declares one test per row and caller. */
export function declare(world: () => World, rows: Row[]): void {
  for (const row of rows) {
    for (const letter of ALL) {
      const outcome = pick(row.outcomes, letter, row);
      if (outcome === null) continue;
      cells[row.resource] = (cells[row.resource] ?? 0) + 1;
      test(`${row.resource}: ${row.operation}: ${CALLERS[letter]}`, () => run(world(), row, letter, outcome!));
    }
  }
}

function pick<T>(by: Record<string, T>, letter: Letter, row: Row): T | undefined {
  const found = Object.entries(by).filter(([letters]) => letters.includes(letter));
  if (found.length !== 1) throw new Error(`${row.resource}: ${row.operation}: ${found.length} outcomes for ${letter}`);
  return found[0]![1];
}

async function run(world: World, row: Row, letter: Letter, outcome: Exclude<Outcome, null>): Promise<void> {
  world.begin();
  const me = world.people[letter].id || world.peer.id;
  const other = world.peer.id;
  const stage: Stage = {
    world,
    letter,
    me,
    other,
    own: (kind, status, extra, tag) => world.item(kind, me, status, extra, tag),
    others: (kind, status, extra, tag) => world.item(kind, other, status, extra, tag),
  };
  const request = await row.request(stage);
  const response = await world.send(letter, request);
  if (request.method !== 'GET' && response.status < 300) world.spend();
  compare(response, request, outcome, letter);
  if (row.allow) expect(response.headers['allow'] ?? '').toBe(pick(row.allow, letter, row));
  else expectAllow(response, request);
  await row.check?.(response, stage);
  if (response.status < 300) await row.after?.(response, stage);
}

function compare(response: HttpResponse, request: RequestSpec, outcome: Exclude<Outcome, null>, letter: Letter): void {
  const found = response.status < 300 ? response.status : `${response.status} ${response.body?.code}`;
  if (!Array.isArray(outcome)) expect(found).toBe(wanted(outcome, letter));
  else {
    expect(found).toBe(200);
    const names = Object.entries(request.items ?? {});
    const shown = (response.body as { id: number }[]).map(({ id }) => names.find(([, own]) => own === id)?.[0] ?? id);
    expect(shown.sort()).toEqual([...outcome].sort());
    if (response.headers['x-wp-total'] !== undefined)
      expect(response.headers['x-wp-total']).toBe(String(outcome.length));
  }
  if (response.status >= 400 && request.method !== 'HEAD') {
    expect(response.body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(response.body.data.status).toBe(response.status);
    expect(response.body.message.length).toBeGreaterThan(10);
  }
}

function wanted(outcome: number | string, letter: Letter): number | string {
  if (typeof outcome === 'number' || /^\d/.test(outcome)) return outcome;
  return `${letter === '-' ? 401 : 403} ${outcome}`;
}

// A success names its own method, a refusal of the permission check does not.
function expectAllow(response: HttpResponse, { method, headers }: RequestSpec): void {
  if (headers?.['X-HTTP-Method-Override']) return;
  const allowed = String(response.headers['allow'] ?? '').split(', ');
  const own = method === 'HEAD' ? 'GET' : method;
  if (own === 'OPTIONS') return;
  if (response.status < 300 && own !== 'DELETE') expect(allowed).toContain(own);
  const refused = response.status === 401 || response.status === 403;
  const { code } = response.body ?? {};
  if (refused && !LATE.has(code)) expect(allowed).not.toContain(own);
}

export const get = (path: string, items?: Record<string, number>): RequestSpec => ({
  method: 'GET',
  path,
  ...(items ? { items } : {}),
});
export const post = (path: string, body: object = {}): RequestSpec => ({ method: 'POST', path, body });
export const del = (path: string, body?: object): RequestSpec => ({
  method: 'DELETE',
  path,
  ...(body ? { body } : {}),
});

/** Query for exactly these items. */
export const include = (items: Record<string, number>): string => `include=${Object.values(items).join(',')}`;

/** Outcome of a request that only knows right and wrong: everybody the same. */
export const everybody = (outcome: Outcome): Outcomes => ({ 'AEUCS-': outcome });
