// What differs between a recorded response and ours: status, error code, some headers, the body member by member. Called by the replay.
import type { Recording } from './content.js';
import type { HttpResponse } from './peer-site.js';

/** One difference. In `path` every position of a list is `[]`, so that one rule fits all members. */
export interface Difference {
  path: string;
  recorded: unknown;
  ours: unknown;
}

/** Moments between which our site responded. */
export interface Period {
  from: number;
  to: number;
}

/** When the recordings were made; such dates mean `now`. */
const NOW = /^2026-11-20T(?:09|10):\d\d:\d\d(?:\+00:00)?$/;
/** Human texts are our own. */
const UNCOMPARED = new Set(['message', 'description']);
const SLACK = 5_000;
const BERLIN = 3_600_000;

/** Everything in which our response is another one. */
export function differences(recording: Recording, response: HttpResponse, period: Period): Difference[] {
  const found: Difference[] = [];
  const wanted = today(recording, period);
  if (wanted.status !== response.status) {
    const code = (body: any) => body?.code ?? null;
    return [
      {
        path: 'status',
        recorded: `${wanted.status} ${code(wanted.body)}`,
        ours: `${response.status} ${code(response.body)}`,
      },
    ];
  }
  compareHeaders(wanted, response, found);
  if (recording.request.method !== 'HEAD')
    compare('body', wanted.body, response.body, { found, period, options: recording.request.method === 'OPTIONS' });
  return found;
}

function compareHeaders({ headers }: Recording, response: HttpResponse, found: Difference[]): void {
  for (const name of ['allow', 'x-wp-total', 'x-wp-totalpages', 'location', 'x-wp-upload-attachment-id']) {
    if ((headers[name] ?? null) !== (response.headers[name] ?? null)) {
      found.push({ path: `header ${name}`, recorded: headers[name] ?? null, ours: response.headers[name] ?? null });
    }
  }
  for (const rel of ['prev', 'next', 'alternate']) {
    const [recorded, ours] = [linkOf(headers['link'], rel), linkOf(response.headers['link'], rel)];
    if (recorded !== ours) found.push({ path: `header link ${rel}`, recorded: recorded ?? null, ours: ours ?? null });
  }
}

/** Target of a link relation, its query in one spelling: lists with commas, nothing for empty and false. */
function linkOf(header: string | undefined, rel: string): string | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="?${rel}"?`).exec(header ?? '') ?? [];
  if (target === undefined) return undefined;
  const url = new URL(target);
  const query = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const plain = name.replace(/\[\d+\]$/, '');
    const before = query.get(plain);
    if (value !== '' && value !== 'false') query.set(plain, before === undefined ? value : `${before},${value}`);
  }
  return `${url.origin}${url.pathname}?${[...query].map(([name, value]) => `${name}=${value}`).join('&')}`;
}

interface Comparison {
  found: Difference[];
  period: Period;
  options: boolean;
}

function compare(path: string, recorded: unknown, ours: unknown, comparison: Comparison): void {
  if (Array.isArray(recorded) && Array.isArray(ours)) return compareLists(path, recorded, ours, comparison);
  if (isObject(recorded) && isObject(ours)) return compareMembers(path, recorded, ours, comparison);
  if (recorded === ours || (typeof recorded === 'string' && isNow(recorded, ours, comparison.period))) return;
  comparison.found.push({ path, recorded, ours });
}

function compareMembers(
  path: string,
  recorded: Record<string, unknown>,
  ours: Record<string, unknown>,
  comparison: Comparison,
): void {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(ours)])) {
    if (isText(name, recorded[name], path, comparison)) continue;
    const at = `${path}.${name}`;
    if (!(name in recorded)) comparison.found.push({ path: at, recorded: undefined, ours: ours[name] });
    else if (!(name in ours)) comparison.found.push({ path: at, recorded: recorded[name], ours: undefined });
    else compare(at, recorded[name], ours[name], comparison);
  }
}

/** A human text: taken out of the recording, or the description of a route. */
function isText(name: string, recorded: unknown, path: string, { options }: Comparison): boolean {
  if (recorded === '…') return true;
  return (
    UNCOMPARED.has(name) &&
    (name === 'message' || (options && !path.endsWith('.properties') && !path.endsWith('.args')))
  );
}

function compareLists(path: string, recorded: unknown[], ours: unknown[], comparison: Comparison): void {
  const [left, right] = [keysOf(recorded), keysOf(ours)];
  if (left && right && left.join() !== right.join()) {
    comparison.found.push({ path: `${path} ids`, recorded: left.join(), ours: right.join() });
    for (const [at, key] of left.entries()) {
      const other = right.indexOf(key);
      if (other >= 0) compare(`${path}[]`, recorded[at], ours[other], comparison);
    }
  } else if (recorded.length !== ours.length || ![...recorded, ...ours].some(hasMembers)) {
    // Contexts and JSON types are sets.
    if (/\.(?:context|type)$/.test(path)) [recorded, ours] = [[...recorded].sort(), [...ours].sort()];
    if (JSON.stringify(recorded) !== JSON.stringify(ours)) comparison.found.push({ path, recorded, ours });
  } else recorded.forEach((each, at) => compare(`${path}[]`, each, ours[at], comparison));
}

function keysOf(list: unknown[]): unknown[] | undefined {
  const ids = list.map((each) => (isObject(each) ? (each['id'] ?? each['slug']) : undefined));
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isNow(recorded: string, ours: unknown, { from, to }: Period): boolean {
  if (!NOW.test(recorded) || typeof ours !== 'string') return false;
  if (ours.endsWith('+00:00') !== recorded.endsWith('+00:00')) return false;
  const moment = Date.parse(`${ours.slice(0, 19)}Z`);
  return [0, BERLIN, 2 * BERLIN].some((shift) => moment - shift >= from - SLACK && moment - shift <= to + SLACK);
}

/** The recording as if it were made today: the day is part of URLs and of folders of files. */
function today(recording: Recording, { to }: Period): Recording {
  const [year, month, day] = new Date(to).toISOString().slice(0, 10).split('-');
  const text = JSON.stringify(recording)
    .replaceAll('/2026/11/20/', `/${year}/${month}/${day}/`)
    .replaceAll('2026/11/', `${year}/${month}/`);
  return JSON.parse(text) as Recording;
}
