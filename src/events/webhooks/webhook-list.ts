// The current webhooks of a site.
import { ReadOrder } from '../../model/runtime/read-order.js';
import type { WebhookFace } from '../../model/faces.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { equals, type Row } from '../../model/query.js';
import type { Store } from '../../model/store.js';
import type { SiteEvent } from '../../model/audit.js';

/** A webhook that is active. */
export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly secret: string;
  /** The former secret, and the time until which it also signs, in milliseconds since 1970. */
  readonly former: string;
  readonly formerUntil: number;
  readonly events: readonly string[];
  readonly resources: readonly string[];
  readonly fields: readonly string[];
}

/** Follows the active webhooks. */
export class WebhookList {
  /** The active webhooks. */
  active: readonly Webhook[] = [];
  private version: unknown;
  private readonly order = new ReadOrder();
  private readonly face: WebhookFace;
  private readonly table: string;

  private constructor(
    readonly model: ResourceModel,
    private readonly store: Pick<Store, 'reader'>,
  ) {
    this.face = model.faces.webhook!;
    this.table = model.table!.name;
  }

  /** Undefined for a site without a resource of webhooks. */
  static of(models: ModelSet, store: Pick<Store, 'reader'>): WebhookList | undefined {
    const model = [...models.byName.values()].find(({ faces }) => faces.webhook);
    return model && new WebhookList(model, store);
  }

  /** Reads the active webhooks if any process has changed them. */
  async follow(): Promise<void> {
    const { reader } = this.store;
    const version = await reader.version?.([this.table]);
    if (version !== undefined && version === this.version) return;
    if (await this.read()) this.version = version;
  }

  /** Reads the active webhooks; false where a read that began later has completed before. */
  async read(): Promise<boolean> {
    const read = this.order.begin();
    const { columns } = this.face;
    const rows = await this.store.reader.select({
      table: this.table,
      columns: ['id', ...Object.values(columns)],
      where: equals(columns.active, 1),
      order: [{ column: 'id', direction: 'asc' }],
    });
    if (!this.order.mayUse(read)) return false;
    this.active = rows.map((row) => webhookOf(row, columns));
    return true;
  }
}

/** Whether a webhook subscribes to an event. */
export function wants({ events, resources, fields }: Webhook, event: SiteEvent): boolean {
  if (events.length > 0 && !events.includes(event.action)) return false;
  if (resources.length > 0 && !resources.includes(event.resource)) return false;
  return fields.length === 0 || event.action !== 'updated' || event.fields.some((name) => fields.includes(name));
}

function webhookOf(row: Row, columns: WebhookFace['columns']): Webhook {
  return {
    id: row['id'] as number,
    url: row[columns.url] as string,
    secret: row[columns.secret] as string,
    former: String(row[columns.former] ?? ''),
    formerUntil: Number(row[columns.formerUntil] ?? 0),
    events: listOf(row[columns.events]),
    resources: listOf(row[columns.resources]),
    fields: listOf(row[columns.fields]),
  };
}

function listOf(stored: unknown): string[] {
  const value: unknown = typeof stored === 'string' && stored !== '' ? JSON.parse(stored) : stored;
  return Array.isArray(value) ? value.map(String) : [];
}
