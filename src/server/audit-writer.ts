// How acts that are no writes of items reach the audit log: logins and application passwords.
import type { Actor } from '../model/actor.js';
import type { AuditWriter } from '../model/audit.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site.js';
import type { Store } from '../model/store.js';

/** Writes into the audit log of a site; undefined where no resource is one. */
export function auditWriter(models: ModelSet, site: Pick<Site, 'now'>): AuditWriter | undefined {
  const log = [...models.byName.values()].find(({ faces }) => faces.audit);
  return log && ((entry, actor, tx) => tx.append(log.table!.name, log.faces.audit!.row(entry, actor, site.now())));
}

/** Records a login in a transaction of its own; `resource` is the name of the resource with the accounts. */
export function loginRecorder(store: Store, write: AuditWriter, resource: string) {
  return (account: number, actor: Actor): Promise<void> =>
    store.transaction((tx) => write({ action: 'login', resource, item: account, fields: [] }, actor, tx), {});
}
