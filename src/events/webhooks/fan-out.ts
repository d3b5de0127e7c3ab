// Creates the deliveries of events: one per subscribed webhook, in the transaction that advances the position.
import { itemPath } from '../../model/functions/paths.js';
import { withDerived } from '../../model/functions/with-derived.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import type { Row } from '../../model/query.js';
import type { TextWork } from '../../model/runtime/texts.js';
import type { Consumer } from '../consumers.js';
import { typeOf } from '../event.js';
import type { SiteEvent } from '../../model/audit.js';
import { wants, type Webhook, type WebhookList } from './webhook-list.js';

/** The models, and the base of the URLs of items. */
interface Place {
  models: ModelSet;
  /** `http://…/cms/v2`. */
  base: string;
  /** How texts are stored. */
  store: TextWork['site'];
}

/** The consumer that creates deliveries. `onMade` runs after the commit. */
export function fanOut(list: WebhookList, deliveries: ResourceModel, place: Place, onMade: () => void): Consumer {
  return {
    name: 'fan-out',
    async apply(events, tx) {
      // The committed webhooks, including changes of other processes.
      await list.follow();
      const rows = events.flatMap((event) =>
        list.active
          .filter((webhook) => wants(webhook, event))
          .map((webhook) => rowOf(event, webhook, deliveries, place)),
      );
      if (rows.length === 0) return;
      await tx.insertMany(deliveries.table!.name, rows);
      tx.after(onMade);
    },
  };
}

function rowOf(event: SiteEvent, webhook: Webhook, deliveries: ResourceModel, place: Place): Row {
  const { columns } = deliveries.faces.delivery!;
  const row = {
    ...defaultsOf(deliveries),
    [columns.target]: webhook.id,
    [columns.event]: event.id,
    [columns.kind]: typeOf(event),
    [columns.resource]: event.resource,
    [columns.item]: event.item,
    [columns.payload]: payloadOf(event, place),
    [columns.state]: 'pending',
    [columns.date]: new Date(event.at).toISOString().slice(0, 19),
  };
  return withDerived(deliveries, row, { site: place.store });
}

function defaultsOf({ fields, discriminator }: ResourceModel): Row {
  const columns = [...fields.values()].flatMap((field) => field.columns.filter(({ primary }) => !primary));
  const row: Row = Object.fromEntries(columns.map((column) => [column.name, column.default ?? null]));
  return { ...row, ...discriminator };
}

/** That of a nested item is not known without its parent, nor that of one with another key. */
function hasKnownUrl({ parent, integerKey }: ResourceModel): boolean {
  return !parent && integerKey;
}

/** The body of the requests: what happened to which item, without its values. */
function payloadOf(event: SiteEvent, { models, base }: Place): string {
  const { id, resource, item, action, fields, account, at } = event;
  const model = models.byName.get(resource);
  const url = model && hasKnownUrl(model) ? `${base}${itemPath(model, { id: item })}` : undefined;
  return JSON.stringify({
    type: typeOf(event),
    timestamp: new Date(at).toISOString(),
    data: {
      event: id,
      resource,
      id: item,
      action,
      fields,
      user: account,
      ...(url && action !== 'deleted' ? { url } : {}),
    },
  });
}
