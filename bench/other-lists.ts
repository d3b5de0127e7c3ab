// Lists whose cost is in the database: time of the first request and of later ones.
import { COMMON_WORD, RARE_WORD } from './data-set.js';
import type { RunningServer } from './servers.js';

const REPEATS = 20;

/** Name and address (after `/cms/v2`) of each list. */
const LISTS: readonly [name: string, path: string][] = [
  ['newest', '/posts'],
  ['page 5000', '/posts?page=5000'],
  ['one category', '/posts?categories=2'],
  ['several tags, without a category', '/posts?tags=70,71,72&categories_exclude=3'],
  ['one author', '/posts?author=5'],
  ['sticky', '/posts?sticky=true'],
  ['by title', '/posts?orderby=title&order=asc'],
  ['a month', '/posts?after=2024-03-01T00:00:00&before=2024-04-01T00:00:00'],
  ['rare word', `/posts?search=${RARE_WORD}`],
  ['common word', `/posts?search=${COMMON_WORD}`],
  ['three fields of 100', '/posts?per_page=100&_fields=id,title,link'],
  ['100 items', '/posts?per_page=100'],
  ['categories', '/categories'],
];

/** Rows of a table: name, total, milliseconds of the first request, median of the others. */
export async function otherLists(server: RunningServer): Promise<string[][]> {
  const rows = [['', 'total', 'first ms', 'then ms']];
  for (const [name, path] of LISTS) {
    const times: number[] = [];
    let total = '';
    for (let count = 0; count <= REPEATS; count += 1) {
      const started = performance.now();
      const response = await fetch(`${server.origin}/cms/v2${path}`);
      await response.text();
      times.push(performance.now() - started);
      total = response.ok ? (response.headers.get('x-wp-total') ?? '') : `status ${response.status}`;
    }
    const [first, ...later] = times;
    later.sort((left, right) => left - right);
    rows.push([name, total, first!.toFixed(1), later[REPEATS / 2]!.toFixed(1)]);
  }
  return rows;
}
