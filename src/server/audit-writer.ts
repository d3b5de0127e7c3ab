// How acts that are no writes of items reach the audit log and the events: logins and application passwords.
import type { EventRecorder } from '../events/recorder.js';
import type { Actor } from '../model/actor.js';
import type { AuditWriter } from '../model/audit.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site/site.js';
import type { Store } from '../model/store.js';

/** Writes into the audit log of a site; undefined where no resource is one. */
export function auditWriter(models: ModelSet, site: Pick<Site, 'now'>): AuditWriter | undefined {
  const log = [...models.byName.values()].find(({ faces }) => faces.audit);
  return log && ((entry, actor, tx) => tx.append(log.table!.name, log.faces.audit!.row(entry, actor, site.now())));
}

/** Where a login is recorded. `resource`: the name of the one with the accounts. */
interface LoginRecords {
  resource: string;
  audit: AuditWriter | undefined;
  events: EventRecorder;
  now(): number;
}

/** Records a login in a transaction of its own; undefined where nobody ever wants to know. */
export function loginRecorder(store: Store, { resource, audit, events, now }: LoginRecords) {
  return async (account: number, actor: Actor): Promise<void> => {
    if (!audit && !events.isWanted) return;
    await store.transaction(async (tx) => {
      await audit?.({ action: 'login', resource, item: account, fields: [] }, actor, tx);
      await events.record({ resource, item: account, action: 'login' }, { ...actor, id: account }, tx, now());
    }, {});
  };
}
