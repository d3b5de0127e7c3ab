// Whose application passwords a request is about, and whether its caller may manage them.
import type { ApplicationPasswords } from '../../auth/application-passwords.js';
import type { CredentialLimits } from '../../auth/rate-limit/credential-limits.js';
import { ResourceError } from '../../errors/resource-error.js';
import { readerFor } from '../../model/functions/reader-for.js';
import type { ResourceModel } from '../../model/model.js';
import type { Site } from '../../model/site/site.js';
import type { Store } from '../../model/store.js';
import { and, equals } from '../../model/query.js';
import { fieldSelection } from '../resource/field-selection.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';
import { noRoute } from '../http-errors.js';
import { itemNotFound } from '../../errors/not-found.js';

/** Dependencies of the controller. */
export interface ApplicationPasswordParts {
  passwords: ApplicationPasswords;
  limits: CredentialLimits;
  accounts: ResourceModel;
  store: Store;
  site: Site;
  /** Path of the namespace: `/cms/v2`. */
  root: string;
}

/** The error code of each action for callers who may not take it. */
type Refusal =
  | 'rest_cannot_list_application_passwords'
  | 'rest_cannot_read_application_password'
  | 'rest_cannot_create_application_passwords'
  | 'rest_cannot_edit_application_password'
  | 'rest_cannot_delete_application_passwords'
  | 'rest_cannot_delete_application_password';

/** Id of the account in the path, if the caller may edit it. */
export async function ownerFor(
  parts: ApplicationPasswordParts,
  request: ApiRequest,
  id: string,
  refusal: Refusal,
  isIntrospection = false,
): Promise<number> {
  const { accounts, store } = parts;
  const context = contextOf(request);
  const { actor, query } = context;
  // Otherwise a password with a scope could create one without.
  if (actor?.scope && !isIntrospection) throw new ResourceError('rest_forbidden_scope');
  // Reject an invalid `_fields` before anything is written.
  fieldSelection(query['_fields']);
  if (id === accounts.schema.selfAlias) {
    if (!actor || actor.id === 0) throw new ResourceError('rest_not_logged_in');
    return actor.id;
  }
  if (!/^\d{1,16}$/.test(id)) throw noRoute();
  const rule = accounts.rules.get('edit')!;
  const reader = readerFor(store.reader, context);
  const row = await reader.first(accounts.table!.name, ['id'], and(equals('id', Number(id)), accounts.rowScope), {
    mayEdit: actor ? rule(actor) : { op: 'false' },
  });
  if (!row)
    throw itemNotFound({ labels: accounts.labels, code: accounts.errors.notFound, like: 'rest_user_invalid_id' }, id);
  if (!row['mayEdit']) throw new ResourceError(refusal, { status: 'auth', like: 'rest_forbidden' });
  return Number(id);
}
