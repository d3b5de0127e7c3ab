// The time zone of the site, from the index.
import { request, ROOT, withQuery } from './api.js';

let name = 'site time';

/** Requests it; forms wait for that. */
export async function loadZone() {
  const { ok, body } = await request(withQuery(`${ROOT}/`, { _fields: 'timezone_string' }), { anonymous: true });
  if (ok && body?.timezone_string) name = body.timezone_string;
}

export function zone() {
  return name;
}
