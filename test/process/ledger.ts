// What clients of a server that is killed know: what was acknowledged, and the one write whose response never came. Used by the crash suites.
import { isDeepStrictEqual } from 'node:util';
import type { Api, View } from './api.js';

/** A write whose outcome the ledger can tell without its response. */
export interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | Buffer;
  headers?: Record<string, string>;
  /** After a restart: what the write left; undefined when it left nothing. Throws when it left half of it. */
  look(api: Api): Promise<View | undefined>;
  /** Books it as done, given its response or what `look` found. Throws when that is not what was sent. */
  book(view: View): void;
}

/** Items of one client by path, as they were last acknowledged; undefined for those that were deleted. */
export class Ledger {
  readonly items = new Map<string, View | undefined>();
  /** Bytes of uploads by path. */
  readonly files = new Map<string, string>();
  /** URLs whose state has changed since they were last looked at. */
  readonly touched = new Set<string>();
  acknowledged = 0;

  set(itemPath: string, view: View | undefined): void {
    this.items.set(itemPath, view && kept(view));
    this.touched.add(itemPath);
  }

  /** Changes an item as a side effect of another write. */
  change(itemPath: string, values: View): void {
    const view = this.items.get(itemPath);
    if (view) this.set(itemPath, { ...view, ...values });
  }

  /** URLs of living items right below a path. */
  living(path: string): string[] {
    const below = (itemPath: string): boolean => itemPath.slice(0, itemPath.lastIndexOf('/')) === path;
    return [...this.items].filter(([itemPath, view]) => view && below(itemPath)).map(([itemPath]) => itemPath);
  }

  /** Compares items with what the server shows; throws with everything that differs. */
  async verify(api: Api, itemPaths: Iterable<string> = this.items.keys()): Promise<void> {
    const faults: string[] = [];
    for (const itemPath of itemPaths) {
      const { status, body } = await api.get(`${itemPath}?context=edit`);
      const fault = faultOf(itemPath, this.items.get(itemPath), status, body);
      if (fault) faults.push(fault);
      else if (this.files.has(itemPath) && this.items.get(itemPath))
        faults.push(...(await this.checkFile(api, itemPath)));
      if (!fault) this.touched.delete(itemPath);
    }
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  private async checkFile(api: Api, itemPath: string): Promise<string[]> {
    const { source_url } = this.items.get(itemPath)!;
    const stored = await api.file(source_url);
    return stored === this.files.get(itemPath) ? [] : [`${itemPath}: its file ${source_url} holds ${stored}`];
  }
}

function faultOf(itemPath: string, wanted: View | undefined, status: number, found: View): string | undefined {
  if (!wanted) return status === 404 ? undefined : `${itemPath} was deleted and is there: ${JSON.stringify(found)}`;
  if (status !== 200) return `${itemPath} was acknowledged and now returns ${status}: ${JSON.stringify(found)}`;
  const shown = kept(found);
  const names = Object.keys({ ...wanted, ...shown }).filter((name) => !isDeepStrictEqual(wanted[name], shown[name]));
  if (names.length === 0) return undefined;
  const differences = names.map((name) => `${name} ${JSON.stringify(wanted[name])} > ${JSON.stringify(shown[name])}`);
  return `${itemPath} is not as acknowledged: ${differences.join(', ')}`;
}

/** Changes with the writes of others, with use, or with the caller. */
const OTHERS = ['_links', 'count', 'last_used', 'last_ip'];

/** What of a view depends on this item's own writes alone; of its links only the number of versions. */
export function kept(view: View): View {
  const versions = view['_links']?.['version-history']?.[0]?.count;
  const own = Object.fromEntries(Object.entries(view).filter(([name]) => !OTHERS.includes(name)));
  // The remarks of a trashed item are put aside with it, and their paths follow its own.
  if ('author_ip' in own) Object.assign(own, { link: '', status: '' });
  // Shown once, when it is made.
  if ('uuid' in own) delete own['password'];
  return versions === undefined ? own : { ...own, versions };
}

/** Throws unless a view shows every value that was sent. */
export function expectSent(itemPath: string, sent: View, view: View): void {
  for (const [name, value] of Object.entries(sent)) {
    if (!(name in view)) continue;
    const shown = view[name]?.raw ?? view[name];
    const same = isDeepStrictEqual(sorted(shown), sorted(value));
    if (!same)
      throw new Error(`${itemPath} is half written: ${name} is ${JSON.stringify(shown)} of ${JSON.stringify(sent)}`);
  }
}

/** Whether a view shows an item as the ledger has it. */
export function isUnchanged(before: View | undefined, view: View): boolean {
  return isDeepStrictEqual(before, kept(view));
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}
