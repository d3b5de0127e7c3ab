// Settings of the site that a resource stores: read at the start, after each change of this process, and once a second
// from the changes of others.
import type { ModelSet, ResourceModel } from '../model/model.js';
import type { Site } from '../model/site/site.js';
import { ReadOrder } from '../model/runtime/read-order.js';
import type { Store } from '../model/store.js';
import type { SiteSettings } from '../model/site/site-settings.js';

/** Milliseconds between checks of the versions of the tables. */
const INTERVAL = 1000;

/** Synchronizes `site.settings` with the stored settings; one per process. */
export class StoredSettings {
  private readonly configured: Readonly<SiteSettings>;
  private readonly tables: readonly string[];
  private version: unknown;
  private looked = 0;
  private looking: Promise<void> | undefined;
  private readonly order = new ReadOrder();

  private constructor(
    private readonly models: ModelSet,
    private readonly owners: readonly ResourceModel[],
    private readonly site: Site,
    private readonly store: Pick<Store, 'reader'>,
  ) {
    this.configured = site.settings;
    this.tables = owners.map(({ table }) => table!.name);
  }

  /** Follows the settings that resources of the site store; undefined where there are none. */
  static of(models: ModelSet, site: Site, store: Pick<Store, 'reader'>): StoredSettings | undefined {
    const owners = [...models.byName.values()].filter(({ fields }) =>
      [...fields.values()].some(({ setting }) => setting !== undefined),
    );
    return owners.length === 0 ? undefined : new StoredSettings(models, owners, site, store);
  }

  /** Reads them. */
  async read(): Promise<void> {
    const { reader } = this.store;
    const read = this.order.begin();
    // Read first, so that what is cached is at least as new as its version.
    const version = await reader.version?.(this.tables);
    const found: Partial<Record<keyof SiteSettings, unknown>> = {};
    for (const { table, allColumns, rowScope, fields } of this.owners) {
      const row = await reader.first(table!.name, allColumns, rowScope);
      for (const { setting } of row ? fields.values() : []) {
        const value = setting?.stored(row!);
        if (value !== undefined) found[setting!.name] = value;
      }
    }
    if (!this.order.mayUse(read)) return;
    this.version = version;
    this.looked = performance.now();
    const next = { ...this.configured, ...found } as SiteSettings;
    if (JSON.stringify(next) === JSON.stringify(this.site.settings)) return;
    this.site.settings = Object.freeze(next);
    this.models.timezone = next.timezone;
  }

  /** Reads them if another process has changed them; checks once a second at most. Undefined: nothing to wait for. */
  follow(): Promise<void> | undefined {
    if (this.looking || performance.now() - this.looked < INTERVAL) return this.looking;
    this.looking = this.look().finally(() => {
      this.looked = performance.now();
      this.looking = undefined;
    });
    return this.looking;
  }

  private async look(): Promise<void> {
    try {
      const version = await this.store.reader.version?.(this.tables);
      if (version === undefined || version !== this.version) await this.read();
    } catch {
      // Requests that need the database report the error themselves.
    }
  }
}
