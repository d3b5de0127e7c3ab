// Checks before measuring that both servers send the same responses: otherwise the comparison is meaningless.
import type { RunningServer } from './servers.js';

/** The hand-written server compresses nothing. */
const PLAIN = { headers: { 'accept-encoding': 'identity' } };
const HEADERS = ['content-type', 'content-length', 'x-wp-total', 'x-wp-totalpages', 'link', 'allow', 'vary', 'etag'];

/** Throws with the first difference of status, headers or body. */
export async function requireSameResponses(
  left: RunningServer,
  right: RunningServer,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const [one, other] = await Promise.all([fetch(left.origin + path, PLAIN), fetch(right.origin + path, PLAIN)]);
    const bodies = await Promise.all([one.text(), other.text()]);
    if (one.status !== 200) throw new Error(`${path}: ${left.name} returned ${one.status}.`);
    same(path, 'status', String(one.status), String(other.status));
    for (const name of HEADERS) same(path, name, one.headers.get(name) ?? '', other.headers.get(name) ?? '');
    same(path, 'body', ...bodies);
  }
}

function same(path: string, what: string, one: string, other: string): void {
  if (one === other) return;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const near = (text: string) => text.slice(Math.max(0, at - 40), at + 60);
  throw new Error(`${path}: ${what} differs at character ${at}:\n  … ${near(one)}\n  … ${near(other)}`);
}
