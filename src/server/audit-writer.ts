// Records actions that are not writes of items in the audit log and in the events: logins, changes of application
// passwords.
import type { EventRecorder } from '../events/recorder.js';
import type { Actor } from '../model/actor.js';
import type { AuditWriter } from '../model/audit.js';
import type { ModelSet } from '../model/model.js';
import type { Site } from '../model/site/site.js';
import type { Store } from '../model/store.js';
import type { Accounts } from '../auth/accounts.js';
import { ApplicationPasswords } from '../auth/application-passwords.js';
import type { Secret } from '../auth/secret.js';
import type { RecordLogin } from '../http/endpoints/auth.controller.js';
import type { SiteEvents } from './events/site-events.js';
import type { SiteParts } from './open-parts.js';

/** Writes to the audit log of a site; undefined where no resource is an audit log. */
function auditWriter(models: ModelSet, site: Site): AuditWriter | undefined {
  const log = [...models.byName.values()].find(({ faces }) => faces.audit);
  return log && ((entry, actor, tx) => tx.append(log.table!.name, log.faces.audit!.row(entry, actor, site)));
}

/** Where logins are recorded. `resource`: the name of the resource of accounts. */
interface LoginRecords {
  resource: string;
  audit: AuditWriter | undefined;
  events: EventRecorder;
  now(): number;
}

/** A function that records a login in its own transaction, where there is an audit log or a consumer of events. */
function loginRecorder(store: Store, { resource, audit, events, now }: LoginRecords) {
  return async (account: number, actor: Actor): Promise<void> => {
    if (!audit && !events.isWanted) return;
    await store.transaction(async (tx) => {
      await audit?.({ action: 'login', resource, item: account, fields: [] }, actor, tx);
      await events.record({ resource, item: account, action: 'login' }, { ...actor, id: account }, tx, now());
    }, {});
  };
}

/** Functions that record actions other than writes of items. */
export interface RecordedActs {
  applicationPasswords: ApplicationPasswords;
  /** Writes nothing while there is neither an audit log nor a consumer of events. */
  recordLogin: RecordLogin | undefined;
}

/** Makes the functions that record logins and changes of application passwords. */
export function recordedActs(
  { models, store }: SiteParts,
  accounts: Accounts | undefined,
  { site, secret, events }: { site: Site; secret: Secret; events: SiteEvents },
): RecordedActs {
  const write = auditWriter(models, site);
  const audit = write && accounts && { write, resource: accounts.model.name };
  const recordLogin = loginRecorder(store, {
    resource: accounts?.model.name ?? '',
    audit: audit?.write,
    events: events.recorder,
    now: () => site.now(),
  });
  return { recordLogin, applicationPasswords: new ApplicationPasswords(store, secret, Date.now, audit) };
}
