// The paths of a site that exist, by the paths of its OpenAPI document: items are found in the lists.
import type { Schema } from './openapi-document.js';
import type { TestSite } from './start-test-site.js';
import type { HttpResponse, Headers } from './send.js';

/** Maximum number of items of each list. */
const ITEMS = 5;

/** Concrete paths for each path with parameters. */
export class KnownPaths {
  private readonly known = new Map<string, string[]>();

  private constructor(private readonly site: TestSite) {}

  /** Finds the paths as a caller who may read everything. */
  static async of(site: TestSite, paths: Iterable<string>, as: Headers): Promise<KnownPaths> {
    const known = new KnownPaths(site);
    for (const path of [...new Set(paths)].sort((one, other) => depth(one) - depth(other))) await known.load(path, as);
    return known;
  }

  /** The concrete paths at a path. */
  at(path: string): readonly string[] {
    return this.known.get(path) ?? [];
  }

  /** Adds the item that a creation at a path has made. */
  add(path: string, { body, headers: { location } }: HttpResponse): void {
    const below = [...this.known.keys()].find(
      (each) => each.startsWith(`${path}/{`) && depth(each) === depth(path) + 1,
    );
    if (below && typeof location === 'string' && body?.id !== undefined)
      this.known.get(below)!.push(new URL(location).pathname);
  }

  // The path of an item is that of the collection with a key of what it lists; what is below an item begins with its path.
  private async load(path: string, as: Headers): Promise<void> {
    const cut = path.lastIndexOf('/');
    const [above, last] = [path.slice(0, cut), path.slice(cut + 1)];
    const found: string[] = [];
    if (above.includes('{') && !this.known.has(above)) await this.load(above, as);
    for (const base of above.includes('{') ? this.at(above) : [above]) {
      if (!last.startsWith('{')) found.push(`${base}/${last}`);
      else for (const key of await this.keysBelow(base, last.slice(1, -1), as)) found.push(`${base}/${key}`);
    }
    this.known.set(path, found);
  }

  private async keysBelow(base: string, name: string, as: Headers): Promise<string[]> {
    const { body, status } = await this.site.send('GET', `/${base}`, { as });
    if (status !== 200 || typeof body !== 'object' || body === null) return [];
    if (!Array.isArray(body)) return Object.keys(body).slice(0, ITEMS);
    const keys = body.map((row: Schema | null) => row?.[name] ?? row?.['id']);
    return keys
      .filter((key) => key !== undefined)
      .map(String)
      .slice(0, ITEMS);
  }
}

const depth = (path: string): number => path.split('/').length;
