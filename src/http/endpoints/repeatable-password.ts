// `Idempotency-Key` of a new application password: a retry gets the same password. It is stored encrypted: reading it
// takes both the site's secret and that key.
import type { ApplicationPasswords, Repeatable } from '../../auth/application-passwords.js';
import { findStoredResponse, idempotencyOf, storeResponse } from '../../engine/replays/idempotency.js';
import { ANONYMOUS } from '../../model/actor.js';
import type { Site } from '../../model/site/site.js';
import type { Reader } from '../../model/store.js';
import { contextOf, type ApiRequest } from '../request/request-context.js';

/** What is stored of the response: the encrypted password, and the UUID of its row, from which the rest is read. */
interface StoredPassword {
  uuid: string;
  sealed: string;
}

/** How a creation with a key is repeated; undefined without one. */
export function repeatable(
  request: ApiRequest,
  { passwords, site }: { passwords: ApplicationPasswords; site: Site },
  owner: number,
  raw: Record<string, unknown>,
): Repeatable | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header);
  const actor = contextOf(request).actor ?? ANONYMOUS;
  // A name that no resource can have.
  const about = { model: { name: 'application passwords of' }, kind: 'create', parentId: owner, id: 0, raw } as const;
  const keyed = { idempotency: idempotencyOf({ ...about, actor }, key), site };
  return {
    async find(reader: Reader) {
      const stored = (await findStoredResponse(keyed, reader))?.result.body as StoredPassword | undefined;
      const password = stored && passwords.open(stored.sealed, key);
      // With another site secret the password is no longer valid.
      return password === undefined ? undefined : { uuid: stored!.uuid, password };
    },
    async store({ uuid, password }, tx) {
      const body: StoredPassword = { uuid, sealed: passwords.seal(password, key) };
      await storeResponse(keyed, { status: 201, body }, undefined, tx);
    },
  };
}
